"""Waiters of whole models."""

from __future__ import annotations

import json
import os
from collections import UserDict
from typing import TYPE_CHECKING, Any

import pytest
from samples import ACTIVE, TABLE_EXISTS

from smithy_waiters import DefinitionError, Waiter
from smithy_waiters.operation import Operation
from smithy_waiters.pagination import Paginator

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def model(*services: str) -> dict[str, Any]:
    shapes: dict[str, Any] = {
        f"com.example#{service}": {
            "type": "service",
            "version": "1",
            "operations": [{"target": f"com.example#Get{service}"}],
        }
        for service in services
    }
    for service in services:
        shapes[f"com.example#Get{service}"] = {
            "type": "operation",
            "traits": {"smithy.waiters#waitable": {"TableExists": TABLE_EXISTS}},
        }
    return {"smithy": "2.0", "shapes": shapes}


ONE = model("Tables")


@pytest.mark.parametrize(
    "given", [ONE, json.dumps(ONE), json.dumps(ONE).encode(), UserDict(ONE)], ids=["dict", "text", "bytes", "mapping"]
)
def test_models_in_every_form(given: Any) -> None:
    waiter = Waiter.from_model(given, "tableexists")
    assert waiter.name == "TableExists"
    assert waiter.evaluate(response=ACTIVE).state == "success"


def test_a_model_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(ONE), encoding="utf-8")
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

    assert type(Mine.from_model(ONE, "TableExists")) is Mine


def test_options_are_taken() -> None:
    waiter = Waiter.from_model(ONE, "TableExists", error_names=lambda _: ["ResourceNotFoundException"])
    assert waiter.evaluate(error=Exception()).state == "retry"
    waiter = Waiter.from_model(ONE, "TableExists", service_errors_only=True)
    assert waiter.evaluate(error=Exception()).state == "failure"


@pytest.mark.parametrize(
    ("given", "name", "service", "code"),
    [
        ([], "TableExists", None, "invalid_model"),
        (b"\xff", "TableExists", None, "invalid_json"),
        ({"shapes": object()}, "TableExists", None, "invalid_json"),
        (None, "TableExists", None, "invalid_model"),
    ],
)
def test_bad_models(given: Any, name: str, service: str | None, code: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        Waiter.from_model(given, name, service=service)
    assert caught.value.code == code


@pytest.mark.parametrize("path", ["dynamodb.json", "/models/dynamodb.json", "C:\\models\\dynamodb.json"])
def test_a_path_is_no_str(path: str) -> None:
    with pytest.raises(DefinitionError, match="pass the text of the model, not its path") as caught:
        Waiter.from_model(path, "TableExists")
    assert caught.value.code == "invalid_json"


@pytest.mark.parametrize("broken", ["", " ", "{", "\ufeff{", b"dynamodb.json"])
def test_broken_text_is_no_path(broken: str | bytes) -> None:
    with pytest.raises(DefinitionError) as caught:
        Waiter.from_model(broken, "TableExists")
    assert caught.value.code == "invalid_json"
    assert "pathlib" not in str(caught.value)
