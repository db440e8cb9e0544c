"""The blocks for Python of the page on PyPI and of the book in `docs/`, each page as one program on virtual time."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import time
from pathlib import Path
from textwrap import dedent
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

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = ROOT / "python/README.md"


def blocks(page: Path, info: str) -> list[str]:
    """Return the blocks with these words after their fence. A block can be indented, in a list or a tab."""
    found = re.findall(rf"^( *)```{info}\n(.*?)^\1```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [dedent(code) for _, code in found]


# Those of `recipes.md` run on scripts of answers, in `test_recipe_blocks.py`.
PAGES = {page.name: page for page in sorted(DOCS.glob("*.md")) if blocks(page, "python") and page.name != "recipes.md"}


def client(name: str, **settings: str) -> Any:
    """Return a client whose table becomes active with the third response, or whose volumes are available."""
    if name == "ec2":
        volumes = "".join(f"<item><volumeId>vol-{n}</volumeId><status>available</status></item>" for n in (1, 2))
        return answering(name, (200, f"<R><volumeSet>{volumes}</volumeSet></R>".encode()), **settings)[0]
    missing = b'{"__type": "ResourceNotFoundException"}'
    creating, active = (json.dumps({"Table": {"TableStatus": status}}).encode() for status in ("CREATING", "ACTIVE"))
    return answering(name, (400, missing), (200, creating), (200, active), **settings)[0]


@pytest.fixture(autouse=True)
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


def run(page: Path, stand_ins: dict[str, Any] | None = None) -> dict[str, Any]:
    """Run the blocks of a page, and the tests that they define. Return their names."""
    names: dict[str, Any] = dict(stand_ins or {})
    for block in blocks(page, "python"):
        exec(compile(block, page.name, "exec"), names)  # noqa: S102
    for name, thing in list(names.items()):
        if name.startswith("test_"):
            thing()
    return names


class Ec2:
    """Stands for the client of EC2."""

    def describe_volumes(self, VolumeIds: list[str]) -> dict[str, Any]:  # noqa: N803
        states = {name: "error" if name == "vol-bad" else "available" for name in VolumeIds}
        return {"Volumes": [{"VolumeId": name, "State": state} for name, state in states.items()]}


class Ecs:
    """Stands for the client of ECS, with a stale first answer."""

    def __init__(self) -> None:
        self._left = ["ecs-svc/1", "ecs-svc/2"]

    def update_service(self, **_: object) -> dict[str, Any]:
        return {"service": {"deployments": [{"id": "ecs-svc/2"}]}}

    def describe_services(self, **_: object) -> dict[str, Any]:
        deployment = {"id": self._left.pop(0), "status": "PRIMARY", "rolloutState": "COMPLETED"}
        return {"services": [{"deployments": [deployment]}]}


class Rds:
    """Stands for the client of RDS, which does not start the change."""

    def modify_db_instance(self, **_: object) -> None:
        pass

    def describe_db_instances(self, **_: object) -> dict[str, Any]:
        return {"DBInstances": [{"DBInstanceStatus": "available"}]}


class Jobs:
    """Stands for a client of a service with jobs."""

    def get(self, number: int) -> dict[str, Any]:
        return {"number": number, "status": "DONE"}


class DynamoDb:
    """Stands for the client of DynamoDB."""

    def describe_table(self, TableName: str) -> dict[str, Any]:  # noqa: N803
        return {"Table": {"TableName": TableName, "TableStatus": "ACTIVE"}}


STAND_INS: dict[str, dict[str, Any]] = {
    "after-a-change.md": {"ecs": Ecs(), "rds": Rds()},
    "many-resources.md": {"ec2": Ec2(), "dynamodb": DynamoDb()},
    "migration.md": {
        "dynamodb": answering("dynamodb", (200, b'{"Table": {"TableStatus": "ACTIVE"}}'))[0],
        "jobs": Jobs(),
        "rds": Rds(),
    },
}

# Parts of the output that a page does not show.
PRINTED = {
    "after-a-change.md": ["2\nnever_left\n"],
    "many-resources.md": ["available 3\n", "vol-bad failure_state", "['orders', 'volume']\n"],
}


@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_a_page_run(
    page: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # A page stores a state.
    monkeypatch.chdir(tmp_path)
    run(PAGES[page], STAND_INS.get(page))
    printed = capsys.readouterr().out
    for expected in (*blocks(PAGES[page], "text"), *PRINTED.get(page, [])):
        assert expected in printed


def test_migration_ends_with_the_right_values() -> None:
    names = run(PAGES["migration.md"], STAND_INS["migration.md"])
    assert names["table"]["TableStatus"] == "ACTIVE"
    assert names["job"] == {"number": 17, "status": "DONE"}
    assert names["db"]["DBInstances"][0]["DBInstanceStatus"] == "available"


def test_the_other_blocks_of_migration() -> None:
    page = DOCS / "migration.md"
    before = blocks(page, "python before")
    assert before
    for block in before:
        compile(block, page.name, "exec")
    example = (ROOT / "examples/durable/airflow_aws.py").read_text()
    assert [block in example for block in blocks(page, "py")] == [True]


def test_the_page_on_pypi(clock: FakeClock, capsys: pytest.CaptureFixture[str]) -> None:
    run(README)
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    assert lines[0] == "active after 2 attempts: {'Table': {'TableStatus': 'ACTIVE'}}"
    assert "attempt 1 has 300.0 seconds" in lines
    assert clock.now > 0
    shown = blocks(README, "text")
    assert shown
    for expected in shown:
        assert expected in printed


def test_the_page_of_options_has_all() -> None:
    wait = inspect.signature(Waiter.wait).parameters
    options = {*WaitOptions.__annotations__, *wait} - {"self", "call", "options"}
    page = (DOCS / "options.md").read_text("utf-8")
    for option in options:
        assert re.search(rf"^\| [^|]*`{option}`[^|]* \|", page, re.MULTILINE), option


def test_the_page_of_errors_names_the_exceptions() -> None:
    page = (DOCS / "errors.md").read_text("utf-8")
    names = [name for name in smithy_waiters.__all__ if name.endswith("Error")]
    assert names
    for name in ("WaiterTimeout", "WaiterFailed", "WaiterCancelled", "WaiterAttemptsExceeded", *names):
        assert name in page, name
