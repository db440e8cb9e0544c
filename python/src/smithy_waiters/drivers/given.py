"""What callers give a driver to act with: as types, and checked."""

from __future__ import annotations

import inspect
import math
from typing import TYPE_CHECKING, Any, Protocol

from smithy_waiters.errors import OptionsError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine


_STRATEGY = "smithy_waiters.retry.StandardRetryStrategy"


class Flag(Protocol):
    """What can be asked whether the caller cancelled."""

    def is_set(self) -> bool:
        """Say whether the caller cancelled."""
        ...


class Event(Flag, Protocol):
    """What cancels a blocking wait: a `threading.Event`, or the like."""

    def wait(self, timeout: float | None = None, /) -> object:
        """Sleep until the caller cancels, at most for some seconds."""
        ...


class AsyncEvent(Flag, Protocol):
    """What cancels a wait that is awaited: an `asyncio.Event`, `trio.Event` or `anyio.Event`, or the like."""

    def wait(self) -> Coroutine[Any, Any, object]:
        """Sleep until the caller cancels."""
        ...


def now(clock: Callable[[], float]) -> float:
    """Give the time, by the caller's clock.

    Raises:
        OptionsError: The clock gave none.

    """
    seconds = clock()
    if _is_finite(seconds):
        return seconds
    raise OptionsError(f"`clock` must give a finite number of seconds, got {seconds!r}", "invalid_option", "clock")


def check_functions(**options: Any) -> None:
    """Refuse what is no function, where it is given.

    Raises:
        OptionsError: It cannot be called.

    """
    for option, given in options.items():
        if given is not None and not callable(given):
            raise OptionsError(f"`{option}` must be a function", "invalid_option", option)


def check_strategy(option: str, strategy: Any) -> None:
    """Refuse what is no retry strategy.

    Raises:
        OptionsError: It has not the methods of one.

    """
    methods = ("acquire_initial_token", "refresh_retry_token", "record_success")
    if strategy is None:
        return
    is_one = all(callable(getattr(strategy, method, None)) for method in methods)
    if is_one and not isinstance(strategy, type):
        return
    hint = f"not its class: `{strategy.__name__}()`" if is_one else f"such as `{_STRATEGY}()`"
    raise OptionsError(f"`{option}` must be a retry strategy, {hint}", "invalid_option", option)


def check_event(cancel: Any, *, awaited: bool) -> None:
    """Refuse an event that is none, or that no driver of this kind can wait for.

    Raises:
        OptionsError: It is no event of this kind.

    """
    if cancel is None:
        return
    wait = getattr(cancel, "wait", None)
    if not (callable(getattr(cancel, "is_set", None)) and callable(wait)):
        raise OptionsError("`cancel` must be an event, with `is_set` and `wait`", "invalid_option", "cancel")
    if inspect.iscoroutinefunction(wait) is not awaited:
        needed = "an event whose `wait` is awaited" if awaited else "an event whose `wait` blocks"
        raise OptionsError(f"`cancel` must be {needed}", "invalid_option", "cancel")


def _is_finite(seconds: Any) -> bool:
    try:
        return math.isfinite(seconds)
    except (TypeError, ValueError, OverflowError):
        return False
