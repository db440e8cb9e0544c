"""Errors on the wire, through real clients: waiters match them by the names in their models.

Models contain the shape of an error or its code. botocore reports the code, or the status of a response without a body.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import boto3  # type: ignore[import-untyped]
import pytest
from botocore.config import Config

from smithy_waiters import Waiter, WaiterError
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Iterator

sys.path.insert(0, os.environ["GENERATED_PYTHON"])

MODELS = Path(os.environ["AWS_VERDICTS"]).with_name("aws-models")
# Services with AWS's query protocol, in which the code of an error may differ from the name of its shape.
QUERY = {
    "docdb": "docdb",
    "elastic-load-balancing": "elb",
    "elastic-load-balancing-v2": "elbv2",
    "elasticache": "elasticache",
    "iam": "iam",
    "neptune": "neptune",
    "rds": "rds",
}


class Named(NamedTuple):
    """An acceptor for a modeled error, and the code that the service sends."""

    model: str
    waiter: str
    operation: str
    state: str
    error_type: str
    code: str


def named() -> Iterator[Named]:
    for model in QUERY:
        shapes = json.loads((MODELS / f"{model}.json").read_text("utf-8"))["shapes"]
        for shape_id, shape in shapes.items():
            waiters = shape.get("traits", {}).get("smithy.waiters#waitable", {})
            ids = [error["target"] for error in shape.get("errors", [])]
            codes = {name.split("#")[1]: code(name, shapes) for name in ids}
            for waiter, definition in waiters.items():
                for acceptor in definition["acceptors"]:
                    wanted = acceptor["matcher"].get("errorType")
                    for shape_name, sent in codes.items():
                        if wanted in (shape_name, sent):
                            operation = shape_id.split("#")[1]
                            yield Named(
                                model,
                                waiter,
                                operation,
                                acceptor["state"],
                                wanted,
                                sent,
                            )


def code(error: str, shapes: Any) -> str:
    said = shapes[error]["traits"].get("aws.protocols#awsQueryError", {})
    told: str = said.get("code", error.split("#")[1])
    return told


@contextmanager
def served(*answers: tuple[int, bytes]) -> Iterator[str]:
    """Run a service that returns the given responses and repeats the last one. Return its address."""
    left = list(answers)

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status, body = left.pop(0) if len(left) > 1 else left[0]
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_HEAD = do_POST = answer  # noqa: N815 - the library defines the names.

        def log_message(self, *_: Any) -> None:
            """Disable the log."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


def client(service: str, endpoint: str) -> Any:
    session = boto3.Session(aws_access_key_id="a", aws_secret_access_key="b")
    config = Config(
        retries={"total_max_attempts": 1},
        parameter_validation=False,
        proxies={},
        s3={"addressing_style": "path"},
    )
    return session.client(service, region_name="us-east-1", endpoint_url=endpoint, config=config)


def query_error(code: str) -> tuple[int, bytes]:
    told = f"<Error><Type>Sender</Type><Code>{code}</Code><Message>no</Message></Error>"
    return (
        404,
        f"<ErrorResponse>{told}<RequestId>r</RequestId></ErrorResponse>".encode(),
    )


def ends(given: Any, method: str, one: Named, **request: Any) -> Any:
    """Wait with the interpreter and with generated code, and check that the results are equal."""
    waiter = Waiter.from_model(MODELS / f"{one.model}.json", one.waiter)
    verdict = waiter.check(lambda: getattr(given, method)(**request))
    module = __import__(one.model.replace("-", "_"))
    name = next(name for name in vars(module) if name.replace("_", "") == f"waituntil{one.waiter.lower()}")
    ended = None
    try:
        getattr(module, name)(
            given,
            **request,
            max_wait=9,
            max_attempts=1,
            transient_errors="fail",
            clock=FakeClock(),
        )
    except WaiterError as error:
        ended = error.code
    matched = {
        "success": None,
        "failure": "failure_state",
        "retry": "too_many_attempts",
    }
    assert ended == ("unmatched_error" if verdict.acceptor is None else matched[verdict.state])
    return verdict


ALL = list(named())


def test_there_are_errors_whose_names_differ() -> None:
    assert sum(one.error_type != one.code for one in ALL) >= 1
    assert len(ALL) >= 19


@pytest.mark.parametrize("one", ALL, ids=lambda one: f"{one.model}-{one.waiter}-{one.error_type}")
def test_an_error_is_known_by_its_shape_and_by_its_code(one: Named) -> None:
    with served(query_error(one.code)) as endpoint:
        given = client(QUERY[one.model], endpoint)
        method = next(name for name, of in given.meta.method_to_api_mapping.items() if of == one.operation)
        verdict = ends(given, method, one)
    assert (verdict.state, verdict.reasons[-1].code) == (one.state, "matched")


def test_an_error_that_no_model_has_is_known_by_its_code() -> None:
    one = Named(
        "elastic-load-balancing-v2",
        "TargetInService",
        "DescribeTargetHealth",
        "retry",
        "InvalidInstance",
        "",
    )
    with served(query_error("InvalidInstance")) as endpoint:
        assert ends(client("elbv2", endpoint), "describe_target_health", one).state == "retry"


def test_another_error_is_not_known() -> None:
    one = Named("iam", "RoleExists", "GetRole", "retry", "NoSuchEntity", "")
    with served(query_error("ServiceFailure")) as endpoint:
        assert ends(client("iam", endpoint), "get_role", one, RoleName="r").acceptor is None


@pytest.mark.parametrize(
    ("waiter", "method", "status", "state"),
    [
        ("BucketExists", "head_bucket", 404, "retry"),
        ("BucketNotExists", "head_bucket", 404, "success"),
        ("ObjectExists", "head_object", 404, "retry"),
        ("ObjectNotExists", "head_object", 404, "success"),
        ("BucketNotExists", "head_bucket", 403, None),
        ("ObjectNotExists", "head_object", 500, None),
    ],
)
def test_a_status_without_a_body_is_known(waiter: str, method: str, status: int, state: str | None) -> None:
    request = {"Bucket": "b", "Key": "k"} if method == "head_object" else {"Bucket": "b"}
    with served((status, b"")) as endpoint:
        verdict = ends(
            client("s3", endpoint),
            method,
            Named("s3", waiter, "", "", "NotFound", ""),
            **request,
        )
    assert (verdict.state if verdict.acceptor is not None else None) == state
