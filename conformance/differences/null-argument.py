# pip install botocore && python null-argument.py
# A path that cannot be evaluated matches nothing, so the wait polls on. botocore raises the path's error to its user.
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
import botocore.session

class Service(BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({}).encode())

server = HTTPServer(("127.0.0.1", 0), Service)
Thread(target=server.serve_forever, daemon=True).start()
keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
client = botocore.session.get_session().create_client("ecs", endpoint_url=f"http://127.0.0.1:{server.server_port}", **keys)
client.get_waiter("services_stable").wait(services=["web"], WaiterConfig={"Delay": 1, "MaxAttempts": 3})
