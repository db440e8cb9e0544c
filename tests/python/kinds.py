"""How each kind of vector is run."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import results
import service
from given import error_of, resolve

from smithy_waiters import Call, DefinitionError, Done, OptionsError, Sleep, StateError, Wait, Waiter, delay

JsonObject = dict[str, Any]


def run(vector: JsonObject, definitions: JsonObject) -> Any:
    if vector["kind"] == "definition":
        return definition(vector)
    if vector["kind"] == "delay":
        return delay_of(vector)
    kinds = {"evaluate": evaluate, "options": options_of, "steps": steps, "wait": wait}
    return kinds[vector["kind"]](waiter_of(vector["definition"], definitions), vector)


def waiter_of(given: str | JsonObject, definitions: JsonObject) -> Waiter:
    if isinstance(given, str):
        return Waiter(resolve(definitions[given]), name=given)
    return Waiter(resolve(given))


def definition(vector: JsonObject) -> JsonObject:
    given = resolve(vector["definitionText"] if "definitionText" in vector else vector["definition"])
    try:
        waiter = Waiter(given, name=vector.get("name"))
    except DefinitionError as error:
        return results.refusal(error)
    return {
        "valid": {
            "name": waiter.name,
            "documentation": waiter.documentation,
            "deprecated": waiter.deprecated,
            "tags": list(waiter.tags),
            "minDelayMs": results.millis(waiter.min_delay),
            "maxDelayMs": results.millis(waiter.max_delay),
            "acceptors": list(waiter.acceptors),
        },
    }


def evaluate(waiter: Waiter, vector: JsonObject) -> JsonObject:
    seen = {"error": error_of(vector["error"])} if "error" in vector else {"response": resolve(vector["response"])}
    verdict = waiter.evaluate(**seen, input=resolve(vector.get("input")))
    return {"state": verdict.state, "acceptor": verdict.acceptor, "reasons": results.reasons(verdict.reasons)}


def delay_of(vector: JsonObject) -> JsonObject | None:
    names = ("attempt", "remaining", "minDelay", "maxDelay", "random")
    try:
        following = delay(**{snake_case(name): resolve(vector[name]) for name in names})
    except OptionsError as error:
        return results.refusal(error)
    return None if following is None else {"delay": following.delay, "last": following.last}


def options_of(waiter: Waiter, vector: JsonObject) -> JsonObject:
    """Take the steps up to the first response, which no acceptor matches."""
    try:
        wait = start(waiter, vector)
    except OptionsError as error:
        return results.refusal(error)
    elapsed = 0
    taken = [wait.next(elapsed)]
    while isinstance(taken[-1], Sleep):
        elapsed += taken[-1].delay_ms
        taken.append(wait.next(elapsed))
    if isinstance(taken[-1], Call) and wait.remaining_ms > 1:
        taken.append(wait.observe_response(None, elapsed))
    return {"steps": [results.step(step) for step in taken]}


def steps(waiter: Waiter, vector: JsonObject) -> list[JsonObject]:
    wait = start(waiter, vector)
    return [result_of(wait, command) for command in vector["commands"]]


def result_of(wait: Wait, command: JsonObject) -> JsonObject:
    try:
        return results.step(take(wait, command))
    except StateError as error:
        return results.refusal(error)


def take(wait: Wait, command: JsonObject) -> Call | Sleep | Done:
    given = resolve(command)
    if "next" in command:
        return wait.next(given["next"])
    if "expire" in command:
        return wait.expire(given["expire"])
    if "cancel" in command:
        return wait.cancel(given["cancel"])
    if "error" in command:
        return wait.observe_error(error_of(command["error"]), given["observe"])
    return wait.observe_response(given["response"], given["observe"])


def wait(waiter: Waiter, vector: JsonObject) -> JsonObject:
    """Run the wait on asyncio, and where no call is cut also blocking: with the same result."""
    options = host_options(vector)
    result = asyncio.run(service.on_asyncio(waiter, vector, options))
    if not is_cut(vector):
        assert results.text(service.blocking(waiter, vector, options)) == results.text(result)
    return result


def is_cut(vector: JsonObject) -> bool:
    expected = vector["expected"]
    last_call = expected["calls"][-1] if expected["calls"] else None
    if last_call is None:
        return False
    entry = vector["script"][min(last_call["attempt"], len(vector["script"])) - 1]
    ends = last_call["atMs"] + entry.get("takes", float("inf"))
    deadline = last_call["atMs"] + last_call["remainingMs"]
    cancelled = vector.get("cancelAt", float("inf"))
    return bool(ends > deadline or last_call["atMs"] <= cancelled < ends)


def start(waiter: Waiter, vector: JsonObject) -> Wait:
    return waiter.start(input=resolve(vector.get("input")), **host_options(vector))


def host_options(vector: JsonObject) -> Any:
    return {snake_case(name): resolve(value) for name, value in vector["options"].items()}


def snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), name)
