"""Waiters of whole models."""

from __future__ import annotations

import json
import os
from collections import UserDict
from typing import TYPE_CHECKING, Any

import pytest
from samples import ACTIVE, MODEL

from smithy_waiters import DefinitionError, Waiter
from smithy_waiters.operation import Operation
from smithy_waiters.pagination import Paginator

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize(
    "given",
    [MODEL, json.dumps(MODEL), json.dumps(MODEL).encode(), UserDict(MODEL)],
    ids=["dict", "text", "bytes", "mapping"],
)
def test_models_in_every_form(given: Any) -> None:
    waiter = Waiter.from_model(given, "tableexists")
    assert waiter.name == "TableExists"
    assert waiter.evaluate(response=ACTIVE).state == "success"


def test_a_model_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(MODEL), encoding="utf-8")
    assert Waiter.from_model(path, "TableExists").name == "TableExists"
    with pytest.raises(DefinitionError) as caught:
        Waiter.from_model(os.fspath(path), "TableExists")
    assert caught.value.code == "invalid_json"
    with pytest.raises(FileNotFoundError):
        Waiter.from_model(tmp_path / "other.json", "TableExists")


@pytest.mark.parametrize(
    ("content", "problem"), [(b"", "the text is empty"), (b"\x1f\x8b", "'utf-8' codec can't decode")]
)
@pytest.mark.parametrize("make", [Waiter.from_model, Operation.from_model, Paginator.from_model])
def test_the_file_is_named(make: Callable[..., object], content: bytes, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(content)
    with pytest.raises(DefinitionError) as caught:
        make(path, "GetTables")
    assert caught.value.message.startswith(f"`{path}`: the model is not JSON: {problem}")
    assert caught.value.code == "invalid_json"


def test_it_is_of_the_class_that_was_asked() -> None:
    class Mine(Waiter):
        __slots__ = ()

    assert type(Mine.from_model(MODEL, "TableExists")) is Mine


def test_options_are_taken() -> None:
    waiter = Waiter.from_model(MODEL, "TableExists", error_names=lambda _: ["ResourceNotFoundException"])
    assert waiter.evaluate(error=Exception()).state == "retry"
    waiter = Waiter.from_model(MODEL, "TableExists", service_errors_only=True)
    assert waiter.evaluate(error=Exception()).state == "failure"


@pytest.mark.parametrize("given", [b"\xff", {"shapes": object()}, "", " ", "{", "\ufeff{", b"dynamodb.json"], ids=repr)
def test_models_that_are_not_json(given: Any) -> None:
    with pytest.raises(DefinitionError) as caught:
        Waiter.from_model(given, "TableExists")
    assert caught.value.code == "invalid_json"
    assert "pathlib" not in str(caught.value)


@pytest.mark.parametrize("path", ["dynamodb.json", "/models/dynamodb.json", "C:\\models\\dynamodb.json"])
def test_a_path_is_no_str(path: str) -> None:
    with pytest.raises(DefinitionError, match="pass the text of the model, not its path") as caught:
        Waiter.from_model(path, "TableExists")
    assert caught.value.code == "invalid_json"
