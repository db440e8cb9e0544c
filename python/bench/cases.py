"""Waiters of AWS services, reduced to the deciding path, and typical responses of the services."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# The number of items in a response.
SIZES = {"small": 1, "medium": 20, "large": 500}

SINCE = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone.utc)


@dataclass(frozen=True)
class Case:
    """A path with its comparator, and an equivalent hand-written test."""

    name: str
    path: str
    comparator: str
    expected: str
    response: Callable[[int], Any]
    by_hand: Callable[[Any], bool]

    def received(self, count: int) -> Any:
        """Return a response as a client creates it from the received bytes."""
        return read(self.response(count), {})


def read(value: Any, names: dict[str, str]) -> Any:
    """Copy a value with new strings. Like in a parsed response, only member names are shared."""
    if isinstance(value, dict):
        return {names.setdefault(name, unshared(name)): read(member, names) for name, member in value.items()}
    if isinstance(value, list):
        return [read(item, names) for item in value]
    return unshared(value) if isinstance(value, str) else value


def unshared(text: str) -> str:
    """Return an equal string that is a new object."""
    return text.encode().decode()


def metadata() -> dict[str, Any]:
    """Return the members that botocore adds to every response."""
    headers = {"content-type": "application/x-amz-json-1.0", "date": "Fri, 02 Jan 2026 03:04:05 GMT"}
    return {"RequestId": "0123456789", "HTTPStatusCode": 200, "HTTPHeaders": headers, "RetryAttempts": 0}


def table(count: int) -> Any:
    """Return a response of DescribeTable with `count` indexes."""
    schema = [{"AttributeName": "id", "KeyType": "HASH"}]
    index = {"IndexName": "by-id", "KeySchema": schema, "IndexStatus": "ACTIVE", "ItemCount": 12}
    described = {
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        "TableName": "orders",
        "KeySchema": schema,
        "TableStatus": "ACTIVE",
        "CreationDateTime": SINCE,
        "TableSizeBytes": 4096,
        "GlobalSecondaryIndexes": [dict(index) for _ in range(count)],
    }
    return {"Table": described, "ResponseMetadata": metadata()}


def stacks(count: int) -> Any:
    """Return a response of DescribeStacks."""
    stack = {
        "StackId": "arn:aws:cloudformation:eu-central-1:123456789012:stack/orders",
        "StackName": "orders",
        "CreationTime": SINCE,
        "StackStatus": "CREATE_COMPLETE",
        "DisableRollback": False,
        "Tags": [{"Key": "team", "Value": "shop"}],
    }
    return {"Stacks": [dict(stack) for _ in range(count)], "ResponseMetadata": metadata()}


def reservations(count: int) -> Any:
    """Return a response of DescribeInstances with two instances in each reservation."""

    def instance() -> dict[str, Any]:
        return {
            "InstanceId": "i-0123456789",
            "ImageId": "ami-0123456789",
            "State": {"Code": 16, "Name": "running"},
            "InstanceType": "m7g.large",
            "LaunchTime": SINCE,
        }

    listed = [{"ReservationId": "r-1", "Instances": [instance(), instance()]} for _ in range(count)]
    return {"Reservations": listed, "ResponseMetadata": metadata()}


def services(count: int) -> Any:
    """Return a response of DescribeServices."""
    service = {
        "serviceName": "orders",
        "status": "ACTIVE",
        "desiredCount": 3,
        "runningCount": 3,
        "pendingCount": 0,
        "deployments": [{"id": "ecs-svc/1", "status": "PRIMARY", "runningCount": 3}],
        "createdAt": SINCE,
    }
    return {"services": [dict(service) for _ in range(count)], "failures": [], "ResponseMetadata": metadata()}


def groups(count: int) -> Any:
    """Return a response of DescribeAutoScalingGroups with three instances in each group."""

    def instance() -> dict[str, Any]:
        return {"InstanceId": "i-1", "LifecycleState": "InService", "HealthStatus": "Healthy"}

    group = {"AutoScalingGroupName": "orders", "MinSize": 2, "MaxSize": 5, "DesiredCapacity": 3, "CreatedTime": SINCE}
    listed = [{**group, "Instances": [instance() for _ in range(3)]} for _ in range(count)]
    return {"AutoScalingGroups": listed, "ResponseMetadata": metadata()}


def is_stable(service: Any) -> bool:
    """Return `True` if a service of ECS is stable."""
    return bool(len(service["deployments"]) == 1 and service["runningCount"] == service["desiredCount"])


def is_in_service(group: Any) -> bool:
    """Return `True` if a group has its minimum number of instances in service."""
    in_service = sum(one["LifecycleState"] == "InService" for one in group["Instances"])
    return bool(in_service >= group["MinSize"])


CASES = [
    Case(
        name="Table.TableStatus",
        path="Table.TableStatus",
        comparator="stringEquals",
        expected="ACTIVE",
        response=table,
        by_hand=lambda response: response["Table"]["TableStatus"] == "ACTIVE",
    ),
    Case(
        name="Stacks[].StackStatus",
        path="Stacks[].StackStatus",
        comparator="allStringEquals",
        expected="CREATE_COMPLETE",
        response=stacks,
        by_hand=lambda response: (
            len(response["Stacks"]) > 0 and all(one["StackStatus"] == "CREATE_COMPLETE" for one in response["Stacks"])
        ),
    ),
    Case(
        name="Reservations[].Instances[].State.Name",
        path="Reservations[].Instances[].State.Name",
        comparator="allStringEquals",
        expected="running",
        response=reservations,
        by_hand=lambda response: all(
            instance["State"]["Name"] == "running"
            for reservation in response["Reservations"]
            for instance in reservation["Instances"]
        ),
    ),
    Case(
        name="ECS services stable",
        path="length(services[?!(length(deployments) == `1` && runningCount == desiredCount)]) == `0`",
        comparator="booleanEquals",
        expected="true",
        response=services,
        by_hand=lambda response: all(is_stable(service) for service in response["services"]),
    ),
    Case(
        name="ASG in service",
        path=(
            "contains(AutoScalingGroups[].[length(Instances[?LifecycleState=='InService']) >= MinSize][], `false`)"
            " == `false`"
        ),
        comparator="booleanEquals",
        expected="true",
        response=groups,
        by_hand=lambda response: all(is_in_service(group) for group in response["AutoScalingGroups"]),
    ),
]
