"""The attributes of an object that are its members, and the callable objects that are functions."""

from __future__ import annotations

import functools
import os
import sys
from dataclasses import InitVar, dataclass
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar
from unittest.mock import AsyncMock, MagicMock, Mock, NonCallableMagicMock, NonCallableMock

import pytest
from samples import output

from smithy_waiters import search


@dataclass
class Table:
    """A dataclass with attributes that are not fields."""

    status: str
    kind: ClassVar[str] = "table"
    region: InitVar[str] = "eu"

    def __post_init__(self, region: str) -> None:
        self.arn = f"{region}:{self.status}"


class Answering:
    """An object that has every attribute, and records reads."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __getattr__(self, name: str) -> Any:
        self.asked.append(name)
        return [name]


@dataclass
class AnsweringTable(Answering):
    """A dataclass with `__getattr__`."""

    status: str

    def __post_init__(self) -> None:
        super().__init__()


class Callable:
    """An object that is also callable."""

    def __init__(self) -> None:
        self.status = "ACTIVE"

    def __call__(self) -> None:
        """Do nothing."""


async def later() -> None:
    """Do nothing."""


def test_only_the_fields_of_a_dataclass_are_members() -> None:
    table = Table("ACTIVE")
    assert search("[status, kind, region, arn]", table) == ["ACTIVE", None, None, None]
    assert search("keys(@)", table) == ["status"]
    assert search('@ == `{"status": "ACTIVE"}`', table) is True


def test_an_object_with_fields_is_not_asked_for_more() -> None:
    table = AnsweringTable("ACTIVE")
    assert search("[status, other]", table) == ["ACTIVE", None]
    assert search("keys(@)", table) == ["status"]
    assert table.asked == []


@pytest.mark.parametrize("kind", [Mock, MagicMock, AsyncMock, NonCallableMock, NonCallableMagicMock])
def test_mocks_are_read_like_other_objects(kind: type[NonCallableMock]) -> None:
    response = kind(Table=kind(TableStatus="ACTIVE", Tags=["a"]))
    assert search("[Table.TableStatus, Table.Tags[0], Table.assert_called]", response) == ["ACTIVE", "a", None]
    assert output("Table.TableStatus", "ACTIVE").evaluate(response=response).state == "success"


def test_callable_objects_are_no_functions() -> None:
    assert search("[status, of.status]", {"status": 1, "of": Callable()}) == [1, "ACTIVE"]
    assert search("type(@)", Callable()) == "object"


@pytest.mark.parametrize(
    "function",
    [
        lambda: 1,
        later,
        len,
        "".join,
        str.join,
        {}.keys,
        Callable().__call__,
        functools.partial(len, ""),
        functools.lru_cache(len),
        int,
        Table,
    ],
)
def test_functions_and_classes_are_null(function: Any) -> None:
    assert search("type(@)", function) == "null"
    assert search("type(a)", {"a": function}) == "null"
    assert search("a", {"a": function}) is function


class Place(os.PathLike[str]):
    """An object with `__fspath__` that is not a path."""

    status = "ACTIVE"

    def __fspath__(self) -> str:
        return "/etc"


def test_only_paths_are_read_as_such() -> None:
    assert search("@", PurePosixPath("/etc/hosts")) == PurePosixPath("/etc/hosts")
    assert search("to_string(@)", PurePosixPath("/etc/hosts")) == "/etc/hosts"
    assert search("type(@)", Path(sys.executable)) == "string"
    assert search("status", Place()) == "ACTIVE"


def test_mocks_have_the_type_of_their_class() -> None:
    assert search("status", Mock(spec=Table, status="ACTIVE")) == "ACTIVE"
    assert search("type(@)", NonCallableMagicMock(status="ACTIVE")) == "object"
