"""Waiters in botocore's format: the installed ones and those of files (docs/rules.md#botocore-waiters)."""

from __future__ import annotations

import gzip
import json
import math
import pickle
import random
import sys
from typing import TYPE_CHECKING, Any

import pytest
from botocore import xform_name
from botocore.exceptions import ClientError
from botocore.session import Session
from botocore.waiter import WaiterModel, is_valid_waiter_error
from jmespath.exceptions import JMESPathTypeError  # type: ignore[import-untyped]

from smithy_waiters import DefinitionError, Done, OptionsError, Sleep, Waiter, WaiterAttemptsExceeded, WaiterFailed
from smithy_waiters.events import Response
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from botocore.model import ServiceModel

LOADER = Session().get_component("data_loader")
SERVICES = [name for name in LOADER.list_available_services("waiters-2") if Waiter.names(name)]

THING: dict[str, Any] = {
    "operation": "GetThing",
    "delay": 5,
    "maxAttempts": 3,
    "acceptors": [{"state": "success", "matcher": "path", "argument": "Status", "expected": "READY"}],
}
FILE: dict[str, Any] = {"version": 2, "waiters": {"ThingReady": THING}}

# The delays and the numbers of attempts of all waiters.
PACES = sorted(
    {
        (config["delay"], config["maxAttempts"])
        for service in SERVICES
        for config in LOADER.load_service_model(service, "waiters-2")["waiters"].values()
    }
)


@pytest.mark.parametrize("name", ["instance_running", "InstanceRunning"])
def test_a_service_has_its_waiters_in_both_styles(name: str) -> None:
    waiter = Waiter.from_botocore("ec2", name)
    assert (waiter.name, waiter.min_delay, waiter.max_delay) == ("InstanceRunning", 15, 15)
    assert "instance_running" in Waiter.names("ec2")
    assert Waiter.names("ec2") == sorted(Waiter.names("ec2"))


def test_a_file_is_read_as_it_is_or_compressed(tmp_path: Path) -> None:
    plain, compressed = tmp_path / "waiters-2.json", tmp_path / "waiters-2.json.gz"
    plain.write_text(json.dumps(FILE))
    compressed.write_bytes(gzip.compress(plain.read_bytes()))
    waiters = [Waiter.from_botocore(source, "thing_ready") for source in (plain, compressed, FILE)]
    assert waiters[0] == waiters[1] == waiters[2]
    assert Waiter.names(compressed) == ["thing_ready"]


def test_the_delay_and_the_attempts_are_those_of_the_file() -> None:
    waiter = Waiter.from_botocore(FILE, "ThingReady")
    for one in (waiter, pickle.loads(pickle.dumps(waiter))):
        clock = FakeClock()
        with pytest.raises(WaiterAttemptsExceeded) as caught:
            one.wait(lambda: {"Status": "NEW"}, clock=clock)
        assert caught.value.attempts == 3
        assert clock.sleeps == [5, 5]
    clock = FakeClock()
    assert (
        waiter.wait(iter([{"Status": "NEW"}] * 5 + [{"Status": "READY"}]).__next__, max_wait=60, clock=clock).attempts
        == 6
    )
    assert set(clock.sleeps) == {5}
    half = {**FILE, "waiters": {"ThingReady": {**THING, "delay": 0.5}}}
    clock = FakeClock()
    with pytest.raises(WaiterAttemptsExceeded):
        Waiter.from_botocore(half, "ThingReady").wait(dict, clock=clock)
    assert clock.sleeps == [0.5, 0.5]


def test_only_errors_of_the_service_match() -> None:
    acceptors = [{"state": "success", "matcher": "error", "expected": True}]
    waiter = Waiter.from_botocore({"version": 2, "waiters": {"Gone": {**THING, "acceptors": acceptors}}}, "gone")
    assert waiter.evaluate(error=error("NoSuchThing", 404)).state == "success"
    assert waiter.evaluate(error=ConnectionResetError()).state == "failure"
    with pytest.raises(WaiterFailed) as caught:
        waiter.wait(lambda: 1 / 0)
    assert isinstance(caught.value.error, ZeroDivisionError)
    assert "the call failed: ZeroDivisionError: division by zero" in str(caught.value)


def error(code: str, status: int) -> ClientError:
    response: Any = {"Error": {"Code": code, "Message": "no"}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(response, "GetThing")


def test_a_status_matches_responses_and_errors() -> None:
    acceptors = [
        {"state": "success", "matcher": "status", "expected": 200},
        {"state": "retry", "matcher": "status", "expected": 404},
    ]
    waiter = Waiter.from_botocore({"version": 2, "waiters": {"Thing": {**THING, "acceptors": acceptors}}}, "Thing")
    assert waiter.evaluate(response={"ResponseMetadata": {"HTTPStatusCode": 200}}).state == "success"
    assert waiter.evaluate(error=error("NoSuchThing", 404)).state == "retry"
    assert waiter.evaluate(error=error("404", 400)).state == "failure"


@pytest.mark.parametrize(
    ("source", "name", "message"),
    [
        ("ec2", "instance_runing", "no waiter `instance_runing`: there are `BundleTaskComplete`"),
        ("dynamodb", "table_exist", "did you mean `TableExists`?"),
        ("dynamo", "table_exists", "botocore has no service `dynamo`; did you mean `dynamodb`?"),
        ("sts", "table_exists", "the service `sts` has no waiters"),
        ({**FILE, "version": 3}, "ThingReady", "`version`: botocore's format must have version 2, got 3"),
        ({"waiters": {}}, "ThingReady", "`version`: the required member is missing"),
        ("{", "ThingReady", "botocore has no service `{`"),
        ({"version": 2, "waiters": {"A": {**THING, "delay": "5"}}}, "A", "`delay` must be a number of seconds"),
        (
            {"version": 2, "waiters": {"A": {**THING, "maxAttempts": 0}}},
            "A",
            "`maxAttempts` must be an integer of at least 1",
        ),
        (5, "ThingReady", "`source` must be a client, the name of a service, a path, or a parsed file, got 5"),
    ],
)
def test_mistakes_name_the_culprit(source: Any, name: str, message: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        Waiter.from_botocore(source, name)
    assert message in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"{", b"\x1f\x8b\x08", gzip.compress(b"{}")[:12]])
def test_a_damaged_file_is_an_error(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "waiters-2.json"
    path.write_bytes(data)
    with pytest.raises(DefinitionError):
        Waiter.from_botocore(path, "ThingReady")


def test_a_service_needs_botocore(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "botocore.exceptions", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'smithy-waiters\[boto3\]'"):
        Waiter.from_botocore("ec2", "instance_running")


def test_a_wait_without_a_limit_still_needs_one() -> None:
    with pytest.raises(OptionsError) as caught:
        Waiter(Waiter.from_botocore(FILE, "ThingReady").definition).wait(dict)
    assert caught.value.code == "missing_option"


def waiters() -> Iterator[tuple[str, str]]:
    for service in SERVICES:
        for name in Waiter.names(service):
            yield service, name


def test_all_waiters_of_botocore_translate() -> None:
    found = [Waiter.from_botocore(service, name).name for service, name in waiters()]
    assert len(found) == 410
    # botocore writes the names of its clients' waiters in this way.
    assert [xform_name(str(name)) for name in found] == [name for _, name in waiters()]


class Responses:
    """Random responses and errors of an operation, with values that the acceptors compare more often than others."""

    def __init__(self, service: ServiceModel, config: Any, seed: str) -> None:
        self._random = random.Random(seed)
        self._operation = service.operation_model(config.operation)
        self._expected = [acceptor.expected for acceptor in config.acceptors]
        self._texts = [value for value in self._expected if isinstance(value, str)] or ["other"]
        self._statuses = [value for value in self._expected if isinstance(value, int) and value > 1] or [200]

    def response(self) -> dict[str, Any]:
        shape = self._operation.output_shape
        response = {} if shape is None else self._value(shape, 0)
        response["ResponseMetadata"] = {"HTTPStatusCode": self._random.choice([200, *self._statuses])}
        return response

    def error(self) -> Any:
        return error(self._random.choice(["Other", *self._texts]), self._random.choice([400, 404, *self._statuses]))

    def _value(self, shape: Any, depth: int) -> Any:
        choose = self._random
        match shape.type_name:
            case "structure":
                names = [name for name in shape.members if depth < 6 and choose.random() < 0.9]
                return {name: self._value(shape.members[name], depth + 1) for name in names}
            case "list":
                return [
                    self._value(shape.member, depth + 1) for _ in range(choose.choice([0, 1, 1, 2]) if depth < 6 else 0)
                ]
            case "map":
                return {choose.choice(["a", "b"]): self._value(shape.value, depth + 1)} if depth < 6 else {}
            case "string":
                return choose.choice([*self._texts, *self._texts, *getattr(shape, "enum", [])[:3], "other"])
            case "boolean":
                return choose.random() < 0.5
            case "integer" | "long" | "float" | "double":
                return choose.choice([0, 1, 2, 1000])
            case _:
                return None


def verdict(acceptors: list[Any], response: dict[str, Any]) -> str | None:
    """Return botocore's verdict on a response or on the response of an error."""
    for acceptor in acceptors:
        try:
            if acceptor.matcher_func(response):
                return str(acceptor.state)
        except JMESPathTypeError:
            # botocore's wait ends with this exception. Here, the acceptor does not match.
            return None
    return "failure" if is_valid_waiter_error(response) else "retry"


@pytest.mark.parametrize("service", SERVICES)
def test_verdicts_equal_those_of_botocore(service: str) -> None:
    model = WaiterModel(LOADER.load_service_model(service, "waiters-2"))
    operations = Session().get_service_model(service)
    compared = 0
    for name in model.waiter_names:
        config, waiter = model.get_waiter(name), Waiter.from_botocore(service, name)
        acceptors, responses = config.acceptors, Responses(operations, config, f"{service}.{name}")
        for _ in range(40):
            response, raised = responses.response(), responses.error()
            expected = verdict(acceptors, response)
            if expected is not None and not is_valid_waiter_error(response):
                assert waiter.evaluate(response=response).state == expected, (name, response)
                compared += 1
            assert waiter.evaluate(error=raised).state == verdict(acceptors, raised.response), (name, raised.response)
    assert compared > 0


def polls(waiter: Waiter, **options: Any) -> list[float]:
    """Return the times in seconds of all polls of a wait whose resource never becomes ready."""
    wait = waiter.start(**options)
    times, now, step = [], 0, wait.poll(0)
    while not isinstance(step, Done):
        if isinstance(step, Sleep):
            now = step.until_ms
            step = wait.poll(now)
        else:
            times.append(now / 1000)
            step = wait.handle(Response({}), now)
    return times


def polls_of_javascript(least: float, most: float, max_wait: float, random: random.Random) -> list[float]:
    """Return the times of all polls of the AWS SDK for JavaScript, by the rule of its source, if calls take no time."""
    times = [0.0]
    while True:
        exponent = len(times) - 1
        delay = most
        if len(times) <= math.log2(most / least) + 1:
            delay = random.uniform(least, min(least * 2**exponent, most))
            if times[-1] + delay > max_wait:
                delay = max(0, max_wait - times[-1] - 0.5)
        if times[-1] + delay > max_wait or delay == 0:
            return times
        times.append(times[-1] + delay)


def lag(times: list[float], until: float) -> float:
    """Return the 95th percentile of the lag for resources that become ready before a time."""
    ready = [until * share / 200 for share in range(200)]
    lags = sorted(min(time for time in times if time >= moment) - moment for moment in ready)
    return lags[190]


@pytest.mark.parametrize(("delay", "attempts"), PACES)
def test_a_drop_in_succeeds_wherever_the_waiter_of_the_sdk_does(delay: int, attempts: int) -> None:
    thing = {**THING, "delay": delay, "maxAttempts": attempts}
    waiter = Waiter.from_botocore({"version": 2, "waiters": {"ThingReady": thing}}, "ThingReady")
    for count in {1, 2, 3, 7, attempts}:
        sdk = [float(number * delay) for number in range(count)]
        assert polls(waiter, max_attempts=count) == sdk
        for max_wait in (count * delay, (count + 0.5) * delay):
            ours = polls(waiter, max_wait=max_wait)
            assert ours[-1] >= sdk[-1]
            assert lag(ours, sdk[-1]) <= max(lag(sdk, sdk[-1]), 15)


@pytest.mark.parametrize(("delay", "attempts"), PACES)
def test_generated_code_succeeds_wherever_the_sdk_for_javascript_does(delay: int, attempts: int) -> None:
    least, most = max(delay, 1), max(delay, 120)
    acceptors: Any = [
        {"state": "success", "matcher": {"output": {"path": "a", "comparator": "booleanEquals", "expected": "true"}}}
    ]
    definition: Any = {"acceptors": acceptors, "minDelay": least, "maxDelay": most}
    waiter = Waiter(definition, defaults={"final_poll": "late"})
    for max_wait in {1.5 * least, 2 * least, 3 * least, 7 * least, attempts * least}:
        for seed in range(10):
            sdk = polls_of_javascript(least, most, max_wait, random.Random(seed))
            ours = polls(waiter, max_wait=max_wait, seed=seed)
            # The SDK's last call has half a second for the answer, ours a second.
            assert ours[-1] >= min(sdk[-1], max_wait - 1)
