"""Several waits of different kinds under one deadline.

>>> wait_all(
...     {
...         "table": lambda **options: tables.wait(describe_table, **options),
...         "stack": lambda **options: stacks.wait(describe_stacks, **options),
...     },
...     max_wait=600,
... )
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ._engine import Tally, Waiter, _max_wait, _must_be
from .drivers.call import check_functions, reject_awaitable
from .drivers.cancel import CANCEL_INTERVAL, check_event, is_cancelled
from .drivers.on_asyncio import cancel_all
from .drivers.wait import conclude
from .errors import WaiterError, outcomes_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import timedelta

    from .drivers.cancel import AsyncEvent, Event
    from .outcome import Outcome

    _AsyncWaits = Mapping[str, Callable[..., Awaitable[Outcome["_T"]]]]

__all__ = ["wait_all", "wait_all_async", "wait_any", "wait_any_async"]

_T = TypeVar("_T")

# The seconds in which blocking waits end after they were cancelled, or after their deadline.
_GRACE = 1.0


def wait_all(
    waits: Mapping[str, Callable[..., Outcome[_T]]], *, max_wait: float | timedelta, cancel: Event | None = None
) -> dict[str, Outcome[_T]]:
    """Wait until all waits have succeeded, each in a thread. The first failure cancels the others.

    A call cannot be interrupted. A wait whose call hangs is left to its thread one second after it was cancelled, or
    after its deadline, and counts as cancelled or timed out. An asynchronous wait is then cancelled.

    Args:
        waits: Functions by the names of the waits. Each receives the options `deadline` and `cancel` and passes them
            to `Waiter.wait`.
        max_wait: The maximum duration of all waits, in seconds or as a `timedelta`.
        cancel: A `threading.Event` or a similar object. Setting it ends the waits as cancelled.

    Returns:
        The outcomes by the names of the waits.

    Raises:
        WaitersFailed: A wait ended without success. It lists all failures.
        OptionsError: An option or a wait is invalid. Errors of the waits' options are propagated.

    """
    return _Threads(waits, is_any=False).run(max_wait, cancel)


def wait_any(
    waits: Mapping[str, Callable[..., Outcome[_T]]], *, max_wait: float | timedelta, cancel: Event | None = None
) -> dict[str, Outcome[_T]]:
    """Wait until one wait has succeeded, and cancel the others. See `wait_all`.

    Returns:
        The outcome of the wait that succeeded first, by its name.

    Raises:
        WaitersFailed: All waits ended without success.
        OptionsError: An option or a wait is invalid. Errors of the waits' options are propagated.

    """
    return _Threads(waits, is_any=True).run(max_wait, cancel)


async def wait_all_async(
    waits: _AsyncWaits[_T], *, max_wait: float | timedelta, cancel: AsyncEvent | None = None
) -> dict[str, Outcome[_T]]:
    """Wait until all waits have succeeded, each in a task of asyncio. See `wait_all`.

    Raises:
        WaitersFailed: A wait ended without success. It lists all failures.
        OptionsError: An option or a wait is invalid. Errors of the waits' options are propagated.

    """
    return await _Tasks(waits, is_any=False).run(max_wait, cancel)


async def wait_any_async(
    waits: _AsyncWaits[_T], *, max_wait: float | timedelta, cancel: AsyncEvent | None = None
) -> dict[str, Outcome[_T]]:
    """Wait until one wait has succeeded, and cancel the others. See `wait_any`.

    Raises:
        WaitersFailed: All waits ended without success.
        OptionsError: An option or a wait is invalid. Errors of the waits' options are propagated.

    """
    return await _Tasks(waits, is_any=True).run(max_wait, cancel)


class _Several:
    """The ends of several waits, of which all or any must succeed."""

    def __init__(self, waits: Mapping[str, Callable[..., Any]], *, is_any: bool) -> None:
        _check_names(waits)
        check_functions(**{f"waits[{name!r}]": wait for name, wait in waits.items()})
        self.waits = waits
        self.problem: BaseException | None = None
        self._ends: dict[str, Any] = {}
        self._tally = Tally(len(waits), quorum=1 if is_any and waits else None, fail_fast=not is_any)

    @property
    def is_over(self) -> bool:
        return self.problem is not None or self._tally.state != "open"

    def end(self, name: str, end: Any) -> None:
        # What ends after the whole was cancelled for its sake.
        if self._tally.state == "succeeded":
            return
        self._ends[name] = end
        self._tally.count(not isinstance(end, WaiterError))

    def result(self) -> dict[str, Any]:
        if self.problem is not None:
            raise self.problem
        # The order is that of the waits, not that of the ends.
        ends = {name: self._ends[name] for name in self.waits if name in self._ends}
        return outcomes_of(ends, succeeded=self._tally.state == "succeeded")


def _check_names(waits: Any) -> None:
    if not isinstance(waits, Mapping):
        raise _must_be("waits", "a dictionary of names and waits", waits)


class _Threads(_Several):
    def run(self, max_wait: float | timedelta, cancel: Event | None) -> dict[str, Any]:
        check_event(cancel, awaited=False)
        self._max_wait, self._start = _max_wait(max_wait=max_wait), time.monotonic()
        self._open: set[str] = set()
        self._stop, self._changed = threading.Event(), threading.Condition()
        latest = self._start + self._max_wait + _GRACE
        if is_cancelled(cancel):
            self._stop.set()
        try:
            for name in self.waits:
                self._start_thread(name)
            with self._changed:
                # At the deadline, each wait ends by itself, unless its call hangs.
                while not (self.is_over or is_cancelled(cancel)) and (rest := latest - time.monotonic()) > 0:
                    self._changed.wait(min(rest, threading.TIMEOUT_MAX if cancel is None else CANCEL_INTERVAL))
        finally:
            self._stop.set()
            self._leave(min(_GRACE, max(0, latest - time.monotonic())))
        return self.result()

    def _start_thread(self, name: str) -> None:
        with self._changed:
            self._open.add(name)
        try:
            threading.Thread(target=self._run, args=(name,), daemon=True).start()
        except RuntimeError:  # The process has too many threads.
            self._open.discard(name)
            raise

    def _leave(self, grace: float) -> None:
        """Wait for the ends of the cancelled waits, and leave those whose calls hang."""
        elapsed = min(time.monotonic() - self._start, self._max_wait)
        with self._changed:
            try:
                self._changed.wait_for(lambda: not self._open, grace)
            finally:
                for name in self._open:
                    self.end(name, _hanging(elapsed, self._max_wait))
                self._open.clear()

    def _run(self, name: str) -> None:
        end: Any = None
        problem: BaseException | None = None
        try:
            end = self.waits[name](deadline=self._start + self._max_wait, cancel=self._stop)
            reject_awaitable(end, "wait_all_async", f"the function of `{name}`")
        except WaiterError as failure:
            end = failure
        except BaseException as error:  # noqa: BLE001 - the caller gets it.
            problem = error
        with self._changed:
            if name in self._open:
                self._open.remove(name)
                if problem is None:
                    self.end(name, end)
                self.problem = self.problem or problem
                self._changed.notify()
            elif problem is not None:
                # The caller has left. Python reports the exception of the thread.
                raise problem


def _hanging(elapsed: float, max_wait: float) -> Outcome[Any] | WaiterError:
    """Return the failure of a wait with a call that hangs."""
    machine = Waiter('{"acceptors":[{"state":"success","matcher":{"success":true}}]}').start(max_wait=max_wait)
    machine.poll(0)
    return conclude(machine._conclude(round(elapsed * 1000)), None, None)  # noqa: SLF001


class _Tasks(_Several):
    async def run(self, max_wait: float | timedelta, cancel: AsyncEvent | None) -> dict[str, Any]:
        check_event(cancel, awaited=True)
        loop, duration = asyncio.get_running_loop(), _max_wait(max_wait=max_wait)
        start, stop = loop.time(), asyncio.Event()
        latest = start + duration + _GRACE
        self._left: set[str] = set()
        tasks = {name: asyncio.ensure_future(self._run(name, start + duration, stop)) for name in self.waits}
        watch: set[asyncio.Future[Any]] = {asyncio.ensure_future(cancel.wait())} if cancel is not None else set()
        try:
            # At the deadline, each wait ends by itself, unless its function ignores the deadline.
            while not (self.is_over or is_cancelled(cancel)) and (rest := latest - loop.time()) > 0:
                pending = {*(task for task in tasks.values() if not task.done()), *watch}
                await asyncio.wait(pending, timeout=rest, return_when="FIRST_COMPLETED")
            stop.set()
            elapsed = min(loop.time() - start, duration)
            if late := [task for task in tasks.values() if not task.done()]:
                await asyncio.wait(late, timeout=min(_GRACE, max(0, latest - loop.time())))
            self._left = {name for name, task in tasks.items() if not task.done()}
            for name in self._left:
                self.end(name, _hanging(elapsed, duration))
        finally:
            # Nothing of the waits runs after the caller has gone on.
            await cancel_all(*tasks.values(), *watch)
        return self.result()

    async def _run(self, name: str, deadline: float, stop: asyncio.Event) -> None:
        try:
            self.end(name, await self.waits[name](deadline=deadline, cancel=stop))
        except WaiterError as failure:
            self.end(name, failure)
        except BaseException as error:  # noqa: BLE001 - the caller gets it, unless it has left the wait.
            if name not in self._left:
                self.problem = self.problem or error
