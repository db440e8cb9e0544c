"""Waiters of 12 services with boto3 and moto: real responses, and responses whose state a proxy changes."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any, NamedTuple

import boto3
import pytest

from smithy_waiters import OptionsError, WaiterAttemptsExceeded, WaiterFailed, WaitersFailed
from smithy_waiters.boto3 import patch, waiter

if TYPE_CHECKING:
    from running import Service

FAST = {"min_delay": 0.01, "max_delay": 0.01}


class Case(NamedTuple):
    """A waiter, the arguments of its operation, and the texts of its states in a response."""

    service: str
    waiter: str
    arguments: dict[str, Any]
    ready: str = ""
    pending: str = ""
    failed: str = ""


def zipped() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as file:
        file.writestr("main.py", "def handler(event, context): ...")
    return data.getvalue()


@pytest.fixture(scope="session")
def resources(service: Service) -> dict[str, Any]:
    """Create the resources, and return the identifiers that the service chose."""

    def client(name: str) -> Any:
        return boto3.client(name, **service.settings)  # type: ignore[call-overload]

    ids: dict[str, Any] = {}
    s3, ec2, iam, rds = client("s3"), client("ec2"), client("iam"), client("rds")
    s3.create_bucket(Bucket="logs")
    s3.put_object(Bucket="logs", Key="a", Body=b"x")
    key = {"KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}], "BillingMode": "PAY_PER_REQUEST"}
    attributes = [{"AttributeName": "id", "AttributeType": "S"}]
    client("dynamodb").create_table(TableName="orders", AttributeDefinitions=attributes, **key)
    ids["image"] = ec2.describe_images(Owners=["amazon"])["Images"][0]["ImageId"]
    ids["instance"] = ec2.run_instances(ImageId=ids["image"], MinCount=1, MaxCount=1)["Instances"][0]["InstanceId"]
    ids["vpc"] = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
    ids["subnets"] = [
        ec2.create_subnet(VpcId=ids["vpc"], CidrBlock=f"10.0.{index}.0/24", AvailabilityZone=f"us-east-1{zone}")[
            "Subnet"
        ]["SubnetId"]
        for index, zone in enumerate("ab")
    ]
    ids["volume"] = ec2.create_volume(Size=1, AvailabilityZone="us-east-1a")["VolumeId"]
    ids["snapshot"] = ec2.create_snapshot(VolumeId=ids["volume"])["SnapshotId"]
    ec2.create_key_pair(KeyName="key")
    iam.create_user(UserName="user")
    role = iam.create_role(RoleName="role", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
    iam.create_instance_profile(InstanceProfileName="profile")
    login = {"MasterUsername": "user", "MasterUserPassword": "Password1"}
    rds.create_db_instance(
        DBInstanceIdentifier="db", DBInstanceClass="db.t3.micro", Engine="postgres", AllocatedStorage=5, **login
    )
    rds.create_db_snapshot(DBInstanceIdentifier="db", DBSnapshotIdentifier="copy")
    function = {"Runtime": "python3.12", "Handler": "main.handler", "Code": {"ZipFile": zipped()}}
    client("lambda").create_function(FunctionName="function", Role=role, **function)
    client("kinesis").create_stream(StreamName="stream", ShardCount=1)
    template = json.dumps({"Resources": {"Queue": {"Type": "AWS::SQS::Queue"}}})
    client("cloudformation").create_stack(StackName="web", TemplateBody=template)
    balancer = client("elbv2").create_load_balancer(Name="balancer", Subnets=ids["subnets"])
    ids["balancer"] = balancer["LoadBalancers"][0]["LoadBalancerArn"]
    client("redshift").create_cluster(ClusterIdentifier="cluster", NodeType="ra3.large", **login)
    client("eks").create_cluster(name="cluster", roleArn=role, resourcesVpcConfig={"subnetIds": ids["subnets"]})
    cache = {"Engine": "redis", "NumCacheNodes": 1, "CacheNodeType": "cache.t3.micro"}
    client("elasticache").create_cache_cluster(CacheClusterId="cache", **cache)
    zone = client("route53").create_hosted_zone(Name="example.com", CallerReference="1")
    ids["change"] = zone["ChangeInfo"]["Id"]
    return ids


def cases(ids: dict[str, Any]) -> list[Case]:
    return [
        Case("s3", "bucket_exists", {"Bucket": "logs"}),
        Case("s3", "bucket_not_exists", {"Bucket": "none"}),
        Case("s3", "object_exists", {"Bucket": "logs", "Key": "a"}),
        Case("s3", "object_not_exists", {"Bucket": "logs", "Key": "b"}),
        Case("dynamodb", "table_exists", {"TableName": "orders"}, "ACTIVE", "CREATING"),
        Case("dynamodb", "table_not_exists", {"TableName": "none"}),
        Case("ec2", "instance_running", {"InstanceIds": [ids["instance"]]}, ">running<", ">pending<", ">terminated<"),
        Case("ec2", "instance_exists", {"InstanceIds": [ids["instance"]]}),
        Case("ec2", "vpc_available", {"VpcIds": [ids["vpc"]]}, ">available<", ">pending<"),
        Case("ec2", "subnet_available", {"SubnetIds": ids["subnets"]}, ">available<", ">pending<"),
        Case("ec2", "volume_available", {"VolumeIds": [ids["volume"]]}, ">available<", ">creating<", ">deleted<"),
        Case("ec2", "snapshot_completed", {"SnapshotIds": [ids["snapshot"]]}, ">completed<", ">pending<", ">error<"),
        Case("ec2", "image_available", {"ImageIds": [ids["image"]]}, ">available<", ">pending<", ">failed<"),
        Case("ec2", "key_pair_exists", {"KeyNames": ["key"]}),
        Case("iam", "user_exists", {"UserName": "user"}),
        Case("iam", "role_exists", {"RoleName": "role"}),
        Case("iam", "instance_profile_exists", {"InstanceProfileName": "profile"}),
        Case("rds", "db_instance_available", {"DBInstanceIdentifier": "db"}, ">available<", ">creating<", ">failed<"),
        Case("rds", "db_instance_deleted", {"DBInstanceIdentifier": "none"}),
        Case("rds", "db_snapshot_available", {"DBSnapshotIdentifier": "copy"}, ">available<", ">creating<", ">failed<"),
        Case("lambda", "function_active", {"FunctionName": "function"}, '"Active"', '"Pending"', '"Failed"'),
        Case("lambda", "function_exists", {"FunctionName": "function"}),
        Case("kinesis", "stream_exists", {"StreamName": "stream"}, '"ACTIVE"', '"CREATING"'),
        Case(
            "cloudformation",
            "stack_create_complete",
            {"StackName": "web"},
            ">CREATE_COMPLETE<",
            ">CREATE_IN_PROGRESS<",
            ">CREATE_FAILED<",
        ),
        Case("cloudformation", "stack_exists", {"StackName": "web"}),
        Case("elbv2", "load_balancer_available", {"LoadBalancerArns": [ids["balancer"]]}, ">active<", ">provisioning<"),
        Case(
            "redshift", "cluster_available", {"ClusterIdentifier": "cluster"}, ">available<", ">creating<", ">deleting<"
        ),
        Case("eks", "cluster_active", {"name": "cluster"}, '"ACTIVE"', '"CREATING"', '"FAILED"'),
        Case(
            "elasticache",
            "cache_cluster_available",
            {"CacheClusterId": "cache"},
            ">available<",
            ">creating<",
            ">deleting<",
        ),
        Case("route53", "resource_record_sets_changed", {"Id": ids["change"]}, ">INSYNC<", ">PENDING<"),
    ]


@pytest.mark.parametrize("index", range(30))
def test_a_waiter_with_moto(service: Service, resources: dict[str, Any], index: int) -> None:
    case = cases(resources)[index]
    client = boto3.client(case.service, **service.settings)  # type: ignore[call-overload]
    one = waiter(client, case.waiter)
    assert one.wait(**case.arguments, max_attempts=3, **FAST).attempts == 1
    patched = patch(client).get_waiter(case.waiter)
    assert patched.wait(**case.arguments, WaiterConfig={"Delay": 0.01, "MaxAttempts": 3}).attempts == 1
    if case.pending:
        pending = {"replace": [[case.ready, case.pending]]}
        service.change(pending, pending)
        assert one.wait(**case.arguments, max_attempts=5, **FAST).attempts == 3
        service.change(*[pending] * 3)
        with pytest.raises(WaiterAttemptsExceeded, match="Max attempts exceeded") as exceeded:
            patched.wait(**case.arguments, WaiterConfig={"Delay": 0.01, "MaxAttempts": 3})
        assert exceeded.value.attempts == 3
    if case.failed:
        service.change(pending, {"replace": [[case.ready, case.failed]]})
        with pytest.raises(WaiterFailed, match=r"^Waiter \w+ failed: \w+ failed after ") as failed:
            one.wait(**case.arguments, max_attempts=5, **FAST)
        assert (failed.value.attempts, failed.value.code) == (2, "failure_state")


@pytest.mark.parametrize(
    ("name", "waiter_name", "arguments"),
    [
        ("s3", "bucket_exists", {"Bucket": "none"}),
        ("dynamodb", "table_exists", {"TableName": "none"}),
        ("iam", "user_exists", {"UserName": "none"}),
        ("lambda", "function_exists", {"FunctionName": "none"}),
    ],
)
def test_a_missing_resource_is_waited_for(
    service: Service, name: str, waiter_name: str, arguments: dict[str, str]
) -> None:
    client = boto3.client(name, **service.settings)  # type: ignore[call-overload]
    with pytest.raises(WaiterAttemptsExceeded) as caught:
        waiter(client, waiter_name).wait(**arguments, max_attempts=3, **FAST)
    assert caught.value.attempts == 3


def test_a_status_without_a_body(service: Service, resources: dict[str, Any]) -> None:
    client = boto3.client("s3", **service.settings)  # type: ignore[call-overload]
    service.change({"status": 404}, {"status": 404})
    assert waiter(client, "bucket_exists").wait(Bucket="logs", max_attempts=5, **FAST).attempts == 3
    assert resources


def counted(service: Service, name: str) -> tuple[Any, list[str]]:
    """Return a client, and the list to which it adds the names of its calls."""
    client = boto3.client(name, **service.settings)  # type: ignore[call-overload]
    calls: list[str] = []
    client.meta.events.register("before-call", lambda model, **_: calls.append(model.name))
    return client, calls


def test_a_fleet_of_instances(service: Service, resources: dict[str, Any]) -> None:
    client, calls = counted(service, "ec2")
    started = client.run_instances(ImageId=resources["image"], MinCount=50, MaxCount=50)
    ids = [instance["InstanceId"] for instance in started["Instances"]]
    calls.clear()
    fleet = waiter(client, "instance_running").fleet(rate=100)
    service.change({"replace": [[">running<", ">pending<"]]})
    outcomes = fleet.wait_each(ids, max_wait=60, **FAST)
    assert [*outcomes] == ids
    assert {outcome.attempts for outcome in outcomes.values()} == {2}
    assert outcomes[ids[7]].response["InstanceId"] == ids[7]
    assert calls == ["DescribeInstances"] * 2
    # One of them is unknown: the others do not wait for it.
    calls.clear()
    unknown = "i-00000000000000000"
    with pytest.raises(WaitersFailed) as caught:
        fleet.wait_each([*ids, unknown], max_wait=2, **FAST)
    assert [*caught.value.failures] == [unknown]
    calls.clear()
    assert len(waiter(client, "instance_status_ok").fleet(rate=100).wait_each(ids, max_wait=60)) == 50
    assert calls == ["DescribeInstanceStatus"]


def test_a_fleet_of_volumes(service: Service) -> None:
    client, calls = counted(service, "ec2")
    volume = {"Size": 1, "AvailabilityZone": "us-east-1a"}
    ids = [client.create_volume(**volume)["VolumeId"] for _ in range(20)]
    calls.clear()
    assert len(waiter(client, "volume_available").fleet(rate=100).wait_each(ids, max_wait=60)) == 20
    assert len(calls) == 1
    for volume_id in ids:
        client.delete_volume(VolumeId=volume_id)
    calls.clear()
    # The filter omits deleted volumes, which a second call confirms.
    outcomes = waiter(client, "volume_deleted").fleet(rate=100).wait_each(ids, max_wait=60, **FAST)
    assert {outcome.result for outcome in outcomes.values()} == {"error"}
    assert len(calls) == 2


def test_a_fleet_of_services(service: Service) -> None:
    client, calls = counted(service, "ecs")
    client.create_cluster(clusterName="web")
    task = {"name": "main", "image": "main", "memory": 64}
    client.register_task_definition(family="task", containerDefinitions=[task])
    names = [f"service-{index}" for index in range(25)]
    for name in names:
        client.create_service(cluster="web", serviceName=name, taskDefinition="task", desiredCount=0)
    calls.clear()
    fleet = waiter(client, "services_stable").fleet(rate=100, cluster="web")
    with pytest.raises(WaitersFailed) as caught:
        fleet.wait_each([*names, "none"], max_wait=60)
    assert [*caught.value.failures] == ["none"]
    assert caught.value.failures["none"].code == "failure_state"
    assert [*caught.value.outcomes] == names
    assert calls == ["DescribeServices"] * 3


def test_an_operation_for_one_resource_has_no_fleet(service: Service) -> None:
    client, _ = counted(service, "rds")
    with pytest.raises(OptionsError, match=r"`DescribeDBInstances` of `rds` answers for one resource.*`Waiter\.fleet`"):
        waiter(client, "db_instance_available").fleet()
