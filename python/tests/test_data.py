"""Reading Python values: docs/rules.md#host-values and docs/rules.md#null-and-types."""

from __future__ import annotations

import decimal
import enum
from collections import ChainMap, OrderedDict, UserDict, UserList, defaultdict, deque, namedtuple
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import attrs
import pytest
from samples import output

from smithy_waiters import search

if TYPE_CHECKING:
    from collections.abc import Iterator


class Color(enum.Enum):
    RED = "red"


class Text(str, enum.Enum):
    RED = "red"


class Number(enum.IntEnum):
    TWO = 2


class Upper(str):
    __slots__ = ()


class Defaulting(dict[str, Any]):
    """A mapping with its own `get`, like those with special keys."""

    def get(self, key: str, default: Any = None) -> Any:
        return super().get(key, default)


class Bag:
    """A minimal `collections.abc.Collection`."""

    owner = "me"

    def __len__(self) -> int:
        return 2

    def __iter__(self) -> Iterator[str]:
        return iter(["a", "b"])

    def __contains__(self, item: object) -> bool:
        return item in ("a", "b")


Pair = namedtuple("Pair", ["first", "second"])  # noqa: PYI024

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 500_000, tzinfo=timezone.utc)
EPOCH = 1767323045.5


# Types beside those of the vectors in `tests/vectors/data`.
@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (-(10**30), "number"),
        (Fraction(1, 2), "number"),
        (Number.TWO, "number"),
        (Upper("text"), "string"),
        (Text.RED, "string"),
        (bytearray(b"bytes"), "string"),
        (memoryview(b"bytes"), "string"),
        ((), "array"),
        (Pair(1, 2), "array"),
        (frozenset(), "array"),
        (deque(), "array"),
        (range(3), "array"),
        (UserList(), "array"),
        ({}.keys(), "array"),
        ({}.values(), "array"),
        ({}.items(), "array"),
        (UserDict().values(), "array"),
        (OrderedDict().items(), "array"),
        (Bag(), "array"),
        (OrderedDict(), "object"),
        (UserDict(), "object"),
        (ChainMap(), "object"),
        (SimpleNamespace(), "object"),
        (float("nan"), "null"),
        (-(10**400), "null"),
        (decimal.Decimal("NaN"), "null"),
        (1j, "null"),
        (Color, "null"),
    ],
)
def test_kinds(value: Any, kind: str) -> None:
    assert search("type(@)", value) == kind


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (bytearray(b"\x00\xff\x10"), "AP8Q"),
        (memoryview(b"\x00\xff\x10"), "AP8Q"),
        (Text.RED, "red"),
        (Upper("red"), "red"),
        ("a\ud800b", "a\ufffdb"),
        ("\ud83d\ude00", "\N{GRINNING FACE}"),
    ],
)
def test_values_read_as_strings(value: Any, text: str) -> None:
    assert search("join('', [@])", value) == text
    assert output("a", text).evaluate(response={"a": value}).state == "success"


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (MOMENT.astimezone(timezone(timedelta(hours=5))), EPOCH),
        (MOMENT.replace(tzinfo=None), EPOCH),
        (decimal.Decimal("1.5"), 1.5),
        (Fraction(1, 2), 0.5),
        (Number.TWO, 2),
        (2**63, 2**63),
        (10**30, 1e30),
        (timedelta(hours=1, milliseconds=500), 3600.5),
        (timedelta(days=-1), -86400),
    ],
)
def test_values_read_as_numbers(value: Any, number: float) -> None:
    assert search("sum([@])", value) == number


def test_a_huge_integer_leaves_no_error_behind() -> None:
    assert output("a", "x").evaluate(response={"a": 10**400}).reasons[0].code == "null"


@dataclass
class Table:
    name: str
    TableStatus: str = "ACTIVE"

    @property
    def shout(self) -> str:
        return self.name.upper()


@attrs.define
class Slotted:
    TableStatus: str = "ACTIVE"


class Plain:
    kind = "plain"

    def __init__(self) -> None:
        self.TableStatus = "ACTIVE"
        self._secret = 1

    @property
    def shout(self) -> str:
        return "PLAIN"

    def method(self) -> str:
        return "no"


@pytest.mark.parametrize("table", [Table("a"), Slotted(), Plain(), SimpleNamespace(TableStatus="ACTIVE")])
def test_objects_read_like_dicts(table: Any) -> None:
    assert output("Table.TableStatus", "ACTIVE").evaluate(response={"Table": table}).state == "success"


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (Table("a"), ["TableStatus", "name"]),
        (Slotted(), ["TableStatus"]),
        (Plain(), ["TableStatus", "kind", "shout"]),
        ({"a": 1, 2: 3}, ["a"]),
        (OrderedDict(b=1, a=2), ["a", "b"]),
        (UserDict(a=1), ["a"]),
    ],
)
def test_members(value: Any, names: list[str]) -> None:
    assert sorted(search("keys(@)", value)) == names
    assert search("length(@)", value) == len(names)
    assert len(search("*", value)) == len(names)


@pytest.mark.parametrize("mapping", [dict, MappingProxyType, UserDict, ChainMap, Defaulting])
def test_members_of_mappings_may_be_none(mapping: Any) -> None:
    value = mapping({"a": None, "b": 1})
    assert search("keys(@)", value) == ["a", "b"]
    assert search("length(@)", value) == 2
    assert search("values(@)", value) == [None, 1]
    assert search('@ == `{"a": null, "b": 1}`', value)


def test_methods_and_private_attributes_are_not_members() -> None:
    assert search("[method, _secret, missing]", Plain()) == [None, None, None]
    assert search("shout", Table("a")) is None


class Defaults(dict[str, Any]):
    def get(self, key: str, default: Any = None) -> Any:
        return super().get(key.lower(), default)


class Lowered(dict[str, Any]):
    def __getitem__(self, key: str) -> Any:
        return str(super().__getitem__(key)).lower()


class Headers:
    """A mapping that is not registered as one."""

    def keys(self) -> Iterator[str]:
        return iter(["Status"])

    def __getitem__(self, key: str) -> str:
        if key == "Status":
            return "ok"
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return key == "Status"


def test_a_dict_that_reads_otherwise_is_read_its_own_way() -> None:
    assert search("Status", Defaults(status="ok")) == "ok"
    assert search("Status", Lowered(Status="OK")) == "ok"
    assert search("[Status, Other]", Headers()) == ["ok", None]
    assert search("values(@)", Lowered(Status="OK")) == ["ok"]


def test_reading_makes_no_values() -> None:
    counts: defaultdict[str, int] = defaultdict(int)
    assert search("missing", counts) is None
    assert not counts


def test_reading_while_it_changes() -> None:
    response: dict[str, Any] = {}

    class Grows:
        @property
        def Status(self) -> str:  # noqa: N802
            response[f"more{len(response)}"] = 1
            return "ok"

    response.update(a=Grows(), b=Grows())
    assert search("*.Status", response) == ["ok", "ok"]


@pytest.mark.parametrize(
    "states", [{"ok": 1}.keys(), {1: "ok"}.values(), UserDict({1: "ok"}).values(), deque(["ok"]), {"ok"}]
)
def test_collections_of_any_kind_are_walked(states: Any) -> None:
    assert output("States", "ok", "allStringEquals").evaluate(response={"States": states}).state == "success"
    assert search("[length(@), [0], [-1], [1]]", states) == [1, "ok", "ok", None]


def test_pairs_of_a_dict() -> None:
    assert search("[*][1]", {"a": 1, "b": 2}.items()) == [1, 2]
    assert search("[owner, length(@), [1]]", Bag()) == [None, 2, "b"]
