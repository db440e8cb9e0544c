"""Checks and calls of the caller's functions."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any, TypeVar

from smithy_waiters._engine import _must_be
from smithy_waiters.outcome import Attempt

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")


def with_attempt(call: Any) -> Callable[[Callable[[], Attempt]], Any]:
    """Return the call in a uniform signature: it takes a function that creates the attempt.

    A call receives the attempt if it has one required positional parameter. Otherwise no attempt is created.

    Raises:
        TypeError: The call cannot be called, or requires other arguments. This is a bug in the caller, not an error of
            the operation.

    """
    require_callable(call)
    required = _required(call)
    for one in required:
        if one.kind is one.KEYWORD_ONLY:
            raise TypeError(f"the call takes one argument at most, the attempt; this one requires `{one.name}` by name")
    if len(required) > 1:
        raise TypeError(f"the call takes one argument at most, the attempt; this one requires {len(required)}")
    if required:
        return lambda attempt: call(attempt())
    # Without an attempt, which most calls do not read and which takes time to create.
    return lambda _: call()


def check_functions(**options: Any) -> None:
    """Check that options are functions.

    Raises:
        OptionsError: An option cannot be called.

    """
    for option, function in options.items():
        if function is not None and not callable(function):
            raise _must_be(option, "function", function)


def require_callable(call: Any) -> None:
    """Check that the call is a function.

    Raises:
        TypeError: It cannot be called.

    """
    if not callable(call):
        hint = ": pass the function itself, not its result" if inspect.isawaitable(call) else ""
        raise TypeError(f"the call must be callable, got {type(call).__name__}{hint}")


def only_attempt() -> Attempt:
    """Return the attempt of a call outside of a wait, which has no deadline."""
    return Attempt(number=1, remaining=math.inf)


def reject_awaitable(response: object, instead: str, by: str = "the call") -> None:
    """Reject an awaitable result of a blocking call, because no acceptor would match it.

    Raises:
        TypeError: The result is an awaitable.

    """
    # Nearly all responses have one of these classes, and a check against an abstract class is expensive.
    if type(response) is not dict and response is not None and is_awaitable(response):
        raise TypeError(f"{by} returned an awaitable: use `{instead}`")


def is_awaitable(value: object) -> bool:
    """Return whether an object is an awaitable that will be discarded. A coroutine is closed, to avoid a warning."""
    if inspect.iscoroutine(value):
        value.close()
    return inspect.isawaitable(value)


def require_awaitable(result: Awaitable[T], instead: str) -> Awaitable[T]:
    """Check that the result of an asynchronous call is an awaitable, and return it.

    Raises:
        TypeError: The result is not an awaitable.

    """
    value: object = result
    if inspect.isawaitable(value):
        return result
    raise TypeError(f"the call must return an awaitable, got {type(value).__name__}: is it for `{instead}`?")


def _required(call: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        parameters = inspect.signature(call).parameters.values()
    except (TypeError, ValueError):
        # Some functions written in C do not have a signature.
        return []
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [one for one in parameters if one.kind not in variable and one.default is one.empty]
