# pip install botocore && python region-redirect.py
# An acceptor names the status 301, so the wait must end after one request. The client sends more, and the waiter sees only the last answer.
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
import botocore.session

class Service(BaseHTTPRequestHandler):
    answers = [200, 301]

    def do_HEAD(self):
        print("request")
        self.send_response(self.answers.pop())
        self.end_headers()

server = HTTPServer(("127.0.0.1", 0), Service)
Thread(target=server.serve_forever, daemon=True).start()
keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
client = botocore.session.get_session().create_client("s3", endpoint_url=f"http://127.0.0.1:{server.server_port}", **keys)
client.get_waiter("bucket_exists").wait(Bucket="a-bucket", WaiterConfig={"Delay": 1, "MaxAttempts": 3})
