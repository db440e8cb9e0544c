"""A worker that runs a durable function for the local service. The argument is the port on which it listens."""

from __future__ import annotations

import json
import logging
import os
import random
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from aws_durable_execution_sdk_python import DurableContext, durable_execution
from lambda_waits import NUMBER, options_of
from waits import JOB_DONE, answer, facts

from smithy_waiters import WaiterError
from smithy_waiters.aws_lambda import durable_wait

logging.disable(logging.CRITICAL)


# The parts of the context of an invocation that the SDK reads.
CONTEXT: Any = SimpleNamespace(aws_request_id="request", function_name="function", tenant_id=None)


@durable_execution
def handler(event: dict[str, Any], context: DurableContext) -> dict[str, Any]:
    wait = event["wait"]

    def call() -> dict[str, str]:
        attempt = NUMBER.get()
        with Path("calls").open("a") as calls:
            calls.write(f"{wait} {attempt} {os.getpid()}\n")
        # A worker may be killed during a call.
        time.sleep(random.uniform(0, 0.05))
        return answer(wait, attempt)

    try:
        outcome = durable_wait(context, JOB_DONE, call, **options_of(wait))
    except WaiterError as failure:
        return facts(failure)
    return facts(outcome)


class Invocations(BaseHTTPRequestHandler):
    """Each request is one invocation."""

    def do_POST(self) -> None:
        event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            status, body = 200, json.dumps(handler(event, CONTEXT))
        except Exception as error:  # noqa: BLE001 - the service repeats the invocation.
            status, body = 500, repr(error)
        self.send_response(status)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_: object) -> None:
        """Write nothing."""


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Invocations).serve_forever()
