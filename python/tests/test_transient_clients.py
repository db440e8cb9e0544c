"""Transient errors that no acceptor matches."""

from __future__ import annotations

import asyncio
import copy
import email.message
import itertools
import pickle
import socket
import ssl
import urllib.error
import urllib.request
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import aiohttp
import botocore.exceptions
import httpx
import pytest
import requests
import urllib3
from http_clients import CLIENTS, CallError, caused_by, dynamodb, with_httpx, with_requests, with_urllib
from libraries import EACH, Library
from samples import ACTIVE, CREATING, RESET, ClientError, script, table_exists

from smithy_waiters import Done, OptionsError, Sleep, Wait, Waiter, WaiterFailed
from smithy_waiters.events import Error, Transient, Verdict
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def in_flight(**options: Any) -> Wait:
    wait = table_exists().start(**{"max_wait": 3_600, "seed": 7} | options)
    wait.poll(0)
    return wait


def meaning_of(error: Any) -> str:
    """Return the result of a wait after an error when the service has not responded for too long."""
    step = in_flight(transient_window=5).handle(Error(error), 5_000)
    if isinstance(step, Done):
        return str(step.code)
    return "answered"


ANSWERED, UNANSWERED, NOT_TRANSIENT = "answered", "unreachable", "unmatched_error"


def response_of_botocore(code: str, status: int, **headers: str) -> Exception:
    meta: Any = {"HTTPStatusCode": status, "HTTPHeaders": headers}
    return botocore.exceptions.ClientError({"Error": {"Code": code}, "ResponseMetadata": meta}, "DescribeTable")


def test_a_dead_port_ends_the_wait_within_the_window() -> None:
    clock = FakeClock()
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        port = nobody.getsockname()[1]
        url = f"http://127.0.0.1:{port}"
        client = dynamodb(url)
        calls: Iterator[Callable[[], object]] = itertools.cycle(
            [
                lambda: client.describe_table(TableName="t"),
                lambda: with_requests(url),
                lambda: with_httpx(url),
                lambda: with_urllib(url),
                lambda: socket.create_connection(("127.0.0.1", port)),
            ]
        )

        def call() -> object:
            return next(calls)()

        with pytest.raises(WaiterFailed) as caught:
            table_exists().wait(call, max_wait=3_600, seed=7, clock=clock)
    failure = caught.value
    assert (failure.code, failure.elapsed, clock.now) == ("unreachable", 120, 120)
    assert failure.attempts > 5
    assert failure.error is failure.__cause__ is not None
    assert "has not answered for 120 s" in failure.message
    again = pickle.loads(pickle.dumps(failure))  # noqa: S301
    assert (type(again), again.code, again.explain()) == (WaiterFailed, "unreachable", failure.explain())


@EACH
async def test_a_service_that_never_answers(library: Library) -> None:
    with pytest.raises(WaiterFailed) as caught:
        await table_exists().wait_async(
            library.event().wait, max_wait=3_600, attempt_timeout=5, transient_window=30, seed=7
        )
    assert (caught.value.code, caught.value.history[-1].result) == ("unreachable", "cut")
    assert 30 <= caught.value.elapsed <= 35


def test_an_answer_opens_the_window_again() -> None:
    def call() -> Any:
        number = next(numbers)
        if number == 60:
            return ACTIVE
        if number % 3 == 0:
            return CREATING
        raise RESET

    numbers = itertools.count(1)
    outcome = table_exists().wait(call, max_wait=3_600, transient_window=45, pace={"every": 15}, clock=FakeClock())
    assert outcome.attempts == 60


@pytest.mark.parametrize("get", CLIENTS)
@pytest.mark.parametrize("number", [socket.EAI_NONAME, socket.EAI_AGAIN])
def test_a_host_name_that_does_not_resolve(
    get: Callable[[str], Any], number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolve(host: Any, *_: Any, **__: Any) -> Any:
        raise socket.gaierror(number, f"cannot resolve {host}")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each client has its own classes.
        get("http://none.invalid/")
    assert not isinstance(caught.value, OptionsError)
    assert meaning_of(caught.value) == (UNANSWERED if number == socket.EAI_AGAIN else NOT_TRANSIENT), caught.value


UNTRUSTED = ssl.SSLCertVerificationError(1, "certificate verify failed: self-signed certificate")


@pytest.mark.parametrize(
    "error",
    [
        UNTRUSTED,
        caused_by(httpx.ConnectError("TLS"), caused_by(OSError("httpcore's"), UNTRUSTED)),
        caused_by(RuntimeError("mine"), UNTRUSTED),
        requests.exceptions.SSLError(urllib3.exceptions.SSLError(UNTRUSTED)),
        botocore.exceptions.SSLError(endpoint_url="", error=UNTRUSTED),
        caused_by(aiohttp.ClientConnectionError("TLS"), UNTRUSTED),
        urllib.error.URLError(UNTRUSTED),
        botocore.exceptions.NoCredentialsError(),
        botocore.exceptions.PartialCredentialsError(provider="env", cred_var="AWS_SECRET_ACCESS_KEY"),
        botocore.exceptions.CredentialRetrievalError(provider="sso", error_msg="expired"),
        botocore.exceptions.NoAuthTokenError(),
        botocore.exceptions.ParamValidationError(report="no"),
        response_of_botocore("AccessDenied", 403),
        response_of_botocore("ValidationException", 400),
        response_of_botocore("LimitExceededException", 400),
        ClientError("AccessDenied"),
        FileNotFoundError(2, "no such file"),
        KeyError("bug"),
        "AccessDenied",
        None,
        {"name": "ThrottlingException"},
    ],
    ids=repr,
)
def test_errors_that_waiting_does_not_cure(error: Any) -> None:
    assert meaning_of(error) == NOT_TRANSIENT


@pytest.mark.parametrize(
    "error",
    [
        response_of_botocore("ThrottlingException", 400),
        response_of_botocore("LimitExceededException", 429),
        response_of_botocore("InternalFailure", 500),
        response_of_botocore("404", 503),
        ClientError("Throttling"),
        type("ThrottlingException", (Exception,), {})(),
        httpx.HTTPStatusError("no", request=None, response=httpx.Response(502)),  # type: ignore[arg-type]
        "ThrottlingException",
    ],
    ids=repr,
)
def test_errors_of_a_service_that_answers(error: Any) -> None:
    assert meaning_of(error) == ANSWERED


@pytest.mark.parametrize(
    "error",
    [
        RESET,
        TimeoutError(),
        asyncio.TimeoutError(),
        caused_by(RuntimeError("mine"), RESET),
        botocore.exceptions.ReadTimeoutError(endpoint_url=""),
        botocore.exceptions.HTTPClientError(error=OSError("the connection broke")),
        botocore.exceptions.EndpointConnectionError(endpoint_url="", error=ConnectionRefusedError(111, "refused")),
        requests.exceptions.ReadTimeout(),
        httpx.ReadTimeout("slow"),
        aiohttp.ServerDisconnectedError(),
        OSError(113, "EHOSTUNREACH"),
        socket.gaierror(socket.EAI_AGAIN, "later"),
        "ECONNREFUSED",
        "TimeoutError",
    ],
    ids=repr,
)
def test_errors_without_an_answer(error: Any) -> None:
    assert meaning_of(error) == UNANSWERED


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({"is_retry_safe": True}, ANSWERED),
        ({"is_retry_safe": True, "fault": "client"}, ANSWERED),
        ({"is_retry_safe": True, "is_timeout_error": True}, UNANSWERED),
        ({"is_retry_safe": True, "is_timeout_error": True, "fault": "client"}, UNANSWERED),
        ({"is_retry_safe": None, "is_timeout_error": True, "fault": "client"}, UNANSWERED),
        ({"is_retry_safe": None, "is_throttling_error": True, "fault": "client"}, ANSWERED),
        ({"is_retry_safe": None, "fault": "server"}, ANSWERED),
        ({"is_retry_safe": None, "fault": "client"}, NOT_TRANSIENT),
        ({"is_retry_safe": False, "fault": "server"}, NOT_TRANSIENT),
        ({"is_retry_safe": False, "is_throttling_error": True}, NOT_TRANSIENT),
        ({"is_retry_safe": False, "response_metadata": SimpleNamespace(http_status_code=503)}, NOT_TRANSIENT),
    ],
)
def test_errors_that_describe_themselves_are_taken_at_their_word(known: dict[str, Any], expected: str) -> None:
    assert meaning_of(CallError(**known)) == expected


def test_an_error_that_asks_for_a_pause_itself() -> None:
    error = CallError(is_retry_safe=True, retry_after=2.5)
    assert in_flight().handle(Error(error), 1_000) == Sleep(3_500, last=False)


def test_the_names_that_the_caller_gives_errors() -> None:
    waiter = Waiter(
        {"acceptors": [{"state": "success", "matcher": {"success": True}}]}, error_names=lambda _: ["SlowDown"]
    )
    assert waiter.wait(script(ValueError(), ACTIVE), max_wait=60, clock=FakeClock()).attempts == 2


def test_the_error_of_a_verdict_is_classified_too() -> None:
    assert in_flight().handle(Verdict(None, "Busy", Transient(9_000)), 30) == Sleep(9_000, last=False)
    assert isinstance(in_flight().handle(Verdict(None, RESET), 30), Sleep)
    assert isinstance(in_flight().handle(Verdict(None, RESET, False), 30), Done)


def test_the_members_of_a_classification() -> None:
    transient = Transient(5.9, answered=False)
    assert (transient.not_before_ms, transient.answered) == (5, False)
    assert repr(transient) == "Transient(not_before_ms=5, answered=False)"
    assert {Transient(), Transient(0, True)} == {Transient(0, answered=True)} != {transient}
    for again in (copy.copy(transient), pickle.loads(pickle.dumps(transient))):  # noqa: S301
        assert again == transient
    assert (Error("x").transient, Error("x", False).transient, Error("x", transient).transient) == (
        None,
        False,
        transient,
    )
    assert Verdict(None, "x", transient).transient == transient


@pytest.mark.parametrize("given", [True, 0, 9_000, "retry", {"answered": True}, Transient])
def test_an_object_that_is_not_a_classification(given: Any) -> None:
    for event in (lambda: Error("Busy", given), lambda: Verdict(None, "Busy", given)):
        with pytest.raises(
            OptionsError, match=r"^`transient` must be a `Transient`, `False` or `None`, got "
        ) as caught:
            event()
        assert (caught.value.code, caught.value.option) == ("invalid_option", "transient")


def test_an_error_that_cannot_be_read_is_classified_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> Any:
        raise RuntimeError("no facts")

    monkeypatch.setattr("smithy_waiters.failed_request.facts", broken)
    assert (meaning_of(ClientError("SlowDown")), meaning_of(RESET)) == (ANSWERED, NOT_TRANSIENT)


class ApiException(Exception):
    """An error with the attributes of the Kubernetes client's errors."""

    def __init__(self, status: int) -> None:
        super().__init__(f"({status})")
        self.status, self.reason, self.body, self.headers = status, "Not Found", "{}", {"Content-Type": "json"}


def http_errors(status: int) -> list[Exception]:
    """Return the errors of HTTP clients for a status."""
    of_requests = requests.Response()
    of_requests.status_code = status
    request = httpx.Request("GET", "http://localhost/jobs/17")
    return [
        httpx.HTTPStatusError("no", request=request, response=httpx.Response(status)),
        requests.HTTPError("no", response=of_requests),
        urllib.error.HTTPError("http://localhost/jobs/17", status, "no", email.message.Message(), None),
        aiohttp.ClientResponseError(SimpleNamespace(real_url="/"), (), status=status),  # type: ignore[arg-type]
        ApiException(status),
        caused_by(RuntimeError("mine"), ApiException(status)),
    ]


@pytest.mark.parametrize("client", range(len(http_errors(404))))
def test_the_status_404_is_a_missing_resource(client: int) -> None:
    # A raised error of the module would keep its failures until the end of all tests.
    error = http_errors(404)[client]
    done = Waiter.until("state", "done")
    calls: Any = script(error, {"state": "done"})
    assert done.wait(calls, max_wait=60, not_found_for=30, clock=FakeClock()).attempts == 2
    with pytest.raises(WaiterFailed) as caught:
        done.wait(script(*[error] * 20), max_wait=60, not_found_for=30, clock=FakeClock())
    assert caught.value.code == "never_found"
    with pytest.raises(
        WaiterFailed, match=r"the resource does not exist: .*\(to keep waiting for it, set `not_found_for`"
    ):
        done.wait(script(error), max_wait=60, clock=FakeClock())
    # The classification as a transient error does not change the status.
    wait = done.start(max_wait=60, not_found_for=30)
    wait.poll(0)
    assert isinstance(wait.handle(Error(error, False), 10), Sleep)


def test_other_errors_are_not_a_missing_resource() -> None:
    for error in (*http_errors(410), *http_errors(400), response_of_botocore("UnknownOperationException", 404)):
        check_other(error)


def check_other(error: Exception) -> None:
    with pytest.raises(WaiterFailed) as caught:
        Waiter.until("state", "done").wait(script(error), max_wait=60, not_found_for=30, clock=FakeClock())
    assert (caught.value.code, caught.value.attempts) == ("unmatched_error", 1)
