"""Waits that are saved and resumed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import results
from given import resolve
from waiters import input_of, start, take, waiter_of

from smithy_waiters import Call, StateError

if TYPE_CHECKING:
    from smithy_waiters import Wait, Waiter

JsonObject = dict[str, Any]


def resume(waiter: Waiter, vector: JsonObject, file: JsonObject) -> JsonObject:
    """Take the steps, save the wait, change its text, resume it, and take the steps that follow."""
    wait = start(waiter, vector)
    for command in vector["commands"]:
        take(wait, command)
    resumer = waiter_of(vector, file, "resumeBy") if "resumeBy" in vector else waiter
    text = changed(wait.to_json(), vector.get("change", {}))
    try:
        wait = resumer.resume(text, input=input_of(vector), elapsed_ms=resolve(vector["resumeAt"]))
    except StateError as error:
        return results.refusal(error)
    return {"steps": [result_of(wait, command) for command in vector["then"]]}


def at_every_command(waiter: Waiter, vector: JsonObject) -> list[JsonObject]:
    """Give the steps of a wait that is saved and resumed before every command.

    One that is saved in flight hands out its attempt again; it is asked for it, so that what follows is what it was.
    """
    wait, in_flight = start(waiter, vector), None
    steps = []
    for command in vector["commands"]:
        wait = again(waiter, wait, vector, in_flight)
        step = result_of(wait, command)
        if "error" not in step:
            in_flight = (step, command["next"]) if step["type"] == "call" else None
        steps.append(step)
    return steps


def again(waiter: Waiter, wait: Wait, vector: JsonObject, in_flight: tuple[JsonObject, float] | None) -> Wait:
    # The parsed object is taken as well as the text.
    resumed = waiter.resume(json.loads(wait.to_json()), input=input_of(vector))
    if in_flight is not None:
        step, elapsed = in_flight
        call = resumed.next(elapsed)
        assert isinstance(call, Call)
        assert results.step(call) == step
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
        return saved.replace(before, after, 1)
    if "version" in change:
        return json.dumps({**json.loads(saved), "version": change["version"]})
    if "indent" in change:
        return json.dumps(json.loads(saved), indent=2, ensure_ascii=False)
    return str(resolve(change["text"])) if "text" in change else saved
