"""The caller's operation, as drivers call it."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any, TypeVar, cast

from smithy_waiters.outcome import Attempt

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")


def taking_attempt(call: Callable[[], T] | Callable[[Attempt], T]) -> Callable[[Attempt], T]:
    """Give a call that takes the attempt: the caller's own where it has one required positional parameter.

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
        return cast("Callable[[Attempt], T]", call)
    without = cast("Callable[[], T]", call)
    return lambda _: without()


def require_callable(call: Any) -> None:
    """Refuse what is no function.

    Raises:
        TypeError: It cannot be called.

    """
    if not callable(call):
        raise TypeError(f"the call must be callable, got {type(call).__name__}")


def only_attempt() -> Attempt:
    """Give what a call is told that no wait is around: it may take any time."""
    return Attempt(number=1, remaining=math.inf)


def reject_awaitable(response: object, instead: str, by: str = "the call") -> None:
    """Refuse what only makes sense when it is awaited: a mistake that would never match anything.

    Raises:
        TypeError: The response is an awaitable.

    """
    if is_awaitable(response):
        raise TypeError(f"{by} gave an awaitable: use `{instead}`")


def is_awaitable(given: object) -> bool:
    """Say whether something is to be awaited. It will not be: a coroutine is closed."""
    if inspect.iscoroutine(given):
        given.close()
    return inspect.isawaitable(given)


def require_awaitable(result: Awaitable[T], instead: str) -> Awaitable[T]:
    """Refuse what cannot be awaited.

    Raises:
        TypeError: The result is no awaitable.

    """
    given: object = result
    if inspect.isawaitable(given):
        return result
    raise TypeError(f"the call must give an awaitable, got {type(given).__name__}: is it for `{instead}`?")


def _required(call: Callable[..., Any]) -> list[inspect.Parameter]:
    try:
        parameters = inspect.signature(call).parameters.values()
    except (TypeError, ValueError):
        # Some callables written in C do not tell.
        return []
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [one for one in parameters if one.kind not in variable and one.default is one.empty]
