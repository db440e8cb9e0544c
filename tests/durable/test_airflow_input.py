"""Bad input of sensors and triggers, which they refuse when the DAG is parsed, and triggers without a triggerer."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import airflow_polls
import pytest
from airflow.providers.amazon import aws as amazon
from airflow.sdk import DAG

from smithy_waiters import DefinitionError, OptionsError, StateError, Waiter, WaiterFailed, WaiterTimeout
from smithy_waiters.airflow import HookCall, SensorFailed, SensorTimeout, WaitSensor, WaitTrigger, outcome
from smithy_waiters.airflow import trigger as trigger_module
from smithy_waiters.airflow.versions import AirflowException, AirflowSensorTimeout

try:
    from airflow.sdk.serde import deserialize, serialize
except ImportError:
    from airflow.serialization.serde import deserialize, serialize

DONE = Waiter.until("Status", "DONE", fail=["BROKEN"], pending=["RUNNING"], name="Done")
ARGUMENTS = {"name": "job", "end": "DONE"}
RDS = "airflow.providers.amazon.aws.hooks.rds.RdsHook"
TASK: Any = SimpleNamespace(dag_id="dag", run_id="run", task_id="wait", map_index=-1, try_number=1)
QUICK: dict[str, Any] = {"max_wait": 60, "min_delay": 0.001, "max_delay": 0.002}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AIRFLOW_HOME", str(tmp_path))
    return tmp_path


def sensor(**arguments: Any) -> WaitSensor:
    defaults = {"waiter": DONE, "poll": "airflow_polls.status", "arguments": ARGUMENTS, "options": {"max_wait": 60}}
    return WaitSensor(task_id="wait", **{**defaults, **arguments})


def trigger(**arguments: Any) -> WaitTrigger:
    defaults = {"waiter": DONE, "poll": "airflow_polls.status", "arguments": ARGUMENTS, "options": QUICK}
    return WaitTrigger(**{**defaults, **arguments})


def named(_: BaseException) -> list[str]:
    return ["Named"]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"options": {"max_wait": -1}}, OptionsError, "`max_wait` must be more than 0"),
        ({"options": {"max_wiat": 1}}, OptionsError, "`max_wiat` is not an option, did you mean `max_wait`?"),
        ({"options": None}, OptionsError, "`max_wait` is missing"),
        ({"options": 60}, OptionsError, "`options` must be a dict, got int"),
        ({"options": {"max_wait": 1, "deadline": 5}}, OptionsError, "`deadline` must be an aware `datetime`"),
        ({"timeout": 60}, OptionsError, "`timeout` is not an argument of a `WaitSensor`: use the option `max_wait`"),
        ({"mode": "reschedule"}, OptionsError, "`mode` is not an argument of a `WaitSensor`: use `deferrable`"),
        ({"poll": airflow_polls.status}, OptionsError, "got <function .*>: pass 'airflow_polls.status'"),
        ({"poll": "airflow_polls.stauts"}, OptionsError, "`poll` .* got 'airflow_polls.stauts': module .*"),
        ({"poll": "polls_of_nobody.status"}, OptionsError, "got 'polls_of_nobody.status': No module named"),
        ({"poll": "os.environ"}, OptionsError, "`poll` must be the dotted path of a function"),
        ({"arguments": {"name": "job"}}, OptionsError, "missing a required argument: 'end'"),
        ({"poll": HookCall("nobody.Hook", "call")}, OptionsError, "`poll.hook` .* got 'nobody.Hook'"),
        ({"poll": HookCall("os.PathLike", "call")}, OptionsError, "`poll.method` must be a method of"),
        ({"poll": HookCall("fractions.Fraction", "real", {"a": 1})}, OptionsError, "`poll.arguments` must be"),
        ({"store_interval": -1}, OptionsError, "`store_interval` must be a number of seconds, at least 0, got -1"),
        ({"store_interval": float("inf")}, OptionsError, "`store_interval` must be a number of seconds"),
        ({"arguments": ["job"]}, OptionsError, r"`arguments` must be a dict of keyword arguments, got \['job'\]"),
        ({"report_limit": 0}, OptionsError, "`report_limit` must be from 1"),
        ({"waiter": "DBInstanceAvailable"}, TypeError, "`waiter` must be a `Waiter`, got str"),
        ({"waiter": Waiter.until(lambda _: True)}, StateError, "use an expression instead of a function"),
        ({"waiter": Waiter.until("S", "A", error_names=lambda _: None)}, OptionsError, "`error_names` must be"),
    ],
)
def test_bad_input_is_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        sensor(**arguments)


def test_unknown_waiters_are_refused() -> None:
    with pytest.raises(DefinitionError, match="did you mean"):
        Waiter.from_botocore("rds", "db_instance_availible")


def test_sensors_can_be_mapped() -> None:
    names = [{"name": name, "end": "DONE"} for name in ("a", "b")]
    options = {"max_wait": 60}
    with DAG("mapped", schedule=None) as dag:
        sensor = WaitSensor.partial(task_id="wait", waiter=DONE, poll="airflow_polls.status", options=options)
        sensor.expand(arguments=names)
    assert dag.get_task("wait").is_mapped


def test_the_waiters_of_amazon_are_read() -> None:
    files = Path(amazon.__file__).with_name("waiters").glob("*.json")
    read, broken = [], []
    for file in files:
        for name in Waiter.names(file):
            try:
                read.append(Waiter.from_botocore(file, name))
            except DefinitionError:
                broken.append(name)
    # Of the oldest and the newest version.
    assert len(read) in {59, 72}
    # Its own code cannot use them either: one has no acceptors, and one has a state that botocore ignores.
    assert {*broken} <= {"import_task_cancelled", "mwaa_task_complete"}


@pytest.mark.parametrize("name", ["airflow_aws", "airflow_job"])
def test_the_documentation_has_the_example(name: str) -> None:
    root = Path(__file__).parents[2]
    _, _, program = (root / f"examples/durable/{name}.py").read_text().split('"""')
    assert program.strip() in (root / "docs/durable.md").read_text()
    assert len(program.strip().splitlines()) <= 25


def test_a_trigger_is_serialized_with_its_state(home: Path) -> None:
    original = trigger(waiter=Waiter.until("Status", "DONE", error_names=named))
    path, arguments = original.serialize()
    stored = json.loads(json.dumps(serialize(arguments)))
    copy = WaitTrigger(**deserialize(stored))
    assert path == "smithy_waiters.airflow.trigger.WaitTrigger"
    assert copy.serialize() == (path, arguments)
    (home / "job.ended").touch()
    plain = outcome(asyncio.run(copy.wait()))
    assert (plain["attempts"], plain["response"]) == (1, {"Status": "DONE", "Name": "job"})


def test_a_stored_trigger_of_another_definition_is_refused() -> None:
    _, arguments = trigger().serialize()
    other = Waiter.until("Status", "OTHER")
    _, others = trigger(waiter=other).serialize()
    # A triggerer stops if the class raises an error, so only `run` does.
    mixed = WaitTrigger(**{**arguments, "waiter": others["waiter"]})
    with pytest.raises(StateError, match=r"its fingerprint is \w{16}, that of this waiter \w{16}"):
        asyncio.run(mixed.wait())


def test_failures_are_exceptions_of_airflow(home: Path) -> None:
    (home / "job.ended").touch()
    broken = asyncio.run(trigger(arguments={"name": "job", "end": "BROKEN"}).wait())
    with pytest.raises(SensorFailed, match='Status gave "BROKEN"') as failed:
        outcome(json.loads(json.dumps(broken)))
    assert isinstance(failed.value, WaiterFailed)
    assert isinstance(failed.value, AirflowException)
    late = asyncio.run(trigger(arguments={"name": "never", "end": "DONE"}, options={**QUICK, "max_wait": 0.01}).wait())
    with pytest.raises(SensorTimeout) as timed_out:
        outcome(late)
    assert isinstance(timed_out.value, WaiterTimeout)
    assert isinstance(timed_out.value, AirflowSensorTimeout)


def test_a_large_response_is_omitted(home: Path) -> None:
    (home / "job.ended").touch()
    plain = outcome(asyncio.run(trigger(report_limit=600).wait()))
    assert "the limit is 600>" in plain["response"]


def test_a_call_that_never_returns_is_cut() -> None:
    options = {**QUICK, "max_attempts": 2, "attempt_timeout": 0.01}
    late = asyncio.run(trigger(poll="airflow_polls.hang", arguments={}, options=options).wait())
    with pytest.raises(AirflowSensorTimeout, match="2 attempts"):
        outcome(late)


def test_a_blocking_function_must_not_return_an_awaitable() -> None:
    failed = asyncio.run(trigger(poll="airflow_polls.forgotten").wait())
    with pytest.raises(SensorFailed, match="`poll` returned an awaitable: use `async def`"):
        outcome(failed)


def test_a_stored_state_takes_less_than_a_kibibyte(monkeypatch: pytest.MonkeyPatch) -> None:
    stored: list[int] = []

    async def request(_: Any, **arguments: Any) -> None:
        if arguments["key"] == "smithy_waiters.wait":
            stored.append(len(json.dumps(arguments["value"])))

    monkeypatch.setattr(trigger_module, "request", request)
    waits = trigger(options={**QUICK, "max_attempts": 16, "label": "orders"}, store_interval=0)
    waits.task_instance = TASK

    async def run() -> Any:
        return [event async for event in waits.run()]

    asyncio.run(run())
    assert len(stored) == 15
    assert max(stored) <= 1024
    # After as many attempts as the history has.
    assert max(stored[5:]) - min(stored[5:]) <= 50


@pytest.mark.parametrize("damaged", ["", "{}", "bm90IGEgd2FpdA==", None])
def test_a_damaged_state_is_not_used(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, home: Path, damaged: str | None
) -> None:
    async def request(_: Any, **_arguments: Any) -> Any:
        return {"summary": None, "state": damaged}

    monkeypatch.setattr(trigger_module, "request", request)
    monkeypatch.setattr(WaitTrigger, "log", logging.getLogger("airflow.task"))
    (home / "job.ended").touch()
    waits = trigger(store_interval=0)
    waits.task_instance = TASK

    async def run() -> Any:
        return [event.payload async for event in waits.run()]

    assert outcome(asyncio.run(run())[0])["attempts"] == 1
    assert "The attempts of the wait are counted from 1, because its state cannot be read." in caplog.text


def test_a_clock_that_differs_changes_no_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def sleep(seconds: float) -> None:
        pauses.append(seconds)

    waits = trigger(options={"max_wait": 600, "min_delay": 5, "max_delay": 5, "max_attempts": 4, "initial_delay": 3})
    # Another triggerer, whose clock is an hour behind.
    monkeypatch.setattr(time, "time", lambda now=time.time: now() - 3600)
    monkeypatch.setattr(asyncio, "sleep", sleep)
    with pytest.raises(AirflowSensorTimeout, match="4 attempts"):
        outcome(asyncio.run(waits.wait()))
    assert pauses == [3, 5, 5, 5]


def test_a_response_that_json_cannot_hold_is_plain_data(home: Path) -> None:
    (home / "job.ended").touch()
    response = outcome(asyncio.run(trigger(poll="airflow_polls.locked").wait()))["response"]
    assert response["Status"] == "DONE"
    assert response["Lock"] == {}
