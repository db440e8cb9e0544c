"""The remote job of a task, and the decision to cancel it.

Airflow also ends a trigger if it restarts or rebalances its triggerers. Thus the job is only cancelled if the database
shows that its try of the task is over.
"""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import asyncio
import time
from math import inf
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from airflow.sdk.execution_time.task_runner import RuntimeTaskInstance
from airflow.sdk.execution_time.xcom import XCom

from smithy_waiters.durable.fingerprint import fingerprint
from smithy_waiters.durable.stored import plain
from smithy_waiters.errors import StateError

from .call import in_thread, read_call

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .call import HookCall

# The XCom of the task with the latest claim.
_KEY = "smithy_waiters.claim"

# Seconds. A triggerer that stops may not reply any more.
_DECISION_TIMEOUT = 30
_CANCEL_TIMEOUT = 60

# The number of seconds that a worker may take from the start of a task to the start of its job.
_START_TIMEOUT = 20

# Seconds. The clocks of a scheduler and a triggerer differ by less.
_CLOCKS = 600

# The holder of a claim after the trigger: a worker, which has the end of the wait.
_RESUMED = "resumed"


class Claim(NamedTuple):
    """The try of a task that waits for a job. Each start of a trigger stores a claim."""

    try_number: int
    holder: str | None
    """An ID of the trigger in its process; `None` for a worker, `resumed` for a worker that has the end of the wait."""
    job: str
    """A fingerprint of the arguments of the job."""


class Decision(NamedTuple):
    """The decision to cancel a job."""

    verdict: Literal["cancel", "keep", "unknown"]
    """`unknown` if the facts will tell soon."""
    reason: str


def decide(mine: Claim, latest: Claim | None, state: str | None, *, may_be_late: bool = False) -> Decision:
    """Decide whether to cancel the job of a trigger that ends, or of a worker that is killed.

    Args:
        mine: The claim of the trigger or the worker.
        latest: The latest stored claim of the task; `None` if there is none, as after the start of another try.
        state: The state of the task in the database; `None` if the task was cleared.
        may_be_late: `True` if the time of the wait may be over by another clock.

    """
    return _decide_by_claim(mine, latest) or _decide_by_state(state, may_be_late=may_be_late)


def _decide_by_claim(mine: Claim, latest: Claim | None) -> Decision | None:
    if latest is None:
        return None
    another = f"try {latest.try_number} of the task"
    if latest.try_number < mine.try_number:
        return Decision("keep", f"{another} claims the wait of try {mine.try_number}")
    if latest.try_number > mine.try_number and latest.job == mine.job:
        return Decision("keep", f"{another} waits for the same job")
    if latest.try_number > mine.try_number:
        return Decision("cancel", f"{another} has started")
    if latest.holder not in {None, mine.holder}:
        is_resumed = latest.holder == _RESUMED
        heir = "the task has resumed with the end of" if is_resumed else "another triggerer has taken over"
        return Decision("keep", f"{heir} the wait")
    return None


def _decide_by_state(state: str | None, *, may_be_late: bool) -> Decision:
    if state == "deferred":
        return Decision("keep", "the task is still deferred")
    if state == "running":
        # It may be another try, which has not started its job.
        return Decision("unknown", "the task is running")
    if may_be_late and state in {"scheduled", "queued"}:
        # The scheduler, whose clock may be ahead, resumes a task whose trigger is late. A task that was cleared also
        # starts again.
        return Decision("unknown", f"the state of the task is `{state}`, and the time of its wait may be over")
    return Decision("cancel", "the task was cleared" if state is None else f"the state of the task is `{state}`")


class Job:
    """The remote job of a try of a task."""

    def __init__(
        self,
        cancel_with: str | HookCall | Mapping[str, Any],
        arguments: Mapping[str, Any],
        task: Any,
        log: Any,
        *,
        holder: str | None = None,
        ends_at: float = inf,
    ) -> None:
        self._call = read_call(cancel_with)
        self._arguments = arguments
        self._task = task
        self.log = log
        self._deferred = holder is not None
        self._ends_at = ends_at
        self._is_claimed = False
        self.claim: Claim = Claim(task.try_number, holder, fingerprint(plain(arguments)))

    async def store_claim(self) -> None:
        """Store the claim of this process, unless it is stored."""
        if self._is_claimed:
            return
        try:
            await _store_claim(self._task, self.claim)
        except Exception:
            self.log.exception("If the task is killed, its job will NOT be cancelled: the claim cannot be stored.")
        else:
            self._is_claimed = True

    async def is_over(self) -> bool:
        """Return `True` if the try of the task is over, so that its job may be cancelled. Otherwise, log the reason."""
        decision = await self._decide()
        for _ in range(_START_TIMEOUT if self._deferred else 0):
            if decision.verdict != "unknown":
                break
            await _pause(1)
            decision = await self._decide()
        is_over = decision.verdict == "cancel"
        if not is_over:
            self.log.warning("The job was NOT cancelled: %s. To cancel it, %s.", decision.reason, self._instruction())
        return is_over

    async def cancel_after(self, failure: Exception) -> None:
        """Cancel the job after a failure of its wait, unless the failure is that of another definition."""
        if isinstance(failure, StateError):
            self.log.warning("The job was NOT cancelled: its wait is unknown. To cancel it, %s.", self._instruction())
        else:
            await self.cancel()

    async def cancel(self) -> None:
        """Cancel the job, and log the result or the error."""
        try:
            response = await asyncio.wait_for(self._cancel(), _CANCEL_TIMEOUT)
        except (Exception, asyncio.CancelledError):
            self.log.exception("The job may NOT be cancelled. To cancel it, %s.", self._instruction())
        else:
            self.log.info("The job was cancelled. %s returned %.1000r", self._call, response)

    async def _cancel(self) -> object:
        async with self._call.open(self._arguments, deferred=self._deferred) as call:
            return await call(1)

    async def _decide(self) -> Decision:
        if not self._is_claimed:
            return Decision("keep", "its claim was not stored")
        try:
            state = await asyncio.wait_for(self._state(), _DECISION_TIMEOUT)
            # The claim is read later, because a task stores its claim before it ends.
            latest = await asyncio.wait_for(_latest_claim(self._task), _DECISION_TIMEOUT)
            return decide(self.claim, latest, state, may_be_late=time.time() + _CLOCKS > self._ends_at)
        except Exception as error:  # noqa: BLE001 - whatever it is, the facts are not known.
            return Decision("keep", f"the state of the task cannot be read ({error!r})")

    async def _state(self) -> str | None:
        task = self._task
        states = await request(
            RuntimeTaskInstance.get_task_states,
            dag_id=task.dag_id,
            task_ids=[task.task_id],
            run_ids=[task.run_id],
            map_index=task.map_index,
        )
        # The key of a mapped task also has its index.
        (state,) = states[task.run_id].values()
        return None if state is None else str(state)

    def _instruction(self) -> str:
        return f"call `{self._call}` with {dict(self._arguments)!r}"


async def store_resumption(task: Any, log: Any) -> None:
    """Store that a worker has the end of the wait: a trigger that Airflow ended for being late cancels nothing."""
    try:
        latest = await _latest_claim(task)
        if latest is not None and latest.try_number == task.try_number:
            await _store_claim(task, latest._replace(holder=_RESUMED))
    except Exception:
        log.exception("It cannot be stored that the task has resumed.")


async def _latest_claim(task: Any) -> Claim | None:
    stored = await request(XCom.get_one, key=_KEY, **task_key(task))
    return None if stored is None else Claim(**stored)


async def _store_claim(task: Any, claim: Claim) -> None:
    await request(XCom.set, key=_KEY, value=claim._asdict(), **task_key(task))


async def _pause(seconds: float) -> None:
    await asyncio.sleep(seconds)


async def request(function: Callable[..., Any], **arguments: Any) -> Any:
    """Make a request to the API of Airflow.

    It is not interrupted if the trigger is cancelled. Before Airflow 3.3, the next request would read its reply.
    """
    return await asyncio.shield(asyncio.ensure_future(in_thread(function)(**arguments)))


def task_key(task: Any) -> dict[str, Any]:
    """Return the arguments that identify a task, for its XComs."""
    return {name: getattr(task, name) for name in ("dag_id", "run_id", "task_id", "map_index")}
