"""The blocks for Python of the guides in `docs/`, each page as one program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from answers import answering

from smithy_waiters.testing import FakeClock

DOCS = Path(__file__).parents[2] / "docs"


def program(page: str) -> str:
    text = (DOCS / page).read_text()
    return "\n".join(part.partition("```")[0] for part in text.split("```python\n")[1:])


@pytest.fixture
def virtual_time(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    clock = FakeClock()
    monkeypatch.setattr("time.monotonic", clock)
    monkeypatch.setattr("time.sleep", clock.sleep)
    return clock


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


def test_many_resources(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # The page stores a state.
    monkeypatch.chdir(tmp_path)
    exec(program("many-resources.md"), {"ec2": Ec2(), "dynamodb": DynamoDb()})  # noqa: S102
    printed = capsys.readouterr().out
    assert printed.startswith("available 3\n")
    assert "vol-bad failure_state" in printed
    assert printed.endswith("['orders', 'volume']\n")


@pytest.mark.usefixtures("virtual_time")
def test_after_a_change(capsys: pytest.CaptureFixture[str]) -> None:
    exec(program("after-a-change.md"), {"ecs": Ecs(), "rds": Rds()})  # noqa: S102
    assert capsys.readouterr().out == "2\nnever_left\n"


@pytest.mark.usefixtures("virtual_time")
def test_migration() -> None:
    dynamodb = answering("dynamodb", (200, b'{"Table": {"TableStatus": "ACTIVE"}}'))[0]
    names: dict[str, Any] = {"dynamodb": dynamodb, "jobs": Jobs(), "rds": Rds()}
    exec(program("migration.md"), names)  # noqa: S102
    assert names["table"]["TableStatus"] == "ACTIVE"
    assert names["job"] == {"number": 17, "status": "DONE"}
    assert names["db"]["DBInstances"][0]["DBInstanceStatus"] == "available"


def test_the_other_blocks_of_migration() -> None:
    text = (DOCS / "migration.md").read_text()
    before = re.findall(r"^```python before\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert before
    for block in before:
        compile(block, "migration.md", "exec")
    airflow = re.findall(r"^```py\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    example = (DOCS.parent / "examples/durable/airflow_aws.py").read_text()
    assert [block in example for block in airflow] == [True]
