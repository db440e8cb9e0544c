"""The caller's operation, as drivers call it."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from smithy_waiters.outcome import Attempt

T = TypeVar("T")


def taking_attempt(call: Callable[[], T] | Callable[[Attempt], T]) -> Callable[[Attempt], T]:
    """Give a call that takes the attempt: the caller's own where it has one required positional parameter."""
    if _requires_one(call):
        return cast("Callable[[Attempt], T]", call)
    without = cast("Callable[[], T]", call)
    return lambda _: without()


def reject_awaitable(response: object, instead: str) -> None:
    """Refuse what only makes sense when it is awaited: a mistake that would never match anything.

    Raises:
        TypeError: The response is an awaitable.

    """
    if not inspect.isawaitable(response):
        return
    if inspect.iscoroutine(response):
        response.close()
    raise TypeError(f"the call gave an awaitable: use `{instead}`")


def require_awaitable(result: Awaitable[T], instead: str) -> Awaitable[T]:
    """Refuse what cannot be awaited.

    Raises:
        TypeError: The result is no awaitable.

    """
    if inspect.isawaitable(result):
        return result
    raise TypeError(f"the call must give an awaitable, got {type(result).__name__}: is it for `{instead}`?")


def _requires_one(call: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(call).parameters.values()
    except (TypeError, ValueError):
        # Some callables written in C do not tell.
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    required = [one for one in parameters if one.kind in positional and one.default is one.empty]
    return len(required) == 1
