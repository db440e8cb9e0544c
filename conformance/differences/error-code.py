# pip install botocore && python error-code.py
# The definition names the shape `DBInstanceNotFoundFault`, whose code is `DBInstanceNotFound`: the wait must succeed. It fails.
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
import botocore.session

class Service(BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(404)
        self.end_headers()
        self.wfile.write(b"<ErrorResponse><Error><Code>DBInstanceNotFound</Code></Error></ErrorResponse>")

server = HTTPServer(("127.0.0.1", 0), Service)
Thread(target=server.serve_forever, daemon=True).start()
keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
client = botocore.session.get_session().create_client("rds", endpoint_url=f"http://127.0.0.1:{server.server_port}", **keys)
client.get_waiter("tenant_database_deleted").wait(DBInstanceIdentifier="a", WaiterConfig={"Delay": 1, "MaxAttempts": 3})
