"""Run the engine's state machine of a fleet step by step."""

from __future__ import annotations

from typing import Any

import results
from values import error_of, resolve
from waiters import snake_case

from smithy_waiters import OptionsError, RateLimit, Sleep, StateError, Waiter
from smithy_waiters._engine import Done, Fleet, FleetCall
from smithy_waiters.events import Error

JsonObject = dict[str, Any]


def fleet(waiter: Waiter, vector: JsonObject) -> Any:
    """Return the result of each command."""
    try:
        machine = waiter._fleet(RateLimit(vector.get("rate", 5)), **vector["fleet"])  # noqa: SLF001
    except OptionsError as error:
        return results.refusal(error)
    return [_result(machine, command) for command in vector["commands"]]


def _result(machine: Fleet, command: JsonObject) -> JsonObject:
    try:
        return _take(machine, command)
    except (OptionsError, StateError) as error:
        return results.refusal(error)


def _take(machine: Fleet, command: JsonObject) -> JsonObject:
    at = command["at"]
    if "join" in command:
        options = {snake_case(name): value for name, value in command["options"].items()}
        return {"tickets": machine.join({"ids": command["join"]}, at, **options)}
    if "leave" in command:
        done = machine.leave(command["leave"], at)
        return {"ended": [] if done is None else [_ended(command["leave"], done)]}
    if "respond" in command:
        ends = machine.respond(command["respond"], [resolve(page) for page in command["pages"]], at)
        return {"ended": [_ended(*end) for end in ends]}
    if "poll" in command:
        ended, step = machine.poll(at)
        return {"ended": [_ended(*end) for end in ended], "step": _step(step)}
    if "fail" in command:
        error: Any = error_of(command["error"])
        machine.fail(command["fail"], Error(error), at)
    else:
        machine.abandon(command["abandon"], at)
    return {"ended": [_ended(*end) for end in machine.ended(at)]}


def _step(step: FleetCall | Sleep | None) -> JsonObject:
    if isinstance(step, FleetCall):
        return {"type": "call", "call": step.call, "ids": step.ids, "deadlineMs": step.deadline_ms}
    return {"type": "idle"} if step is None else {"type": "sleep", "untilMs": step.until_ms}


def _ended(ticket: int, done: Done, item: Any = None) -> JsonObject:
    return {
        "ticket": ticket,
        "code": done.code,
        "attempts": done.attempts,
        "elapsedMs": done.elapsed_ms,
        "message": results.with_spelling_of_vectors(done.message),
        "item": item,
    }
