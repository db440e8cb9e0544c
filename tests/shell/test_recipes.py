"""Run the recipes of `docs/shell.md` with real programs, or with scripts for those that call only their own hosts."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import pytest
from recipe_page import lines_of_other_pages, recipes
from tools import Aws, Kubernetes, Says, Server, StandIn, Status, aws

sys.path.append(str(Path(__file__).parents[1] / "durable"))
import postgres

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RECIPES: Final = {recipe.title: recipe for recipe in recipes()}

COMMAND: Final = os.environ["SMITHY_WAITERS_COMMAND"]

# Every failure of AWS, not only one of each recipe: for `cargo xtask deep`.
ALL: Final = "SMITHY_WAITERS_SHELL_ALL" in os.environ

# The command of the recipes: soon at its end, also if it continues by mistake.
WRAPPER: Final = """#!/bin/sh
shift
for word in "$@"; do
  case $word in
    --interval) interval= ;;
    --timeout) timeout= ;;
    --) break ;;
  esac
done
exec "$SMITHY_WAITERS_COMMAND" wait ${interval---interval 20ms} ${timeout---timeout 30s} $ONCE "$@"
"""

# The exit codes of `wait`.
SUCCESS: Final = 0
FAILED: Final = 1
TIME_IS_OVER: Final = 124


class World:
    """The programs and servers of the recipes, which start when a recipe needs them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / "bin"
        self.programs.mkdir()
        wrapper = self.programs / "smithy-waiters"
        wrapper.write_text(WRAPPER)
        wrapper.chmod(0o755)
        aws = self.programs / "aws"
        # The CLI does not read `AWS_ENDPOINT_URL` for RDS.
        aws.write_text(f'#!/bin/sh\nexec {Path(sys.executable).parent}/aws --endpoint-url "$AWS_ENDPOINT_URL" "$@"\n')
        aws.chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{self.programs}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "KUBECONFIG": str(folder / "kubeconfig"),
            "PGUSER": "postgres",
        }
        # Python keeps what it compiled of the AWS CLI for the next call.
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        # The format of the messages depends on it.
        self.environment.pop("GITHUB_ACTIONS", None)
        self.server = Server()
        self.kubernetes = Kubernetes()
        self.kubernetes.config(folder / "kubeconfig")
        self.aws: Aws | None = None
        self.created: dict[Callable[[Aws], dict[str, str]], dict[str, str]] = {}

    def run(
        self, line: str, variables: dict[str, str] | None = None, *, once: bool = False
    ) -> subprocess.CompletedProcess[str]:
        """Run a line of the page with environment variables."""
        return subprocess.run(
            ["bash", "-c", self.script(line)],
            cwd=self.folder,
            env={**self.environment, **(variables or {}), "ONCE": "--once" if once else ""},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    def script(self, line: str) -> str:
        """Return a line with the address of the server of the tests, and short pauses."""
        line = re.sub(r"localhost:80\d\d", self.server.address, line)
        return line.replace("--interval 2s", "--interval 20ms")

    def close(self) -> None:
        self.server.close()
        self.kubernetes.close()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = World(tmp_path_factory.mktemp("shell"))
    with aws() as world.aws:
        world.environment.update(world.aws.environment)
        yield world
    world.close()


# A function that prepares a world, and returns the tool that takes the states and variables of the line.
Tool: TypeAlias = "Callable[[World], tuple[Any, dict[str, str]]]"


@dataclass(frozen=True)
class Case:
    """The states of a recipe. Those that are pending include the ones that a naive condition takes for a success."""

    tool: Tool
    pending: list[Any]
    success: Any
    failures: list[Any] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)


def program(name: str) -> Tool:
    """Return a stand-in for a program."""
    return lambda world: (StandIn(world.programs, name), {})


def script(name: str) -> Tool:
    """Return a stand-in for a script in the current folder."""
    return lambda world: (StandIn(world.folder, name), {})


def url(world: World) -> tuple[Server, dict[str, str]]:
    return world.server, {}


def kubectl(world: World) -> tuple[Kubernetes, dict[str, str]]:
    return world.kubernetes, {}


def moto(create: Callable[[Aws], dict[str, str]]) -> Tool:
    """Return moto with a resource."""

    def prepared(world: World) -> tuple[Aws, dict[str, str]]:
        assert world.aws is not None
        if create not in world.created:
            world.aws.set()
            world.created[create] = create(world.aws)
        return world.aws, world.created[create]

    return prepared


def replaced(*texts: tuple[str, str]) -> Any:
    """Return a response of moto with other texts."""
    return {"replace": texts}


def condition(kind: str, status: str = "True", reason: str = "None") -> dict[str, str]:
    return {"type": kind, "status": status, "reason": reason}


def pod(*conditions: dict[str, str], phase: str = "Running") -> dict[str, Any]:
    return {"metadata": {"name": "web"}, "status": {"phase": phase, "conditions": conditions}}


def deployment(
    observed: int, updated: int, available: int, replicas: int = 3, reason: str = "Updated", *, generation: int = 2
) -> Any:
    conditions = [condition("Available"), condition("Progressing", reason=reason)]
    counts = {"updatedReplicas": updated, "availableReplicas": available, "replicas": replicas}
    status = {"observedGeneration": observed, **counts, "conditions": conditions}
    return {"metadata": {"generation": generation}, "spec": {"replicas": 3}, "status": status}


def widget(*conditions: dict[str, str], generation: int = 2) -> Any:
    return {"status": {"conditions": [{**one, "observedGeneration": generation} for one in conditions]}}


def daemon_set(updated: int) -> Any:
    counts = {"desiredNumberScheduled": 2, "updatedNumberScheduled": updated, "numberAvailable": updated}
    spec = {"updateStrategy": {"type": "RollingUpdate"}}
    return {"metadata": {"generation": 1}, "spec": spec, "status": {"observedGeneration": 1, **counts}}


def pod_of(uid: str) -> Any:
    return {"metadata": {"uid": uid}, "status": {"phase": "Running", "conditions": [condition("Ready")]}}


def changed(world: World) -> tuple[Kubernetes, dict[str, str]]:
    """Return the API server with a change of generation 2."""
    return world.kubernetes, {"GENERATION": "2"}


READY: Final = pod(condition("Ready"))
NOT_READY: Final = pod(condition("PodScheduled"), condition("Ready", "False"))


def create_table(service: Aws) -> dict[str, str]:
    names = ["id", "customer"]
    keys = [[{"AttributeName": name, "KeyType": "HASH"}] for name in names]
    index = {"IndexName": "by-customer", "KeySchema": keys[1], "Projection": {"ProjectionType": "ALL"}}
    service.client("dynamodb").create_table(
        TableName="orders",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in names],
        KeySchema=keys[0],
        BillingMode="PAY_PER_REQUEST",
        GlobalSecondaryIndexes=[index],
    )
    return {}


def create_service(aws: Aws) -> dict[str, str]:
    client = aws.client("ecs")
    client.create_cluster(clusterName="prod")
    task = client.register_task_definition(
        family="web", containerDefinitions=[{"name": "web", "image": "web", "memory": 100}]
    )
    arn = task["taskDefinition"]["taskDefinitionArn"]
    service = client.create_service(cluster="prod", serviceName="web", taskDefinition=arn, desiredCount=0)["service"]
    return {"TASK_DEFINITION": arn, "DEPLOYMENT": service["deployments"][0]["id"]}


def create_stack(service: Aws) -> dict[str, str]:
    template = {"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}
    created = service.client("cloudformation").create_stack(StackName="app", TemplateBody=json.dumps(template))
    return {"STACK": created["StackId"]}


def create_database(service: Aws) -> dict[str, str]:
    service.client("rds").create_db_instance(
        DBInstanceIdentifier="orders",
        DBInstanceClass="db.t3.micro",
        Engine="postgres",
        MasterUsername="user",
        MasterUserPassword="password",
    )
    return {}


def create_instance(service: Aws) -> dict[str, str]:
    run = service.client("ec2").run_instances(ImageId="ami-12c6146b", MinCount=1, MaxCount=1)
    return {"INSTANCE": run["Instances"][0]["InstanceId"]}


def create_certificate(service: Aws) -> dict[str, str]:
    request = service.client("acm").request_certificate(DomainName="example.com", ValidationMethod="DNS")
    return {"CERTIFICATE": request["CertificateArn"]}


def create_object(service: Aws) -> dict[str, str]:
    client = service.client("s3")
    client.create_bucket(Bucket="builds")
    client.put_object(Bucket="builds", Key="app.zip", Body=b"content")
    return {}


def create_function(service: Aws) -> dict[str, str]:
    role = service.client("iam").create_role(RoleName="app", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as archive:
        archive.writestr("app.py", "")
    function = service.client("lambda").create_function(
        FunctionName="app", Runtime="python3.12", Role=role, Handler="app.run", Code={"ZipFile": code.getvalue()}
    )
    return {"REVISION": "before", "CODE": function["CodeSha256"]}


def create_volumes(service: Aws) -> dict[str, str]:
    client = service.client("ec2")
    volumes = [client.create_volume(AvailabilityZone="us-east-1a", Size=1)["VolumeId"] for _ in range(3)]
    return {"VOLUMES": ",".join(volumes)}


def create_nodes(service: Aws) -> dict[str, str]:
    client = service.client("eks")
    role = "arn:aws:iam::123456789012:role/nodes"
    client.create_cluster(name="prod", roleArn=role, resourcesVpcConfig={"subnetIds": ["subnet-1"]})
    client.create_nodegroup(clusterName="prod", nodegroupName="workers", subnets=["subnet-1"], nodeRole=role)
    return {}


def create_distribution(service: Aws) -> dict[str, str]:
    origin = {
        "Id": "builds",
        "DomainName": "builds.s3.amazonaws.com",
        "S3OriginConfig": {"OriginAccessIdentity": ""},
    }
    behavior = {
        "TargetOriginId": "builds",
        "ViewerProtocolPolicy": "allow-all",
        "MinTTL": 1,
        "ForwardedValues": {"QueryString": False, "Cookies": {"Forward": "none"}},
    }
    config = {
        "CallerReference": "1",
        "Origins": {"Quantity": 1, "Items": [origin]},
        "DefaultCacheBehavior": behavior,
        "Comment": "",
        "Enabled": True,
    }
    created = service.client("cloudfront").create_distribution(DistributionConfig=config)
    return {"DISTRIBUTION": created["Distribution"]["Id"]}


def ecs(state: str = "COMPLETED", *, running: int = 0, deployments: int = 1) -> Any:
    """Return a service of ECS, which moto creates with no tasks."""
    texts = [
        ('"rolloutState": "COMPLETED"', f'"rolloutState": "{state}"'),
        ('"runningCount": 0', f'"runningCount": {running}'),
    ]
    if deployments > 1:
        old = {"status": "ACTIVE", "rolloutState": "COMPLETED", "runningCount": 1}
        texts.append(('"deployments": [', f'"deployments": [{json.dumps(old)}, '))
    return replaced(*texts)


def stack(status: str, reason: str = "because") -> Any:
    tags = [f"<StackStatus>{name}</StackStatus>" for name in ("CREATE_COMPLETE", status)]
    return replaced((tags[0], f"{tags[1]}<StackStatusReason>{reason}</StackStatusReason>"))


def status_of(tag: str, old: str, new: str) -> Any:
    """Return a response in XML with another status."""
    return replaced((f"<{tag}>{old}</{tag}>", f"<{tag}>{new}</{tag}>"))


def database(status: str = "available", pending: str = "") -> Any:
    changed = f"<PendingModifiedValues>{pending}</PendingModifiedValues>"
    return replaced(
        (
            "<DBInstanceStatus>available</DBInstanceStatus>",
            f"<DBInstanceStatus>{status}</DBInstanceStatus>{changed}",
        )
    )


def member(name: str, old: str, new: str) -> Any:
    """Return a response in JSON with another value of a member."""
    return replaced(*((f'"{name}":{space}"{old}"', f'"{name}":{space}"{new}"') for space in ("", " ")))


def function_of(**members: str) -> Any:
    """Return a function of Lambda with other texts for members, which moto may not have."""
    texts = []
    for name, text in members.items():
        for space in ("", " "):
            unread = (f'"{name}":{space}', f'"{name}Before":{space}')
            texts += [unread, (f'"State":{space}', f'"{name}": "{text}", "State":{space}')]
    return replaced(*texts)


def certificate(status: str) -> Any:
    """Return a certificate, which moto issues after a minute."""
    texts = [(f'"Status": "{old}"', f'"Status": "{status}"') for old in ("PENDING_VALIDATION", "ISSUED")]
    return replaced(*texts[:1]) if status == "ISSUED" else replaced(*texts)


def update_of_nodes(world: World) -> tuple[Any, dict[str, str]]:
    return moto(create_nodes)(world)[0], {"UPDATE": "u-1"}


def eks_update(status: str) -> Any:
    """Return an update, which moto does not have."""
    return {"status": 200, "body": json.dumps({"update": {"id": "u-1", "status": status}})}


def container(health: str | None = None, status: str = "running") -> Any:
    return [{"State": {"Status": status, **({"Health": {"Status": health}} if health else {})}}]


NOT_THERE: Final = Status(404, "no")
MISSING: Final = Says("[]", "Error: No such object: db", 1)
EXITS: Final = Says("", "not yet", 1)
NO_SERVICE: Final = {"status": 200, "body": '{"services": [], "failures": [{"arn": "web", "reason": "MISSING"}]}'}
NO_STACK: Final = {
    "status": 400,
    "body": "<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code>"
    "<Message>Stack with id app does not exist</Message></Error></ErrorResponse>",
}
OPERATION: Final = {"kind": "compute#operation", "name": "op-1"}

CASES: Final = {
    "An HTTP service": Case(url, [Status(503), Status(302), NOT_THERE], "up"),
    "Several HTTP services": Case(url, [Status(503)], "up"),
    "A health status in JSON": Case(
        url, [Status(503, {"status": "DOWN"}), {"status": "DOWN", "disk": {"status": "UP"}}, {}], {"status": "UP"}
    ),
    "An HTTP status": Case(url, [Status(503), "up"], Status(401)),
    "A job behind an HTTP API": Case(
        url,
        [NOT_THERE, {"state": "running", "progress": 7}],
        {"state": "done"},
        [{"state": "failed"}, {"state": "cancelled"}],
    ),
    "A line in a log": Case(
        program("tail"),
        [Says("", "cannot open 'app.log'", 1), Says("starting")],
        Says("starting\nlistening on 80\nok"),
        [Says("starting\nFATAL: no memory")],
    ),
    "Redis": Case(
        program("redis-cli"),
        [
            Says("", "Could not connect to Redis at 127.0.0.1:6379: Connection refused", 1),
            Says("LOADING Redis is loading the dataset in memory"),
        ],
        Says("PONG"),
        [Says("NOAUTH Authentication required.")],
    ),
    "A healthy Docker container": Case(
        program("docker"),
        [MISSING, container("starting"), container()],
        container("healthy"),
        [container("unhealthy"), container("starting", "exited"), container("healthy", "dead")],
    ),
    "A service of Docker Compose": Case(
        program("docker"),
        [Says(), {"State": "running", "Health": "starting"}],
        {"State": "running", "Health": "healthy"},
        [{"State": "exited", "Health": ""}],
    ),
    "A rollout of a Deployment": Case(
        kubectl,
        [
            404,
            deployment(1, 3, 3),
            deployment(1, 3, 3, reason="ProgressDeadlineExceeded"),
            deployment(2, 1, 3),
            deployment(2, 3, 3, replicas=4),
            deployment(2, 3, 2),
            {"metadata": {"generation": 1}, "spec": {"replicas": 3}, "status": {}},
        ],
        deployment(2, 3, 3),
        [deployment(2, 1, 3, reason="ProgressDeadlineExceeded")],
    ),
    "Your change of a Deployment": Case(
        changed,
        [
            # A stale answer, which a wait without the generation takes for the end of the rollout.
            deployment(1, 3, 3, generation=1),
            deployment(1, 3, 3),
            deployment(2, 1, 3),
        ],
        deployment(2, 3, 3),
        [deployment(2, 1, 3, reason="ProgressDeadlineExceeded")],
    ),
    "A rollout of a DaemonSet or StatefulSet": Case(kubectl, [404, daemon_set(1)], daemon_set(2)),
    "A Job": Case(
        kubectl,
        [404, {"status": {}}, {"status": {"conditions": [condition("SuccessCriteriaMet")]}}],
        {"status": {"conditions": [condition("SuccessCriteriaMet"), condition("Complete")]}},
        [{"status": {"conditions": [condition("Failed", reason="BackoffLimitExceeded")]}}],
    ),
    "A ready pod": Case(
        kubectl,
        [404, pod(phase="Pending"), NOT_READY],
        READY,
        [pod(condition("Ready", "False"), phase="Failed"), pod(condition("Ready", "False"), phase="Succeeded")],
    ),
    "All pods of a label": Case(
        kubectl, [[], [READY] * 2, [READY, READY, NOT_READY], [READY, READY, READY, pod(phase="Pending")]], [READY] * 3
    ),
    "Each of several pods": Case(kubectl, [404, NOT_READY], READY, options={"pods": ["web-1", "web-2"]}),
    "A CustomResourceDefinition": Case(
        kubectl,
        [404, {"status": {"conditions": [condition("NamesAccepted")]}}],
        {"status": {"conditions": [condition("NamesAccepted"), condition("Established")]}},
        [{"status": {"conditions": [condition("NamesAccepted", "False", "PluralConflict")]}}],
    ),
    "A custom resource with conditions": Case(
        changed,
        [404, {"status": {}}, widget(condition("Ready"), generation=1), widget(condition("Ready", "False"))],
        widget(condition("Ready")),
        [widget(condition("Ready", "False"), condition("Stalled"))],
    ),
    "An object that does not exist yet": Case(kubectl, [404, 404], {"data": {}}),
    "A deletion": Case(kubectl, [READY, 503], 404),
    "A deletion before a new object has the name": Case(kubectl, [pod_of("old"), 503, pod_of("old")], pod_of("new")),
    "Any waiter of the AWS CLI": Case(
        moto(create_table),
        [
            {"status": 400, "body": '{"__type": "ResourceNotFoundException", "message": "none"}'},
            member("TableStatus", "ACTIVE", "CREATING"),
        ],
        None,
    ),
    "An ECS deployment": Case(
        moto(create_service),
        [ecs("IN_PROGRESS"), ecs(deployments=2), ecs(running=1)],
        None,
        [ecs("FAILED"), replaced(("task-definition/web:1", "task-definition/web:0")), NO_SERVICE],
    ),
    "Your deployment in ECS": Case(
        moto(create_service),
        [replaced(('"status": "PRIMARY"', '"status": "INACTIVE"')), ecs("IN_PROGRESS")],
        None,
        [ecs("FAILED")],
    ),
    "Creation of a CloudFormation stack": Case(
        moto(create_stack), [stack("CREATE_IN_PROGRESS")], None, [stack("ROLLBACK_IN_PROGRESS"), stack("CREATE_FAILED")]
    ),
    "Update of a CloudFormation stack": Case(
        moto(create_stack),
        [stack("UPDATE_IN_PROGRESS"), stack("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS")],
        stack("UPDATE_COMPLETE"),
        [stack("UPDATE_ROLLBACK_IN_PROGRESS")],
    ),
    "Deletion of a CloudFormation stack": Case(
        moto(create_stack), [stack("DELETE_IN_PROGRESS")], NO_STACK, [stack("DELETE_FAILED")]
    ),
    "Deletion of your CloudFormation stack": Case(
        moto(create_stack),
        [None, stack("DELETE_IN_PROGRESS")],
        stack("DELETE_COMPLETE"),
        [stack("DELETE_FAILED")],
    ),
    "An RDS instance": Case(
        moto(create_database),
        [database("creating"), database(pending="<DBInstanceClass>db.t3.large</DBInstanceClass>")],
        database(),
        [database("failed")],
    ),
    "A change of an RDS instance": Case(
        moto(create_database), [database(), database("modifying")], database(), [database("storage-full")]
    ),
    "A DynamoDB table with its indexes": Case(
        moto(create_table),
        [member("TableStatus", "ACTIVE", "CREATING"), member("IndexStatus", "ACTIVE", "CREATING")],
        None,
    ),
    "An EC2 instance": Case(
        moto(create_instance),
        [replaced(("<status>ok</status>", "<status>initializing</status>"))],
        None,
        [status_of("name", "running", "terminated")],
    ),
    "A certificate": Case(
        moto(create_certificate),
        [certificate("PENDING_VALIDATION")],
        certificate("ISSUED"),
        [certificate("FAILED"), certificate("VALIDATION_TIMED_OUT")],
    ),
    "An object in S3": Case(moto(create_object), [{"status": 404}], None),
    "A Lambda function": Case(
        moto(create_function),
        [member("State", "Active", "Pending"), member("LastUpdateStatus", "Successful", "InProgress")],
        None,
        [member("State", "Active", "Failed"), member("LastUpdateStatus", "Successful", "Failed")],
    ),
    "Your update of a Lambda function": Case(
        moto(create_function),
        [
            function_of(RevisionId="before", CodeSha256="before"),
            member("LastUpdateStatus", "Successful", "InProgress"),
        ],
        None,
        [member("LastUpdateStatus", "Successful", "Failed")],
    ),
    "Many volumes with one call": Case(
        moto(create_volumes),
        [status_of("status", "available", "creating")],
        None,
        [status_of("status", "available", "error")],
    ),
    "A node group of EKS": Case(
        moto(create_nodes),
        [member("status", "ACTIVE", "CREATING")],
        None,
        [member("status", "ACTIVE", "CREATE_FAILED"), member("status", "ACTIVE", "DEGRADED")],
    ),
    "An update of a node group of EKS": Case(
        update_of_nodes,
        [eks_update("InProgress")],
        eks_update("Successful"),
        [eks_update("Failed"), eks_update("Cancelled")],
    ),
    "A CloudFront distribution": Case(moto(create_distribution), [status_of("Status", "Deployed", "InProgress")], None),
    "A waiter of botocore with another command": Case(
        moto(create_database), [database("creating")], None, [database("failed")]
    ),
    "A run of GitHub Actions": Case(
        program("gh"),
        [
            Says("", "HTTP 404: Not Found (https://api.github.com/repos/o/r/actions/runs/123)", 1),
            {"status": "queued", "conclusion": ""},
            {"status": "in_progress", "conclusion": ""},
        ],
        {"status": "completed", "conclusion": "success"},
        [{"status": "completed", "conclusion": name} for name in ("failure", "cancelled", "timed_out")],
    ),
    "An AKS cluster in Azure": Case(
        program("az"),
        [Says("", "ERROR: (ResourceNotFound) The Resource 'c1' was not found.", 3), {"provisioningState": "Creating"}],
        {"provisioningState": "Succeeded"},
        [{"provisioningState": "Failed"}, {"provisioningState": "Canceled"}],
    ),
    "An operation of Google Cloud": Case(
        program("gcloud"),
        [{**OPERATION, "status": "RUNNING"}],
        {**OPERATION, "status": "DONE"},
        [{**OPERATION, "status": "DONE", "error": {"errors": [{"code": "QUOTA_EXCEEDED", "message": "no"}]}}],
    ),
    "Output of a script": Case(script("list-items.sh"), [EXITS, {"Items": [1, 2]}], {"Items": [1, 2, 3]}),
    "A definition in a file": Case(
        script("job.sh"), [EXITS, {"state": "running"}], {"state": "done"}, [{"state": "failed"}]
    ),
    "The result in a variable": Case(
        script("job.sh"), [{"state": "running"}], {"state": "done", "url": "https://example.com"}, [{"state": "failed"}]
    ),
    "Exit codes in a script": Case(
        script("job.sh"), [EXITS, {"state": "running"}], {"state": "done"}, [{"state": "failed"}]
    ),
}

# Recipes with separate tests.
OTHERS: Final = [
    "A TCP port",
    "Several ports",
    "A closed port",
    "A file",
    "PostgreSQL accepts connections",
    "Rows in PostgreSQL",
]


def prepared(world: World, title: str) -> tuple[Any, dict[str, str]]:
    definition = {
        "acceptors": [
            {"state": state, "matcher": {"output": {"path": "state", "comparator": "stringEquals", "expected": name}}}
            for state, name in (("success", "done"), ("failure", "failed"))
        ]
    }
    (world.folder / "job-done.json").write_text(json.dumps(definition))
    return CASES[title].tool(world)


@pytest.fixture
def clean(world: World) -> Iterator[World]:
    """A world without stand-ins of other recipes."""
    yield world
    for path in world.programs.iterdir():
        if path.is_file() and path.name not in ("aws", "smithy-waiters"):
            path.unlink()


def test_every_recipe_is_tested_or_says_why_not() -> None:
    tested = {title for title, recipe in RECIPES.items() if recipe.is_tested}
    assert tested == {*CASES, *OTHERS}


def test_the_lines_of_other_pages_are_tested_recipes() -> None:
    tested = {recipe.line for recipe in RECIPES.values() if recipe.is_tested}
    lines = lines_of_other_pages()
    assert lines
    assert [line for line in lines if line not in tested] == []


@pytest.mark.parametrize("title", CASES)
def test_a_recipe_succeeds_when_the_state_comes(clean: World, title: str) -> None:
    tool, variables = prepared(clean, title)
    case = CASES[title]
    tool.set(*case.pending, case.success, **case.options)
    run = clean.run(RECIPES[title].line, variables)
    assert run.returncode == SUCCESS, run.stderr
    assert f", {len(case.pending) + 1} calls" in run.stderr


# Each call of the AWS CLI takes a while, and the test above has its states, too.
@pytest.mark.parametrize("title", [title for title, case in CASES.items() if "aws" not in RECIPES[title].line])
def test_a_pending_state_is_not_yet(clean: World, title: str) -> None:
    tool, variables = prepared(clean, title)
    for state in CASES[title].pending:
        tool.set(state, **CASES[title].options)
        run = clean.run(RECIPES[title].line, variables, once=True)
        assert run.returncode == TIME_IS_OVER, (state, run.stderr)


@pytest.mark.parametrize("title", [title for title, case in CASES.items() if case.failures])
def test_a_failure_ends_a_recipe(clean: World, title: str) -> None:
    tool, variables = prepared(clean, title)
    # A failure at the first call may be that of an earlier change.
    before = CASES[title].pending[:1] if "--left" in RECIPES[title].line else []
    for state in CASES[title].failures[: 1 if isinstance(tool, Aws) and not ALL else None]:
        tool.set(*before, state, **CASES[title].options)
        run = clean.run(RECIPES[title].line, variables)
        assert run.returncode == FAILED, (state, run.stderr)


# States of your change and of a later one, which is not yours.
OVERTAKEN: Final = {
    "Your change of a Deployment": (deployment(2, 1, 3), deployment(3, 3, 3, generation=3)),
    "Your deployment in ECS": (ecs("IN_PROGRESS"), replaced(('"id": "ecs-svc/', '"id": "ecs-svc/other-'))),
    "Your update of a Lambda function": (
        member("LastUpdateStatus", "Successful", "InProgress"),
        function_of(CodeSha256="other"),
    ),
}


@pytest.mark.parametrize("title", OVERTAKEN)
def test_a_later_change_is_not_a_success(clean: World, title: str) -> None:
    tool, variables = prepared(clean, title)
    tool.set(*OVERTAKEN[title])
    run = clean.run(RECIPES[title].line, variables)
    assert run.returncode == FAILED, run.stderr
    assert "replaced (exit 1)" in run.stderr


def test_a_failure_from_before_a_change_does_not_count(clean: World) -> None:
    tool, variables = prepared(clean, "A change of an RDS instance")
    tool.set(*map(database, ["storage-full", "storage-full", "modifying"]), database())
    run = clean.run(RECIPES["A change of an RDS instance"].line, variables)
    assert run.returncode == SUCCESS, run.stderr


def test_many_volumes_need_one_call(clean: World) -> None:
    tool, variables = prepared(clean, "Many volumes with one call")
    unknown = f"{variables['VOLUMES']},vol-00000000000000000"
    line = RECIPES["Many volumes with one call"].line.replace("wait ", "wait --not-found-for 1s --rate 100 ", 1)
    tool.set()
    run = clean.run(line, {"VOLUMES": unknown})
    assert run.stderr.count(": was already available") == len(variables["VOLUMES"].split(",")), run.stderr
    assert run.stderr.endswith("3 of 4 succeeded; failed: vol-00000000000000000 (exit 3)\n")


# States for which the loop of a recipe ends as after a success.
TRAPS: Final = {
    "A health status in JSON": {"status": "DOWN", "disk": {"status": "UP"}},
    "Redis": Says("LOADING Redis is loading the dataset in memory"),
    "A service of Docker Compose": Says("db   Up 5 seconds (unhealthy)"),
    "A rollout of a Deployment": deployment(2, 1, 3),
    "A deletion": 503,
    "An operation of Google Cloud": Says("DONE"),
}


@pytest.mark.parametrize("title", TRAPS)
def test_a_loop_ends_too_early(clean: World, title: str) -> None:
    tool, variables = prepared(clean, title)
    tool.set(TRAPS[title])
    assert clean.run(RECIPES[title].loop, variables).returncode == SUCCESS


def test_every_loop_is_a_shell_program() -> None:
    for recipe in RECIPES.values():
        check = subprocess.run(["bash", "-n", "-c", recipe.loop], capture_output=True, text=True, check=False)
        assert check.returncode == 0, (recipe.title, check.stderr)


def test_ports_succeed_when_a_program_listens(world: World) -> None:
    for title in ("A TCP port", "Several ports"):
        with socket.create_server(("127.0.0.1", 0)) as server:
            listening = server.getsockname()[1]
            closed = postgres.unused_port()
            line = RECIPES[title].line
            run = world.run(re.sub(r"localhost:\d+", f"127.0.0.1:{listening}", line))
            assert run.returncode == SUCCESS, run.stderr
            run = world.run(re.sub(r"localhost:\d+$", f"127.0.0.1:{closed}", line), once=True)
            assert run.returncode == TIME_IS_OVER, run.stderr


def test_a_closed_port_succeeds_when_nothing_listens(world: World) -> None:
    line = RECIPES["A closed port"].line
    with socket.create_server(("127.0.0.1", 0)) as server:
        open_port = server.getsockname()[1]
        run = world.run(re.sub(r"localhost:\d+", f"127.0.0.1:{open_port}", line), once=True)
        assert run.returncode == TIME_IS_OVER, run.stderr
    for address in (f"127.0.0.1:{open_port}", "unknown.invalid:80"):
        run = world.run(re.sub(r"localhost:\d+", address, line))
        assert run.returncode == SUCCESS, run.stderr


def test_a_file_succeeds_when_it_has_content(world: World) -> None:
    line = RECIPES["A file"].line
    file = world.folder / "build/done"
    file.parent.mkdir()
    for content in (None, ""):
        if content is not None:
            file.write_text(content)
        assert world.run(line, once=True).returncode == TIME_IS_OVER
    with running(world, line) as wait:
        file.write_text("1")
        assert wait.wait() == SUCCESS


@contextmanager
def running(world: World, line: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """Run a line of the page during a block."""
    environment = {**world.environment, **environment}
    with subprocess.Popen(["bash", "-c", line], cwd=world.folder, env=environment, text=True) as wait:
        yield wait


# A table from which each count takes a row.
JOBS: Final = """
create table remaining as select generate_series(1, 3) as id;
create function take() returns setof text language sql volatile as
    $$ delete from remaining where id = (select min(id) from remaining); select 'open' from remaining $$;
create view jobs as select state from take() as state;
"""


@pytest.mark.skipif(shutil.which("psql") is None, reason="PostgreSQL is not installed")
def test_postgresql(world: World) -> None:
    server = postgres.Server()
    try:
        server.stop()
        address = {"PGPORT": str(server.port), "PGDATABASE": "postgres"}
        ready = RECIPES["PostgreSQL accepts connections"].line
        assert world.run(ready, address, once=True).returncode == TIME_IS_OVER
        with running(world, ready, **address) as wait:
            server.start()
            assert wait.wait() == SUCCESS
        rows = RECIPES["Rows in PostgreSQL"].line
        address["PGHOST"] = "localhost"
        assert world.run(rows, address, once=True).returncode == TIME_IS_OVER
        subprocess.run(["psql", "-qc", JOBS], env={**world.environment, **address}, check=True)
        run = world.run(rows, address)
        assert (run.returncode, run.stdout) == (SUCCESS, "")
        assert ", 3 calls" in run.stderr
    finally:
        server.remove()
