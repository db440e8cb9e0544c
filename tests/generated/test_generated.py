"""Test generated Python: the waiters are those of the models, and waits with clients end as they should."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import keyword
import os
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import boto3  # type: ignore[import-untyped]
import pytest
from botocore.config import Config
from botocore.stub import Stubber

from smithy_waiters import OptionsError, WaiterAttemptsExceeded, WaiterFailed, WaiterTimeout, every
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable

sys.path.insert(0, os.environ["GENERATED_PYTHON"])

VERDICTS = sorted(Path(os.environ["AWS_VERDICTS"]).glob("*.json"))


def generated(name: str) -> Any:
    module = name.replace("-", "_")
    return importlib.import_module(f"{module}_" if keyword.iskeyword(module) else module)


def waiter_of(module: Any, waiter: str) -> Any:
    """Return the engine's waiter from a generated module."""
    key = f"{waiter.lower()}waiter"
    return next(function for name, function in vars(module).items() if name.replace("_", "") == key)()


@pytest.mark.parametrize("file", VERDICTS, ids=lambda file: file.stem)
def test_waiters_have_the_expected_verdicts(file: Path) -> None:
    module = generated(file.stem)
    for given in json.loads(file.read_text("utf-8")):
        waiter = waiter_of(module, given["waiter"])
        for case in given["cases"]:
            observation = {"error": case["error"]} if "error" in case else {"response": case["output"]}
            verdict = waiter.evaluate(input=case["input"], **observation)
            assert {"state": verdict.state, "acceptor": verdict.acceptor} == case["expected"], case


def client(service: str = "dynamodb", retries: int = 1, **options: Any) -> Any:
    session = options.pop("session", None) or boto3.Session(aws_access_key_id="a", aws_secret_access_key="b")
    config = Config(retries={"total_max_attempts": retries})
    return session.client(service, region_name="us-east-1", config=config)


def told(given: Any) -> Any:
    stubber = Stubber(given)
    stubber.add_client_error("describe_table", "ResourceNotFoundException")
    stubber.add_response("describe_table", {"Table": {"TableStatus": "CREATING"}}, {"TableName": "t"})
    stubber.add_response("describe_table", {"Table": {"TableStatus": "ACTIVE"}}, {"TableName": "t"})
    stubber.activate()
    return given


def test_a_wait_through_a_client_ends_as_its_definition_says() -> None:
    dynamodb = generated("dynamodb")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = dynamodb.wait_until_table_exists(
            told(client(retries=3)), TableName="t", max_wait=300, clock=FakeClock(), seed=7
        )
    assert outcome.response["Table"]["TableStatus"] == "ACTIVE"
    assert (outcome.attempts, outcome.acceptor) == (3, 0)
    assert [attempt.acceptor for attempt in outcome.history] == [1, None, 0]


def test_a_failure_explains_the_last_response() -> None:
    creating = client()
    stubber = Stubber(creating)
    for _ in range(2):
        stubber.add_response("describe_table", {"Table": {"TableStatus": "CREATING"}}, {"TableName": "t"})
    stubber.activate()
    wait = generated("dynamodb").wait_until_table_exists
    with pytest.raises(WaiterAttemptsExceeded) as failed:
        wait(creating, TableName="t", max_wait=300, max_attempts=2, clock=FakeClock())
    seen = 'Table.TableStatus gave "CREATING", expected "ACTIVE"'
    assert failed.value.history[1].reasons[0].text == seen
    assert str(failed.value).endswith(f"; last seen: {seen}")


def test_a_failure_has_the_message_that_the_model_names() -> None:
    jobs = generated("jobs")
    full = {"jobs": [{"from": {"name": "nowhere"}, "old": "the disk is full"}]}
    client = SimpleNamespace(get_jobs=lambda **_: full)
    with pytest.raises(WaiterFailed, match=r"^the disk is full$") as failed:
        jobs.wait_until_jobs_done(client, names=[], max_wait=9, clock=FakeClock())
    assert (failed.value.code, failed.value.acceptor) == ("failure_state", 1)


def test_a_wait_has_a_label_values_to_show_progress_and_a_shared_deadline(capsys: pytest.CaptureFixture[str]) -> None:
    creating, clock = client(), FakeClock()
    stubber = Stubber(creating)
    for _ in range(3):
        stubber.add_response("describe_table", {"Table": {"TableStatus": "CREATING"}}, {"TableName": "t"})
    stubber.activate()
    wait = generated("dynamodb").wait_until_table_exists
    with pytest.raises(WaiterTimeout, match=r"^TableExists t: timed out after .*; Table.TableStatus: \"CREATING\"$"):
        wait(
            creating,
            TableName="t",
            max_wait=300,
            deadline=clock.now + 30,
            min_delay=20,
            max_delay=20,
            label="t",
            show=["Table.TableStatus"],
            progress=True,
            clock=clock,
        )
    assert "; next in 14.5 s; 30 s left\n" in capsys.readouterr().err


def test_an_awaited_wait_does_the_same() -> None:
    inner = told(client())

    class Client:
        async def describe_table(self, **request: Any) -> Any:
            return inner.describe_table(**request)

    wait = generated("dynamodb").wait_until_table_exists_async(
        Client(), TableName="t", max_wait=300, clock=FakeClock(), seed=7
    )
    assert asyncio.run(wait).attempts == 3


def test_the_waiters_are_a_mix_in() -> None:
    session = boto3.Session(aws_access_key_id="a", aws_secret_access_key="b")
    waiters = generated("dynamodb").Waiters
    session.events.register("creating-client-class.dynamodb", lambda base_classes, **_: base_classes.insert(0, waiters))
    mixed = told(client(session=session))
    assert mixed.wait_until_table_exists(TableName="t", max_wait=300, clock=FakeClock()).attempts == 3


def test_a_wait_makes_calls_again_that_the_client_does_not() -> None:
    throttled = client()
    stubber = Stubber(throttled)
    stubber.add_client_error("describe_table", "ThrottlingException")
    stubber.add_response("describe_table", {"Table": {"TableStatus": "ACTIVE"}}, {"TableName": "t"})
    stubber.activate()
    wait = generated("dynamodb").wait_until_table_exists
    assert wait(throttled, TableName="t", max_wait=300, clock=FakeClock()).attempts == 2


def test_options_select_the_end_at_a_transient_error_and_a_pace() -> None:
    throttled = client()
    stubber = Stubber(throttled)
    stubber.add_response("describe_table", {"Table": {"TableStatus": "CREATING"}}, {"TableName": "t"})
    stubber.add_client_error("describe_table", "ThrottlingException")
    stubber.activate()
    with pytest.raises(WaiterFailed) as failed:
        generated("dynamodb").wait_until_table_exists(
            throttled,
            TableName="t",
            max_wait=300,
            pace=every(7),
            final_poll="late",
            transient_errors="fail",
            clock=FakeClock(),
        )
    assert failed.value.code == "unmatched_error"
    assert failed.value.history[0].delay_ms == 7000


def test_an_error_that_no_acceptor_matches_ends_the_wait() -> None:
    denied = client()
    stubber = Stubber(denied)
    stubber.add_client_error("describe_table", "AccessDenied")
    stubber.activate()
    with pytest.raises(WaiterFailed):
        generated("dynamodb").wait_until_table_exists(denied, TableName="t", max_wait=300, clock=FakeClock())


def test_the_time_is_required() -> None:
    dynamodb = generated("dynamodb")
    with pytest.raises(TypeError, match="max_wait"):
        dynamodb.wait_until_table_exists(client(), TableName="t")
    with pytest.raises(OptionsError):
        dynamodb.wait_until_table_exists(client(), TableName="t", max_wait=0)


def test_a_success_may_be_an_error() -> None:
    gone = client("s3")
    stubber = Stubber(gone)
    stubber.add_response("head_bucket", {}, {"Bucket": "b"})
    stubber.add_client_error("head_bucket", "NotFound", http_status_code=404)
    stubber.activate()
    s3 = generated("s3")
    outcome = s3.wait_until_bucket_not_exists(gone, Bucket="b", max_wait=300, clock=FakeClock())
    assert (outcome.result, outcome.attempts) == ("error", 2)


class Jobs:
    """A client for the model of jobs."""

    def get_jobs(self, **request: Any) -> Any:
        return {"jobs": [{"from": {"name": name}} for name in request["names"]]}

    def list_jobs(self, **_: Any) -> Any:
        return {}


def test_bytes_are_compared_as_base64() -> None:
    jobs = generated("jobs")
    client = SimpleNamespace(get_jobs=lambda **_: {"signatures": [b"", b"hi"]})
    outcome = jobs.wait_until_jobs_signed(client, signature="aGk=", max_wait=9, clock=FakeClock())
    assert outcome.acceptor == 0
    assert jobs.jobs_signed_waiter().evaluate(response=outcome.response, input={}).acceptor is None


def test_a_deprecated_waiter_warns_once_at_its_call() -> None:
    jobs = generated("jobs")
    given = type("Mixed", (jobs.Waiters, Jobs), {})()
    calls: list[Callable[[], Any]] = [
        lambda: jobs.wait_until_jobs_gone(Jobs(), names=[], max_wait=9, clock=FakeClock()),
        lambda: given.wait_until_jobs_gone(names=[], max_wait=9, clock=FakeClock()),
        lambda: list(jobs.paginate_list_jobs(Jobs())),
    ]
    for call in calls:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            call()
        assert [(warning.category, warning.filename) for warning in warned] == [(DeprecationWarning, __file__)]


def test_a_deprecated_waiter_is_otherwise_unchanged() -> None:
    jobs = generated("jobs")
    assert inspect.iscoroutinefunction(jobs.wait_until_jobs_gone_async)
    assert jobs.wait_until_jobs_gone.__deprecated__ == "this waiter is deprecated"


def test_a_deprecated_waiter_needs_no_further_package() -> None:
    program = "import sys; sys.modules['typing_extensions'] = None; import jobs, job_ended"
    environment = {**os.environ, "PYTHONPATH": os.environ["GENERATED_PYTHON"]}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)  # noqa: S603 - our own program.


def test_definitions_may_be_deprecated() -> None:
    job_ended = importlib.import_module("job_ended")
    with pytest.deprecated_call():
        job_ended.wait_until_job_ended(lambda: {"ended": True}, max_wait=9)


def test_a_path_may_look_at_the_request() -> None:
    outcome = generated("jobs").wait_until_jobs_done(Jobs(), names=["a", "b"], max_wait=9, clock=FakeClock())
    assert outcome.acceptor == 0


def test_methods_are_the_clients() -> None:
    for service in ("dynamodb", "ecs", "s3", "rds"):
        of_client = set(client(service).meta.method_to_api_mapping)
        names = [name for name in vars(generated(service)) if name.startswith("paginate_")]
        methods = {name.removeprefix("paginate_").removesuffix("_async") for name in names}
        assert methods
        assert methods <= of_client


def test_pages_and_the_behaviour_of_requests() -> None:
    dynamodb = generated("dynamodb")
    paged = client()
    stubber = Stubber(paged)
    stubber.add_response("list_tables", {"TableNames": ["aaa"], "LastEvaluatedTableName": "aaa"}, {})
    stubber.add_response("list_tables", {"TableNames": ["bbb"]}, {"ExclusiveStartTableName": "aaa"})
    stubber.activate()
    assert [page["TableNames"] for page in dynamodb.paginate_list_tables(paged)] == [["aaa"], ["bbb"]]
    assert dynamodb.operation("TransactWriteItems").idempotency_token == "ClientRequestToken"


def test_a_request_with_a_member_that_is_called_like_an_option_is_one_argument() -> None:
    seen = []

    class Client:
        def get_thing(self, /, **request: Any) -> Any:
            seen.append(request)
            return {"thing": {"state": "READY"}}

    request = {"seed": 1, "max_wait": 2, "client": "c", "self": "s"}
    outcome = generated("odd").wait_until_delete(Client(), request=request, max_wait=300, seed=7, clock=FakeClock())
    assert (outcome.acceptor, seen) == (0, [request])


def test_a_method_that_is_called_like_a_keyword_is_found() -> None:
    client = SimpleNamespace(**{"import": lambda **_: {"state": "READY"}})
    assert generated("odd").wait_until_all(client, name="n", max_wait=300, clock=FakeClock()).acceptor == 0
