"""Reading values of other packages, and values that are not data: docs/rules.md#host-values."""

from __future__ import annotations

import array
import decimal
import enum
import io
import ipaddress
import pathlib
import subprocess
import sys
import uuid
from collections import UserString
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
import pydantic
import pytest
from samples import output

from smithy_waiters import ExpressionError, search

if TYPE_CHECKING:
    from collections.abc import Callable


class Inner(enum.Enum):
    RED = "red"


class Outer(enum.Enum):
    RED = Inner.RED
    SINCE = date(1970, 1, 2)


class Root(pydantic.RootModel[Any]):
    """A model that wraps a value of another type."""


class Permissions(enum.Flag):
    READ = 1
    WRITE = 2


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (date(2026, 1, 2), "number"),
        (Permissions.READ | Permissions.WRITE, "number"),
        (decimal.Decimal("sNaN"), "null"),
        (uuid.UUID(int=1), "string"),
        (UserString("text"), "string"),
        (array.array("d", [1.5]), "array"),
        (np.bool_(True), "boolean"),
        (np.bool_(False), "boolean"),
        (np.int8(1), "number"),
        (np.uint64(2**64 - 1), "number"),
        (np.float16(1.5), "number"),
        (np.float64(1.5), "number"),
        (np.longdouble(1.5), "number"),
        (np.datetime64("2026-01-02"), "number"),
        (np.datetime64("NaT"), "null"),
        (np.timedelta64(5), "null"),
        (np.timedelta64(5, "M"), "null"),
        (np.timedelta64(5, "Y"), "null"),
        (np.timedelta64("NaT", "s"), "null"),
        (np.timedelta64(5, "m"), "number"),
        (np.complex128(1j), "null"),
        (np.float32("nan"), "null"),
        (np.str_("text"), "string"),
        (np.bytes_(b"text"), "string"),
        (np.array([1, 2]), "array"),
        (np.array([[1, 2]]), "array"),
        (np.array(1), "number"),
        (np.array(True), "boolean"),
        (pathlib.Path("a/b"), "string"),
        (pathlib.PurePosixPath("a/b"), "string"),
    ],
    ids=lambda value: f"{type(value).__name__}-{value}"[:40].replace(" ", ""),
)
def test_kinds(value: Any, kind: str) -> None:
    assert search("type(@)", value) == kind


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (date(1970, 1, 1), 0),
        (date(2026, 1, 2), 1767312000),
        (date(1, 1, 1), -62135596800),
        (datetime(2026, 1, 2), 1767312000),  # noqa: DTZ001 - a naive time is in UTC.
        (Outer.SINCE, 86400),
        (np.int64(2**53), 2**53),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.datetime64("2026-01-02T03:04:05.5"), 1767323045.5),
        (np.datetime64("2026-01-02T03:04:05.500000000", "ns"), 1767323045.5),
        (np.datetime64("2026-01-02"), 1767312000),
        (np.timedelta64(5, "m"), 300),
        (np.timedelta64(1_500_000_000, "ns"), 1.5),
        (np.timedelta64(2, ("s", 25)), 50),
    ],
)
def test_values_read_as_numbers(value: Any, number: float) -> None:
    assert search("sum([@])", value) == number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Outer.RED, "red"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (UserString("red"), "red"),
        (pathlib.PurePosixPath("a/red"), "a/red"),
        (pathlib.PureWindowsPath("a/red"), "a\\red"),
        (np.str_("red"), "red"),
        (ipaddress.ip_address("10.0.0.1"), "10.0.0.1"),
        (ipaddress.ip_address("::0001"), "::1"),
        (ipaddress.ip_network("10.0.0.0/8"), "10.0.0.0/8"),
        (ipaddress.ip_network("fe80::/10"), "fe80::/10"),
        (ipaddress.ip_interface("10.0.0.1/8"), "10.0.0.1/8"),
        (ipaddress.ip_interface("::1/64"), "::1/64"),
        (Root("red"), "red"),
        (np.bytes_(b"\x00\xff\x10"), "AP8Q"),
        (memoryview(b"\x00.\xff.\x10")[::2], "AP8Q"),
        (memoryview(array.array("H", [1])), "AQA=" if sys.byteorder == "little" else "AAE="),
    ],
)
def test_values_read_as_strings(value: Any, text: str) -> None:
    assert search("join('', [@])", value) == text
    assert output("a", text).evaluate(response={"a": value}).state == "success"


def test_arrays_of_numpy_are_walked() -> None:
    states = np.array(["ok", "ok"])
    assert output("States", "ok", "allStringEquals").evaluate(response={"States": states}).state == "success"
    assert search("[0][1]", np.array([[1, 2], [3, 4]])) == 2
    assert search("length(@)", np.array([1, 2, 3])) == 3


def test_plain_data_of_others() -> None:
    response = {
        "Model": Model.model_validate({"Since": date(1970, 1, 2)}),
        "Root": Root([Model()]),
        "numbers": [np.int64(2**60), np.float32(1.5), np.bool_(True), np.array([1, 2])],
        "address": ipaddress.ip_address("::1"),
    }
    outcome = output("address", "::1").wait(lambda: response, max_wait=60)
    assert outcome.to_dict()["response"] == {
        "Model": {"TableStatus": "ACTIVE", "since": 86400},
        "Root": [{"TableStatus": "ACTIVE", "since": None}],
        "numbers": [2**60, 1.5, True, [1, 2]],
        "address": "::1",
    }


def test_a_boolean_of_numpy_is_one() -> None:
    waiter = output("Ready", "true", "booleanEquals")
    assert waiter.evaluate(response={"Ready": np.bool_(True)}).state == "success"
    assert waiter.evaluate(response={"Ready": np.int8(1)}).reasons[0].code == "wrong_type"


def test_numpy_is_not_loaded_for_it() -> None:
    program = (
        "import sys\n"
        "from smithy_waiters import search\n"
        "assert search('type(@)', object()) == 'object'\n"
        "assert not {'numpy', 'uuid', 'decimal', 'numbers', 'ipaddress'} & set(sys.modules), sorted(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


class Model(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")

    TableStatus: str = "ACTIVE"
    since: date | None = pydantic.Field(default=None, alias="Since")


@attrs.define
class Mangled:
    TableStatus: str = "ACTIVE"
    _secret: int = 1


@dataclass
class Callback:
    """A record that is also callable."""

    TableStatus: str = "ACTIVE"

    def __call__(self) -> str:
        return "no"


class Slots:
    __slots__ = ("TableStatus", "unset")

    def __init__(self) -> None:
        self.TableStatus = "ACTIVE"


class Dynamic:
    def __getattr__(self, name: str) -> str:
        if name == "TableStatus":
            return "ACTIVE"
        raise AttributeError(name)


@pytest.mark.parametrize("table", [Model(), Mangled(), Callback(), Slots(), Dynamic()])
def test_objects_read_like_dicts(table: Any) -> None:
    assert output("Table.TableStatus", "ACTIVE").evaluate(response={"Table": table}).state == "success"


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (Model(), ["TableStatus", "since"]),
        (Model.model_validate({"TableStatus": "ACTIVE", "more": 1}), ["TableStatus", "since", "more"]),
        (Callback(), ["TableStatus"]),
        (Slots(), ["TableStatus"]),
    ],
)
def test_members(value: Any, names: list[str]) -> None:
    assert search("keys(@)", value) == names


def test_members_beyond_a_models_fields_are_read() -> None:
    model = Model.model_validate({"more": "yes"})
    assert search("[more, model_config, model_fields, copy]", model) == ["yes", None, None, None]


def test_a_root_model_reads_as_its_root() -> None:
    assert search("[0].TableStatus", Root([{"TableStatus": "ACTIVE"}])) == "ACTIVE"
    assert search("[0].TableStatus", Root([Model()])) == "ACTIVE"
    assert search("Root.root", {"Root": Root({"TableStatus": 1})}) is None
    assert search("type(@)", Root(None)) == "null"


class Row:
    """A row like `sqlite3.Row`, with items by name and by index, which contains its values."""

    def keys(self) -> list[str]:
        return ["Status"]

    def __getitem__(self, key: str | int) -> str:
        if key in ("Status", 0):
            return "ok"
        raise IndexError(key)

    def __len__(self) -> int:
        return 1


def test_rows_of_a_database() -> None:
    assert search("[Status, Other]", Row()) == ["ok", None]
    assert search("keys(@)", Row()) == ["Status"]


async def many() -> Any:
    yield 1


def test_iterators_and_streams_are_refused() -> None:
    numbers = (number for number in [1, 2])
    for once in (numbers, iter([1]), map(str, [1]), io.StringIO("text"), many()):
        name = type(once).__name__
        with pytest.raises(ExpressionError, match=f"`{name}` can be read only once: make a list of it") as caught:
            search("a[]", {"a": once})
        assert caught.value.code == "evaluation_error"
        verdict = output("a[0]", "x").evaluate(response={"a": once, "b": "x"})
        assert (verdict.state, verdict.reasons[0].code) == ("retry", "evaluation_error")
        assert name in verdict.reasons[0].text
        assert output("b", "x").evaluate(response={"a": once, "b": "x"}).state == "success"
    assert list(numbers) == [1, 2]


def test_keys_that_are_not_strings_are_ignored() -> None:
    assert search('[keys(@), "1"]', {1: 2, None: 3, ("a",): 4, "b": 5}) == [["b"], None]


def cyclic_dict() -> Any:
    value: dict[str, Any] = {"name": "ok"}
    value["self"] = value
    return value


def cyclic_list() -> Any:
    value: list[Any] = []
    value.append(value)
    return {"self": value}


def cyclic_object() -> Any:
    @dataclass
    class Cycle:
        self: Any = None
        name: str = "ok"

    value = Cycle()
    value.self = value
    return value


@pytest.mark.parametrize("make", [cyclic_dict, cyclic_object])
def test_a_path_along_a_cycle(make: Callable[[], Any]) -> None:
    assert output("self.self.name", "ok").evaluate(response=make()).state == "success"


@pytest.mark.parametrize("make", [cyclic_dict, cyclic_list, cyclic_object])
@pytest.mark.parametrize("path", ["to_string(self)", "self == {self: self}.self.self", "[self] == [self.self]"])
def test_evaluating_a_whole_cycle_reaches_a_limit(make: Callable[[], Any], path: str) -> None:
    value = make()
    if path.startswith("to_string"):
        with pytest.raises(ExpressionError) as caught:
            search(path, value)
        assert caught.value.code == "limit_exceeded"
    verdict = output(path, "true", "booleanEquals").evaluate(response=value)
    assert verdict.state == "retry"
    assert verdict.reasons[0].code in {"limit_exceeded", "not_equal"}
    assert verdict.reasons[0].text


def test_a_cycle_is_shown_cut() -> None:
    reason = output("self", "x").evaluate(response=cyclic_dict()).reasons[0]
    assert reason.code == "wrong_type"
    assert len(reason.text) < 400


def test_enums_that_stand_for_themselves() -> None:
    class Endless(enum.Enum):
        ONE = 1

        @property
        def value(self) -> Any:
            return self

    assert search("type(@)", Endless.ONE) == "null"


def test_an_interrupt_while_a_number_is_read() -> None:
    class Interrupting(decimal.Decimal):
        def __float__(self) -> float:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search("a > `1`", {"a": Interrupting(1)})
