"""Benchmark of a retry decision and of a page: the engine and botocore on the same errors and pages.

Prints a line of JSON for each case, in nanoseconds. Run it in an environment with the package and boto3:

    python bench/behaviours.py
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import boto3  # type: ignore[import-untyped]
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ClientError
from botocore.paginate import Paginator as BotocorePaginator
from botocore.retries import quota, standard
from timing import figure, runs_of

from smithy_waiters.pagination import Paginator
from smithy_waiters.retry import StandardRetryStrategy, classify

if TYPE_CHECKING:
    from collections.abc import Callable

    from timing import Contestant

PAGES = 500
SIZES = {"10 items": 10, "1,000 items": 1_000}

THROTTLED = {
    "Error": {"Code": "ThrottlingException", "Message": "slow down"},
    "ResponseMetadata": {"HTTPStatusCode": 400, "HTTPHeaders": {"content-type": "application/json"}},
}
CLIENT = boto3.client(
    "dynamodb",
    region_name="eu-central-1",
    aws_access_key_id="none",
    aws_secret_access_key="none",  # noqa: S106 - no request is sent.
)


def main() -> None:
    """Measure the decision, and pages of each size."""
    figure("retry decision", "", {"engine": decide(), "botocore": decide_by_botocore()})
    for size, items in SIZES.items():
        page = {"TableNames": [f"table{index}" for index in range(items)], "LastEvaluatedTableName": "next"}
        figure("page", size, {"engine": walk(page), "botocore": walk_by_botocore(page)}, PAGES)


def decide() -> Contestant:
    """Return the contestant that decides on the first retry of a request with the engine.

    It classifies the error, decides whether to retry, and computes the delay.
    """
    strategy = StandardRetryStrategy(capacity=2**32 - 1)
    error = ClientError(THROTTLED, "ListTables")  # type: ignore[arg-type]
    statement = "refresh(acquire(), classify(error, idempotent=True, now=0))"
    names = {"refresh": strategy.refresh_retry_token, "acquire": strategy.acquire_initial_token}
    return runs_of(statement, classify=classify, error=error, **names)


def decide_by_botocore() -> Contestant:
    """Return the contestant that decides on the first retry with botocore's standard mode."""
    checker: Any = standard.RetryQuotaChecker(quota.RetryQuota(2**62))
    policy = standard.RetryPolicy(standard.StandardRetryConditions(max_attempts=3), standard.ExponentialBackoff())
    handler: Any = standard.RetryHandler(policy, standard.RetryEventAdapter(), checker)
    request = {
        "response": (AWSResponse("https://h", 400, HTTPHeaders(), None), json.loads(json.dumps(THROTTLED))),
        "attempts": 1,
        "operation": CLIENT.meta.service_model.operation_model("ListTables"),
        "caught_exception": None,
    }
    statement = 'handle(**request, request_dict={"context": {}})'
    return runs_of(statement, handle=handler.needs_retry, request=request)


def walk(page: dict[str, Any]) -> Contestant:
    """Return the contestant that walks over the pages with the engine."""
    trait = {"inputToken": "ExclusiveStartTableName", "outputToken": "LastEvaluatedTableName", "items": "TableNames"}
    paginator = Paginator(trait)
    return pages(lambda call: paginator.pages(call, {"Limit": 10}), page)


def walk_by_botocore(page: dict[str, Any]) -> Contestant:
    """Return the contestant that walks over the pages with botocore's paginator."""
    config = {
        "input_token": "ExclusiveStartTableName",
        "output_token": "LastEvaluatedTableName",
        "result_key": "TableNames",
        "limit_key": "Limit",
    }
    model = CLIENT.meta.service_model.operation_model("ListTables")
    paginator: Any = BotocorePaginator
    return pages(lambda call: paginator(call, config, model).paginate(Limit=10), page)


def pages(walk: Callable[[Callable[..., Any]], Any], page: dict[str, Any]) -> Contestant:
    """Return the contestant that walks over prepared pages with different tokens."""
    received = [{**page, "LastEvaluatedTableName": f"token{index}"} for index in range(PAGES)] + [{"TableNames": []}]

    def run() -> None:
        left = iter(received)

        def call(**_: Any) -> Any:
            return next(left)

        for _ in walk(call):
            pass

    return runs_of("run()", run=run)


if __name__ == "__main__":
    main()
