"""Waits in the triggerer of Apache Airflow, which survive its restarts.

>>> from smithy_waiters.airflow import WaitSensor
>>> WaitSensor(
...     task_id="restored",
...     waiter=Waiter.until("Status", "available", pending=["restoring"]),
...     poll="polls.describe",
...     arguments={"database": "orders"},
...     options={"max_wait": 6 * 3600},
...     deferrable=True,
... )

The sensor defers, so that the wait takes no worker. Its trigger makes the calls, and stores the wait as an XCom of the
task at most once a minute: another triggerer continues it. Install with `pip install "smithy-waiters[airflow]"`.
"""

# Type checkers run without Airflow, which pins other versions of their packages.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false, reportUntypedBaseClass=false

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from inspect import iscoroutinefunction, signature
from math import inf
from numbers import Number
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import uuid4

from airflow.sdk.bases.sensor import BaseSensorOperator
from airflow.sdk.configuration import conf
from airflow.sdk.exceptions import AirflowException, AirflowSensorTimeout
from airflow.sdk.execution_time.xcom import XCom
from airflow.sdk.module_loading import import_string
from airflow.triggers.base import BaseTrigger, TriggerEvent

from . import _engine
from .drivers.call import reject_awaitable
from .durable.stored import StoredWait, attempts, due_at, ended, in_thread, plain
from .errors import OptionsError, StateError, WaiterAttemptsExceeded, WaiterError, WaiterFailed, WaiterTimeout
from .waiter import Waiter

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence

    from airflow.sdk import Context

    from .options import WaitOptions

    # A call of the operation, for the attempt that a state is due for.
    _Call: TypeAlias = Callable[[str], Awaitable[object]]

__all__ = [
    "HookCall",
    "SensorAttemptsExceeded",
    "SensorFailed",
    "SensorTimeout",
    "WaitSensor",
    "WaitTrigger",
    "outcome",
]

# The trigger ends a wait at its deadline. The task times out later than that, in case no triggerer runs.
_GRACE = timedelta(minutes=1)

DEFAULT_STORE_INTERVAL = 60.0

# The XCom of the task with the state of its wait.
_KEY = "smithy_waiters.wait"

# Arguments of Airflow's sensors, and what replaces them.
_REPLACED = {
    "exponential_backoff": "the option `pace`",
    "max_wait": "the option `max_wait`, a member of `options`",
    "mode": "`deferrable`",
    "poke_interval": "the option `min_delay`",
    "silent_fail": "the option `transient_errors`",
    "timeout": "the option `max_wait`",
}


class SensorFailed(WaiterFailed, AirflowException):  # type: ignore[misc]
    """A failure state, or an error that no acceptor matches. Airflow retries the task if it has `retries`."""


class SensorTimeout(WaiterTimeout, AirflowSensorTimeout):  # type: ignore[misc]
    """The time is up. Airflow does not retry the task."""


class SensorAttemptsExceeded(WaiterAttemptsExceeded, AirflowSensorTimeout):  # type: ignore[misc]
    """The maximum number of attempts was made. Airflow does not retry the task."""


_CLASSES: dict[type[WaiterError], type[WaiterError]] = {
    WaiterAttemptsExceeded: SensorAttemptsExceeded,
    WaiterFailed: SensorFailed,
    WaiterTimeout: SensorTimeout,
}


@dataclass(frozen=True)
class HookCall:
    """A poll that calls a hook: one of its methods, or an operation of its client.

    >>> HookCall(
    ...     "airflow.providers.amazon.aws.hooks.rds.RdsHook",
    ...     "describe_db_instances",
    ...     {"aws_conn_id": "aws_default", "region_name": "eu-central-1"},
    ... )

    If the hook has no method of this name, its client must have one. A deferred wait opens the client of the hook's
    `get_async_conn` once, as the hooks of Amazon have it. A wait in a worker uses `get_conn`.

    Raises:
        OptionsError: The class cannot be imported or does not have the method, or the arguments do not fit.

    """

    hook: str
    """The dotted path of the hook's class."""
    method: str
    """The name of the method, which receives the `arguments` of the wait."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """The arguments of the class, such as the ID of the connection."""

    def check(self, arguments: object) -> None:  # noqa: ARG002 - hooks rarely have a signature.
        """Check that the hook exists."""
        cls = _import(self.hook, "poll.hook")
        _check_arguments(cls, self.hook, self.arguments, "poll.arguments")
        if not any(hasattr(cls, name) for name in (self.method, "get_async_conn", "get_conn")):
            message = f"`poll.method` must be a method of `{self.hook}` or of its client, got {self.method!r}"
            raise OptionsError(message, "invalid_option", "poll")

    @asynccontextmanager
    async def open(self, arguments: Mapping[str, Any], *, deferred: bool) -> AsyncGenerator[_Call, None]:
        """Return the call of a wait. The client stays open until the wait ends."""
        hook: Any = import_string(self.hook)(**self.arguments)
        if hasattr(hook, self.method):
            yield _awaited(getattr(hook, self.method), arguments)
        elif deferred and hasattr(hook, "get_async_conn"):
            async with await hook.get_async_conn() as client:
                operation = getattr(client, self.method)
                yield lambda _: operation(**arguments)
        else:
            client = await in_thread(hook.get_conn)
            yield _awaited(getattr(client, self.method), arguments)


@dataclass(frozen=True)
class _FunctionCall:
    """A poll that calls a function."""

    path: str

    def check(self, arguments: object) -> None:
        """Check that the function exists and accepts the arguments, unless a task returns them."""
        function = _import(self.path, "poll")
        if not callable(function):
            message = f"`poll` must be the dotted path of a function, got {self.path!r}, which is {function!r}"
            raise OptionsError(message, "invalid_option", "poll")
        if isinstance(arguments, Mapping):
            _check_arguments(function, self.path, arguments, "arguments")
        elif isinstance(arguments, Collection | Number):
            message = f"`arguments` must be a dict of keyword arguments, got {arguments!r}"
            raise OptionsError(message, "invalid_option", "arguments")

    @asynccontextmanager
    async def open(self, arguments: Mapping[str, Any], *, deferred: bool) -> AsyncGenerator[_Call, None]:  # noqa: ARG002
        """Return the call of a wait."""
        yield _awaited(import_string(self.path), arguments)


class WaitTrigger(BaseTrigger):  # type: ignore[misc]
    """A trigger that waits, for operators that defer. `WaitSensor` is an operator with this trigger.

    >>> self.defer(
    ...     trigger=WaitTrigger(waiter=waiter, poll="polls.describe", options={"max_wait": 600}),
    ...     method_name="execute_complete",
    ... )

    The wait starts when the trigger is created. The payload of its event is plain data for `outcome`.

    When a user clears the task or sets its state, `on_kill` writes the report of the attempts to the log of the task.

    Args:
        waiter: The waiter. Its definition cannot contain a function.
        poll: The dotted path of a function that makes the call, or a `HookCall`. The function is asynchronous, or
            blocking, which takes a thread for each call. The triggerer must be able to import it: from a package or
            from the folder of the plugins, not from the file of a DAG. If it has a parameter `attempt`, it receives
            the number of the attempt. If the triggerer is killed, the calls since the latest store are repeated.
        arguments: The keyword arguments of the function or of the hook's method.
        input: The operation's input, which `inputOutput` matchers read.
        options: The options of `Waiter.wait`. A `deadline` must be an aware `datetime`.
        wait_id: The ID of the wait, from which the seed of the delays is derived; random by default.
        store_interval: The minimum time between two stores of the state in seconds; 60 by default. A store takes
            the triggerer about as long as 20 polls.
        report_limit: The maximum size of the outcome or the failure in bytes, as JSON; 1 MiB by default. A text
            replaces a response or an error that is too large, and then the oldest attempts are removed from the
            history.
        state: The state of the wait, if it has started.

    Raises:
        OptionsError: An option is missing, unknown or invalid, or the poll cannot be imported.
        StateError: The waiter has a function instead of an expression (`predicate`).

    """

    def __init__(
        self,
        *,
        waiter: Waiter | Mapping[str, Any],
        poll: str | HookCall | Mapping[str, Any],
        arguments: Mapping[str, Any] | None = None,
        input: object = None,
        options: WaitOptions | None = None,
        wait_id: str | None = None,
        store_interval: float = DEFAULT_STORE_INTERVAL,
        report_limit: int | None = None,
        state: str | None = None,
    ) -> None:
        super().__init__()
        self.waiter: Waiter | Mapping[str, Any] = waiter
        self.poll: str | HookCall | Mapping[str, Any] = poll
        self.arguments: Mapping[str, Any] = arguments or {}
        self.wait_id: str = wait_id or str(uuid4())
        self.store_interval: float = store_interval
        self.report_limit: int | None = report_limit
        self.ends_at: float | None = None
        # A triggerer stops if the class of a stored trigger raises an error, so `run` checks these.
        if state is None:
            _check_interval(store_interval)
            _poll(poll).check(self.arguments)
            begun = self._stored().begin(self.wait_id, input, _checked(options))
            state, self.ends_at = begun.state, begun.ends_at
            self.waiter = _plain_waiter(waiter) if isinstance(waiter, Waiter) else waiter
        self.state: str = state

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """Return the path of the class and its arguments."""
        poll = vars(self.poll) if isinstance(self.poll, HookCall) else self.poll
        names = ("waiter", "arguments", "wait_id", "store_interval", "report_limit", "state")
        arguments = {name: getattr(self, name) for name in names}
        return f"{type(self).__module__}.{type(self).__qualname__}", {**arguments, "poll": poll}

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Make the attempts that are due, and fire the event with the end of the wait.

        Raises:
            StateError: The state belongs to another definition or was saved by a later release.

        """
        await self._load()
        yield TriggerEvent(await self.wait(deferred=True))

    async def wait(self, *, deferred: bool = False) -> dict[str, Any]:
        """Make the attempts that are due, and return the end of the wait for `outcome`.

        Only a `deferred` wait is stored.
        """
        waits, stored_at = self._stored(), time.monotonic()
        async with _poll(self.poll).open(self.arguments, deferred=deferred) as call:
            while True:
                await asyncio.sleep(max(0.0, due_at(self.state) - time.time()))
                state = self.state
                following, report, progress = await waits.attempt_async(state, partial(call, state))
                summary = None if progress is None else progress["summary"]
                if summary is not None:
                    self.log.info(summary)
                if following is None:
                    return {"fingerprint": waits.fingerprint, **json.loads(str(report))}
                self.state = following
                if deferred and time.monotonic() - stored_at >= self.store_interval:
                    await self._store(summary)
                    stored_at = time.monotonic()

    async def on_kill(self) -> None:
        """Write the report of the cancelled wait to the log of the task."""
        report = self._stored().cancel(self.state)
        failure: Any = ended(json.loads(report))
        self.log.info(failure.explain())

    def _stored(self) -> StoredWait:
        return StoredWait(_waiter(self.waiter), self.report_limit, plain)

    async def _load(self) -> None:
        """Continue from the latest stored state, if another triggerer has started this wait."""
        # Airflow writes an error to its log if the XCom does not exist.
        started_at = _engine._stored(self.state)["started_at_ms"] / 1000  # noqa: SLF001
        if self.task_instance is None or time.time() < started_at + self.store_interval:
            return
        try:
            stored: Any = await XCom.aget_one(key=_KEY, **_key(self.task_instance))
        except Exception:
            self.log.exception("The attempts of the wait are counted from 1, because its state cannot be read.")
            return
        state: str | None = stored and stored["state"]
        # An earlier run of the same task may have stored its state last.
        if state is None or _identity(state) != _identity(self.state):
            return
        self.state = state
        number = attempts(state)
        self.log.info(
            "Continuing the wait %s after %d attempts. Attempt %d may have been interrupted, and is repeated.",
            *(self.wait_id, number, number + 1),
        )

    async def _store(self, summary: str | None) -> None:
        if self.task_instance is None:
            return
        stored = {"summary": summary, "state": self.state}
        try:
            await XCom.aset(key=_KEY, value=stored, **_key(self.task_instance))
        except Exception:
            # The wait goes on. If the triggerer is killed before the next store, some calls are repeated.
            self.log.exception("The state of the wait cannot be stored.")


class WaitSensor(BaseSensorOperator):  # type: ignore[misc]
    """A sensor that waits. With `deferrable`, it takes no worker, and survives restarts of Airflow.

    The result of the task is the outcome as plain data: `response`, `attempts`, `elapsed` in seconds, and the other
    members of `Outcome.to_dict`. A failure raises a `SensorFailed`, a `SensorTimeout` or a `SensorAttemptsExceeded`,
    whose report is in the log of the task. Each attempt is one line of the log.

    `arguments` and `input` are templates. `soft_fail` and `never_fail` skip the task instead of failing it. The
    sensor checks its arguments when the DAG is parsed.

    Args:
        waiter: The waiter. See `WaitTrigger`.
        poll: The dotted path of a function, or a `HookCall`. See `WaitTrigger`.
        arguments: The keyword arguments of the function or of the hook's method.
        input: The operation's input, which `inputOutput` matchers read.
        options: The options of `Waiter.wait`. A `deadline` must be an aware `datetime`.
        deferrable: `True` to wait in the triggerer, `False` to wait in the worker. The default is Airflow's option
            `default_deferrable`.
        store_interval: The minimum time between two stores of the state in seconds. See `WaitTrigger`.
        report_limit: The maximum size of the outcome or the failure in bytes. See `WaitTrigger`.
        **kwargs: The arguments of `BaseOperator`, `soft_fail` and `never_fail`.

    Raises:
        OptionsError: An option is missing, unknown or invalid, or the poll cannot be imported.
        StateError: The waiter has a function instead of an expression (`predicate`).
        TypeError: `waiter` is not a `Waiter`.

    """

    template_fields: Sequence[str] = ("arguments", "input")
    trigger_class: type[WaitTrigger] = WaitTrigger
    """The class of the trigger, for subclasses."""

    def __init__(
        self,
        *,
        waiter: Waiter,
        poll: str | HookCall,
        arguments: Mapping[str, Any] | None = None,
        input: object = None,
        options: WaitOptions | None = None,
        deferrable: bool = conf.getboolean("operators", "default_deferrable", fallback=False),
        store_interval: float = DEFAULT_STORE_INTERVAL,
        report_limit: int | None = None,
        **kwargs: Any,
    ) -> None:
        for name in _REPLACED.keys() & kwargs:
            message = f"`{name}` is not an argument of a `WaitSensor`: use {_REPLACED[name]}"
            raise OptionsError(message, "unknown_option", name)
        if not isinstance(waiter, Waiter):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"`waiter` must be a `Waiter`, got {type(waiter).__name__}")
        super().__init__(**kwargs)
        self.waiter: Waiter = waiter
        self.poll: str | HookCall = poll
        self.arguments: Mapping[str, Any] = {} if arguments is None else arguments
        self.input: object = input
        self.options: WaitOptions | None = options
        self.deferrable: bool = deferrable
        self.store_interval: float = store_interval
        self.report_limit: int | None = report_limit
        _check_interval(store_interval)
        _poll(poll).check(self.arguments)
        self._stored().begin(self.task_id, None, _checked(options))
        _plain_waiter(waiter)

    def execute(self, context: Context) -> Any:
        """Start the wait, and defer or wait in the worker."""
        trigger = self.trigger_class(
            waiter=self.waiter,
            poll=self.poll,
            arguments=self.arguments,
            input=self.input,
            options=self.options,
            wait_id="/".join(map(str, [*_key(context["ti"]).values(), context["ti"].try_number])),
            store_interval=self.store_interval,
            report_limit=self.report_limit,
        )
        if not self.deferrable:
            event = asyncio.run(trigger.wait())
            return self.resume_execution("execute_complete", {"event": event}, context)
        ends_at = trigger.ends_at
        timeout = None if ends_at is None else timedelta(seconds=max(0.0, ends_at - time.time())) + _GRACE
        return self.defer(trigger=trigger, method_name="execute_complete", timeout=timeout)

    def execute_complete(self, context: Context, event: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        """Return the outcome of the wait, or raise its failure.

        Raises:
            SensorFailed: The wait failed.
            SensorTimeout: The time was up.
            SensorAttemptsExceeded: The maximum number of attempts was made.
            StateError: The wait was started with another definition.

        """
        mine, theirs = self._stored().fingerprint, event["fingerprint"]
        if mine != theirs:
            message = (
                f"the wait of the task `{self.task_id}` belongs to another definition: it was started with the "
                f"fingerprint {theirs}, and the task has {mine}"
            )
            raise StateError(message, "other_definition")
        try:
            return outcome(event)
        except WaiterError as failure:
            self.log.error(failure.explain())  # noqa: TRY400 - Airflow writes the traceback.
            raise

    def _stored(self) -> StoredWait:
        return StoredWait(_waiter(self.waiter), self.report_limit, plain)


def outcome(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return the outcome of a wait as plain data, from the payload of the event of a `WaitTrigger`.

    It has the members of `Outcome.to_dict`.

    Raises:
        SensorFailed: The wait failed.
        SensorTimeout: The time was up.
        SensorAttemptsExceeded: The maximum number of attempts was made.

    """
    end = ended({**event})
    if isinstance(end, WaiterError):
        failure = _CLASSES[type(end)](end._report, response=end.response, error=end.error)  # noqa: SLF001
        raise failure from end.__cause__
    if isinstance(end, Exception):
        raise end
    return end.to_dict()


def _poll(poll: Any) -> HookCall | _FunctionCall:
    if isinstance(poll, Mapping):
        return HookCall(**poll)
    return poll if isinstance(poll, HookCall) else _FunctionCall(poll)


def _import(path: Any, option: str) -> Any:
    if not isinstance(path, str):
        hint = f": pass '{path.__module__}.{path.__qualname__}'" if hasattr(path, "__qualname__") else ""
        message = f"`{option}` must be a dotted path, which the triggerer can import, got {path!r}{hint}"
        raise OptionsError(message, "invalid_option", "poll")
    try:
        return import_string(path)
    except ImportError as error:
        message = f"`{option}` must be a dotted path that can be imported, got {path!r}: {error}"
        raise OptionsError(message, "invalid_option", "poll") from error


def _check_arguments(function: Callable[..., object], path: str, arguments: Mapping[str, Any], option: str) -> None:
    attempt = {"attempt": 1} if _takes_attempt(function, arguments) else {}
    try:
        signature(function).bind(**attempt, **arguments)
    except ValueError:
        # Some functions written in C do not have a signature.
        return
    except TypeError as error:
        message = f"`{option}` must be the keyword arguments of `{path}`: {error}"
        raise OptionsError(message, "invalid_option", "arguments") from error


def _takes_attempt(function: Callable[..., object], arguments: Mapping[str, Any]) -> bool:
    try:
        return "attempt" in signature(function).parameters and "attempt" not in arguments
    except ValueError:
        return False


def _awaited(function: Callable[..., Any], arguments: Mapping[str, Any]) -> _Call:
    """Return an asynchronous call of a function, which may be blocking."""
    takes_attempt, is_async = _takes_attempt(function, arguments), iscoroutinefunction(function)

    def call(state: str) -> Awaitable[object]:
        attempt = {"attempt": attempts(state) + 1} if takes_attempt else {}
        bound = partial(function, **arguments, **attempt)
        return bound() if is_async else in_thread(partial(_blocking, bound))

    return call


def _blocking(call: Callable[[], object]) -> object:
    response = call()
    reject_awaitable(response, "async def", "`poll`")
    return response


def _check_interval(seconds: Any) -> None:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < inf:
        message = f"`store_interval` must be a number of seconds, at least 0, got {seconds!r}"
        raise OptionsError(message, "invalid_option", "store_interval")


def _checked(options: Any) -> dict[str, Any]:
    """Return the options as keyword arguments."""
    options = {} if options is None else options
    if not isinstance(options, Mapping):
        raise OptionsError(f"`options` must be a dict, got {type(options).__name__}", "invalid_option", "options")
    return {**options}


def _plain_waiter(waiter: Waiter) -> dict[str, Any]:
    """Return a waiter as plain data.

    Raises:
        OptionsError: The function `error_names` of the waiter cannot be imported.

    """
    names: Any = waiter.error_names
    path = None if names is None else f"{names.__module__}.{names.__qualname__}"
    if path is not None and _import(path, "error_names") is not names:
        message = f"`error_names` must be a function of a module, which the triggerer can import, got {names!r}"
        raise OptionsError(message, "invalid_option", "error_names")
    arguments = {"definition": waiter.definition, "name": waiter.name}
    return {**arguments, "error_names": path, "service_errors_only": waiter.service_errors_only}


def _waiter(waiter: Waiter | Mapping[str, Any]) -> Waiter:
    if isinstance(waiter, Waiter):
        return waiter
    arguments = {**waiter}
    path = arguments["error_names"]
    arguments["error_names"] = None if path is None else import_string(path)
    return Waiter(**arguments)


def _key(task: Any) -> dict[str, Any]:
    """Return the arguments that identify a task, for its XComs."""
    return {name: getattr(task, name) for name in ("dag_id", "run_id", "task_id", "map_index")}


def _identity(state: str) -> tuple[object, ...]:
    """Return the facts that all states of a wait have in common."""
    facts = _engine._stored(state)  # noqa: SLF001
    return facts["started_at_ms"], facts["start"]
