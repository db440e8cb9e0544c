"""The driver of a fleet that an engine for durable programs stores between its rounds."""

from __future__ import annotations

import json
from contextlib import contextmanager
from functools import partial
from inspect import isawaitable
from itertools import takewhile
from threading import Event
from typing import TYPE_CHECKING, Any, cast

from smithy_waiters import _engine
from smithy_waiters._engine import FleetCall, RateLimit
from smithy_waiters.drivers.call import reject_awaitable, require_callable
from smithy_waiters.events import DeadlineReached, Error
from smithy_waiters.fleet import names_of, pages_of, read_pages
from smithy_waiters.json_text import state_text

from .stored import Attempted, Begun, Result, in_thread, perform, perform_async, start_times

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Iterable, Iterator, Mapping, Sequence

    from smithy_waiters.waiter import Waiter

_WHOLE = ("quorum", "fail_fast")


class StoredFleet:
    """Waits for many resources, which an engine stores. It decides when the next round runs, on which worker.

    Attributes:
        waiter: The `smithy_waiters.Waiter`.
        fingerprint: The fingerprint of the definition.

    """

    def __init__(
        self,
        waiter: Waiter,
        *,
        items: str,
        key: str | Sequence[str],
        also: Mapping[str, str] | None = None,
        batch: int | None = None,
    ) -> None:
        """Create the driver. The options are those of `Waiter.fleet`.

        Raises:
            OptionsError: An option is invalid.
            StateError: The waiter has a function instead of an expression (`predicate`).

        """
        self.waiter = waiter
        self.fingerprint: str = waiter._stored_fingerprint()  # noqa: SLF001
        limit, shape = RateLimit(), {"items": items, "key": key, "also": also, "batch": batch}
        self._create: Callable[[], _engine.Fleet] = partial(waiter._fleet, limit, **shape)  # noqa: SLF001
        self._create()

    def begin(
        self, fleet_id: str, ids: Iterable[str], options: Any, *, arguments: str = "", started_at: float | None = None
    ) -> Begun:
        """Return the start of the waits. Unless the options have a seed, it is derived from the ID of the fleet.

        `arguments` is a text of what the caller passes to the call. Times are in seconds since the epoch.

        Raises:
            OptionsError: An option is missing, unknown or invalid, there are no identifiers, or one repeats.

        """
        started_at, deadline, options = start_times(started_at, options)
        whole = {name: options.pop(name) for name in _WHOLE if name in options}
        machine = self._create()
        machine._start_stored(names_of(ids), whole, fleet_id, started_at, deadline, **options)  # noqa: SLF001
        # No wait ends at its start.
        state, facts = cast("tuple[str, dict[str, Any]]", _state_of(machine))
        identity = machine._start_identity(arguments)  # noqa: SLF001
        return Begun(state, facts["dueAtMs"] / 1000, facts["endsAtMs"] / 1000, identity or "")

    def attempt(
        self, state: str, call: Callable[..., object], executions: int = 1, arguments: Sequence[Any] = ()
    ) -> Attempted:
        """Make the round that is due: blocking calls of a list of identifiers and these arguments.

        Raises:
            StateError: The state is damaged, belongs to another definition or fleet, or to a later release; or the
                resources of an answer cannot be told apart (`invalid_answer`).
            TypeError: The call is not a function, or it returned an awaitable.

        """
        require_callable(call)
        del executions  # As that of a wait. The counts of a fleet do not depend on it.
        machine = self._create()
        now_ms: float = machine._resume_stored(state_text(state), is_due=True)  # noqa: SLF001
        while isinstance(step := machine.poll(now_ms)[1], FleetCall):
            with _reading() as over:
                result = perform(partial(_pages, call, step.ids, arguments, over), step, now_ms)
            now_ms = _handle(machine, step, result)
        return _attempted(machine)

    async def attempt_async(
        self, state: str, call: Callable[..., Awaitable[object]], executions: int = 1, arguments: Sequence[Any] = ()
    ) -> Attempted:
        """Make the round that is due, with asynchronous calls, as `attempt`."""
        require_callable(call)
        del executions
        machine = self._create()
        now_ms: float = machine._resume_stored(state_text(state), is_due=True)  # noqa: SLF001
        while isinstance(step := machine.poll(now_ms)[1], FleetCall):
            with _reading() as over:
                result = await perform_async(partial(_pages_async, call, step.ids, arguments, over), step, now_ms)
            now_ms = _handle(machine, step, result)
        return _attempted(machine)

    def cancel(self, state: str) -> str:
        """End waits whose caller cancelled them, or which have passed their deadline, and return their report.

        Raises:
            StateError: The state is damaged, or it belongs to another definition or to a later release.

        """
        machine = self._create()
        machine._conclude(machine._resume_stored(state_text(state), is_due=False))  # noqa: SLF001
        return machine._stored_report() or ""  # noqa: SLF001

    def due_at(self, state: str) -> float:
        """Return the time of the next round, in seconds since the epoch."""
        due_at_ms: int = _facts(state)["dueAtMs"]
        return due_at_ms / 1000

    def progress(self, state: str) -> dict[str, Any] | None:
        """Return the numbers of resources that are `waiting`, `succeeded` and `failed`, and a `summary` of them."""
        progress: dict[str, Any] = _facts(state)["progress"]
        return progress


def _attempted(machine: _engine.Fleet) -> Attempted:
    stored = _state_of(machine)
    if stored is not None:
        state, facts = stored
        return Attempted(state, facts["dueAtMs"] / 1000, None, facts["progress"])
    report = machine._stored_report() or ""  # noqa: SLF001
    return Attempted(None, None, report, json.loads(report)["progress"])


def _handle(machine: _engine.Fleet, step: FleetCall, result: Result) -> float:
    """Report the result of a call, and return the time of its end."""
    if isinstance(result.event, DeadlineReached):
        machine._cut(step.call, result.now_ms)  # noqa: SLF001
    elif isinstance(result.event, Error):
        machine.fail(step.call, result.event, result.now_ms)
    else:
        for page in result.response:
            reject_awaitable(page, "a blocking function", "the call")
        machine.respond(step.call, result.response, result.now_ms)
    return result.now_ms


def _state_of(machine: _engine.Fleet) -> tuple[str, dict[str, Any]] | None:
    """Return the state of a fleet that has not ended, and its facts."""
    stored = machine._stored_state()  # noqa: SLF001
    return stored and (stored[0], json.loads(stored[1]))


def _facts(state: str) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(_engine._stored_fleet(state_text(state)))  # noqa: SLF001
    return facts


@contextmanager
def _reading() -> Generator[Event]:
    """Return an event that is set when nobody needs further pages: a thread that reads them goes on after a cut."""
    over = Event()
    try:
        yield over
    finally:
        over.set()


def _pages_until(over: Event, answer: object) -> Iterator[object]:
    return takewhile(lambda _: not over.is_set(), pages_of(answer))


def _pages(call: Callable[..., object], ids: list[str], arguments: Sequence[Any], over: Event) -> list[object]:
    """Make a blocking call, and read its pages."""
    return list(_pages_until(over, call(ids, *arguments)))


async def _pages_async(
    call: Callable[..., object], ids: list[str], arguments: Sequence[Any], over: Event
) -> list[object]:
    """Make a call, and read its pages in whichever way they come."""
    answer = call(ids, *arguments)
    if isawaitable(answer):
        answer = await answer
    if hasattr(answer, "__anext__"):
        return await read_pages(cast("Any", answer))
    # An iterator may block, such as botocore's.
    pages = _pages_until(over, answer)
    return await in_thread(lambda: list(pages)) if hasattr(answer, "__next__") else list(pages)
