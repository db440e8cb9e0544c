# pip install botocore && python timestamp-of-host.py
# A timestamp is a number of seconds in a path, so the wait must succeed. It polls on: the path has a datetime, which is not greater than 1.
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
import botocore.session
from botocore.waiter import WaiterModel, create_waiter_with_client

class Service(BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"Table": {"CreationDateTime": 1700000000}}')

server = HTTPServer(("127.0.0.1", 0), Service)
Thread(target=server.serve_forever, daemon=True).start()
keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
client = botocore.session.get_session().create_client("dynamodb", endpoint_url=f"http://127.0.0.1:{server.server_port}", **keys)
acceptor = {"state": "success", "matcher": "path", "argument": "Table.CreationDateTime > `1`", "expected": True}
waiter = {"operation": "DescribeTable", "delay": 1, "maxAttempts": 3, "acceptors": [acceptor]}
print(create_waiter_with_client("Created", WaiterModel({"version": 2, "waiters": {"Created": waiter}}), client).wait(TableName="a"), "success")
