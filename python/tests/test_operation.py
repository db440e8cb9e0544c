"""The behaviour of an operation's requests in a model."""

from __future__ import annotations

import copy
import doctest
import uuid
from typing import Any

import pytest
from samples import script

import smithy_waiters.operation
from smithy_waiters import DefinitionError, OptionsError
from smithy_waiters.compression import compress
from smithy_waiters.operation import Operation
from smithy_waiters.retry import FailureInfo, RetryInfo, classify, retry
from smithy_waiters.testing import FakeClock

STRING = {"target": "smithy.api#String"}
MODEL: dict[str, Any] = {
    "smithy": "2.0",
    "shapes": {
        "demo#Create": {
            "type": "operation",
            "input": {"target": "demo#CreateInput"},
            "errors": [{"target": "demo#Busy"}, {"target": "demo#Wrong"}],
            "traits": {"smithy.api#requestCompression": {"encodings": ["gzip"]}},
        },
        "demo#CreateInput": {
            "type": "structure",
            "members": {"Name": STRING, "Token": {**STRING, "traits": {"smithy.api#idempotencyToken": {}}}},
        },
        "demo#Get": {"type": "operation", "traits": {"smithy.api#readonly": {}}},
        "demo#Delete": {"type": "operation", "traits": {"smithy.api#idempotent": {}}},
        "demo#Post": {"type": "operation"},
        "demo#Busy": {
            "type": "structure",
            "traits": {"smithy.api#error": "server", "smithy.api#retryable": {"throttling": True}},
        },
        "demo#Wrong": {"type": "structure", "traits": {"smithy.api#error": "client"}},
    },
}


def operation(name: str) -> Operation:
    return Operation.from_model(MODEL, name)


def test_tokens_are_for_inputs_that_have_none() -> None:
    create = operation("Create")
    given = {"Name": "n"}
    filled = create.with_token(given)
    assert filled == {"Name": "n", "Token": filled["Token"]}
    assert uuid.UUID(filled["Token"]).version == 4
    assert given == {"Name": "n"}
    assert create.with_token()["Token"] != filled["Token"]
    assert create.with_token({"Token": ""}) == {"Token": ""}
    assert create.with_token({"Token": None}, source=lambda: "7") == {"Token": "7"}
    assert operation("Get").with_token({"Name": "n"}) == {"Name": "n"}
    bad: Any = 5
    with pytest.raises(OptionsError, match=r"`input` must be a mapping, got 5$"):
        create.with_token(bad)


@pytest.mark.parametrize("token", [None, 7, uuid.uuid4(), b"t"])
def test_sources_that_give_no_token(token: Any) -> None:
    with pytest.raises(OptionsError, match=r"`source` must return a string, got ."):
        operation("Create").with_token({}, source=lambda: token)


class Busy(Exception):
    """An error that is known only from the model."""


class Wrong(Exception):
    """Another modeled error."""


def test_errors_that_the_model_knows() -> None:
    create = operation("Create")
    assert create.error("demo#Busy") == ("server", True, True)
    assert create.error("Other") is None
    throttled = FailureInfo(retry=RetryInfo("yes", throttle=True), fault="server")
    assert classify(Busy(), operation=create) == throttled
    assert classify(Wrong(), operation=create, idempotent=True) == FailureInfo(retry=RetryInfo("no"), fault="client")
    assert classify(ValueError(), operation=create, idempotent=True) == FailureInfo()


def test_a_request_by_its_operation() -> None:
    create = operation("Create")
    clock = FakeClock()
    assert retry(script(Busy(), 1), operation=create, clock=clock) == 1
    with pytest.raises(ConnectionResetError):
        retry(script(ConnectionResetError()), operation=create, input={}, clock=clock)
    given = create.with_token({})
    assert retry(script(ConnectionResetError(), 1), operation=create, input=given, clock=clock) == 1
    bad: Any = {}
    with pytest.raises(OptionsError, match=r"`operation` must be an `Operation`, got `dict`$"):
        retry(script(1), operation=bad)


def test_bodies_of_its_requests() -> None:
    assert compress(operation("Create").compression, bytes(20_000)).encoding == "gzip"
    assert operation("Get").compression is None
    model = copy.deepcopy(MODEL)
    model["shapes"]["demo#Create"]["traits"]["smithy.api#requestCompression"]["encodings"] = []
    with pytest.raises(DefinitionError) as caught:
        Operation.from_model(model, "Create")
    assert caught.value.code == "invalid_encodings"
    assert "demo#Create" in caught.value.path


@pytest.mark.parametrize(
    ("model", "code"), [(MODEL, "unknown_operation"), ("[", "invalid_json"), ([], "invalid_model")]
)
def test_models_that_do_not_hold(model: Any, code: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        Operation.from_model(model, "Missing")
    assert caught.value.code == code


def test_the_example_runs() -> None:
    found = doctest.testmod(smithy_waiters.operation)
    assert found.attempted > 0
