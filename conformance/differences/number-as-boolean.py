# pip install botocore && python number-as-boolean.py
# The value is the number 1, which is not a boolean, so the wait must poll on. It succeeds, because 1 equals True in Python.
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
import botocore.session
from botocore.waiter import WaiterModel, create_waiter_with_client

class Service(BaseHTTPRequestHandler):
    def do_POST(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"Table": {"ItemCount": 1}}')

server = HTTPServer(("127.0.0.1", 0), Service)
Thread(target=server.serve_forever, daemon=True).start()
keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
client = botocore.session.get_session().create_client("dynamodb", endpoint_url=f"http://127.0.0.1:{server.server_port}", **keys)
acceptor = {"state": "success", "matcher": "path", "argument": "Table.ItemCount", "expected": True}
waiter = {"operation": "DescribeTable", "delay": 1, "maxAttempts": 3, "acceptors": [acceptor]}
print(create_waiter_with_client("Full", WaiterModel({"version": 2, "waiters": {"Full": waiter}}), client).wait(TableName="a"), "success")
