"""Read all pages with boto3, without its own retries, from a service that fails every other time."""

from __future__ import annotations

import itertools
import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from http_clients import dynamodb
from samples import output

from smithy_waiters.pagination import Paginator
from smithy_waiters.retry import RetryProgress, StandardRetryStrategy, retry
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ITEMS = [{"id": {"N": str(number)}} for number in range(1_000)]

# The trait `paginated` of the operation.
SCAN = {
    "inputToken": "ExclusiveStartKey",
    "outputToken": "LastEvaluatedKey",
    "items": "Items",
    "pageSize": "Limit",
}


class Table(BaseHTTPRequestHandler):
    """A table with a thousand items. The server sets the faults."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        fault = next(self.server.faults)  # type: ignore[attr-defined]
        if fault == "reset":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        status, body, headers = 200, page(given), {}
        if fault == "throttled":
            status, body = 400, {"__type": "ProvisionedThroughputExceededException", "message": "too much"}
        elif fault is not None:
            status, body, headers = fault, {}, {"Retry-After": "3"}
        self.answer(status, json.dumps(body).encode(), headers)

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


def page(given: dict[str, Any]) -> dict[str, Any]:
    start = int(given["ExclusiveStartKey"]["id"]["N"]) + 1 if "ExclusiveStartKey" in given else 0
    items = ITEMS[start : start + given.get("Limit", 64)]
    whole = start + len(items) == len(ITEMS)
    return {"Items": items, **({} if whole else {"LastEvaluatedKey": {"id": items[-1]["id"]}})}


@pytest.fixture
def serve() -> Iterator[Callable[[list[Any]], Any]]:
    """Return a client of a server that repeats a list of faults."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Table) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()

        def client(faults: list[Any]) -> Any:
            server.faults = itertools.cycle(faults)  # type: ignore[attr-defined]
            return dynamodb(f"http://127.0.0.1:{server.server_port}")

        yield client
        server.shutdown()
        thread.join()


def test_a_scan_that_gets_through(serve: Callable[[list[Any]], Any]) -> None:
    client, clock, seen = serve([503, "reset", None, "throttled", 429, None]), FakeClock(), list[RetryProgress]()
    strategy = StandardRetryStrategy()

    def scan(**given: Any) -> Any:
        return retry(
            lambda: client.scan(**given), strategy=strategy, idempotent=True, clock=clock, on_failure=seen.append
        )

    found = list(Paginator(SCAN).items(scan, {"TableName": "t"}))
    by_boto3 = serve([None]).get_paginator("scan").paginate(TableName="t")
    assert found == ITEMS == [item for page in by_boto3 for item in page["Items"]]
    assert len(seen) == 2 * 16
    assert {round(one.delay or 0) >= 3 for one in seen if one.failure.retry and one.failure.retry.retry_after} == {True}
    assert strategy.quota is not None
    assert strategy.quota.available == 500 - 5 * 2 * 16 + 16


def test_pages_of_another_size_and_a_limit(serve: Callable[[list[Any]], Any]) -> None:
    client = serve([None])
    paginator = Paginator(SCAN)
    given = {"TableName": "t"}
    assert list(paginator.items(client.scan, given, page_size=7, max_items=100)) == ITEMS[:100]
    by_boto3 = client.get_paginator("scan").paginate(TableName="t", PaginationConfig={"PageSize": 300})
    pages = list(paginator.pages(client.scan, given, page_size=300))
    assert [page["Items"] for page in pages] == [page["Items"] for page in by_boto3]
    assert list(paginator.items(client.scan, given, start_token=pages[0]["LastEvaluatedKey"])) == ITEMS[300:]


def test_a_wait_continues_after_faults(serve: Callable[[list[Any]], Any]) -> None:
    client, clock = serve([503, "reset", "throttled", None]), FakeClock()
    outcome = output("Items[0].id.N", "0").wait(lambda: client.scan(TableName="t"), max_wait=300, clock=clock)
    assert outcome.attempts == 4
    assert len(clock.sleeps) == 3
    assert clock.sleeps[0] >= 3
