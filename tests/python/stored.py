"""What hosts decide about stored waits and about their options."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import results
from values import error_of, resolve
from waiters import host_options, snake_case

from smithy_waiters import OptionsError, RateLimit, StateError, Waiter, _engine, wait_all
from smithy_waiters.compression import RequestCompression
from smithy_waiters.durable import StoredWait, plain
from smithy_waiters.pagination import Paginator
from smithy_waiters.retry import retry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


JsonObject = dict[str, Any]

ANY: Any = {"acceptors": [{"state": "success", "matcher": {"success": True}}]}


def stored(waiter: Waiter, vector: JsonObject) -> JsonObject:
    """Begin a stored wait, or continue that of a text, and make its polls. A poll that crashes has no result."""
    try:
        waits = StoredWait(waiter, vector.get("reportLimit"), plain)
        begun = {"state": resolve(vector["state"])} if "state" in vector else begin(waits, vector)
    except (OptionsError, StateError) as error:
        return results.refusal(error)
    state, polls = begun["state"], []
    for poll in vector["polls"]:
        result = made(waits, state, poll)
        state = result.get("state", state)
        polls.append(result)
    return {"begun": begun, "polls": polls}


def begin(waits: StoredWait, vector: JsonObject) -> JsonObject:
    options = host_options(vector)
    if "deadlineAt" in vector:
        options["deadline"] = moment(vector["deadlineAt"])
    arguments, started_at = vector.get("arguments", ""), vector["startedAt"] / 1000
    begun = waits.begin(
        vector["waitId"], resolve(vector.get("input")), options, arguments=arguments, started_at=started_at
    )
    due_at, ends_at = round(begun.due_at * 1000), round(begun.ends_at * 1000)
    return {"state": begun.state, "dueAt": due_at, "endsAt": ends_at, "identity": begun.identity}


def moment(ms: int) -> Any:
    return datetime.fromtimestamp(0, timezone.utc) + timedelta(milliseconds=ms)


def answer_of(answer: JsonObject) -> Any:
    """Return the response of an answer, or raise its error."""
    if "error" in answer:
        error = error_of(answer["error"])
        assert isinstance(error, Exception)
        raise error
    return resolve(answer["response"])


def made(waits: StoredWait, state: str, poll: JsonObject) -> JsonObject:
    number = None

    def call() -> Any:
        nonlocal number
        number = _engine._stored(state)["attempts"] + 1  # noqa: SLF001
        return answer_of(poll)

    with at(poll["at"]):
        try:
            if "pause" in poll:
                ms, seconds = _engine._pause(state)  # noqa: SLF001
                return {"pauseMs": ms, "pauseSeconds": seconds}
            if "conclude" in poll:
                return {"end": waits.cancel(state)}
            following, due, end, progress = waits.attempt(state, call)
        except StateError as error:
            return results.refusal(error)
    if "crash" in poll:
        return {"call": number}
    if following is None or due is None:
        return {"call": number, "end": end}
    summary = None if progress is None else progress["summary"]
    return {"call": number, "state": following, "dueAt": round(due * 1000), "summary": summary}


@contextmanager
def at(ms: int) -> Iterator[None]:
    """Set the wall clock to a fixed time; calls take no time."""
    clock = SimpleNamespace(time=lambda: ms / 1000, monotonic=lambda: 0.0)
    with patch("time.time", clock.time), patch("smithy_waiters.durable.stored.time", clock):
        yield


def poll_records(vector: JsonObject) -> list[str]:
    return [
        _engine._poll_action(  # noqa: SLF001
            next_exists=record["nextExists"],
            wait=record["wait"],
            is_first=record["isFirst"],
            is_reported=record["isReported"],
        )
        for record in vector["records"]
    ]


def host_options_of(waiter: Waiter, vector: JsonObject) -> JsonObject:
    """Start a wait with a deadline relative to now, or with another value as its deadline."""
    now = 1_700_000_000.0
    with patch("time.monotonic", lambda: now), patch("time.time", lambda: now):
        given = now + resolve(vector["deadlineIn"]) if "deadlineIn" in vector else resolve(vector["deadline"])
        try:
            step = results.step(waiter.start(deadline=given).poll(0))
        except OptionsError as error:
            refused = results.refusal(error)["error"]
            return {"error": {**refused, "message": None} if "hostText" in vector else refused}
    return {"type": step["type"], "code": step.get("report", {}).get("code")}


def host_arguments(waiter: Waiter, vector: JsonObject) -> JsonObject:
    """Pass an argument of the wrong type, and return the class of the error and the name of the option."""
    call: Any = resolve(vector["call"]) if "call" in vector else lambda: None
    options: Any = {"policy": resolve(vector["policy"])} if "policy" in vector else {}
    arguments: Any = {snake_case(name): value for name, value in vector.get("arguments", {}).items()}

    def fleet() -> Any:
        return waiter.fleet(lambda _: {}, items="list[]", key="id")

    def items() -> object:
        return Paginator({"inputToken": "token", "outputToken": "token", "items": "list"}).items(call, **arguments)

    functions: dict[str, Callable[[], object]] = {
        "check": lambda: waiter.check(call),
        "compress": lambda: RequestCompression(["gzip"]).encoding(**arguments),
        "fleet": lambda: waiter.fleet(lambda _: {}, **{"items": "list[]", "key": "id", **arguments}),
        "fleet-wait": lambda: fleet().wait(**arguments, max_wait=1),
        "items": items,
        "rate-limit": lambda: RateLimit(**arguments),
        "retry": lambda: retry(call, **options),
        "wait": lambda: waiter.wait(call, max_wait=1),
        "wait-all": lambda: wait_all({}, **arguments),
        "wait-each": lambda: fleet().wait_each(**arguments, max_wait=1),
        "waiter": lambda: Waiter(ANY, **arguments),
    }
    try:
        functions[vector["function"]]()
    except (OptionsError, TypeError) as error:
        if "arguments" in vector and isinstance(error, OptionsError):
            return results.refusal(error)
        return {"error": {"class": type(error).__name__, "option": getattr(error, "option", None)}}
    return {"error": None}
