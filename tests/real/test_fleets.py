"""Test fleets of boto3 with the fake of EC2 on a virtual clock: the numbers of calls are those of JavaScript."""

from __future__ import annotations

import json
import re
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from ec2 import Ec2, Resource, running_ec2

from smithy_waiters import Waiter, WaitersFailed
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCENARIOS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("fleets.json").read_text(encoding="utf-8"))[
    "scenarios"
]

NEVER = 1e9

# By operation: the start of identifiers, the parameter, the resources, their identifiers, states and last states.
OPERATIONS = {
    "DescribeInstances": (
        "i-",
        "InstanceIds",
        "Reservations[].Instances[]",
        "InstanceId",
        "State.Name",
        "running",
    ),
    "DescribeVolumes": ("vol-", "VolumeIds", "Volumes[]", "VolumeId", "State", "available"),
}


@pytest.fixture(scope="module")
def ec2() -> Iterator[Ec2]:
    with running_ec2() as found:
        yield found


def resources_of(scenario: dict[str, Any]) -> list[Resource]:
    """Return the resources. The groups are mixed, and those that never appear are unknown."""
    start = OPERATIONS[scenario["operation"]][0]
    groups = [
        (group.get("appears", NEVER), first + (last - first) * index / group["count"])
        for group in scenario["groups"]
        for first, last in [group.get("changes", [0, 0])]
        for index in range(group["count"])
    ]
    return [(f"{start}{number:017x}", *groups[number * 37 % len(groups)]) for number in range(len(groups))]


def calling(client: Any, scenario: dict[str, Any], ec2: Ec2, clock: FakeClock) -> Callable[[list[str]], Any]:
    operation = scenario["operation"]
    parameter = OPERATIONS[operation][1]

    def call(ids: list[str]) -> Any:
        ec2.set_now(clock.now)
        return getattr(client, snake_case(operation))(**{parameter: ids})

    return call


def snake_case(name: str) -> str:
    return re.sub("(?<!^)([A-Z])", lambda capital: "_" + capital[0], name).lower()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=itemgetter("name"))
def test_the_calls_of_a_fleet(ec2: Ec2, scenario: dict[str, Any]) -> None:
    _, _, items, key, state, goal = OPERATIONS[scenario["operation"]]
    clock, resources = FakeClock(), resources_of(scenario)
    ec2.begin(resources, names=scenario.get("names", "all"), isManual=True)
    until = Waiter.until(f"{items}.{state}", goal, name="Ready")
    call = calling(ec2.client(), scenario, ec2, clock)
    fleet = until.fleet(call, items=items, key=key, clock=clock, **scenario["fleet"])
    options: Any = {snake_case(name): value for name, value in scenario["options"].items()}
    failures: Any = {}
    try:
        outcomes = fleet.wait_each([name for name, *_ in resources], **options)
    except WaitersFailed as failed:
        outcomes, failures = failed.outcomes, failed.failures
    assert set(outcomes) == {name for name, appears, _ in resources if appears < NEVER}
    found = {
        "calls": ec2.report()["requests"],
        "failures": len(failures),
        "latest": max(outcome.elapsed for outcome in outcomes.values()),
    }
    assert {name: found[name] for name in scenario["expected"]} == scenario["expected"]
