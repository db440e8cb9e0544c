"""Waits for many resources that share their calls.

>>> fleet = volumes.fleet(lambda ids: ec2.describe_volumes(VolumeIds=ids), items="Volumes[]", key="VolumeId", rate=5)
>>> outcome = fleet.wait("vol-1", max_wait=600)       # or wait_async; from any thread or task, at any time
>>> outcomes = fleet.wait_each(ids, max_wait=600)     # or wait_each_async
>>> outcomes = fleet.resume_each(state)               # what another process stored by `on_state`
"""

from __future__ import annotations

import asyncio
import math
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar, cast
from weakref import WeakSet

from ._engine import FleetCall, RateLimit, Sleep, Tally, _must_be
from .drivers.call import check_functions, reject_awaitable, require_awaitable
from .drivers.cancel import CANCEL_INTERVAL, check_event, is_cancelled
from .drivers.clock import Clock
from .drivers.deadline import seconds_until, sleep_until
from .drivers.on_asyncio import Turn, library
from .drivers.wait import conclude
from .errors import OptionsError, StateError, WaiterError, WaitersFailed, outcomes_of
from .events import Error
from .json_text import state_text

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Awaitable, Iterable, Mapping

    from typing_extensions import Unpack

    from . import _engine
    from ._engine import Done
    from .drivers.cancel import AsyncEvent, Event
    from .drivers.library import Alarm
    from .options import WaitOptions
    from .outcome import Outcome

__all__ = ["Fleet", "FleetProgress", "RateLimit", "WaitersFailed"]

_T = TypeVar("_T")

# The time by which the caller that polls may be late before another one takes its place, in seconds.
_TURN = 1.0


class FleetProgress(NamedTuple):
    """The counts of the resources of `wait_each`."""

    waiting: int
    succeeded: int
    failed: int


class Fleet(Generic[_T]):
    """Waits for many resources that share their calls. `Waiter.fleet` creates it.

    A fleet is blocking or asynchronous by its first use. One of the blocking callers polls for all of them, and each
    call has a thread. An asynchronous fleet has one task while somebody waits, in the loop of its first use.
    See docs/rules.md#fleets.

    Attributes:
        rate: The `RateLimit` of its calls.

    """

    def __init__(
        self,
        create: Callable[[], _engine.Fleet],
        call: Callable[[list[str]], object],
        rate: RateLimit,
        clock: Callable[[], float] | None,
        sleep: Callable[[float], object] | None,
    ) -> None:
        self.rate: RateLimit = rate
        self._create, self._call, self._clock, self._sleep = create, call, clock, sleep
        self._begin()
        _FLEETS.add(self)

    def _begin(self) -> None:
        self._crew: _Threads | _Tasks | None = None
        self._machine = self._create()

    def wait(self, id: str, *, cancel: Event | None = None, **options: Unpack[WaitOptions]) -> Outcome[_T]:
        """Wait for a resource, from any thread.

        Args:
            id: The identifier of the resource.
            cancel: A `threading.Event` or a similar object. Setting it ends the wait as cancelled.
            **options: The options of `WaitOptions`. The history has one attempt by default.

        Returns:
            The outcome. Its `response` is the resource in the answer.

        Raises:
            WaiterError: The wait ended without success.
            OptionsError: An option is missing, unknown or invalid, or the fleet is asynchronous.
            StateError: The resources of an answer cannot be told apart (`invalid_answer`).
            TypeError: The call returns an awaitable.

        """
        group = self._threads().run(_Group(), _Join({"id": id}, options), cancel)
        return cast("Outcome[_T]", group.only())

    async def wait_async(
        self, id: str, *, cancel: AsyncEvent | None = None, **options: Unpack[WaitOptions]
    ) -> Outcome[_T]:
        """Wait for a resource, in a task of asyncio. See `wait`.

        Raises:
            WaiterError: The wait ended without success.
            OptionsError: An option is missing, unknown or invalid, or the fleet is blocking or of another loop.
            StateError: The resources of an answer cannot be told apart (`invalid_answer`).
            TypeError: The call does not return an awaitable.

        """
        group = await self._tasks().run(_Group(), _Join({"id": id}, options), cancel)
        return cast("Outcome[_T]", group.only())

    def wait_each(
        self,
        ids: Iterable[str],
        *,
        quorum: int | None = None,
        fail_fast: bool = False,
        on_progress: Callable[[FleetProgress], object] | None = None,
        on_state: Callable[[str], object] | None = None,
        cancel: Event | None = None,
        **options: Unpack[WaitOptions],
    ) -> dict[str, Outcome[_T]]:
        """Wait for each of several resources. By default, a failure of one lets the others go on.

        Args:
            ids: The identifiers of the resources.
            quorum: The number of successes that is enough; the other waits then end.
            fail_fast: Whether the first failure ends all waits.
            on_progress: A function that is called with a `FleetProgress` when waits have ended. An exception in it ends
                all waits.
            on_state: A function that is called with the state as JSON text, at the start and after each call that
                leaves waits open. Another process continues from the newest state by `resume_each`. An exception in it
                ends all waits.
            cancel: A `threading.Event` or a similar object. Setting it ends the waits as cancelled.
            **options: The options of `WaitOptions`. The history has one attempt by default.

        Returns:
            The outcome of each identifier that succeeded.

        Raises:
            WaitersFailed: Too many waits ended without success. It lists all of them.
            OptionsError: An option is missing, unknown or invalid, an identifier repeats, or the fleet is asynchronous.
            StateError: The resources of an answer cannot be told apart (`invalid_answer`).
            TypeError: The call returns an awaitable.

        """
        waits, group = _Join(names_of(ids), options), _Group(quorum, fail_fast, on_progress, on_state)
        return cast("dict[str, Outcome[_T]]", self._threads().run(group, waits, cancel).all())

    def resume_each(
        self,
        state: str | object,
        *,
        quorum: int | None = None,
        fail_fast: bool = False,
        on_progress: Callable[[FleetProgress], object] | None = None,
        on_state: Callable[[str], object] | None = None,
        cancel: Event | None = None,
        elapsed_ms: float | None = None,
    ) -> dict[str, Outcome[_T]]:
        """Continue a `wait_each` from a state of its `on_state`, in any process and from any language.

        The identifiers and the options are those of the state, and what has ended stays ended. The outcome of a wait
        that ended before has no response and no history.

        Args:
            state: The JSON text, or the object that was parsed from it.
            quorum: The number of successes that is enough; the other waits then end.
            fail_fast: Whether the first failure ends all waits.
            on_progress: A function that is called with a `FleetProgress` when waits have ended.
            on_state: A function that is called with the state as JSON text, at the start and after each call that
                leaves waits open.
            cancel: A `threading.Event` or a similar object. Setting it ends the waits as cancelled.
            elapsed_ms: The milliseconds since the start, including the time while the state was stored. By default that
                time is measured by the wall clock.

        Raises:
            WaitersFailed: Too many waits ended without success. It lists all of them.
            StateError: The state is damaged, belongs to another definition or to a fleet with other `items`, `key` or
                `also`, or was saved by a later release; or an answer is invalid.
            OptionsError: An option is invalid, or the fleet is asynchronous.
            TypeError: The call returns an awaitable.

        """
        waits, group = _Resume(state, elapsed_ms), _Group(quorum, fail_fast, on_progress, on_state)
        return cast("dict[str, Outcome[_T]]", self._threads().run(group, waits, cancel).all())

    async def wait_each_async(
        self,
        ids: Iterable[str],
        *,
        quorum: int | None = None,
        fail_fast: bool = False,
        on_progress: Callable[[FleetProgress], object] | None = None,
        on_state: Callable[[str], object] | None = None,
        cancel: AsyncEvent | None = None,
        **options: Unpack[WaitOptions],
    ) -> dict[str, Outcome[_T]]:
        """Wait for each of several resources, in a task of asyncio. See `wait_each`.

        The awaitables of `on_state` and `on_progress` are awaited, at most until the deadline or the cancellation.

        Raises:
            WaitersFailed: Too many waits ended without success. It lists all of them.
            OptionsError: An option is missing, unknown or invalid, an identifier repeats, or the fleet is blocking or
                belongs to another loop.
            StateError: The resources of an answer cannot be told apart (`invalid_answer`).
            TypeError: The call does not return an awaitable.

        """
        waits, group = _Join(names_of(ids), options), _Group(quorum, fail_fast, on_progress, on_state)
        return cast("dict[str, Outcome[_T]]", (await self._tasks().run(group, waits, cancel)).all())

    async def resume_each_async(
        self,
        state: str | object,
        *,
        quorum: int | None = None,
        fail_fast: bool = False,
        on_progress: Callable[[FleetProgress], object] | None = None,
        on_state: Callable[[str], object] | None = None,
        cancel: AsyncEvent | None = None,
        elapsed_ms: float | None = None,
    ) -> dict[str, Outcome[_T]]:
        """Continue a `wait_each_async` from a state, in a task of asyncio. See `resume_each`.

        Raises:
            WaitersFailed: Too many waits ended without success. It lists all of them.
            StateError: The state is damaged, belongs to another definition or to a fleet with other `items`, `key` or
                `also`, or was saved by a later release; or an answer is invalid.
            OptionsError: An option is invalid, or the fleet is blocking or belongs to another loop.
            TypeError: The call does not return an awaitable.

        """
        waits, group = _Resume(state, elapsed_ms), _Group(quorum, fail_fast, on_progress, on_state)
        return cast("dict[str, Outcome[_T]]", (await self._tasks().run(group, waits, cancel)).all())

    def _threads(self) -> _Threads:
        if self._crew is None:
            self._crew = _Threads(self._machine, self._call, self._clock, self._sleep)
        if isinstance(self._crew, _Threads):
            return self._crew
        raise OptionsError("the fleet is asynchronous: use `wait_async` or another fleet", "invalid_option", "fleet")

    def _tasks(self) -> _Tasks:
        loop = asyncio.get_running_loop()
        if self._crew is None:
            self._crew = _Tasks(self._machine, self._call, self._clock or loop.time, loop)
        if isinstance(self._crew, _Threads):
            raise OptionsError("the fleet is blocking: use `wait` or another fleet", "invalid_option", "fleet")
        if self._crew.loop is not loop:
            raise OptionsError("the fleet belongs to another event loop", "invalid_option", "fleet")
        return self._crew


_FLEETS: WeakSet[Fleet[Any]] = WeakSet()


def _begin_in_child() -> None:
    # The child process has the locks of the other threads, but not the threads.
    for fleet in _FLEETS:
        fleet._begin()  # noqa: SLF001 - the same module.


if hasattr(os, "register_at_fork"):  # Not on Windows.
    os.register_at_fork(after_in_child=_begin_in_child)


_News: TypeAlias = list[tuple[str, Callable[[], object]]]
"""Calls of a caller's functions, with the names of the options."""


class _Join(NamedTuple):
    """Waits that start."""

    names: Mapping[str, Any]
    """The text `id` or the list `ids`, which the engine checks."""
    options: WaitOptions


class _Resume(NamedTuple):
    """Waits that are resumed."""

    state: object
    elapsed_ms: float | None


class _Group:
    """The waits of one caller, and their ends."""

    def __init__(
        self,
        quorum: Any = None,
        fail_fast: Any = False,  # noqa: FBT002 - private, and in the order of the public options.
        on_progress: Callable[[FleetProgress], object] | None = None,
        on_state: Callable[[str], object] | None = None,
    ) -> None:
        check_functions(on_progress=on_progress, on_state=on_state)
        self.tickets: dict[int, str] = {}
        self.errors: dict[int, Exception] = {}
        """The latest errors of the calls of open waits, by their tickets."""
        self.error: BaseException | None = None
        self.stores = on_state is not None
        self._ended: dict[str, Outcome[Any] | WaiterError] = {}
        self._names: list[str] = []
        self._quorum, self._fail_fast = quorum, fail_fast
        self._on_progress, self._on_state = on_progress, on_state
        self._failures = 0
        self._report_count = 0

    def begin(self, tickets: list[tuple[int, str]]) -> None:
        """Take the waits.

        Raises:
            OptionsError: The quorum is invalid.

        """
        self._tally = Tally(len(tickets), quorum=self._quorum, fail_fast=self._fail_fast)
        self.tickets = dict(tickets)
        self._names = [name for _, name in tickets]

    @property
    def is_over(self) -> bool:
        return self.error is not None or self._tally.state != "open"

    def end(self, ticket: int, done: Done, item: object = None, missing: str | None = None) -> None:
        error = self.errors.pop(ticket, None) if missing is None else LookupError(missing)
        name, ended = self.tickets.pop(ticket), conclude(done, item, error)
        self._ended[name] = ended
        is_success = not isinstance(ended, WaiterError)
        self._failures += not is_success
        self._tally.count(is_success)

    def news(self, state: str | None) -> _News:
        """Return the calls of the caller's functions that are due."""
        news: _News = []
        if self._on_state is not None and state is not None:
            news.append(("on_state", partial(self._on_state, state)))
        if self._on_progress is not None and self._report_count < len(self._ended):
            self._report_count = len(self._ended)
            succeeded = len(self._ended) - self._failures
            progress = FleetProgress(len(self.tickets), succeeded, self._failures)
            news.append(("on_progress", partial(self._on_progress, progress)))
        return news

    def only(self) -> Outcome[Any]:
        ended = self._ended[self._names[0]]
        if isinstance(ended, WaiterError):
            try:
                raise ended
            finally:
                # The traceback of the failure references this frame: avoid a reference cycle.
                del ended
        return ended

    def all(self) -> dict[str, Outcome[Any]]:
        ends = {name: self._ended[name] for name in self._names if name in self._ended}
        return outcomes_of(ends, succeeded=self._tally.state == "succeeded")


class _Crew:
    """The callers of a fleet."""

    def __init__(self, machine: _engine.Fleet, call: Callable[[list[str]], object], clock: Callable[[], float]) -> None:
        self.clock = Clock(clock)
        # The times of a rate limit that several fleets share are on one clock.
        self.clock.start = 0.0
        self.call = call
        self.machine = machine
        self.groups: dict[int, _Group] = {}
        # The first tickets of the callers that store their states.
        self._storing: dict[_Group, int | None] = {}
        self._changed_states: set[_Group] = set()

    def enter(self, group: _Group, waits: _Join | _Resume) -> None:
        """Add the waits of a caller.

        Raises:
            OptionsError: An option is invalid.
            StateError: The saved state is invalid.

        """
        now = self.clock.now_ms()
        if isinstance(waits, _Resume):
            tickets = self.machine.resume(state_text(waits.state), now, elapsed_ms=waits.elapsed_ms)
        else:
            deadline = seconds_until(waits.options.get("deadline"), self.clock.seconds)
            tickets = self.machine.join(waits.names, now, **{**waits.options, "deadline": deadline})
        try:
            group.begin(tickets)
        except OptionsError:
            for ticket, _ in tickets:
                self.machine.leave(ticket, now)
            raise
        self.groups.update(dict.fromkeys(group.tickets, group))
        if group.stores:
            self._storing[group] = next(iter(group.tickets), None)
            self._changed_states.add(group)
        if isinstance(waits, _Resume):
            # Those of other callers, too.
            self.notify(self.end(self.machine.ended(now)))

    def state(self, group: _Group) -> str | None:
        """Return the state of a caller that stores it, unless it has not changed."""
        if group not in self._changed_states:
            return None
        self._changed_states.discard(group)
        ticket = self._storing[group]
        return None if ticket is None else self.machine.to_json(ticket)

    def leave(self, group: _Group) -> None:
        """End the waits of a caller that have not ended."""
        self._storing.pop(group, None)
        self._changed_states.discard(group)
        for ticket in list(group.tickets):
            self.groups.pop(ticket, None)
            done = self.machine.leave(ticket, self.clock.now_ms())
            if done is not None:
                group.end(ticket, done)

    def end(self, ends: Iterable[tuple[Any, ...]]) -> set[_Group]:
        """Report ends of waits to their callers, and return these."""
        callers: set[_Group] = set()
        for ticket, *end in ends:
            group = self.groups.pop(ticket, None)
            if group is not None:
                group.end(ticket, *end)
                callers.add(group)
        return callers

    def handle(
        self, step: FleetCall, pages: list[object], failure: BaseException | None, check: Callable[[list[object]], None]
    ) -> set[_Group]:
        """Report the end of a call, and return the callers whose waits ended or whose states changed."""
        now = self.clock.now_ms()
        self._changed_states.update(self._storing)
        try:
            if isinstance(failure, Exception):
                self._store_error(set(step.ids), failure)
                self.machine.fail(step.call, Error(failure), now)
                return self.end(self.machine.ended(now)) | self._changed_states
            if failure is None:
                check(pages)
                return self.end(self.machine.respond(step.call, pages, now)) | self._changed_states
        except BaseException as error:  # noqa: BLE001 - the callers get it, each in its own thread or task.
            failure = error
        # An interruption, such as a `KeyboardInterrupt`, is no result of the call.
        return self._break_off(step.call, failure)

    def abandon(self, call: int) -> None:
        """End a call without a result, unless the engine knows its end."""
        with suppress(StateError):
            self.machine.abandon(call, self.clock.now_ms())

    def notify(self, callers: Iterable[_Group]) -> None:
        """Wake callers."""
        raise NotImplementedError

    def _store_error(self, ids: set[str], error: Exception) -> None:
        for ticket, group in self.groups.items():
            if group.tickets[ticket] in ids:
                group.errors[ticket] = error

    def _break_off(self, call: int, error: BaseException) -> set[_Group]:
        """End all waits with an error of the program."""
        callers = set(self.groups.values())
        for group in callers:
            group.error = error
            self.leave(group)
        self.abandon(call)
        return callers


class _Threads(_Crew):
    """Blocking callers, of which one polls for all. Each call has a thread."""

    def __init__(self, machine: _engine.Fleet, call: Any, clock: Any, sleep: Callable[[float], object] | None) -> None:
        super().__init__(machine, call, clock or time.monotonic)
        self._lock = threading.Lock()
        self._reader: int | None = None
        """The thread in which the engine reads values of the host, whose code may use the fleet."""
        self._sleep: Callable[[float], object] | None = sleep or getattr(clock, "sleep", None)
        self._waiting: dict[_Group, threading.Condition] = {}
        self._awake: set[_Group] = set()
        """The callers for whom something has changed since they looked."""
        self._leader: _Group | None = None
        self._due = math.inf
        """The time of `time.monotonic()` at which the caller that polls must act."""

    def run(self, group: _Group, waits: _Join | _Resume, cancel: Event | None) -> _Group:
        check_event(cancel, awaited=False)
        if self._reader == threading.get_ident():
            # It holds the lock, and would wait for itself.
            raise RuntimeError("a fleet cannot be used while it reads a value")
        with self._lock:
            self._reader = threading.get_ident()
            try:
                self.enter(group, waits)
            finally:
                self._reader = None
            self._waiting[group] = threading.Condition(self._lock)
            self._wake_leader()
        try:
            is_over = False
            while not is_over:
                news, is_over = self._look(group, cancel)
                if news:
                    self._report(group, news)
                elif not is_over:
                    self._turn(group, cancel)
        finally:
            with self._lock:
                self._step_aside(group)
                self._awake.discard(group)
                self.leave(group)
        _tell(group.news(None))
        if group.error is not None:
            raise group.error
        return group

    def _look(self, group: _Group, cancel: Event | None) -> tuple[_News, bool]:
        """Return what the caller's functions are due for, and whether the whole has ended, both at one moment."""
        with self._lock:
            self.notify(self.end(self.machine.ended(self.clock.now_ms())))
            news = group.news(self.state(group))
            if news:
                # The caller's functions may take long, or use the fleet.
                self._step_aside(group)
            return news, group.is_over or is_cancelled(cancel)

    def _report(self, group: _Group, news: _News) -> None:
        _tell(news)
        with self._lock:
            self._waiting[group] = threading.Condition(self._lock)

    def _turn(self, group: _Group, cancel: Event | None) -> None:
        """Poll for all callers, or wait for the one that does."""
        with self._lock:
            if self._leader not in {None, group} and not self._is_missed():
                self._follow(group, cancel)
                return
            self._leader, self._due = group, time.monotonic()
            ends, step = self.machine.poll(self.clock.now_ms())
            self.notify(self.end(ends))
            if group.is_over:
                return
            if not isinstance(step, FleetCall):
                self._pause(group, step, cancel)
                return
            if self._sleep is None:
                self._start(step)
                return
        # On a virtual clock, no time passes during a call.
        self._perform(step)

    def _start(self, step: FleetCall) -> None:
        """Make a call in a thread of its own, so that one that hangs delays no caller."""
        perform = partial(copy_context().run, self._perform, step)
        try:
            threading.Thread(target=perform, name="smithy-waiters", daemon=True).start()
        except RuntimeError:  # The process has too many threads.
            self.abandon(step.call)
            raise

    def _is_missed(self) -> bool:
        """Return `True` if the caller that polls has not done what is due: an interruption can end it at any place."""
        return self._sleep is None and time.monotonic() > self._due + _TURN

    def _perform(self, step: FleetCall) -> None:
        pages: list[object] = []
        failure: BaseException | None = None
        is_whole = True
        try:
            for page in pages_of(self.call(step.ids)):
                # Further pages are read only while somebody waits.
                if pages and not self._is_wanted(step):
                    is_whole = False
                    break
                pages.append(page)
        except BaseException as error:  # noqa: BLE001 - an interruption is raised in the callers' threads.
            failure = error
        with self._lock:
            if is_whole:
                self._reader = threading.get_ident()
                try:
                    callers = self.handle(step, pages, failure, _reject_awaitables)
                finally:
                    self._reader = None
                self.notify(callers)
            else:
                self.abandon(step.call)
            # The times at which calls are due have changed.
            self._wake_leader()

    def _is_wanted(self, step: FleetCall) -> bool:
        """Return `True` while somebody waits for the answer of a call."""
        return bool(self.groups) and (step.deadline_ms is None or self.clock.now_ms() <= step.deadline_ms)

    def _follow(self, group: _Group, cancel: Event | None) -> None:
        """Sleep until something changes, or until it is time to look after the caller that polls."""
        self._wait(group, _TURN if self._sleep is None else None, cancel)

    def _pause(self, group: _Group, step: Sleep | None, cancel: Event | None) -> None:
        """Sleep until a step is due or something changes. The lock is held before and after."""
        rest: float | None = self.clock.rest(step.until_ms) if isinstance(step, Sleep) else None
        if self._sleep is not None and rest is not None:
            self._lock.release()
            try:
                self._sleep(max(0, rest))
            finally:
                self._lock.acquire()
            self.clock.advance(rest)
            return
        self._due = math.inf if rest is None else time.monotonic() + max(0, rest)
        since, slept = self.clock.micros, self._wait(group, rest, cancel)
        if slept is not None:
            # The clock may stand still.
            self.clock.advance(slept, since)

    def _wait(self, group: _Group, rest: float | None, cancel: Event | None) -> float | None:
        """Wait until something changes. Return the seconds of a wait that nothing ended."""
        if cancel is not None:
            rest = CANCEL_INTERVAL if rest is None else min(CANCEL_INTERVAL, rest)
        rest = None if rest is None else max(0, min(rest, threading.TIMEOUT_MAX))
        # What changed since the caller looked has called `notify` before anybody waits for it.
        is_awake = group in self._awake or self._waiting[group].wait(rest)
        self._awake.discard(group)
        return None if is_awake else rest

    def _step_aside(self, group: _Group) -> None:
        """Let another caller poll."""
        self._waiting.pop(group, None)
        if self._leader is group:
            self._leader = None
        self._wake_leader()

    def _wake_leader(self) -> None:
        """Wake the caller that polls, or one that can."""
        if self._leader is None:
            self._wake(next(iter(self._waiting), None))
        else:
            self._due = min(self._due, time.monotonic())
            self._wake(self._leader)

    def notify(self, callers: Iterable[_Group]) -> None:
        for caller in callers:
            self._wake(caller)

    def _wake(self, group: _Group | None) -> None:
        if group is not None:
            self._awake.add(group)
        if group in self._waiting:
            self._waiting[group].notify()


class _Tasks(_Crew):
    """Asynchronous callers, for whom one task polls."""

    def __init__(self, machine: _engine.Fleet, call: Any, clock: Any, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(machine, call, clock)
        self.loop = loop
        self._library = library()
        self._sleep: Callable[[float], Awaitable[object]] | None = getattr(clock, "sleep_async", None)
        self._alarm: Callable[[float], Awaitable[object]] = getattr(clock, "alarm", None) or self._library.alarm
        self._changed = asyncio.Event()
        self._waiting: dict[_Group, asyncio.Event] = {}
        self._poller: asyncio.Task[None] | None = None
        self._calls: set[asyncio.Task[None]] = set()

    async def run(self, group: _Group, waits: _Join | _Resume, cancel: AsyncEvent | None) -> _Group:
        check_event(cancel, awaited=True)
        self.enter(group, waits)
        self._waiting[group] = event = asyncio.Event()
        self._changed.set()
        if self._poller is None:
            self._poller = self.loop.create_task(self._poll())
        watch = None if cancel is None else self.loop.create_task(cast("Any", _set_after(cancel, event)))
        alarms = self._alarms(self._deadline_ms(group), cancel)
        try:
            await self._tell(group.news(self.state(group)), alarms)
            while not (group.is_over or is_cancelled(cancel)):
                await event.wait()
                event.clear()
                await self._tell(group.news(self.state(group)), alarms)
        finally:
            del self._waiting[group]
            try:
                self.leave(group)
            finally:
                await self._stop(watch)
        await self._tell(group.news(None), alarms)
        if group.error is not None:
            raise group.error
        return group

    async def _tell(self, news: _News, alarms: list[Alarm]) -> None:
        for _, call in news:
            result = call()
            if isawaitable(result):
                result_of = await self._library.race(result, alarms)
                if result_of is not None:
                    result_of()

    def _alarms(self, deadline_ms: int | None, cancel: AsyncEvent | None = None) -> list[Alarm]:
        alarms: list[Alarm] = [] if cancel is None else [cancel.wait]
        if deadline_ms is not None:
            alarms.append(partial(sleep_until, deadline_ms, self.clock, self._alarm, self._library))
        return alarms

    def _deadline_ms(self, group: _Group) -> int | None:
        """Return the deadline of the waits, until which the caller's functions are awaited."""
        first = next(iter(group.tickets), None)
        return None if first is None else self.machine.deadline_ms(first)

    async def _poll(self) -> None:
        try:
            await self._poll_for_all()
        except Exception as error:  # noqa: BLE001 - of the clock; the callers get it.
            self._poller = None
            callers = set(self.groups.values())
            for group in callers:
                group.error = error
            self.notify(callers)

    async def _poll_for_all(self) -> None:
        # `wait_for` of Python 3.11 can lose a cancellation.
        while self._poller is asyncio.current_task():
            ends, step = self.machine.poll(self.clock.now_ms())
            self.notify(self.end(ends))
            if isinstance(step, FleetCall):
                task = self.loop.create_task(self._perform(step))
                self._calls.add(task)
                task.add_done_callback(self._calls.discard)
                continue
            rest = max(0, self.clock.rest(step.until_ms)) if isinstance(step, Sleep) else None
            if self._sleep is not None and rest is not None and not self._calls:
                await self._sleep(rest)
                self.clock.advance(rest)
                continue
            since = self.clock.micros
            try:
                await asyncio.wait_for(self._changed.wait(), rest)
            except asyncio.TimeoutError:
                if self._sleep is None and rest is not None:
                    # The clock may stand still.
                    self.clock.advance(rest, since)
            self._changed.clear()

    async def _perform(self, step: FleetCall) -> None:
        pages: list[object] = []
        failure: BaseException | None = None
        try:
            result_of = await self._library.race(self._answer(step.ids), self._alarms(step.deadline_ms))
            if result_of is None:
                # Nobody waits for the answer any more.
                self.abandon(step.call)
                return
            pages = result_of()
        except BaseException as error:
            if asyncio.current_task() not in self._calls:
                # The last caller has left.
                self.abandon(step.call)
                raise
            failure = error
        finally:
            self._changed.set()
        self.notify(self.handle(step, pages, failure, _require_awaited))

    async def _answer(self, ids: list[str]) -> list[object]:
        return await _pages_async(self.call(ids))

    def notify(self, callers: Iterable[_Group]) -> None:
        for caller in callers:
            if caller in self._waiting:
                self._waiting[caller].set()

    async def _stop(self, watch: asyncio.Task[None] | None) -> None:
        """Leave nothing running after the last caller. A caller that joins meanwhile starts another task."""
        ending: set[asyncio.Task[None]] = set() if watch is None else {watch}
        if not self._waiting:
            ending |= self._calls
            if self._poller is not None:
                ending.add(self._poller)
            self._poller, self._calls = None, set()
        for task in ending:
            task.cancel()
        if ending:
            await asyncio.wait(ending)


def _tell(news: _News) -> None:
    for name, call in news:
        reject_awaitable(call(), "wait_each_async", f"`{name}`")


async def _set_after(cancel: AsyncEvent, event: asyncio.Event) -> None:
    await cancel.wait()
    event.set()


def pages_of(response: object) -> Iterable[object]:
    """Return the pages of an answer: a response, or an iterator of responses such as that of botocore's paginators."""
    is_iterator = hasattr(response, "__next__") or hasattr(response, "build_full_result")
    return cast("Any", response) if is_iterator else [response]


async def _pages_async(response: object) -> list[object]:
    if hasattr(response, "__anext__") or hasattr(response, "build_full_result"):
        return await read_pages(cast("Any", response))
    return [await response] if isawaitable(response) else [_NotAwaitable(response)]


async def read_pages(pages: AsyncIterable[object]) -> list[object]:
    """Read all pages of an answer."""
    read: list[object] = []
    async for page in pages:
        read.append(page)
        # An iterator that never waits would keep the deadline from being noticed.
        await Turn()
    return read


class _NotAwaitable(NamedTuple):
    """The result of a call that should have returned an awaitable."""

    result: object


def _reject_awaitables(pages: list[object]) -> None:
    for page in pages:
        reject_awaitable(page, "wait_async")


def _require_awaited(pages: list[object]) -> None:
    for page in pages:
        if isinstance(page, _NotAwaitable):
            require_awaitable(cast("Any", page.result), "wait")


def names_of(ids: Iterable[str]) -> dict[str, Any]:
    """Return a list of identifiers as the engine reads it.

    Raises:
        OptionsError: The identifiers are one text, or not iterable.

    """
    if isinstance(ids, str) or not hasattr(ids, "__iter__"):
        raise _must_be("ids", "an iterable of identifiers", ids)
    return {"ids": list(ids)}
