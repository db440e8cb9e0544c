"""Create the waiters of vectors and pass events to them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from values import NoError, error_of, resolve

from smithy_waiters import Waiter, _engine
from smithy_waiters.events import Cancelled, DeadlineReached, Error, Response, Transient, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from smithy_waiters import Call, Done, Sleep, Wait
    from smithy_waiters.events import Event

JsonObject = dict[str, Any]


def waiter_of(vector: JsonObject, file: JsonObject, member: str = "definition") -> Waiter:
    """Return the waiter for a definition, or for the name of a definition in the file."""
    given = vector[member]
    name = given if isinstance(given, str) else None
    definition = given if name is None else file["definitions"][name]
    if "preset" in definition:
        return Waiter.preset(definition["preset"], error_names=names(vector))
    only = vector.get("serviceErrorsOnly", False)
    defaults: Any = {snake_case(name): value for name, value in vector.get("defaults", {}).items()}
    return Waiter(
        resolve(definition),
        name=name,
        error_names=names(vector),
        service_errors_only=only,
        defaults=defaults or None,
    )


def names(vector: JsonObject) -> Callable[[object], list[str] | None]:
    """Return the function that names errors. A value that is not an error does not have a name."""
    given = vector.get("errorNames")
    return lambda error: [] if isinstance(error, NoError) else given


def start(waiter: Waiter, vector: JsonObject) -> Wait:
    # Start with the engine, whose deadline is relative to the start.
    return _engine.Waiter.start(waiter, input=input_of(vector), **host_options(vector))


def input_of(vector: JsonObject) -> Any:
    return resolve(vector.get("input"))


def host_options(vector: JsonObject) -> Any:
    return {snake_case(name): resolve(value) for name, value in vector["options"].items()}


def snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), name)


def take(wait: Wait, command: JsonObject) -> Call | Sleep | Done:
    given = resolve(command)
    if "poll" in command:
        return wait.poll(given["poll"])
    return wait.handle(event_of(command, given), given["handle"])


def classification(given: JsonObject | None) -> Transient | Literal[False]:
    """Return the classification of an error in a command."""
    return False if given is None else Transient(given.get("notBefore", 0), given["answered"])


def event_of(command: JsonObject, given: JsonObject) -> Event:
    if "deadlineReached" in command:
        return DeadlineReached()
    if "cancelled" in command:
        return Cancelled()
    error: Any = error_of(command["error"]) if "error" in command else None
    transient: Any = classification(given["transient"]) if "transient" in command else None
    if "verdict" in command:
        return Verdict(command["verdict"]["acceptor"], error, transient)
    if "error" in command:
        return Error(error, transient)
    return Response(given["response"], given.get("notBefore"))
