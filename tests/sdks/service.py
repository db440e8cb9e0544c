"""A program that runs moto behind a proxy, which changes real responses by a script. It prints the port of the proxy.

`PUT /-/script` sets the script, a JSON array. Each further request takes one entry: null forwards the response
unchanged, `{"replace": [["running", "pending"]]}` replaces texts in its body, and `{"status": 404, "body": "no"}`
replaces it by another one. After the last entry, responses are unchanged.
"""

from __future__ import annotations

import http.client
import json
import logging
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from moto.server import ThreadedMotoServer

script: list[dict[str, Any] | None] = []
lock = threading.Lock()


class Proxy(BaseHTTPRequestHandler):
    """Forwards requests to moto."""

    protocol_version = "HTTP/1.1"
    moto: tuple[str, int]

    def forward(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == "/-/script":
            with lock:
                script[:] = json.loads(body)
            self.answer(200, [], b"")
            return
        with lock:
            change = (script.pop(0) if script else None) or {}
        connection = http.client.HTTPConnection(*self.moto)
        connection.request(self.command, self.path, body, dict(self.headers))
        response = connection.getresponse()
        status, answer = response.status, response.read()
        if "status" in change:
            status, answer = change["status"], change.get("body", "").encode()
        for old, new in change.get("replace", []):
            answer = answer.replace(old.encode(), new.encode())
        # The lengths and checksums are those of the unchanged response.
        unwanted = ("content-length", "transfer-encoding", "connection", "x-amz-crc32", "date", "server")
        self.answer(
            status, [(name, value) for name, value in response.getheaders() if name.lower() not in unwanted], answer
        )
        connection.close()

    def answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_DELETE = do_GET = do_HEAD = do_POST = do_PUT = forward

    def log_message(self, *_: object) -> None:
        """Log nothing."""


def main() -> None:
    """Serve until standard input ends."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    moto.start()
    Proxy.moto = ("127.0.0.1", moto.get_host_and_port()[1])
    proxy = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    print(proxy.server_address[1], flush=True)
    input()


if __name__ == "__main__":
    with suppress(EOFError):
        main()
