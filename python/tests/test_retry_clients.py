"""The classification of real exceptions of clients, which the libraries raise for a server of this test."""

from __future__ import annotations

import asyncio
import http.client
import socket
import ssl
import threading
import urllib.request
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseRequestHandler, TCPServer, ThreadingTCPServer
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import aiohttp
import botocore.exceptions
import httpx
import pytest
import requests
import urllib3
from http_clients import CLIENTS, RAISING, CallError, caused_by, dynamodb

from smithy_waiters.retry import FailureInfo, RetryInfo, classify

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Handler(BaseHTTPRequestHandler):
    """Responds by path: `/503/7` is a status and the seconds of `Retry-After`, and `/503/7+40` has two headers."""

    def answer(self) -> None:
        status, _, pause = self.path.strip("/").partition("/")
        if status == "reset":
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if status == "late":
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(b"the rest never comes")
            # Wait until the client disconnects.
            self.connection.recv(1)
            return
        body = b'{"__type": "ProvisionedThroughputExceededException", "message": "too much"}'
        self.send_response(int(status or 400))
        self.send_header("Content-Length", str(len(body)))
        for line in filter(None, pause.split("+")):
            self.send_header("Retry-After", line)
        self.end_headers()
        self.wfile.write(body)

    do_GET = answer  # noqa: N815 - the library defines the name.
    do_POST = answer  # noqa: N815

    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as port:
        yield f"http://127.0.0.1:{port}"


@contextmanager
def serving(server: TCPServer) -> Iterator[int]:
    """Run a server, and return its port."""
    with server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()
            thread.join()


def raised_by(call: Callable[[], object]) -> Exception:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each client has its own classes.
        call()
    error: Exception = caught.value
    # The error of urllib is also the response.
    getattr(error, "close", lambda: None)()
    return error


@pytest.mark.parametrize("get", RAISING)
def test_responses_that_ask_for_time(get: Callable[[str], Any], url: str) -> None:
    # The first of two headers counts.
    for path in ("503/7", "503/7+40"):
        error = raised_by(partial(get, f"{url}/{path}"))
        assert classify(error) == FailureInfo(retry=RetryInfo("yes", retry_after=7), fault="server")
    error = raised_by(lambda: get(f"{url}/429"))
    assert classify(error) == FailureInfo(retry=RetryInfo("yes", throttle=True), fault="client")
    error = raised_by(lambda: get(f"{url}/504"))
    assert classify(error, idempotent=True) == FailureInfo(retry=RetryInfo("yes", timeout=True), fault="server")
    error = raised_by(lambda: get(f"{url}/404"))
    assert classify(error, idempotent=True) == FailureInfo(retry=RetryInfo("no"), fault="client")


@pytest.mark.parametrize("get", RAISING)
def test_connections_that_fail(get: Callable[[str], Any], url: str) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        refused = raised_by(lambda: get(f"http://127.0.0.1:{nobody.getsockname()[1]}"))
    for error in (refused, raised_by(lambda: get(f"{url}/reset"))):
        found = classify(error, idempotent=True)
        assert found.retry == RetryInfo("yes"), error
        assert classify(error).retry == RetryInfo("no")


@pytest.mark.parametrize(
    "error",
    [
        requests.exceptions.ReadTimeout(),
        requests.exceptions.ConnectTimeout(),
        httpx.ReadTimeout("slow"),
        httpx.PoolTimeout("slow"),
        aiohttp.ServerTimeoutError(),
        aiohttp.SocketTimeoutError(),
        botocore.exceptions.ReadTimeoutError(endpoint_url=""),
        botocore.exceptions.ConnectTimeoutError(endpoint_url=""),
        TimeoutError(),
        asyncio.TimeoutError(),
        TimeoutError(110, "ETIMEDOUT"),
    ],
    ids=lambda error: f"{type(error).__module__}.{type(error).__name__}",
)
def test_answers_that_do_not_come(error: Exception) -> None:
    found = classify(error, idempotent=True).retry
    assert found is not None
    assert (found.safety, found.timeout) == ("yes", True)


@pytest.mark.parametrize(
    "error",
    [
        requests.exceptions.SSLError(),
        requests.exceptions.InvalidURL(),
        httpx.UnsupportedProtocol("x"),
        aiohttp.InvalidURL("x"),
        botocore.exceptions.SSLError(endpoint_url="", error=OSError()),
        botocore.exceptions.NoCredentialsError(),
        FileNotFoundError(2, "no such file"),
        ValueError(),
    ],
    ids=lambda error: f"{type(error).__module__}.{type(error).__name__}",
)
def test_errors_that_another_attempt_does_not_fix(error: Exception) -> None:
    assert classify(error, idempotent=True) == FailureInfo()


def test_a_certificate_that_is_not_trusted() -> None:
    untrusted = ssl.SSLCertVerificationError(1, "certificate verify failed: self-signed certificate")
    inner = caused_by(OSError("httpcore's"), untrusted)
    for outer in (httpx.ConnectError("TLS"), aiohttp.ClientConnectionError("TLS")):
        assert classify(caused_by(outer, inner), idempotent=True) == FailureInfo()
    reset = caused_by(httpx.ConnectError("TLS"), ssl.SSLEOFError(8, "the connection was closed"))
    assert classify(reset, idempotent=True).retry == RetryInfo("yes")


@pytest.fixture(params=[b"", b"\x15\x03\x03\x00\x02\x02\x50"], ids=["closes", "alert"])
def handshake(request: pytest.FixtureRequest) -> Iterator[tuple[str, bool]]:
    """Return the address of a server that closes the connection in the handshake, with or without a fatal alert."""

    class Closing(BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(4096)
            self.request.sendall(request.param)

    with serving(ThreadingTCPServer(("127.0.0.1", 0), Closing)) as port:
        yield f"https://127.0.0.1:{port}", not request.param


def with_http_client(url: str) -> Any:
    http.client.HTTPSConnection(url.removeprefix("https://")).request("GET", "/")


@pytest.mark.parametrize("get", [*CLIENTS, with_http_client])
def test_a_connection_that_is_lost_in_the_handshake(get: Callable[[str], Any], handshake: tuple[str, bool]) -> None:
    url, is_lost = handshake
    error = raised_by(lambda: get(url))
    assert classify(error, idempotent=True).retry == (RetryInfo("yes") if is_lost else None), error
    assert classify(error).retry == (RetryInfo("no") if is_lost else None)


@pytest.mark.parametrize(
    "get",
    [
        lambda url, proxy: requests.get(url, proxies={"https": proxy}, timeout=60),
        lambda url, proxy: httpx.Client(proxy=proxy).get(url),
        lambda url, proxy: urllib.request.build_opener(urllib.request.ProxyHandler({"https": proxy})).open(url),
        lambda url, proxy: urllib3.ProxyManager(proxy).request("GET", url, retries=False),
    ],
    ids=["requests", "httpx", "urllib", "urllib3"],
)
def test_a_proxy_that_gives_no_connection(get: Callable[[str, str], Any]) -> None:
    class Refusing(BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(4096)
            self.request.sendall(b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")

    with serving(ThreadingTCPServer(("127.0.0.1", 0), Refusing)) as port:
        error = raised_by(lambda: get("https://none.invalid/", f"http://127.0.0.1:{port}"))
    assert classify(error, idempotent=True).retry == RetryInfo("yes"), error


def test_a_body_that_comes_too_late_costs_as_a_timeout(url: str) -> None:
    late = urllib3.exceptions.ReadTimeoutError(None, None, "read timed out")  # type: ignore[arg-type]
    timeout = FailureInfo(retry=RetryInfo("yes", timeout=True), fault="other")
    assert classify(requests.exceptions.ConnectionError(late), idempotent=True) == timeout
    error = raised_by(lambda: requests.get(f"{url}/late", timeout=(60, 0.05)))
    assert isinstance(error, requests.exceptions.ConnectionError)
    assert classify(error, idempotent=True) == timeout
    lost = requests.exceptions.ConnectionError(urllib3.exceptions.ProtocolError("broken"))
    assert classify(lost, idempotent=True).retry == RetryInfo("yes")


class Unreadable:
    """An object whose attributes all raise."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __str__(self) -> str:
        raise RuntimeError


class Headers:
    """An object that is not a mapping of headers."""

    def __init__(self, items: object) -> None:
        self.items = items


@pytest.mark.parametrize(
    "status", [None, 0, "503", float("nan"), 1000, True, Unreadable()], ids=lambda one: type(one).__name__
)
@pytest.mark.parametrize(
    "headers",
    [
        None,
        {},
        5,
        Unreadable(),
        {"Retry-After": Unreadable()},
        {None: 1},
        Headers(5),
        Headers(lambda: [1, 2]),
        Headers(lambda: 5),
    ],
    ids=lambda one: type(one).__name__,
)
def test_answers_that_are_garbage_say_nothing(status: Any, headers: Any) -> None:
    error: Any = ValueError("no")
    error.response = SimpleNamespace(status_code=status, headers=headers)
    assert classify(error, idempotent=True) == FailureInfo()
    error.response = {"Error": None, "ResponseMetadata": {"HTTPStatusCode": status, "HTTPHeaders": headers}}
    assert classify(error, idempotent=True) == FailureInfo()
    error.response, error.status, error.headers = None, status, headers
    assert classify(error, idempotent=True) == FailureInfo()
    error.response = SimpleNamespace(status_code=500, headers=headers)
    assert classify(error, idempotent=True).retry == RetryInfo("yes")


def test_boto3(url: str) -> None:
    error = raised_by(dynamodb(f"{url}/503/7+40").list_tables)
    assert classify(error).retry == RetryInfo("yes", throttle=True, retry_after=7)
    error = raised_by(dynamodb(f"{url}/400").list_tables)
    assert classify(error, idempotent=True) == FailureInfo(retry=RetryInfo("yes", throttle=True), fault="client")
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        error = raised_by(dynamodb(f"http://127.0.0.1:{nobody.getsockname()[1]}").list_tables)
    assert classify(error, idempotent=True).retry == RetryInfo("yes")
    response: Any = {"ResponseMetadata": {"HTTPStatusCode": 503, "HTTPHeaders": {"x-amz-retry-after": "1500"}}}
    error = botocore.exceptions.ClientError(response, "ListTables")
    assert classify(error).retry == RetryInfo("yes", retry_after=1.5)


def test_a_circle_of_causes() -> None:
    circle = RuntimeError()
    circle.__cause__ = circle
    assert classify(circle) == FailureInfo()


def smithy_python(name: str) -> Any:
    """Return a class of the real package, which requires Python 3.12."""
    return getattr(pytest.importorskip("smithy_core.exceptions"), name)


@pytest.fixture(params=["stand-in", "smithy-core"])
def call_error(request: pytest.FixtureRequest) -> Any:
    return CallError if request.param == "stand-in" else smithy_python("CallError")


@pytest.mark.parametrize(
    ("known", "expected", "of_idempotent"),
    [
        # The error's own classification is used, independent of the fault.
        ({"fault": "server", "is_retry_safe": False}, "no", "no"),
        ({"fault": "client", "is_retry_safe": False}, "no", "no"),
        ({"fault": "client", "is_retry_safe": True}, "yes", "yes"),
        ({"fault": "server", "is_retry_safe": True}, "yes", "yes"),
        ({"is_retry_safe": True}, "yes", "yes"),
        ({"is_retry_safe": False, "is_throttling_error": True}, "no", "no"),
        ({"is_retry_safe": False, "retry_after": 1}, "no", "no"),
        # Without one, the default rules apply.
        ({"fault": "server"}, "no", "maybe"),
        ({"fault": "client"}, "no", "no"),
        ({"is_throttling_error": True}, "yes", "yes"),
        ({"is_timeout_error": True}, "no", "yes"),
        ({"fault": "client", "is_timeout_error": True}, "no", "yes"),
        ({"retry_after": 1}, "yes", "yes"),
        ({"response_metadata": SimpleNamespace(http_status_code=503)}, "yes", "yes"),
        ({"response_metadata": SimpleNamespace(http_status_code=500)}, "no", "yes"),
        ({}, None, None),
    ],
)
def test_errors_of_smithy_python_are_taken_at_their_word(
    call_error: Any, known: dict[str, Any], expected: str | None, of_idempotent: str | None
) -> None:
    def safety(**options: Any) -> str | None:
        retryable = classify(call_error(message="failed", **known), **options).retry
        return None if retryable is None else retryable.safety

    assert (safety(), safety(idempotent=True)) == (expected, of_idempotent)


def test_throttling_timeouts_and_delays_of_smithy_python(call_error: Any) -> None:
    error = call_error(
        message="slow down", fault="client", is_retry_safe=True, is_throttling_error=True, retry_after=2.5
    )
    assert classify(error) == FailureInfo(retry=RetryInfo("yes", throttle=True, retry_after=2.5), fault="client")
    error = call_error(message="late", fault="client", is_retry_safe=True, is_timeout_error=True)
    assert classify(error) == FailureInfo(retry=RetryInfo("yes", timeout=True), fault="client")
    error = call_error(message="late", is_timeout_error=True, retry_after=0)
    assert classify(error, idempotent=True).retry == RetryInfo("yes", timeout=True, retry_after=0)
    for retry_after in (-1, float("nan"), float("inf"), True, "5", None):
        error = call_error(message="no time", is_retry_safe=True, retry_after=retry_after)
        assert classify(error).retry == RetryInfo("yes")


def test_a_client_of_smithy_python_that_had_no_answer() -> None:
    error = smithy_python("ClientTimeoutError")(message="late")
    assert classify(error) == FailureInfo(retry=RetryInfo("yes", timeout=True), fault="client")


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (ConnectionResetError(104, "reset"), "yes"),
        (BrokenPipeError(), "yes"),
        (aiohttp.ServerDisconnectedError(), "yes"),
        (TimeoutError(), "yes"),
        (caused_by(RuntimeError("wrapped"), ConnectionResetError()), "yes"),
        (ssl.SSLCertVerificationError(1, "certificate verify failed"), None),
        # botocore's own retries make no difference between these, either.
        (ValueError("bug"), "yes"),
        ("a text", "yes"),
    ],
    ids=repr,
)
def test_unknown_errors_of_botocore_are_classified_by_their_cause(reason: Any, expected: str | None) -> None:
    errors: list[Exception] = [botocore.exceptions.HTTPClientError(error=reason)]
    if isinstance(reason, Exception):
        errors.append(caused_by(botocore.exceptions.HTTPClientError(error="unknown"), reason))
    for error in errors:
        retryable = classify(error, idempotent=True).retry
        assert (None if retryable is None else retryable.safety) == expected
