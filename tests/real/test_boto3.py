"""Test with boto3, without its own retries, and a real service behind a proxy with configurable faults."""

from __future__ import annotations

import base64
import uuid
from datetime import datetime, timezone
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError, ReadTimeoutError
from services import Services, running

from smithy_waiters.compression import compress
from smithy_waiters.operation import Operation
from smithy_waiters.pagination import Paginator
from smithy_waiters.retry import RetryProgress, StandardRetryStrategy, retry
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MODEL = Path(__file__).with_name("model.json")

SCAN = {"TableName": "orders"}
QUERY = {
    "TableName": "orders",
    "KeyConditionExpression": "customer = :customer",
    "ExpressionAttributeValues": {":customer": {"S": "ada"}},
}
KEY = {"name": {"S": "visits"}}
VISIT = {
    "TableName": "counters",
    "Key": KEY,
    "UpdateExpression": "ADD visits :one",
    "ExpressionAttributeValues": {":one": {"N": "1"}},
}

WALKS = [("Scan", SCAN), ("Query", QUERY)]


@pytest.fixture(scope="session")
def services() -> Iterator[Services]:
    with running() as found:
        yield found


class Retrying:
    """The strategy and the clock of a test's requests, with a record of their attempts."""

    def __init__(self, **options: Any) -> None:
        # Without a seed, a delay can be 0, and the clock records no sleep.
        self.strategy = StandardRetryStrategy(**({"seed": 1} | options))
        self.clock = FakeClock()
        self.seen = list[RetryProgress]()

    def __call__(self, call: Callable[..., Any], **options: Any) -> Any:
        return retry(call, strategy=self.strategy, clock=self.clock, on_failure=self.seen.append, **options)

    @property
    def delays(self) -> list[float]:
        return self.clock.sleeps


def after(seconds: object, status: int = 429) -> dict[str, Any]:
    return {"status": status, "headers": {"retry-after": str(seconds)}}


def visits(services: Services) -> int:
    item = services.direct().get_item(TableName="counters", Key=KEY, ConsistentRead=True)["Item"]
    return int(item.get("visits", {"N": "0"})["N"])


# Pages.


@pytest.mark.parametrize(("name", "given"), WALKS)
def test_a_thousand_items_get_through(services: Services, name: str, given: dict[str, Any]) -> None:
    client, retrying, paginator = services.faulty(), Retrying(), Paginator.from_model(MODEL, name)
    services.script(503, None, after(7), None, "reset", None, "lost", None, "cut", None, 500, 502, 504, None)
    call = getattr(client, name.lower())

    def page(**members: Any) -> Any:
        return retrying(lambda: call(**members), operation=Operation.from_model(MODEL, name), input=members)

    pages = list(paginator.pages(page, given, page_size=90))
    by_boto3 = list(services.direct().get_paginator(name.lower()).paginate(**given, PaginationConfig={"PageSize": 90}))
    assert [one["Items"] for one in pages] == [one["Items"] for one in by_boto3]
    assert [one.get("LastEvaluatedKey") for one in pages] == [one.get("LastEvaluatedKey") for one in by_boto3]
    assert sorted(int(item["number"]["N"]) for one in pages for item in one["Items"]) == list(range(1000))

    arrived = services.arrived()
    failed = [one for one in arrived if one["fault"] is not None]
    answered = [one for one in arrived if one["fault"] is None]
    assert (len(failed), len(answered)) == (8, len(pages))
    assert {one["operation"] for one in arrived} == {name}
    # Each failed request is repeated unchanged, and each page is requested with the token of the previous one.
    assert all(one["body"] == then["body"] for one, then in pairwise(arrived) if one["fault"] is not None)
    starts = [one["body"].get("ExclusiveStartKey") for one in answered]
    assert starts == [None, *(one["LastEvaluatedKey"] for one in pages[:-1])]
    # boto3 itself does not retry.
    assert {one["headers"]["amz-sdk-request"] for one in arrived} == {"attempt=1; max=1"}
    assert len({one["headers"]["amz-sdk-invocation-id"] for one in arrived}) == len(arrived)

    bounds = [(0, 1), (7, 7), (0, 1), (0, 1), (0, 1), (0, 1), (0, 2), (0, 4)]
    assert all(least <= delay <= most for delay, (least, most) in zip(retrying.delays, bounds, strict=True))
    # A retry costs 5 tokens, or 10 after a timeout such as 504. A success returns 1.
    assert retrying.strategy.quota is not None
    assert retrying.strategy.quota.available == 500 - 7 * 5 - 10 + len(pages)


@pytest.mark.parametrize(("name", "given"), WALKS)
def test_items_and_where_to_start(services: Services, name: str, given: dict[str, Any]) -> None:
    services.script()
    call, paginator = getattr(services.faulty(), name.lower()), Paginator.from_model(MODEL, name)
    by_boto3 = services.direct().get_paginator(name.lower()).paginate(**given).build_full_result()["Items"]
    assert list(paginator.items(call, given, page_size=300)) == by_boto3
    assert len(services.arrived()) == 4
    services.script()
    assert list(paginator.items(call, given, page_size=300, max_items=600)) == by_boto3[:600]
    assert len(services.arrived()) == 2
    first = next(paginator.pages(call, given, page_size=300))
    assert list(paginator.items(call, given, start_token=paginator.next_token(first))) == by_boto3[300:]
    assert "ExclusiveStartKey" not in given


def test_pages_with_nothing_in_them(services: Services) -> None:
    services.script()
    few = {**SCAN, "FilterExpression": "price > :least", "ExpressionAttributeValues": {":least": {"N": "2970"}}}
    pages = list(Paginator.from_model(MODEL, "Scan").pages(services.faulty().scan, few, page_size=100))
    assert [len(page["Items"]) for page in pages][:10] == [0] * 9 + [9]
    assert len(services.arrived()) == len(pages)


# Delays.


def test_a_backoff_that_doubles_until_there_are_no_retries(services: Services) -> None:
    services.script(*[503] * 7)
    retrying = Retrying(seed=4)
    with pytest.raises(ClientError) as caught:
        retrying(services.faulty().list_tables)
    assert caught.value.response["ResponseMetadata"]["HTTPStatusCode"] == 503
    assert len(services.arrived()) == 6
    assert [one.end for one in retrying.seen] == [None] * 5 + ["max_retries"]
    assert [one.delay for one in retrying.seen[:5]] == retrying.delays
    assert all(0 < delay <= 2**n for n, delay in enumerate(retrying.delays))
    other = Retrying(seed=5)
    services.script(*[503] * 7)
    with pytest.raises(ClientError):
        other(services.faulty().list_tables)
    assert other.delays != retrying.delays


def test_a_quota_that_is_used_up(services: Services) -> None:
    services.script(*[503] * 7)
    retrying = Retrying(capacity=10)
    with pytest.raises(ClientError):
        retrying(services.faulty().list_tables)
    with pytest.raises(ClientError):
        retrying(services.faulty().list_tables)
    assert [one.end for one in retrying.seen] == [None, None, "quota_exhausted", "quota_exhausted"]
    assert len(services.arrived()) == 4


AT = datetime(2026, 10, 21, 7, 28, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("headers", "delay"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": format_datetime(AT, usegmt=True)}, 11),
        ({"x-amz-retry-after": "2500"}, 2.5),
    ],
)
def test_the_service_says_when(services: Services, headers: dict[str, str], delay: float) -> None:
    services.script({"status": 429, "headers": headers})
    retrying = Retrying()
    retrying(services.faulty().list_tables, date=lambda: AT.timestamp() - 11)
    assert retrying.delays == [delay]
    assert len(services.arrived()) == 2


def test_longer_than_anybody_waits(services: Services) -> None:
    services.script(after(7))
    retrying = Retrying(max_retry_after=6)
    with pytest.raises(ClientError):
        retrying(services.faulty().list_tables)
    assert retrying.seen[0].end == "retry_after_too_long"
    assert (len(services.arrived()), retrying.delays) == (1, [])


# Requests that must not be repeated.


@pytest.mark.parametrize(
    ("fault", "error"), [("lost", ConnectionClosedError), ("reset", ConnectionClosedError), (500, ClientError)]
)
def test_an_update_is_not_repeated(services: Services, fault: Any, error: type[Exception]) -> None:
    before = visits(services)
    services.script(fault)
    retrying = Retrying()
    client = services.faulty()
    with pytest.raises(error):
        retrying(lambda: client.update_item(**VISIT), operation=Operation.from_model(MODEL, "UpdateItem"))
    assert [one["operation"] for one in services.arrived()] == ["UpdateItem"]
    assert retrying.seen[0].end == "not_retryable"
    assert visits(services) == before + (1 if fault == "lost" else 0)


def test_an_update_that_somebody_calls_idempotent_is_done_twice(services: Services) -> None:
    before = visits(services)
    services.script("lost")
    client = services.faulty()
    Retrying()(lambda: client.update_item(**VISIT), idempotent=True)
    assert len(services.arrived()) == 2
    assert visits(services) == before + 2


THROTTLED = {"status": 400, "body": {"__type": "x#ProvisionedThroughputExceededException", "message": "too much"}}


def test_an_update_is_repeated_where_the_service_invites_to(services: Services) -> None:
    before = visits(services)
    services.script(503, 429, after(3, 500), THROTTLED)
    retrying = Retrying()
    client = services.faulty()
    retrying(lambda: client.update_item(**VISIT), operation=Operation.from_model(MODEL, "UpdateItem"))
    assert len(services.arrived()) == 5
    assert retrying.delays[2] >= 3
    assert visits(services) == before + 1


def test_a_throttle_that_no_model_calls_retryable(services: Services) -> None:
    services.script(THROTTLED)
    client = services.faulty()
    # The status means that the request was not processed, so a retry is safe.
    Retrying()(lambda: client.update_item(**VISIT))
    assert len(services.arrived()) == 2


def test_a_service_that_never_answers(services: Services) -> None:
    services.script("slow")
    # The second attempt does not have a short timeout, so that a slow machine does not fail the test.
    clients = {1: services.faulty(read_timeout=0.2), 2: services.faulty()}
    retrying = Retrying()
    found = retrying(lambda attempt: clients[attempt.number].list_tables(), idempotent=True)
    assert found["TableNames"] == ["counters", "orders"]
    assert len(services.arrived()) == 2
    assert isinstance(retrying.seen[0].error, ReadTimeoutError)
    # A timeout costs 10 tokens.
    assert retrying.strategy.quota is not None
    assert retrying.strategy.quota.available == 491


# Idempotency tokens.

BOUGHT = {"TransactItems": [{"Put": {"TableName": "counters", "Item": {"name": {"S": "other"}}}}]}
DONE = {"status": 200}


def test_the_token_is_the_same_for_all_attempts(services: Services) -> None:
    # dynalite does not support transactions, so the proxy responds to this request.
    services.script("reset", 504, DONE, DONE)
    client, retrying, buy = services.faulty(), Retrying(), Operation.from_model(MODEL, "TransactWriteItems")
    for _ in range(2):
        given = buy.with_token(BOUGHT)
        retrying(lambda: client.transact_write_items(**given), operation=buy, input=given)  # noqa: B023 - called now.
    tokens = [one["body"]["ClientRequestToken"] for one in services.arrived()]
    assert tokens[0] == tokens[1] == tokens[2] != tokens[3]
    assert uuid.UUID(tokens[0]).version == 4
    assert "ClientRequestToken" not in BOUGHT


def test_without_a_token_a_transaction_is_not_repeated(services: Services) -> None:
    services.script("reset", DONE)
    client, buy = services.faulty(), Operation.from_model(MODEL, "TransactWriteItems")
    with pytest.raises(ConnectionClosedError):
        Retrying()(lambda: client.transact_write_items(**BOUGHT), operation=buy, input=BOUGHT)
    assert len(services.arrived()) == 1


# Request compression.

METRICS = {
    "Namespace": "real",
    "MetricData": [{"MetricName": f"visits of page {number}", "Value": number} for number in range(1000)],
}


def test_a_compressed_body_is_decoded_by_a_server(services: Services) -> None:
    plain = services.metrics(disable_request_compression=True)
    plain.put_metric_data(**METRICS)
    ours = services.metrics(disable_request_compression=True)
    ours.meta.events.register("before-call.cloudwatch.PutMetricData", compressed)
    ours.put_metric_data(**METRICS)
    by_boto3 = services.metrics()
    by_boto3.put_metric_data(**METRICS)

    as_is, smaller, other = services.decoded()
    assert "content-encoding" not in as_is["headers"]
    assert smaller["headers"]["content-encoding"] == other["headers"]["content-encoding"] == "gzip"
    assert int(smaller["headers"]["content-length"]) < int(as_is["headers"]["content-length"]) / 5
    # The bodies after express decoded them.
    assert smaller["body"] == as_is["body"] == other["body"]
    assert len(base64.b64decode(smaller["body"])) == int(as_is["headers"]["content-length"])


def test_a_small_body_stays_as_it_is(services: Services) -> None:
    ours = services.metrics(disable_request_compression=True)
    ours.meta.events.register("before-call.cloudwatch.PutMetricData", compressed)
    ours.put_metric_data(Namespace="real", MetricData=METRICS["MetricData"][:10])
    (arrived,) = services.decoded()
    assert "content-encoding" not in arrived["headers"]
    assert b"visits of page 9" in base64.b64decode(arrived["body"])


def compressed(params: dict[str, Any], **_: Any) -> None:
    """Compress a request before botocore signs it."""
    operation = Operation.from_model(MODEL, "PutMetricData")
    done = compress(operation.compression, params["body"], params["headers"])
    params["body"], params["headers"] = done.body, done.headers


def test_a_stream_is_decoded_by_a_server(services: Services) -> None:
    chunks = [b"visits of page %d\n" % number for number in range(1000)]
    compression = Operation.from_model(MODEL, "PutMetricData").compression
    done = compress(compression, iter(chunks), {"Content-Length": "1"})
    services.post(done.body, done.headers)
    (arrived,) = services.decoded()
    assert arrived["headers"]["transfer-encoding"] == "chunked"
    assert arrived["headers"]["content-encoding"] == "gzip"
    assert base64.b64decode(arrived["body"]) == b"".join(chunks)


def test_a_whole_body_and_its_length(services: Services) -> None:
    text = b"".join(b"visits of page %d\n" % number for number in range(1000))
    compression = Operation.from_model(MODEL, "PutMetricData").compression
    done = compress(compression, text, {"Content-Length": str(len(text))})
    services.post(done.body, done.headers)
    (arrived,) = services.decoded()
    assert int(arrived["headers"]["content-length"]) == len(done.body) < len(text)
    assert base64.b64decode(arrived["body"]) == text
