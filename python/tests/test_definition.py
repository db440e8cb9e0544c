"""Valid and invalid definitions."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any

import pytest
from samples import ACTIVE, TABLE_EXISTS

from smithy_waiters import DefinitionError, Waiter


@pytest.mark.parametrize(
    "definition",
    [
        TABLE_EXISTS,
        json.dumps(TABLE_EXISTS),
        json.dumps(TABLE_EXISTS).encode(),
        MappingProxyType({"acceptors": TABLE_EXISTS["acceptors"]}),
        {"acceptors": [MappingProxyType(acceptor) for acceptor in TABLE_EXISTS["acceptors"]]},
    ],
    ids=["dict", "text", "bytes", "mapping", "nested mapping"],
)
def test_a_definition_is_an_object_or_its_text(definition: Any) -> None:
    assert Waiter(definition).evaluate(response=ACTIVE).state == "success"


def test_a_waiter_has_the_attributes_of_its_definition() -> None:
    waiter = Waiter(TABLE_EXISTS, name="TableExists")
    assert waiter.tags == ("tables",)
    assert (waiter.min_delay, waiter.max_delay) == (2.0, 20.0)
    assert (waiter.error_names, waiter.service_errors_only) == (None, False)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "definition",
    [
        b"\xff",
        "\ud800",
        {"acceptors": {1, 2}},
        {"minDelay": float("nan")},
        {("a", "b"): 1},
        nested(100_000),
    ],
    ids=["bytes", "surrogate", "set", "nan", "key", "deep"],
)
def test_definitions_that_are_not_json_are_refused(definition: Any) -> None:
    with pytest.raises(DefinitionError) as caught:
        Waiter(definition)
    assert caught.value.code == "invalid_json"
