"""Run the programs of the page on PyPI one after another on virtual time."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3  # type: ignore[import-untyped]
import pytest
import virtual
from answers import answering

import smithy_waiters
from smithy_waiters import Waiter, WaitOptions
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable

README = Path(__file__).parents[1].joinpath("README.md").read_text("utf-8")
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
SHOWN = re.findall(r"^```python\n([^`]*?)^```\n\n```text\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def client(name: str, **settings: str) -> Any:
    """Return a client whose table becomes active with the third response, or whose volumes are available."""
    if name == "ec2":
        volumes = "".join(f"<item><volumeId>vol-{n}</volumeId><status>available</status></item>" for n in (1, 2))
        return answering(name, (200, f"<R><volumeSet>{volumes}</volumeSet></R>".encode()), **settings)[0]
    missing = b'{"__type": "ResourceNotFoundException"}'
    creating, active = (json.dumps({"Table": {"TableStatus": status}}).encode() for status in ("CREATING", "ACTIVE"))
    return answering(name, (400, missing), (200, creating), (200, active), **settings)[0]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    clock = FakeClock()
    monkeypatch.setattr(time, "sleep", clock.sleep)
    monkeypatch.setattr(time, "monotonic", clock)
    monkeypatch.setattr(asyncio, "run", virtual.run)
    create = Waiter.fleet
    monkeypatch.setattr(Waiter, "fleet", lambda *given, **named: create(*given, **{**named, "clock": clock}))

    async def in_no_thread(call: Callable[..., Any], **arguments: Any) -> Any:
        return call(**arguments)

    monkeypatch.setattr(asyncio, "to_thread", in_no_thread)
    monkeypatch.setattr(boto3, "client", client)
    return clock


def test_its_programs_run(clock: FakeClock, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for program in PROGRAMS:
        exec(compile(program, "README.md", "exec"), names)  # noqa: S102
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "active after 2 attempts: {'Table': {'TableStatus': 'ACTIVE'}}"
    assert printed[1] == "attempt 1 has 300.0 seconds"
    assert "ACTIVE" in printed
    assert any(line.startswith("TableExists orders: attempt 1 after 0 s: retry: ") for line in printed)
    assert clock.now > 0
    for name, thing in list(names.items()):
        if name.startswith("test_"):
            thing()
            names[name] = None
    assert None in names.values()


def test_the_readme_shows_the_output_of_its_programs(clock: FakeClock, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    shown = dict(SHOWN)
    assert len(shown) == README.count("```text\n") > 0
    for program in PROGRAMS:
        capsys.readouterr()
        exec(compile(program, "README.md", "exec"), names)  # noqa: S102
        printed = capsys.readouterr().out
        assert printed == shown.pop(program, printed)
    assert not shown


def test_its_table_has_all_options() -> None:
    wait = inspect.signature(Waiter.wait).parameters
    options = {*WaitOptions.__annotations__, *wait} - {"self", "call", "options"}
    for option in options:
        assert re.search(rf"^\| [^|]*`{option}`[^|]* \|", README, re.MULTILINE), option


def test_the_readme_names_the_exceptions() -> None:
    names = [name for name in smithy_waiters.__all__ if name.endswith("Error")]
    assert names
    for name in ("FakeClock", "WaiterTimeout", "WaiterFailed", "WaiterCancelled", *names):
        assert f"{name}" in README, name
