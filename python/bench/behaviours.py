"""What a retry decision and a page cost: the engine, and botocore's own, on the same errors and pages.

Prints a line of JSON for each case, in nanoseconds; they take turns, the best of each counts. Run it where the package
and boto3 are installed:

    python bench/behaviours.py
"""

from __future__ import annotations

import json
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

import boto3  # type: ignore[import-untyped]
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ClientError
from botocore.paginate import Paginator as BotocorePaginator
from botocore.retries import quota, standard

from smithy_waiters.pagination import Paginator
from smithy_waiters.retry import StandardRetryStrategy, classify

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 20
DECISIONS = 2_000
PAGES = 500
ITEMS = {"of 10 items": 10, "of 1000 items": 1_000}

THROTTLED = {
    "Error": {"Code": "ThrottlingException", "Message": "slow down"},
    "ResponseMetadata": {"HTTPStatusCode": 400, "HTTPHeaders": {"content-type": "application/json"}},
}
CLIENT = boto3.client(
    "dynamodb",
    region_name="eu-central-1",
    aws_access_key_id="none",
    aws_secret_access_key="none",  # noqa: S106 - nothing is sent.
)


def main() -> None:
    """Measure the decision, and pages of each size."""
    print(
        json.dumps({"case": "retry decision", "size": "", **best({"engine": decide, "botocore": decide_by_botocore})})
    )
    for size, items in ITEMS.items():
        page = {"TableNames": [f"table{index}" for index in range(items)], "LastEvaluatedTableName": "next"}
        walks = {"engine": walked(page), "botocore": walked_by_botocore(page)}
        print(json.dumps({"case": "page", "size": size, **best(walks)}))


def best(ways: dict[str, Callable[[], float]]) -> dict[str, int]:
    """Give the nanoseconds of each way, the best of all rounds."""
    found = dict.fromkeys(ways, float("inf"))
    for _ in range(ROUNDS):
        for name, way in ways.items():
            found[name] = min(found[name], way())
    return {name: round(nanoseconds) for name, nanoseconds in found.items()}


def decide() -> float:
    """Decide on the first retry of a request: what the error means, whether to retry, and when."""
    strategy = StandardRetryStrategy(capacity=2**32 - 1)
    error = ClientError(THROTTLED, "ListTables")  # type: ignore[arg-type]
    begun = perf_counter_ns()
    for _ in range(DECISIONS):
        strategy.refresh_retry_token(strategy.acquire_initial_token(), classify(error, idempotent=True, now=0))
    return (perf_counter_ns() - begun) / DECISIONS


def decide_by_botocore() -> float:
    """Do the same by botocore's standard mode."""
    checker: Any = standard.RetryQuotaChecker(quota.RetryQuota(2**62))
    policy = standard.RetryPolicy(standard.StandardRetryConditions(max_attempts=3), standard.ExponentialBackoff())
    handler: Any = standard.RetryHandler(policy, standard.RetryEventAdapter(), checker)
    given = {
        "response": (AWSResponse("https://h", 400, HTTPHeaders(), None), json.loads(json.dumps(THROTTLED))),
        "attempts": 1,
        "operation": CLIENT.meta.service_model.operation_model("ListTables"),
        "caught_exception": None,
    }
    begun = perf_counter_ns()
    for _ in range(DECISIONS):
        handler.needs_retry(**given, request_dict={"context": {}})
    return (perf_counter_ns() - begun) / DECISIONS


def walked(page: dict[str, Any]) -> Callable[[], float]:
    """Give the walk over so many pages: what one costs beside its call."""
    trait = {"inputToken": "ExclusiveStartTableName", "outputToken": "LastEvaluatedTableName", "items": "TableNames"}
    paginator = Paginator(trait)
    return lambda: timed(lambda call: paginator.pages(call, {"Limit": 10}), page)


def walked_by_botocore(page: dict[str, Any]) -> Callable[[], float]:
    """Do the same by botocore's paginator."""
    config = {
        "input_token": "ExclusiveStartTableName",
        "output_token": "LastEvaluatedTableName",
        "result_key": "TableNames",
        "limit_key": "Limit",
    }
    model = CLIENT.meta.service_model.operation_model("ListTables")
    paginator: Any = BotocorePaginator
    return lambda: timed(lambda call: paginator(call, config, model).paginate(Limit=10), page)


def timed(walk: Callable[[Callable[..., Any]], Any], page: dict[str, Any]) -> float:
    """Walk over so many pages, with tokens of their own."""
    left = iter([{**page, "LastEvaluatedTableName": f"token{index}"} for index in range(PAGES)] + [{"TableNames": []}])

    def call(**_: Any) -> Any:
        return next(left)

    begun = perf_counter_ns()
    for _ in walk(call):
        pass
    return (perf_counter_ns() - begun) / PAGES


if __name__ == "__main__":
    main()
