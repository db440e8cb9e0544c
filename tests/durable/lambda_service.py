"""The local service of the SDK for durable functions, with workers that are processes of their own.

The runner of the SDK calls functions in its own process. Here, the function only passes each invocation on to a worker:
an HTTP server that runs a handler in Python or in JavaScript, and that a test can kill. The worker stores its
checkpoints with the client of its SDK, as on Lambda.
"""

from __future__ import annotations

import json
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any, cast

from aws_durable_execution_sdk_python_testing.runner import DurableFunctionTestRunner
from aws_durable_execution_sdk_python_testing.web.server import (
    WebServer,
    WebServiceConfig,
)
from lambda_waits import close

if TYPE_CHECKING:
    from pathlib import Path

    from aws_durable_execution_sdk_python.execution import (
        DurableExecutionInvocationInput,
    )

# The workers of a test are killed more often than those of Lambda, and start more slowly than Lambda has another one.
_FAILED_INVOCATIONS = 1000
_PAUSE = 0.1

# The seconds until a test fails, and until the service is reminded of a function.
_LIMIT, _REMINDER = 600, 15


class Service:
    """The service, and a worker that it starts again after each kill."""

    def __init__(self, command: list[str], folder: Path) -> None:
        self._command, self._folder = command, folder
        self._port, self._api = free_port(), free_port()
        self.kills = 0
        self._runner = DurableFunctionTestRunner(self._invoke)
        self.reminders = 0
        self._store: Any = self._runner._store  # noqa: SLF001
        self._executor = executor = cast("Any", self._runner)._executor  # noqa: SLF001
        executor.MAX_CONSECUTIVE_FAILED_ATTEMPTS = _FAILED_INVOCATIONS
        executor.RETRY_BACKOFF_SECONDS = _PAUSE
        # Each failed invocation is an error in the log.
        logging.getLogger("aws_durable_execution_sdk_python_testing").setLevel(logging.CRITICAL)
        web = WebServiceConfig(host="127.0.0.1", port=self._api, log_level=logging.CRITICAL)
        self._server = WebServer(web, executor)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._worker = self._start()

    def run(self, event: dict[str, Any], name: str) -> Any:
        """Run the function, and return its result."""
        arn = self._runner.run_async(json.dumps(event), execution_name=name, execution_timeout=_LIMIT)
        for turn in range(1, int(_LIMIT / _PAUSE)):
            time.sleep(_PAUSE)
            execution = self._store.load(arn)
            if execution.is_complete:
                break
            if turn % int(_REMINDER / _PAUSE) == 0:
                # The local service sometimes does not invoke a function again whose timer ends while its invocation
                # fails.
                self.reminders += 1
                self._executor._invoke_execution(arn)  # noqa: SLF001
        result = execution.result
        assert result is not None, f"{name} has not ended"
        assert result.result is not None, result.error
        return json.loads(result.result)

    def kill(self) -> None:
        """Kill the worker, and start another one."""
        self._worker.kill()
        self._worker.wait()
        self.kills += 1
        self._worker = self._start()

    def close(self) -> None:
        """End the service and the worker."""
        self._worker.kill()
        self._worker.wait()
        self._server.shutdown()
        self._server.server_close()
        close(self._runner)

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {
            **os.environ,
            "AWS_ENDPOINT_URL_LAMBDA": f"http://127.0.0.1:{self._api}",
            "AWS_ACCESS_KEY_ID": "local",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_DEFAULT_REGION": "us-west-2",
            "AWS_REGION": "us-west-2",
        }
        return subprocess.Popen([*self._command, str(self._port)], cwd=self._folder, env=environment)

    def _invoke(self, event: DurableExecutionInvocationInput, _context: object) -> Any:
        """Invoke the worker. The service repeats the invocation if it fails."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request("POST", "/", json.dumps(event.to_json_dict()))
            response = connection.getresponse()
            body = response.read()
        except (OSError, HTTPException) as error:
            # The worker was killed, or has not started yet.
            time.sleep(_PAUSE)
            raise RuntimeError(f"the worker has failed: {error!r}") from None
        finally:
            connection.close()
        if response.status != 200:
            raise RuntimeError(body.decode())
        return json.loads(body)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def python(program: Path) -> list[str]:
    return [sys.executable, "-u", str(program)]
