"""Waits that are saved and resumed."""

from __future__ import annotations

import json
import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import results
from values import resolve
from waiters import input_of, start, take, waiter_of

from smithy_waiters import StateError
from smithy_waiters.events import Cancelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from smithy_waiters import Wait, Waiter

JsonObject = dict[str, Any]


def resume(waiter: Waiter, vector: JsonObject, file: JsonObject) -> JsonObject:
    """Execute the commands, save the wait, change its text, resume it, and execute the following commands."""
    with wall_clock(vector.get("startedAt")):
        wait = start(waiter, vector)
    for command in vector["commands"]:
        take(wait, command)
    resumer = waiter_of(vector, file, "resumeBy") if "resumeBy" in vector else waiter
    text, options = changed(wait.to_json(), vector.get("change", {})), {"input": input_of(vector)}
    try:
        with wall_clock(vector.get("wallClock")):
            wait = resumer.resume(text, **options, elapsed_ms=resolve(vector.get("resumeAt")))
        if "again" in vector:
            with wall_clock(vector["again"]):
                wait = resumer.resume(wait.to_json(), **options)
    except StateError as error:
        return results.refusal(error)
    return {"steps": [result_of(wait, command) for command in vector["then"]]}


@contextmanager
def wall_clock(ms: int | None) -> Iterator[None]:
    """Set the wall clock to a number of milliseconds since 1970, or remove it."""
    with patch("time.time", lambda: math.nan if ms is None else ms / 1000):
        yield


def at_every_command(waiter: Waiter, vector: JsonObject) -> list[JsonObject]:
    """Return the steps of a wait that is saved and resumed before each command.

    A wait that is saved during a call returns the call again after it is resumed, with the time at which it was saved.
    It is not saved after another poll during the call.
    """
    steps: list[JsonObject] = []
    in_flight, polled_again = None, False
    with wall_clock(None):
        wait = start(waiter, vector)
        for command in vector["commands"]:
            if not polled_again:
                wait = again(waiter, wait, vector, in_flight)
            step = result_of(wait, command)
            if step.get("type") == "call":
                in_flight, polled_again = step, in_flight is not None
            elif "error" not in step:
                in_flight, polled_again = None, False
            steps.append(step)
    return steps


def cancel_at_every_command(waiter: Waiter, vector: JsonObject) -> None:
    """Cancel the wait in the place of each command, and check that it ends at once and stays so."""
    for count in range(len(vector["commands"])):
        wait = start(waiter, vector)
        steps = [result_of(wait, command) for command in vector["commands"][:count]]
        if any(step.get("type") == "done" for step in steps):
            return
        ended = results.step(wait.handle(Cancelled(), wait.now_ms))
        assert (ended["type"], ended["report"]["code"]) == ("done", "cancelled")
        assert results.step(wait.poll(wait.now_ms)) == ended


def again(waiter: Waiter, wait: Wait, vector: JsonObject, in_flight: JsonObject | None) -> Wait:
    # The parsed object is accepted, too.
    resumed = waiter.resume(json.loads(wait.to_json()), input=input_of(vector))
    if in_flight is not None:
        assert results.step(resumed.poll(resumed.now_ms)) == in_flight
    return resumed


def result_of(wait: Wait, command: JsonObject) -> JsonObject:
    try:
        return results.step(take(wait, command))
    except StateError as error:
        return results.refusal(error)


def changed(saved: str, change: JsonObject) -> str:
    if "cut" in change:
        return saved[: -change["cut"]]
    if "replace" in change:
        before, after = change["replace"]
        assert before in saved
        return saved.replace(before, after, 1)
    if "version" in change:
        return json.dumps({**json.loads(saved), "version": change["version"]})
    if "indent" in change:
        return json.dumps(json.loads(saved), indent=2, ensure_ascii=False)
    return str(resolve(change["text"])) if "text" in change else saved
