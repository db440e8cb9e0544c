# pip install botocore && python fixed-delay.py
# The delays of Smithy's waiters grow and are random. The requests of botocore's are one second apart.
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
import botocore.session

class Service(BaseHTTPRequestHandler):
    def do_POST(self):
        print(f"{time.monotonic():.2f}")
        self.send_response(200)
        self.end_headers()

server = HTTPServer(("127.0.0.1", 0), Service)
Thread(target=server.serve_forever, daemon=True).start()
keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
client = botocore.session.get_session().create_client("acm", endpoint_url=f"http://127.0.0.1:{server.server_port}", **keys)
config = {"Delay": 1, "MaxAttempts": 5}
client.get_waiter("certificate_validated").wait(CertificateArn="arn:aws:acm:us-east-1:1:certificate/a", WaiterConfig=config)
