"""Failures, outcomes and invalid-argument errors as plain data, for logs."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import json
import sys
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import botocore.exceptions
import pytest
from samples import ACTIVE, BROKEN, CREATING, NOT_FOUND, TABLE_NOT_EXISTS, ClientError, script, table_exists

from smithy_waiters import Waiter, WaiterError
from smithy_waiters.testing import FakeClock


def failed(*results: Any) -> WaiterError:
    with pytest.raises(WaiterError) as caught:
        table_exists().wait(script(*results), max_wait=60, transient_errors="fail", clock=FakeClock())
    return caught.value


def broken(**members: Any) -> dict[str, Any]:
    return {**BROKEN, **members}


def response_of(**members: Any) -> Any:
    data = failed(broken(**members)).to_dict()
    json.dumps(data, allow_nan=False).encode()
    return data["response"]


def test_a_failure_is_plain_data_with_everything_that_is_known() -> None:
    gone = botocore.exceptions.ClientError(
        {"Error": {"Code": "ResourceNotFoundException", "Message": "no"}}, "Describe"
    )
    since = dt.datetime(1970, 1, 1, 0, 0, 5)  # noqa: DTZ001 - a naive time is in UTC.
    failure = failed(gone, CREATING, broken(since=since, size=12, data=b"\x01"))
    data = failure.to_dict()
    error = {
        "name": "ClientError",
        "message": str(gone),
        "response": {"Error": {"Code": "ResourceNotFoundException", "Message": "no"}},
        "operation_name": "Describe",
    }
    lost = failed(ConnectionResetError("lost")).to_dict()
    assert lost["cause"] == lost["error"] == {"name": "ConnectionResetError", "message": "lost"}
    [first, *_] = data.pop("history")
    assert data == {
        "name": "WaiterFailed",
        "message": failure.message,
        "code": "failure_state",
        "waiter": "TableExists",
        "label": None,
        "result": "response",
        "acceptor": 1,
        "acceptor_text": failure.acceptor_text,
        "attempts": 3,
        "elapsed": failure.elapsed,
        "noticed_within": None,
        "response": {**BROKEN, "since": 5, "size": 12, "data": "AQ=="},
        "error": error,
        "cause": None,
    }
    text = failure.history[0].reasons[2].text
    assert first["reasons"][2] == {"acceptor": 2, "matched": True, "code": "matched", "text": text}
    assert json.loads(json.dumps(data)) == data


class Color(enum.IntEnum):
    RED = 2**60


@dataclass
class Part:
    name: str
    since: dt.date


def test_values_are_as_the_engine_reads_them() -> None:
    given = {
        "number": 2**70,
        "float": 1.0,
        "huge": 10**400,
        "nan": float("nan"),
        "decimal": decimal.Decimal("1.50"),
        "color": Color.RED,
        "part": Part("a", dt.date(1970, 1, 2)),
        "surrogate": "a\ud800",
        "tuple": (1, "b"),
        "values": {"a": 1}.values(),
        "mapping": MappingProxyType({"a": None}),
        "call": len,
        3: "no member",
    }
    found = response_of(given=given)["given"]
    assert found == {
        "number": 2**70,
        "float": 1,
        "huge": None,
        "nan": None,
        "decimal": 1.5,
        "color": 2**60,
        "part": {"name": "a", "since": 86400},
        "surrogate": "a\ufffd",
        "tuple": [1, "b"],
        "values": [1],
        "mapping": {"a": None},
        "call": None,
    }
    # Integral numbers do not have a fraction, in any language.
    assert type(found["float"]) is int
    assert type(found["color"]) is int


def test_cycles_and_large_values_are_cut() -> None:
    cycle: dict[str, Any] = {"name": "ok"}
    cycle.update(self=cycle, list=[cycle, 1])
    deep: Any = {}
    for _ in range(1000):
        deep = {"deep": deep}
    wide: Any = []
    for _ in range(30):
        wide = [wide, wide]
    found = response_of(cycle=cycle, deep=deep, wide=wide, full=[0] * 200_000, more=[1])
    assert found["cycle"] == {"name": "ok", "self": "<circular>", "list": ["<circular>", 1]}
    assert "<too deep>" in json.dumps(found["deep"])
    assert json.dumps(found["wide"]).count("<too large>") < 100
    full = response_of(list=[0] * 200_000, more=[1], most={})
    assert len(full["list"]) < 100_001
    assert (full["list"][-1], full["more"], "most" in full) == ("<too large>", "<too large>", False)


def test_an_object_ends_where_it_goes_too_far() -> None:
    # After the same member as in JavaScript.
    members = list(response_of(wide={f"m{index}": index for index in range(100_005)})["wide"].values())
    assert (len(members), members[-2], members[-1]) == (99_997, 99_995, "<too large>")


class Odd:
    """An object of which some members cannot be read."""

    status = "ok"

    @property
    def broken(self) -> str:
        raise ValueError("no such luck")

    @property
    def silent(self) -> str:
        raise ValueError

    @property
    def missing(self) -> str:
        raise AttributeError

    def method(self) -> None: ...


def test_unreadable_members() -> None:
    found = response_of(odd=Odd(), once=iter([1]))
    assert found["odd"] == {
        "status": "ok",
        "broken": "<unreadable: no such luck>",
        "silent": "<unreadable: ValueError>",
    }
    assert found["once"] == "<unreadable: `list_iterator` can be read only once: make a list of it>"


def test_an_interrupt_leaves_unchanged() -> None:
    class Interrupting:
        @property
        def status(self) -> str:
            raise KeyboardInterrupt

    class WithoutText(Exception):
        def __str__(self) -> str:
            raise KeyboardInterrupt

    for odd in (Interrupting(), WithoutText()):
        failure = failed(broken(odd=odd))
        with pytest.raises(KeyboardInterrupt):
            failure.to_dict()


class Lost(Exception):
    """An error like those of HTTP clients, which contains the request."""

    def __init__(self, status: int) -> None:
        super().__init__(f"lost: {status}")
        self.status = status
        self.message = "another one"
        self.request = Odd()
        self.callback = len
        self.reason = KeyError("inner")
        self._private = 1


def test_errors_have_a_name_a_message_and_their_attributes() -> None:
    error = Lost(503)
    error.__cause__ = OSError(2, "no such file")
    error.__cause__.__cause__ = error
    data = failed(error).to_dict()
    assert data["error"] == {
        "name": "Lost",
        "message": "lost: 503",
        "status": 503,
        "reason": {"name": "KeyError", "message": "'inner'"},
        "cause": {"name": "FileNotFoundError", "message": "[Errno 2] no such file", "cause": "<circular>"},
    }
    json.dumps(data)


def test_an_error_that_cannot_say_anything() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise ValueError("no words")

    assert failed(Mute()).to_dict()["error"] == {"name": "Mute", "message": ""}


def test_outcomes_too() -> None:
    outcome = table_exists().wait(script(NOT_FOUND, ACTIVE), max_wait=60, clock=FakeClock())
    data = outcome.to_dict()
    assert (data["result"], data["response"], data["error"], data["attempts"]) == ("response", ACTIVE, None, 2)
    assert data["acceptor_text"] == outcome.acceptor_text
    assert [one["attempt"] for one in data["history"]] == [1, 2]
    json.dumps(data)
    gone = Waiter(TABLE_NOT_EXISTS).wait(script(ClientError("ResourceNotFoundException", "no")), max_wait=60).to_dict()
    assert (gone["result"], gone["response"], gone["error"]["name"]) == ("error", None, "ClientError")


def test_another_mapping_may_replace_the_loaded_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    # Temporal does this while it runs a workflow, for all threads.
    outcome = Waiter.until("Status", "DONE").wait(lambda: {"Status": "DONE"}, max_wait=5)
    monkeypatch.setattr(sys, "modules", MappingProxyType(dict(sys.modules)))
    assert outcome.to_dict()["history"][0]["attempt"] == 1
