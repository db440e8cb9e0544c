"""Fleets of waiters of clients: the table of operations against botocore's models, and the requests."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from answers import LOCAL, answering
from boto3.session import Session  # type: ignore[import-untyped]
from botocore.exceptions import ClientError, ParamValidationError
from botocore.session import Session as Models

from smithy_waiters import ErrorOutcome, OptionsError, RateLimit, WaiterAttemptsExceeded, WaitersFailed
from smithy_waiters.boto3 import waiter
from smithy_waiters.resource_lists import FILTER_VALUES, RESOURCE_LISTS, ResourceList, find
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Waiters whose operation takes a list of texts, and the reason why they have no fleet.
OMITTED = {
    ("ec2", "StoreImageTaskComplete"): "an image can have several tasks",
    ("omics", "RunCompleted"): "the list has parts of an answer",
    ("omics", "RunRunning"): "the list has parts of an answer",
    ("omics", "WorkflowActive"): "the list has parts of an answer",
    ("omics", "WorkflowVersionActive"): "the list has parts of an answer",
    ("redshift", "ClusterAvailable"): "the lists have tags",
    ("redshift", "ClusterDeleted"): "the lists have tags",
    ("redshift", "ClusterRestored"): "the lists have tags",
    ("redshift", "SnapshotAvailable"): "the lists have tags",
    ("rekognition", "ProjectVersionRunning"): "the answer has no names of versions",
    ("rekognition", "ProjectVersionTrainingCompleted"): "the answer has no names of versions",
    ("resiliencehubv2", "FailureModeAssessmentSuccess"): "the list has statuses",
    ("ses", "IdentityExists"): "the answer is a map",
    # Lists of structures.
    ("elbv2", "TargetDeregistered"): "the list has what the answer includes",
    ("elbv2", "TargetInService"): "the list has what the answer includes",
}
ENTRIES = [(service, name) for service, operations in RESOURCE_LISTS.items() for name in operations]
MODELS = Models()
# A session keeps the models that its clients have read.
SDK = Session()
LOADER = MODELS.get_component("data_loader")


def waiters(service: str) -> dict[str, Any]:
    found: dict[str, Any] = LOADER.load_service_model(service, "waiters-2")["waiters"]
    return found


def model(service: str, operation: str) -> Any:
    return MODELS.get_service_model(service).operation_model(operation)


def items_of(shape: Any, path: str) -> Any:
    """Return the shape of the resources of an answer."""
    for part in path.split("."):
        assert part.endswith("[]")
        shape = shape.members[part.removesuffix("[]")].member
    return shape


def test_every_waiter_with_a_list_of_texts_is_listed() -> None:
    listed, omitted = 0, set()
    for service in LOADER.list_available_services("waiters-2"):
        for name, definition in waiters(service).items():
            members = getattr(model(service, definition["operation"]).input_shape, "members", {}).values()
            has_list = any(one.type_name == "list" and one.member.type_name == "string" for one in members)
            if find(service, definition["operation"], name):
                assert has_list
                listed += 1
            elif has_list:
                omitted.add((service, name))
    assert omitted == {*OMITTED}
    assert listed == len(LISTED) == 56
    readme = Path(__file__).parents[1].joinpath("README.md").read_text("utf-8")
    assert f"{listed} of botocore's waiters have a fleet" in readme


@pytest.mark.parametrize(("service", "name"), ENTRIES)
def test_the_table_fits_the_models(service: str, name: str) -> None:
    known = waiters(service)
    operation = known[name]["operation"] if name in known else name
    assert operation in {one["operation"] for one in known.values()}
    described, lists = model(service, operation), RESOURCE_LISTS[service][name]
    members = described.input_shape.members
    parameter = members[lists.parameter]
    assert (parameter.type_name, parameter.member.type_name) == ("list", "string")
    limit = parameter.metadata.get("max")
    assert limit is None or lists.batch == limit
    places: dict[str, Any] = {lists.items: lists.key, **(lists.also or {})}
    for path, keys in places.items():
        resource = items_of(described.output_shape, path)
        for key in [keys] if isinstance(keys, str) else keys:
            assert resource.members[key].type_name == "string"
    assert {*(lists.fixed or {})} <= {*members}
    # They are options of the method.
    assert not {"batch", "clock", "rate", "sleep"} & {*members}
    if lists.filter:
        parameter_of_filters, text = lists.filter
        filters = members[parameter_of_filters]
        assert [*filters.member.members] == ["Name", "Values"]
        assert f"<code>{text}</code>" in filters.documentation


class Service:
    """A client whose answers come from a function of the arguments, before they are sent."""

    def __init__(self, name: str, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self.client: Any = SDK.client(name, **LOCAL)
        self.requests: list[dict[str, Any]] = []
        self._answer = answer
        self.client.meta.events.register("before-parameter-build", self._record)
        self.client.meta.events.register("before-call", self._respond)

    def _record(self, params: dict[str, Any], **_: Any) -> None:
        self.requests.append(dict(params))

    def _respond(self, **_: Any) -> tuple[Any, dict[str, Any]]:
        answer = self._answer(self.requests[-1])
        return SimpleNamespace(status_code=400 if "Error" in answer else 200), answer


def names(count: int) -> list[str]:
    return [f"vol-{index:04}" for index in range(count)]


def volumes(request: dict[str, Any], state: str = "available") -> dict[str, Any]:
    return {"Volumes": [{"VolumeId": name, "State": state} for name in request["VolumeIds"]]}


LISTED = [
    (service, name)
    for service in RESOURCE_LISTS
    for name, definition in waiters(service).items()
    if find(service, definition["operation"], name)
]


def at_path(path: str, value: object) -> Any:
    """Return an answer with a value at a path."""
    for part in reversed(path.split(".")):
        value = {part.removesuffix("[]"): [value] if part.endswith("[]") else value}
    return value


@pytest.mark.parametrize(("service_name", "name"), LISTED)
def test_a_resource_among_others_has_the_verdict_that_it_has_alone(service_name: str, name: str) -> None:
    definition = waiters(service_name)[name]
    lists = find(service_name, definition["operation"], name)
    assert lists
    key = lists.key if isinstance(lists.key, str) else lists.key[0]
    resources: list[dict[str, Any]] = [{key: "other"}]
    for acceptor in definition["acceptors"]:
        start, _, rest = str(acceptor.get("argument")).partition(f"{lists.items}.")
        if not start and rest:
            resources.append({key: acceptor["expected"], **at_path(rest, acceptor["expected"])})
    answer: dict[str, Any] = {}
    for resource in resources:
        for member, items in at_path(lists.items, resource).items():
            answer.setdefault(member, []).extend(items)
    one = waiter(Service(service_name, lambda _: answer).client, name)
    ids = [resource[key] for resource in resources]
    ended: dict[str, str] = dict.fromkeys(ids, "success")
    try:
        one.fleet(clock=FakeClock()).wait_each(ids, max_attempts=1)
    except WaitersFailed as caught:
        for resource_id, failure in caught.failures.items():
            ended[resource_id] = "failure" if failure.code == "failure_state" else "retry"
    status = {"ResponseMetadata": {"HTTPStatusCode": 200}}
    assert ended == {
        resource[key]: one.waiter.evaluate(response={**at_path(lists.items, resource), **status}).state
        for resource in resources
    }


def test_calls_are_shared() -> None:
    service = Service("ec2", volumes)
    fleet = waiter(service.client, "volume_available").fleet(clock=FakeClock(), DryRun=False)
    outcomes = fleet.wait_each(names(150), max_wait=600)
    assert [*outcomes] == names(150)
    assert outcomes["vol-0001"].response == {"VolumeId": "vol-0001", "State": "available"}
    assert [len(request["VolumeIds"]) for request in service.requests] == [100, 50]
    assert service.requests[0] == {"DryRun": False, "VolumeIds": names(100)}


def test_the_number_of_attempts_is_that_of_botocore() -> None:
    clock = FakeClock()
    service = Service("ec2", lambda request: volumes(request, "creating"))
    with pytest.raises(WaiterAttemptsExceeded) as caught:
        waiter(service.client, "volume_available").fleet(clock=clock).wait("vol-1")
    assert (caught.value.attempts, len(service.requests)) == (40, 40)
    assert clock.now == pytest.approx(39 * 15, abs=1)


def test_all_pages_are_read() -> None:
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        page = int(request.get("NextToken", "0"))
        instance = {"InstanceId": request["InstanceIds"][page], "State": {"Name": "running"}}
        rest = {"NextToken": str(page + 1)} if page < 2 else {}
        return {"Reservations": [{"Instances": [instance]}], **rest}

    service = Service("ec2", answer)
    fleet = waiter(service.client, "instance_running").fleet(clock=FakeClock())
    assert len(fleet.wait_each(["i-1", "i-2", "i-3"], max_wait=600)) == 3
    assert [request.get("NextToken") for request in service.requests] == [None, "1", "2"]


def test_deletions_have_a_filter() -> None:
    left = {"vol-0001": "deleting", "vol-0002": "deleted"}

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        values = request["Filters"][-1]["Values"]
        return {"Volumes": [{"VolumeId": name, "State": left.pop(name)} for name in values if name in left]}

    service = Service("ec2", answer)
    zone = {"Name": "availability-zone", "Values": ["a"]}
    fleet = waiter(service.client, "volume_deleted").fleet(batch=FILTER_VALUES, clock=FakeClock(), Filters=[zone])
    outcomes = fleet.wait_each(names(150), max_wait=600)
    assert len(outcomes) == 150
    assert isinstance(outcomes["vol-0001"], ErrorOutcome)
    assert str(outcomes["vol-0001"].error) == "the answers of two calls do not have it"
    assert service.requests[0] == {"Filters": [zone, {"Name": "volume-id", "Values": names(150)}]}
    assert len(service.requests) <= 4


def test_an_unknown_one_is_searched() -> None:
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if "vol-0077" in request["VolumeIds"]:
            return {"Error": {"Code": "InvalidVolume.NotFound", "Message": "The volume 'vol-0077' does not exist."}}
        return volumes(request)

    service = Service("ec2", answer)
    with pytest.raises(WaitersFailed) as caught:
        waiter(service.client, "volume_available").fleet(clock=FakeClock()).wait_each(names(100), max_wait=600)
    (failure,) = caught.value.failures.values()
    assert isinstance(failure.error, ClientError)
    assert failure.__cause__ is failure.error
    assert failure.error.response["Error"]["Code"] == "InvalidVolume.NotFound"
    assert len(service.requests) <= 4


ROLLED_OUT = {"deployments": [{}], "runningCount": 1, "desiredCount": 1}


def test_services_of_ecs() -> None:
    prefix = "arn:aws:ecs:eu-central-1:123456789012:service"

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        assert request["cluster"] == "web"
        known, missing = [], []
        for given in request["services"]:
            name = given.rpartition("/")[2]
            if name == "none":
                missing.append({"arn": f"{prefix}/none", "reason": "MISSING"})
                continue
            known.append({"serviceName": name, "serviceArn": f"{prefix}/web/{name}", "status": "ACTIVE", **ROLLED_OUT})
        # Another service that is not stable yet changes nothing for these.
        known[0] |= {"runningCount": min(1, len(service.requests) // 10)}
        return {"services": known, "failures": missing}

    service = Service("ecs", answer)
    fleet = waiter(service.client, "services_stable").fleet(cluster="web", clock=FakeClock())
    ids = [f"{prefix}/web/a", *[f"service-{index}" for index in range(24)], "none"]
    with pytest.raises(WaitersFailed) as caught:
        fleet.wait_each(ids, max_wait=600)
    assert [*caught.value.failures] == ["none"]
    assert caught.value.failures["none"].code == "failure_state"
    assert len(caught.value.outcomes) == 25
    assert max(len(request["services"]) for request in service.requests) == 10


@pytest.mark.parametrize(
    ("service_name", "waiter_name", "items", "key", "fixed"),
    [
        ("cloudwatch", "alarm_exists", "MetricAlarms", "AlarmName", {}),
        ("cloudwatch", "composite_alarm_exists", "CompositeAlarms", "AlarmName", {"AlarmTypes": ["CompositeAlarm"]}),
        ("elasticbeanstalk", "environment_exists", "Environments", "EnvironmentId", {}),
    ],
)
def test_services_that_omit_unknown_ones(
    service_name: str, waiter_name: str, items: str, key: str, fixed: dict[str, Any]
) -> None:
    service = Service(service_name, lambda _: {items: [{key: "a", "Status": "Ready"}] if len(requests) > 3 else []})
    requests = service.requests
    outcome = waiter(service.client, waiter_name).fleet(clock=FakeClock()).wait("a")
    assert outcome.attempts >= 3
    assert requests[0] == {f"{key}s": ["a"], **fixed}


def test_the_status_of_instances_that_do_not_run() -> None:
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        assert request["IncludeAllInstances"]
        status = "ok" if len(service.requests) > 2 else "not-applicable"
        return {"InstanceStatuses": [{"InstanceId": "i-1", "SystemStatus": {"Status": status}}]}

    service = Service("ec2", answer)
    assert waiter(service.client, "system_status_ok").fleet(clock=FakeClock()).wait("i-1").attempts == 3


def test_a_status_of_the_answer_is_that_of_its_resources() -> None:
    service = Service("ec2", lambda request: {"Vpcs": [{"VpcId": name} for name in request["VpcIds"]]})
    assert len(waiter(service.client, "vpc_exists").fleet(clock=FakeClock()).wait_each(["vpc-1", "vpc-2"])) == 2


def test_requests_have_the_feature_of_waiters() -> None:
    client, service = answering("ec2", (200, b"<Response/>"))
    with pytest.raises(WaitersFailed):
        waiter(client, "volume_available").fleet(clock=FakeClock()).wait_each(["vol-1"], max_attempts=2)
    features = [request.headers["User-Agent"].decode().split(" m/")[1].split(" ")[0] for request in service.requests]
    assert all("B" in text.split(",") for text in features)


def test_fleets_share_a_rate() -> None:
    limit = RateLimit(2)
    one = waiter(SDK.client("ec2", **LOCAL), "volume_available")
    assert one.fleet(rate=limit).rate is one.fleet(rate=limit).rate is limit


def mistakes() -> Iterator[tuple[str, str, dict[str, Any], str]]:
    yield "rds", "db_instance_available", {}, r"^`DescribeDBInstances` of `rds` answers for one .*`Waiter\.fleet`"
    yield "s3", "bucket_exists", {}, "^`HeadBucket` of `s3` answers for one resource"
    yield "ec2", "volume_available", {"VolumeIds": ["a"]}, "^`VolumeIds` are the identifiers of the fleet's waits"
    yield "ec2", "volume_available", {"Volumes": ["a"]}, "^`Volumes` is not an option"
    yield "ec2", "volume_available", {"max_wait": 5}, "^`max_wait` is not an option and not a parameter"
    yield "ec2", "volume_deleted", {"batch": 201}, "^`batch` must be at most 200 for DescribeVolumes"
    yield "ecs", "services_stable", {"batch": 11}, "^`batch` must be at most 10 for DescribeServices"
    yield "ec2", "volume_available", {"batch": 0}, "^`batch` must be"
    yield "ec2", "volume_available", {"rate": 0}, "^`rate` must be"


@pytest.mark.parametrize(("service", "name", "arguments", "text"), [*mistakes()])
def test_mistakes(service: str, name: str, arguments: dict[str, Any], text: str) -> None:
    client = SDK.client(service, **LOCAL)
    with pytest.raises(OptionsError, match=text):
        waiter(client, name).fleet(**arguments)


def test_an_invalid_argument_is_found_before_a_call() -> None:
    client = SDK.client("ecs", **LOCAL)
    with pytest.raises(ParamValidationError, match="cluster"):
        waiter(client, "services_stable").fleet(cluster=5)


def test_a_waiter_of_the_project_has_a_fleet(tmp_path: Path) -> None:
    acceptors = [{"state": "success", "matcher": "path", "argument": "length(Volumes) == `0`", "expected": True}]
    gone = {"operation": "DescribeVolumes", "delay": 1, "maxAttempts": 5, "acceptors": acceptors}
    (tmp_path / "ec2.json").write_text(json.dumps({"version": 2, "waiters": {"VolumeGone": gone}}))
    service = Service("ec2", lambda _: {"Volumes": []})
    fleet = waiter(service.client, "volume_gone", definitions=tmp_path).fleet(clock=FakeClock())
    assert fleet.wait("vol-1").attempts == 2


def test_waiters_are_found_by_name_first() -> None:
    assert isinstance(find("cloudwatch", "DescribeAlarms", "AlarmExists"), ResourceList)
    assert find("cloudwatch", "DescribeAlarms", "AlarmExists") != find("cloudwatch", "DescribeAlarms", "LogAlarmExists")
    assert find("s3", "HeadBucket", "BucketExists") is None


def test_a_fleet_has_more_acceptors() -> None:
    service = Service("ec2", lambda request: volumes(request, "creating"))
    fleet = waiter(service.client, "volume_available").extend(fail=["creating"]).fleet(clock=FakeClock())
    with pytest.raises(WaitersFailed) as caught:
        fleet.wait_each(names(2), max_wait=600)
    assert [failure.code for failure in caught.value.failures.values()] == ["failure_state"] * 2
