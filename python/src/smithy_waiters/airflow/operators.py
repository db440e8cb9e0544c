"""The operators of waits: a sensor, and an operator that starts a job and waits for it."""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false, reportUntypedBaseClass=false

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from airflow.sdk import BaseOperator
from airflow.sdk.bases.sensor import BaseSensorOperator
from airflow.sdk.execution_time.xcom import XCom

from smithy_waiters._engine import search
from smithy_waiters.durable.stored import StoredWait, plain, run_in_thread
from smithy_waiters.errors import OptionsError, StateError, WaiterError
from smithy_waiters.waiter import Waiter

from .call import read_call
from .ends import outcome
from .job import Job, store_resumption, task_key
from .trigger import DEFAULT_STORE_INTERVAL, WaitTrigger, begin, check_interval, plain_waiter, read_waiter
from .versions import AirflowTaskTimeout, conf

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from airflow.sdk import Context

    from smithy_waiters.options import WaitOptions

    from .call import HookCall

# The trigger ends a wait at its deadline. The task times out later than that, in case no triggerer runs.
_GRACE = timedelta(minutes=1)

# The XCom of the task with what `start` returned.
_STARTED = "started"

# Arguments of Airflow's sensors, and what replaces them.
_REPLACED = {
    "exponential_backoff": "the option `pace`",
    "max_wait": "the option `max_wait`, a member of `options`",
    "mode": "`deferrable`",
    "poke_interval": "the option `min_delay`",
    "silent_fail": "the option `transient_errors`",
    "timeout": "the option `max_wait`",
}


class _Wait(BaseOperator):  # type: ignore[misc]
    """What the operators have in common."""

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
            message = f"`{name}` is not an argument of a `{type(self).__name__}`: use {_REPLACED[name]}"
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
        _require_bool("deferrable", deferrable)
        check_interval(store_interval)
        begin(self._stored(), self.task_id, None, options)
        plain_waiter(waiter)

    def execute(self, context: Context) -> Any:
        """Start the wait, and defer or wait in the worker."""
        return self._wait(context, self.arguments)

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

    def _wait(self, context: Context, arguments: Mapping[str, Any], cancel_with: str | HookCall | None = None) -> Any:
        task = context["ti"]
        trigger = self.trigger_class(
            waiter=self.waiter,
            poll=self.poll,
            arguments=arguments,
            input=self.input,
            options=self.options,
            cancel_with=cancel_with,
            wait_id="/".join(map(str, [*task_key(task).values(), task.try_number])),
            store_interval=self.store_interval,
            report_limit=self.report_limit,
        )
        if not self.deferrable:
            event = asyncio.run(trigger.wait())
            return self.resume_execution("execute_complete", {"event": event}, context)
        ends_at = trigger.ends_at
        timeout = None if ends_at is None else timedelta(seconds=max(0.0, ends_at - time.time())) + _GRACE
        return self.defer(trigger=trigger, method_name="execute_complete", timeout=timeout)

    def _stored(self) -> StoredWait:
        return StoredWait(read_waiter(self.waiter), self.report_limit, plain)


class WaitSensor(_Wait, BaseSensorOperator):  # type: ignore[misc]
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
        options: The options of `Waiter.wait`. See `WaitTrigger`.
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

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        read_call(self.poll).check("poll", self.arguments)


class WaitOperator(_Wait):
    """An operator that starts a job, waits for it, and cancels it if the task is killed.

    >>> WaitOperator(
    ...     task_id="crawl",
    ...     start=HookCall(GLUE, "start_job_run"),
    ...     poll=HookCall(GLUE, "get_job_run"),
    ...     cancel_with="jobs.stop",
    ...     arguments={"JobName": "nightly"},
    ...     from_start={"RunId": "JobRunId"},
    ...     waiter=Waiter.until("JobRun.JobRunState", "SUCCEEDED", fail=["FAILED", "STOPPED"]),
    ...     options={"max_wait": 3600},
    ...     deferrable=True,
    ... )

    `start` runs in a worker, once for each try of the task. Its result is the XCom `started` of the task. The result of
    the task is that of a `WaitSensor`.

    `cancel_with` is called if a user clears the task, marks it or its run as failed or as successful, or if the run
    times out. The job is only cancelled if the database shows that the try of the task is over. Thus it continues if a
    triggerer or a worker is restarted or lost, or if the state of the task cannot be read. The log of the task has the
    result or the error, or the reason why the job was not cancelled.

    Args:
        start: A call that starts the job, with `arguments` and `start_arguments`: the dotted path of a function, or a
            `HookCall`.
        start_arguments: More keyword arguments for `start`; a template.
        from_start: More keyword arguments for `poll` and `cancel_with`: for each name, a JMESPath expression that is
            searched in the result of `start`.
        cancel_with: A call that cancels the job, with the same arguments as `poll`.
        cancel_on_failure: `True` to call `cancel_with` also if the wait fails before the job does: its time or its
            attempts are over, or its calls fail.
        **kwargs: The arguments of `WaitSensor`, but not `soft_fail` and `never_fail`. `arguments` is for all calls.

    Raises:
        OptionsError: An option is missing, unknown or invalid, or a call cannot be imported.
        ExpressionError: An expression of `from_start` is invalid.
        StateError: The waiter has a function instead of an expression (`predicate`).
        TypeError: `waiter` is not a `Waiter`.

    """

    template_fields: Sequence[str] = ("arguments", "start_arguments", "input")

    def __init__(
        self,
        *,
        start: str | HookCall,
        start_arguments: Mapping[str, Any] | None = None,
        from_start: Mapping[str, str] | None = None,
        cancel_with: str | HookCall | None = None,
        cancel_on_failure: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.start: str | HookCall = start
        self.start_arguments: Mapping[str, Any] = {} if start_arguments is None else start_arguments
        self.from_start: Mapping[str, str] = {} if from_start is None else from_start
        self.cancel_with: str | HookCall | None = cancel_with
        self.cancel_on_failure: bool = cancel_on_failure
        self._job: Job | None = None
        self._is_starting: bool = False
        self._is_cancelled: bool = False
        _require_bool("cancel_on_failure", cancel_on_failure)
        if cancel_on_failure and cancel_with is None:
            raise OptionsError("`cancel_on_failure` needs `cancel_with`", "invalid_option", "cancel_on_failure")
        for expression in self.from_start.values():
            search(expression, None)
        read_call(start).check("start", _merged(self.arguments, self.start_arguments))
        following = _merged(self.arguments, dict.fromkeys(self.from_start))
        read_call(self.poll).check("poll", following)
        if cancel_with is not None:
            read_call(cancel_with).check("cancel_with", following)

    def execute(self, context: Context) -> Any:
        """Start the job, and defer or wait in the worker."""
        self._is_starting = True
        started = plain(asyncio.run(self._start()))
        self.log.info("Started: %.1000r", started)
        context["ti"].xcom_push(key=_STARTED, value=started)
        following = self._following(started)
        if self.cancel_with is not None:
            self._job = Job(self.cancel_with, following, context["ti"], self.log)
            asyncio.run(self._job.store_claim())
        with self._cancellation(context):
            return self._wait(context, following, self.cancel_with)

    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Context) -> Any:
        """Return the result of the method, and cancel the job if the wait failed before it."""
        if self.cancel_with is not None and self.deferrable:
            asyncio.run(store_resumption(context["ti"], self.log))
        with self._cancellation(context):
            return super().resume_execution(next_method, next_kwargs, context)

    @contextmanager
    def _cancellation(self, context: Context) -> Generator[None]:
        """Cancel the job if the wait fails before it."""
        try:
            yield
        except Exception as failure:
            if self.cancel_on_failure and not self._is_cancelled and _leaves_job(failure):
                self._is_cancelled = True
                if self._job is None:
                    started = XCom.get_one(key=_STARTED, **task_key(context["ti"]))
                    self._job = Job(self.cancel_with or "", self._following(started), context["ti"], self.log)
                asyncio.run(self._job.cancel_after(failure))
            raise

    def on_kill(self) -> None:
        """Cancel the job if the task was killed. Airflow calls this in the worker."""
        job = self._job
        if job is None:
            if self._is_starting and self.cancel_with is not None:
                self.log.warning("If `start` has started the job, it was NOT cancelled: its result is not known.")
            return
        is_late = self.cancel_on_failure and isinstance(sys.exc_info()[1], AirflowTaskTimeout)

        async def end() -> None:
            if is_late or await job.is_over():
                await job.cancel()

        # In a thread, because the wait may run in the event loop of this one.
        run_in_thread(lambda: asyncio.run(end())).result()

    async def _start(self) -> object:
        async with read_call(self.start).open({**self.arguments, **self.start_arguments}, deferred=False) as call:
            return await call(1)

    def _following(self, started: Any) -> dict[str, Any]:
        """Return the arguments of the calls after the start."""
        found = {name: search(expression, started) for name, expression in self.from_start.items()}
        for name, value in found.items():
            if value is None:
                expression = self.from_start[name]
                message = f"`from_start` has no value for `{name}`: `{expression}` gave null in {started!r:.1000}"
                raise OptionsError(message, "invalid_option", "from_start")
        return {**self.arguments, **found}


def _leaves_job(failure: Exception) -> bool:
    """Return `False` if a response shows the job in a failure state."""
    is_ended = isinstance(failure, WaiterError) and failure.code == "failure_state" and failure.error is None
    return not is_ended


def _require_bool(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise OptionsError(f"`{name}` must be True or False, got {value!r}", "invalid_option", name)


def _merged(arguments: Any, more: Any) -> Any:
    """Return the arguments of a call, or what is not known before another task has returned it."""
    both = [arguments, more]
    if all(isinstance(one, Mapping) for one in both):
        return {**arguments, **more}
    return next(one for one in both if not isinstance(one, Mapping))
