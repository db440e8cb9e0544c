"""A service that needs some seconds to start: `python service.py PORT`. It tells its state at `/health`."""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

# The first state of the service, and the seconds until it has the others.
STATES = (("STARTING", 0), ("MIGRATING", 1), ("UP", 2.5))


class Health(BaseHTTPRequestHandler):
    """Tells the state."""

    def do_GET(self):
        age = time.monotonic() - STARTED
        state = [name for name, begin in STATES if age >= begin][-1]
        body = json.dumps({"status": state, "version": "1.4.2"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


time.sleep(1)  # nothing answers yet
STARTED = time.monotonic()
HTTPServer(("127.0.0.1", int(sys.argv[1])), Health).serve_forever()
