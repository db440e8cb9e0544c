"""The behaviour of an operation's requests in a model."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from smithy_waiters import DefinitionError, OptionsError
from smithy_waiters.operation import Operation
from smithy_waiters.retry import FailureInfo, RetryInfo, classify, retry

STRING = {"target": "smithy.api#String"}
MODEL: dict[str, Any] = {
    "smithy": "2.0",
    "shapes": {
        "demo#Create": {
            "type": "operation",
            "input": {"target": "demo#CreateInput"},
            "errors": [{"target": "demo#Busy"}, {"target": "demo#Wrong"}],
        },
        "demo#CreateInput": {
            "type": "structure",
            "members": {"Name": STRING, "Token": {**STRING, "traits": {"smithy.api#idempotencyToken": {}}}},
        },
        "demo#Busy": {
            "type": "structure",
            "traits": {"smithy.api#error": "server", "smithy.api#retryable": {"throttling": True}},
        },
        "demo#Wrong": {"type": "structure", "traits": {"smithy.api#error": "client"}},
    },
}


CREATE = Operation.from_model(MODEL, "Create")


def test_tokens_are_for_inputs_that_have_none() -> None:
    given = {"Name": "n"}
    filled = CREATE.with_token(given)
    assert filled == {"Name": "n", "Token": filled["Token"]}
    assert uuid.UUID(filled["Token"]).version == 4
    assert given == {"Name": "n"}
    assert CREATE.with_token()["Token"] != filled["Token"]
    bad: Any = 5
    with pytest.raises(OptionsError, match=r"`input` must be a mapping, got 5$"):
        CREATE.with_token(bad)


@pytest.mark.parametrize("token", [None, 7, uuid.uuid4(), b"t"])
def test_sources_that_give_no_token(token: Any) -> None:
    with pytest.raises(OptionsError, match=r"`source` must return a string, got ."):
        CREATE.with_token({}, source=lambda: token)


class Busy(Exception):
    """An error that is known only from the model."""


class Wrong(Exception):
    """Another modeled error."""


def test_errors_that_the_model_knows() -> None:
    throttled = FailureInfo(retry=RetryInfo("yes", throttle=True), fault="server")
    assert classify(Busy(), operation=CREATE) == throttled
    assert classify(Wrong(), operation=CREATE, idempotent=True) == FailureInfo(retry=RetryInfo("no"), fault="client")
    assert classify(ValueError(), operation=CREATE, idempotent=True) == FailureInfo()


def test_an_operation_of_another_type() -> None:
    bad: Any = {}
    with pytest.raises(OptionsError, match=r"`operation` must be an `Operation`, got `dict`$"):
        retry(int, operation=bad)


@pytest.mark.parametrize(
    ("model", "code"), [(MODEL, "unknown_operation"), ("[", "invalid_json"), ([], "invalid_model")]
)
def test_models_that_do_not_hold(model: Any, code: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        Operation.from_model(model, "Missing")
    assert caught.value.code == code
