"""Compare the table of errors (`tools/cli/src/wait/errors.json`) with the errors that real tools report."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pytest
from tools import Kubernetes, Server, Status

sys.path.append(str(Path(__file__).parents[1] / "durable"))
import postgres

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COMMAND: Final = os.environ["SMITHY_WAITERS_COMMAND"]

FOR_GOOD: Final = 3
NOT_YET: Final = 124

# An address at which no service listens.
REFUSED: Final = "127.0.0.1:1"


class Ends(NamedTuple):
    """The exit code of a wait with one call, and a part of its message."""

    exit: int
    message: str


class Tools:
    """The servers that the tools call, and the environment of the tools."""

    def __init__(self, folder: Path) -> None:
        self.server = Server()
        self.kubernetes = Kubernetes()
        self.kubernetes.config(folder / "kubeconfig")
        self.database = postgres.Server() if shutil.which("psql") else None
        self.environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "KUBECONFIG": str(folder / "kubeconfig"),
            "DOCKER_HOST": f"tcp://{self.server.address}",
            "PGHOST": "localhost",
            "PGPORT": str(self.database.port) if self.database else "",
            "PGUSER": "postgres",
            "PGDATABASE": "postgres",
            "AWS_ENDPOINT_URL": f"http://{self.server.address}",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
            "AWS_MAX_ATTEMPTS": "1",
        }
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        # The format of the messages depends on it.
        self.environment.pop("GITHUB_ACTIONS", None)

    def ends(self, line: Sequence[str], *options: str, **environment: str) -> Ends:
        """Call a tool once, and return the end of the wait."""
        if shutil.which(line[0], path=self.environment["PATH"]) is None:
            pytest.skip(f"{line[0]} is not installed")
        words = [word.format(self.server.address) for word in line]
        goal = options or ("--until", "state=done")
        run = subprocess.run(
            [COMMAND, "wait", "--quiet", "--once", *goal, "--", *words],
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return Ends(run.returncode, run.stderr)

    def close(self) -> None:
        self.server.close()
        self.kubernetes.close()
        if self.database:
            self.database.remove()


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tools]:
    tools = Tools(tmp_path_factory.mktemp("errors"))
    yield tools
    tools.close()


def check(ends: Ends, expected: Ends) -> None:
    assert ends.exit == expected.exit, ends.message
    assert expected.message in ends.message


AWS: Final = ["aws", "dynamodb", "describe-table", "--table-name", "orders"]


@pytest.mark.parametrize(
    ("status", "code", "expected"),
    [
        (400, "ResourceNotFoundException", Ends(NOT_YET, "(not found)")),
        (400, "ThrottlingException", Ends(NOT_YET, "(transient)")),
        (500, "InternalServerError", Ends(NOT_YET, "(transient)")),
        (503, "ServiceUnavailable", Ends(NOT_YET, "(transient)")),
        (400, "AccessDeniedException", Ends(FOR_GOOD, "access denied")),
        # The program reads its credentials for each call, so that another call has the same ones.
        (400, "ExpiredTokenException", Ends(FOR_GOOD, "ExpiredTokenException")),
        (403, "InvalidSignatureException", Ends(FOR_GOOD, "InvalidSignatureException")),
    ],
)
def test_codes_of_aws(tools: Tools, status: int, code: str, expected: Ends) -> None:
    tools.server.set(Status(status, {"__type": code, "message": "words"}))
    check(tools.ends(AWS), expected)


@pytest.mark.parametrize(
    ("line", "environment", "expected"),
    [
        (AWS, {"AWS_ENDPOINT_URL": f"http://{REFUSED}"}, Ends(NOT_YET, "Unreachable")),
        (AWS, {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""}, Ends(FOR_GOOD, "Credentials")),
        (["env", "-u", "AWS_DEFAULT_REGION", *AWS], {}, Ends(FOR_GOOD, "Credentials")),
        ([*AWS, "--no-such-option"], {}, Ends(FOR_GOOD, "Usage")),
        (AWS[:3], {}, Ends(FOR_GOOD, "Usage")),
        ([*AWS[:-1], ""], {}, Ends(FOR_GOOD, "Usage")),
    ],
)
def test_errors_of_the_aws_cli(tools: Tools, line: list[str], environment: dict[str, str], expected: Ends) -> None:
    check(tools.ends(line, **environment), expected)


KUBECTL: Final = ["kubectl", "get", "pod", "web", "-o", "json"]


@pytest.mark.parametrize(
    ("state", "more", "expected"),
    [
        (404, [], Ends(NOT_YET, "(not found)")),
        (403, [], Ends(FOR_GOOD, "access denied")),
        (401, [], Ends(FOR_GOOD, "Unauthorized")),
        (429, [], Ends(NOT_YET, "(transient)")),
        (500, [], Ends(NOT_YET, "(transient)")),
        ({}, ["--server", f"http://{REFUSED}"], Ends(NOT_YET, "Unreachable")),
        ({}, ["--no-such-option"], Ends(FOR_GOOD, "Usage")),
        ({}, ["-o", "jsno"], Ends(FOR_GOOD, "Usage")),
    ],
)
def test_errors_of_kubectl(tools: Tools, state: Any, more: list[str], expected: Ends) -> None:
    tools.kubernetes.set(state)
    check(tools.ends([*KUBECTL, *more]), expected)


CURL: Final = ["curl", "--silent", "--show-error", "--fail"]


@pytest.mark.parametrize(
    ("status", "line", "expected"),
    [
        (404, [*CURL, "http://{}"], Ends(NOT_YET, "(not found)")),
        (401, [*CURL, "http://{}"], Ends(FOR_GOOD, "401")),
        (403, [*CURL, "http://{}"], Ends(FOR_GOOD, "access denied")),
        (429, [*CURL, "http://{}"], Ends(NOT_YET, "(transient)")),
        (503, [*CURL, "http://{}"], Ends(NOT_YET, "(transient)")),
        (200, [*CURL, f"http://{REFUSED}"], Ends(NOT_YET, "Unreachable")),
        (200, [*CURL, "--no-such-option"], Ends(FOR_GOOD, "Usage")),
        (200, [*CURL, "nonsense://host"], Ends(FOR_GOOD, "Usage")),
    ],
)
def test_errors_of_curl(tools: Tools, status: int, line: list[str], expected: Ends) -> None:
    tools.server.set(Status(status))
    check(tools.ends(line), expected)


@pytest.mark.parametrize(
    ("status", "host", "expected"),
    [
        (404, None, Ends(NOT_YET, "(not found)")),
        (500, None, Ends(NOT_YET, "(transient)")),
        (200, f"tcp://{REFUSED}", Ends(NOT_YET, "Unreachable")),
    ],
)
def test_errors_of_docker(tools: Tools, status: int, host: str | None, expected: Ends) -> None:
    tools.server.set(Status(status, {"message": "No such container: db" if status == 404 else "words"}))
    check(tools.ends(["docker", "inspect", "db"], **({"DOCKER_HOST": host} if host else {})), expected)


PSQL: Final = ["psql", "-Atqc", "select count(*) from jobs"]


@pytest.mark.parametrize(
    ("line", "environment", "expected"),
    [
        (PSQL, {}, Ends(NOT_YET, "(not found)")),
        (PSQL, {"PGDATABASE": "nosuch"}, Ends(NOT_YET, "(not found)")),
        (PSQL, {"PGUSER": "nosuch"}, Ends(FOR_GOOD, "AccessDenied")),
        (PSQL, {"PGPORT": "1"}, Ends(NOT_YET, "Unreachable")),
        (["psql", "-Atqc", "select from where"], {}, Ends(FOR_GOOD, "Usage")),
        (["psql", "--no-such-option"], {}, Ends(FOR_GOOD, "Usage")),
        (["pg_isready", "--no-such-option"], {}, Ends(FOR_GOOD, "Usage")),
        (["pg_isready", "-p", "1"], {}, Ends(NOT_YET, "no response")),
    ],
)
def test_errors_of_postgresql(tools: Tools, line: list[str], environment: dict[str, str], expected: Ends) -> None:
    check(tools.ends(line, "--until-text", "^0$", **environment), expected)
