"""The caller's operation, as drivers call it."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any, TypeVar

from smithy_waiters.errors import OptionsError
from smithy_waiters.outcome import Attempt

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")


def with_attempt(call: Any) -> Callable[[Callable[[], Attempt]], Any]:
    """Return the call as a function of a function that makes the attempt, which only a call with a parameter needs.

    A call takes the attempt if it has one required positional parameter.

    Raises:
        TypeError: It cannot be called, or not like this: the caller's mistake, not an error of the operation.

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
    return lambda _: call()


def check_functions(**options: Any) -> None:
    """Refuse an option that must be a function and cannot be called.

    Raises:
        OptionsError: It cannot be called.

    """
    for option, function in options.items():
        if function is not None and not callable(function):
            raise OptionsError(f"`{option}` must be a function", "invalid_option", option)


def require_callable(call: Any) -> None:
    """Refuse an object that is not a function.

    Raises:
        TypeError: It cannot be called.

    """
    if not callable(call):
        hint = ": pass the function itself, not its result" if inspect.isawaitable(call) else ""
        raise TypeError(f"the call must be callable, got {type(call).__name__}{hint}")


def only_attempt() -> Attempt:
    """Return the attempt of a call without a wait: it may take any time."""
    return Attempt(number=1, remaining=math.inf)


def reject_awaitable(response: object, instead: str, by: str = "the call") -> None:
    """Refuse a result that is to be awaited: it would never match anything.

    Raises:
        TypeError: The response is an awaitable.

    """
    # Nearly every response is of one of these classes, and asking an abstract class is expensive.
    if type(response) is not dict and response is not None and is_awaitable(response):
        raise TypeError(f"{by} returned an awaitable: use `{instead}`")


def is_awaitable(value: object) -> bool:
    """Return whether an object is to be awaited. It will not be: a coroutine is closed."""
    if inspect.iscoroutine(value):
        value.close()
    return inspect.isawaitable(value)


def require_awaitable(result: Awaitable[T], instead: str) -> Awaitable[T]:
    """Refuse a result that cannot be awaited.

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
        # Some callables written in C do not tell.
        return []
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [one for one in parameters if one.kind not in variable and one.default is one.empty]
