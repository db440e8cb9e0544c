"""The driver of a wait that an engine for durable programs stores between its attempts."""

from __future__ import annotations

import asyncio
import json
import time
from base64 import b64decode, b64encode
from bisect import bisect_left
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextvars import copy_context
from hashlib import sha256
from pickle import dumps, loads
from threading import Thread
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, TypeVar

from smithy_waiters import _engine
from smithy_waiters._engine import Call, Done, Sleep
from smithy_waiters.drivers.call import reject_awaitable, require_awaitable
from smithy_waiters.drivers.detection import library
from smithy_waiters.drivers.wait import conclude
from smithy_waiters.errors import OptionsError, StateError
from smithy_waiters.events import Cancelled, DeadlineReached, Error, Response
from smithy_waiters.pickling import omitted, picklable, stand_in

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from smithy_waiters._engine import Wait
    from smithy_waiters.drivers.library import Alarm
    from smithy_waiters.errors import WaiterError
    from smithy_waiters.outcome import Outcome
    from smithy_waiters.waiter import Waiter

    _Encode = Callable[[dict[str, Any], Any, Exception | None], str]

_T = TypeVar("_T")

_VERSION = 1
DEFAULT_REPORT_LIMIT = 1 << 20


class State(TypedDict):
    """A wait between two attempts, as plain data for any serializer."""

    version: int
    saved: str
    """The wait as `Wait.to_json` returns it."""
    started_ms: float
    """The start of the wait by the wall clock, in milliseconds since the epoch."""
    due_ms: int
    """The time of the next attempt, in milliseconds since the wait started."""
    history: list[str]
    """The latest attempts, as JSON texts. A saved wait has no history."""
    input: Any


class Attempted(NamedTuple):
    """The result of an attempt: the state for the next one, or the report of a wait that has ended."""

    state: State | None
    report: str | None
    """The outcome or the failure, for `result`."""
    progress: dict[str, Any] | None
    """The attempt as plain data; `None` if no call was made."""


class _Result(NamedTuple):
    """The result of a call and the time of its end."""

    event: Response | Error | DeadlineReached
    now_ms: float
    response: Any = None
    error: Exception | None = None


class SavedWait:
    """The waits of a waiter, which an engine stores. It decides when the next attempt runs, on which worker.

    Attributes:
        waiter: The `smithy_waiters.Waiter`.
        name: The name of these waits, for messages.
        fingerprint: The fingerprint of the definition.

    """

    def __init__(self, waiter: Waiter, name: str, report_limit: int, encode: _Encode | None = None) -> None:
        """Create the driver. Reports are pickled, unless `encode` is another function, such as `json_report`.

        Raises:
            OptionsError: `report_limit` is not a positive number of bytes.
            StateError: The waiter has a function instead of an expression (`predicate`).

        """
        if type(report_limit) is not int or report_limit <= 0:
            message = f"`report_limit` must be a positive number of bytes, got {report_limit!r}"
            raise OptionsError(message, "invalid_option", "report_limit")
        self.waiter = waiter
        self.name = name
        self.fingerprint: str = json.loads(waiter.start(max_attempts=1).to_json())["fingerprint"]
        self._report_limit = report_limit
        self._encode = encode or _pickled_report

    def begin(self, wait_id: str, input: object, options: Any, elapsed: float = 0) -> tuple[State, int | None]:
        """Return the state for the first attempt of a wait, and its deadline in milliseconds since the start.

        The wait started `elapsed` seconds ago. Unless the options have a seed, it is derived from the ID of the wait.

        Raises:
            OptionsError: An option is missing, unknown or invalid.

        """
        if isinstance(options.get("deadline"), int | float):
            message = "`deadline` must be an aware `datetime`, because other processes have other monotonic clocks"
            raise OptionsError(message, "invalid_option", "deadline")
        machine = self.waiter.start(input=input, **with_seed(wait_id, options))
        saved, step = machine.to_json(), machine.poll(0)
        state: State = {
            "version": _VERSION,
            "saved": saved,
            "started_ms": json.loads(saved)["startedAtMs"] - elapsed * 1000,
            "due_ms": step.until_ms if isinstance(step, Sleep) else 0,
            "history": [],
            "input": input,
        }
        return state, machine.deadline_ms

    def attempt(self, wait_id: str, state: State, call: Callable[[], object], executions: int = 1) -> Attempted:
        """Make the attempt that is due, with a blocking call. `executions` counts this one and the interrupted ones.

        Raises:
            StateError: The state is damaged, or it belongs to another definition or to a later release.
            TypeError: The call returned an awaitable.

        """
        machine = self.resume(wait_id, state, when_due=True)
        step = machine.poll(machine.now_ms)
        result = _perform(call, step, machine.now_ms) if isinstance(step, Call) else None
        return self._attempted(machine, state, step, result, executions)

    async def attempt_async(
        self, wait_id: str, state: State, call: Callable[[], Awaitable[object]], executions: int = 1
    ) -> Attempted:
        """Make the attempt that is due, with an asynchronous call, as `attempt`."""
        machine = self.resume(wait_id, state, when_due=True)
        step = machine.poll(machine.now_ms)
        result = await _perform_async(call, step, machine.now_ms) if isinstance(step, Call) else None
        return self._attempted(machine, state, step, result, executions)

    def cancel(self, wait_id: str, state: State) -> str:
        """End a wait whose caller cancelled it, or which has passed its deadline, and return its report.

        Raises:
            StateError: The state is damaged, or it belongs to another definition or to a later release.

        """
        machine = self.resume(wait_id, state)
        is_over = machine.deadline_ms is not None and machine.now_ms >= machine.deadline_ms
        step = machine.poll(machine.now_ms) if is_over else machine.handle(Cancelled(), machine.now_ms)
        if not isinstance(step, Done):
            raise StateError(f"the wait `{wait_id}` is not over", "damaged_state")
        return self._pack(step, state, None, None)

    def resume(self, wait_id: str, state: State, *, when_due: bool = False) -> Wait:
        """Resume a wait at the current time, so that the time away counts.

        With `when_due`, not before the next attempt is due: another computer's clock may be ahead of this one.

        Raises:
            StateError: The state is damaged, or it belongs to another definition or to a later release.

        """
        try:
            # A state of a later release may have other members.
            if (version := state["version"]) > _VERSION:
                message = f"the state of the wait `{wait_id}` has the version {version}, this release reads {_VERSION}"
                raise StateError(message, "newer_version")
            theirs = json.loads(state["saved"])["fingerprint"]
            earliest_ms = state["due_ms"] if when_due else 0
            elapsed_ms = max(time.time() * 1000 - state["started_ms"], earliest_ms)
            len(state["history"])
        except (KeyError, TypeError, ValueError) as error:
            raise StateError(f"the state of the wait `{wait_id}` is damaged: {error!r}", "damaged_state") from error
        if theirs != self.fingerprint:
            message = (
                f"the wait `{wait_id}` belongs to another definition: it was started with the fingerprint {theirs}, "
                f"and `{self.name}` has {self.fingerprint}"
            )
            raise StateError(message, "other_definition")
        return self.waiter.resume(state["saved"], input=state.get("input"), elapsed_ms=elapsed_ms)

    def _attempted(
        self, machine: Wait, state: State, step: object, result: _Result | None, executions: int
    ) -> Attempted:
        response, error = None, None
        if result is not None:
            step = machine.handle(result.event, result.now_ms)
            response, error = result.response, result.error
        progress = self._progress(machine, executions)
        if isinstance(step, Done):
            return Attempted(None, self._pack(step, state, response, error), progress)
        saved = machine.to_json()
        latest = [] if machine.latest is None else [_json_of(machine.latest)]
        following: State = {
            **state,
            "saved": saved,
            "due_ms": step.until_ms if isinstance(step, Sleep) else machine.now_ms,
            "history": _fitting(_limited([*state["history"], *latest], saved), self._report_limit),
        }
        return Attempted(following, None, progress)

    def _progress(self, machine: Wait, executions: int) -> dict[str, Any] | None:
        """Return the latest attempt as plain data, with the number of times that its call may have been made before."""
        if machine.latest is None:
            return None
        record: dict[str, Any] = _engine._plain(machine.latest)  # noqa: SLF001
        return {**record, "summary": machine.summary, "label": machine.label, "repeated": max(0, executions - 1)}

    def _pack(self, report: Done, state: State, response: Any, error: Exception | None) -> str:
        """Return the encoded outcome or failure, with the history of all attempts."""
        facts = json.loads(_json_of(report))
        facts["history"] = _limited([*map(json.loads, state["history"]), *facts["history"]], state["saved"])
        packed = self._encode(facts, response, error)
        if len(packed) > self._report_limit:
            rule = f"the report has {len(packed)} bytes, and `report_limit` is {self._report_limit}"
            response, error = omitted(response, rule), omitted(error, rule)
            history = facts["history"]

            def packed_from(first: int) -> str:
                return self._encode({**facts, "history": history[first:]}, response, error)

            # As many of the latest attempts as fit.
            places = range(len(history))
            packed = packed_from(
                bisect_left(places, x=True, key=lambda first: len(packed_from(first)) <= self._report_limit)
            )
        return packed


def require_text(option: str, value: object) -> None:
    """Check that the value of an option is a text, which is not empty.

    Raises:
        OptionsError: It is not.

    """
    if not isinstance(value, str) or not value:
        raise OptionsError(f"`{option}` must be a text, got {value!r}", "invalid_option", option)


def with_seed(wait_id: str, options: Any) -> Any:
    """Return the options of a wait with a seed, which is derived from the ID of the wait by default."""
    seed = options.get("seed")
    # The npm package derives the same seed, which has 53 bits.
    default = int.from_bytes(sha256(wait_id.encode()).digest()[:8], "big") >> 11
    return {**options, "seed": default if seed is None else seed}


def due_at(state: State) -> float:
    """Return the time of the next attempt, in seconds since the epoch."""
    return (state["started_ms"] + state["due_ms"]) / 1000


def attempts(state: State) -> int:
    """Return the number of attempts that have ended."""
    number: int = json.loads(state["saved"])["attempts"]
    return number


def result(report: str) -> Any:
    """Return the outcome of a wait.

    Raises:
        WaiterError: The wait failed.
        Exception: An attempt could not run, such as a `StateError`.

    """
    ended: object = loads(b64decode(report))  # noqa: S301 - pickled by `pack`.
    if isinstance(ended, Exception):
        raise ended
    return ended


def json_report(report: dict[str, Any], response: Any, error: Exception | None) -> str:
    """Return an outcome or a failure as JSON text, with plain data as the response and the error.

    `ended` returns the outcome or the failure.
    """
    facts = {"report": report, "response": _engine._plain(response), "error": _engine._plain(error)}  # noqa: SLF001
    return json.dumps(facts)


def ended(facts: dict[str, Any]) -> Outcome[Any] | WaiterError:
    """Return the outcome or the failure of a `json_report`."""
    error = None if facts["error"] is None else stand_in(facts["error"])
    end: Outcome[Any] | WaiterError = _ended(facts["report"], facts["response"], error)
    return end


def pack(ended: object) -> str:
    """Return an outcome or an exception as text, which any serializer can store."""
    return b64encode(dumps(ended)).decode()


def _perform(call: Callable[[], object], step: Call, now_ms: float) -> _Result:
    """Make a blocking call."""
    start = time.monotonic()
    future = run_in_thread(call)
    wait_for([future], timeout=_seconds(step, now_ms))
    now_ms += int((time.monotonic() - start) * 1000)
    # A call that is cut goes on in its thread.
    return _read(future.result, now_ms, "a blocking function") if future.done() else _cut(step, now_ms)


async def _perform_async(call: Callable[[], Awaitable[object]], step: Call, now_ms: float) -> _Result:
    """Make an asynchronous call."""
    start = time.monotonic()
    try:
        awaitable = call()
    except Exception as error:  # noqa: BLE001 - any error may be a result.
        return _Result(Error(error), now_ms, error=error)
    seconds = _seconds(step, now_ms)
    host = library(sleeps=False)
    alarms: list[Alarm] = [] if seconds is None else [lambda: host.alarm(seconds)]
    result_of = await host.race(require_awaitable(awaitable, "a blocking function"), alarms)
    now_ms += int((time.monotonic() - start) * 1000)
    return _cut(step, now_ms) if result_of is None else _read(result_of, now_ms, "an asynchronous function")


def _read(result_of: Callable[[], object], now_ms: float, instead: str) -> _Result:
    """Return the result of a call that has ended. `instead` is the kind of function that cannot return an awaitable."""
    try:
        response = result_of()
    except Exception as error:  # noqa: BLE001 - any error may be a result.
        return _Result(Error(error), now_ms, error=error)
    reject_awaitable(response, instead, "`poll`")
    return _Result(Response(response), now_ms, response)


def _seconds(step: Call, now_ms: float) -> float | None:
    """Return the time that a call may take, in seconds."""
    return None if step.deadline_ms is None else max(0.0, (step.deadline_ms - now_ms) / 1000)


def _cut(step: Call, now_ms: float) -> _Result:
    """Return the result of a call that did not end before its deadline."""
    return _Result(DeadlineReached(), max(now_ms, step.deadline_ms or 0))


def run_in_thread(call: Callable[[], _T]) -> Future[_T]:
    """Make a call in a thread of its own. A `SystemExit` only ends the call, with a `RuntimeError`."""
    future: Future[_T] = Future()
    # Nobody can cancel the call.
    future.set_running_or_notify_cancel()

    def run() -> None:
        try:
            future.set_result(call())
        except Exception as error:  # noqa: BLE001 - the future raises it.
            future.set_exception(error)
        except BaseException as error:  # noqa: BLE001 - it must not end the program that waits for the call.
            problem = RuntimeError(f"`poll` raised {error!r}")
            problem.__cause__ = error
            future.set_exception(problem)

    # A thread cannot be interrupted, and a thread of a pool would delay the end of the process.
    Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return future


def in_thread(call: Callable[[], _T]) -> asyncio.Future[_T]:
    """Make a call as `run_in_thread`, and return it as an awaitable."""
    return asyncio.wrap_future(run_in_thread(call))


def _pickled_report(report: dict[str, Any], response: Any, error: Exception | None) -> str:
    return pack(_ended(report, picklable(response), picklable(error)))


def _ended(report: dict[str, Any], response: Any, error: Exception | None) -> Any:
    return conclude(_engine._done(json.dumps(report)), response, error)  # noqa: SLF001


def _fitting(history: list[str], limit: int) -> list[str]:
    """Return the latest attempts that together have at most a number of bytes, as an engine stores them in JSON."""
    # A character takes at most 12 bytes.
    if sum(12 * (len(record) + 1) for record in history) <= limit:
        return history
    sizes = [len(json.dumps(record)) for record in history]
    size, first = sum(sizes), 0
    while size > limit:
        size -= sizes[first]
        first += 1
    return history[first:]


def _limited(history: list[_T], saved: str) -> list[_T]:
    """Return the latest attempts, as many as the options of a wait allow."""
    limit: int = json.loads(saved)["options"]["historyLimit"]
    return history[max(0, len(history) - limit) :]


def _json_of(value: Any) -> str:
    """Return a record or a report as JSON text, as its pickle contains it."""
    _, (text,) = value.__reduce__()
    return str(text)
