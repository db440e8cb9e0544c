"""Copying and pickling of retries, pages, operations and compression."""

from __future__ import annotations

import copy
import pickle
from datetime import timedelta
from typing import Any

import pytest

from smithy_waiters.compression import CompressionSettings, RequestCompression
from smithy_waiters.operation import Operation
from smithy_waiters.pagination import Paginator
from smithy_waiters.retry import NoRetries, RetryQuota, StandardRetryStrategy, retry
from smithy_waiters.testing import FakeClock

MODEL = {
    "shapes": {
        "demo#List": {
            "type": "operation",
            "input": {"target": "demo#ListInput"},
            "output": {"target": "demo#ListOutput"},
            "errors": [{"target": "demo#Busy"}, {"target": "demo#Lost"}, {"target": "demo#Odd"}],
            "traits": {
                "smithy.api#requestCompression": {"encodings": ["GZIP"]},
                "smithy.api#paginated": {
                    "inputToken": "Start",
                    "outputToken": "Page.Next",
                    "items": "Page.Keys",
                    "pageSize": "Max",
                },
            },
        },
        "demo#ListInput": {
            "type": "structure",
            "members": {
                "Start": {"target": "smithy.api#String"},
                "Max": {"target": "smithy.api#Integer"},
                "Body": {"target": "demo#Stream"},
                "Token": {"target": "smithy.api#String", "traits": {"smithy.api#idempotencyToken": {}}},
            },
        },
        "demo#Stream": {"type": "blob", "traits": {"smithy.api#streaming": {}}},
        "demo#ListOutput": {"type": "structure", "members": {"Page": {"target": "demo#Page"}}},
        "demo#Page": {
            "type": "structure",
            "members": {"Next": {"target": "smithy.api#String"}, "Keys": {"target": "demo#Keys"}},
        },
        "demo#Keys": {"type": "list", "member": {"target": "smithy.api#String"}},
        "demo#Busy": {
            "type": "structure",
            "members": {},
            "traits": {"smithy.api#error": "server", "smithy.api#retryable": {"throttling": True}},
        },
        "demo#Lost": {"type": "structure", "members": {}, "traits": {"smithy.api#error": "client"}},
        "demo#Odd": {"type": "structure", "members": {}},
    }
}


def unpickled(given: Any) -> Any:
    return pickle.loads(pickle.dumps(given))  # noqa: S301 - trusted data.


WAYS = pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, unpickled])


class OwnPaginator(Paginator):
    """A custom subclass of a paginator."""


class OwnStrategy(StandardRetryStrategy):
    """A custom subclass of a strategy."""


@WAYS
def test_a_paginator(again: Any) -> None:
    paginator = again(OwnPaginator.from_model(MODEL, "List"))
    assert type(paginator) is OwnPaginator
    assert (paginator.input_token, paginator.page_size) == ("Start", "Max")
    pages = iter([{"Page": {"Next": "a", "Keys": [1]}, "IsTruncated": False}, {"Page": {"Keys": [2]}}])
    # The model's output does not have this member, so it does not end the walk.
    assert list(paginator.items(lambda **_: next(pages))) == [1, 2]
    plain = again(Paginator({"inputToken": "Start", "outputToken": "Next"}))
    assert plain.next_token({"Next": "a", "IsTruncated": False}) is None
    assert not plain.has_items


@WAYS
def test_an_operation(again: Any) -> None:
    found = again(Operation.from_model(MODEL, "List"))
    assert found.idempotency_token == "Token"  # noqa: S105 - the name of the member.
    assert (found.is_idempotent({}), found.is_idempotent({"Token": "t"})) == (False, True)
    assert found.error("Busy") == ("server", True, True)
    assert found.error("Lost") == ("client", False, False)
    assert found.error("Odd") == ("other", False, False)
    assert found.error("Other") is None
    assert found.compression == RequestCompression(["gzip"], streaming=True)
    bare = again(Operation.from_model({"shapes": {"demo#Get": {"type": "operation"}}}, "Get"))
    assert (bare.idempotency_token, bare.compression, bare.is_idempotent({})) == (None, None, False)


@WAYS
def test_compression(again: Any) -> None:
    settings = CompressionSettings(disable_request_compression=True, request_min_compression_size_bytes=7)
    assert again(settings) == settings
    assert again(CompressionSettings()) == CompressionSettings()
    for streaming in (False, True):
        compression = again(RequestCompression(["GZIP"], streaming=streaming))
        assert compression == RequestCompression(["gzip"], streaming=streaming)


def test_a_pickled_strategy_begins_with_a_full_quota() -> None:
    strategy = OwnStrategy(max_retries=1, capacity=100, fixed_delay=timedelta(seconds=2), seed=7)

    def fail() -> None:
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        retry(fail, strategy=strategy, idempotent=True, clock=FakeClock())
    again = unpickled(strategy)
    assert type(again) is OwnStrategy
    assert again.max_retries == 1
    assert (strategy.quota.available, again.quota.available) == (95, 100)  # type: ignore[union-attr]
    clock = FakeClock()
    with pytest.raises(ConnectionResetError):
        retry(fail, strategy=again, idempotent=True, clock=clock)
    assert clock.sleeps == [2]
    assert isinstance(unpickled(NoRetries()), NoRetries)


def test_a_copied_strategy_is_the_same() -> None:
    strategy, quota = StandardRetryStrategy(), RetryQuota()
    assert copy.copy(strategy) is strategy
    assert copy.deepcopy({"of a client": strategy})["of a client"] is strategy
    assert copy.copy(quota) is quota
    assert copy.deepcopy([quota])[0] is quota


def test_a_shared_quota_is_not_pickled() -> None:
    quota = RetryQuota()
    for shared in (quota, StandardRetryStrategy(quota=quota)):
        with pytest.raises(TypeError, match=r"^a retry quota is shared within one process and cannot be pickled"):
            pickle.dumps(shared)
