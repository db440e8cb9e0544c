"""Durable functions in the local runner of the SDK, in this process."""

from __future__ import annotations

import json
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from aws_durable_execution_sdk_python import durable_execution
from aws_durable_execution_sdk_python_testing.runner import DurableFunctionTestRunner
from waits import OPTIONS, seed, workflow_id

from smithy_waiters.durable.stored import Attempted, StoredWait, attempts, progress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pytest
    from aws_durable_execution_sdk_python import DurableContext
    from aws_durable_execution_sdk_python_testing.runner import (
        DurableFunctionTestResult,
    )


class Function:
    """A durable function, whose checkpoints a test can read and change, and whose invocations it can interrupt.

    Attributes:
        polls: The payload and the delay in seconds of each checkpoint after a check, in their order. The delay of the
            last one is `None`.
        before: A function that is called with each payload before it is stored, and returns the one to store.
        after: A function that is called after each payload has been stored.

    """

    def __init__(self, body: Callable[[DurableContext], Any], **options: Any) -> None:
        self.polls: list[tuple[str, int | None]] = []
        self.before: Callable[[str], str] = lambda payload: payload
        self.after: Callable[[], None] = lambda: None
        self.invocations = 0

        @durable_execution
        def handler(_event: Any, context: DurableContext) -> Any:
            self.invocations += 1
            return body(context)

        self._runner = DurableFunctionTestRunner(handler, **options)
        client: Any = self._runner._service_client  # noqa: SLF001
        self._store, client.checkpoint = client.checkpoint, self._checkpoint
        executor: Any = self._runner._executor  # noqa: SLF001
        executor.RETRY_BACKOFF_SECONDS = 0

    def run(self) -> DurableFunctionTestResult:
        """Run the function until it ends."""
        try:
            return self._runner.run("{}")
        finally:
            close(self._runner)

    def result(self) -> Any:
        """Run the function, and return its result."""
        ended = self.run()
        assert ended.result is not None, ended.error
        return json.loads(ended.result)

    def use_virtual_time(self, monkeypatch: pytest.MonkeyPatch, *, skew: Callable[[], float] = lambda: 0) -> None:
        """Set the wall clock to the time of the runner, which skips the delays, and a difference to it."""
        clock: Any = self._runner._clock  # noqa: SLF001
        monkeypatch.setattr(time, "time", lambda: clock.now().timestamp() + skew())

    def skip(self, seconds: float) -> None:
        """Advance the virtual time."""
        clock: Any = self._runner._clock  # noqa: SLF001
        clock._skipped += type(clock._skipped)(seconds=seconds)  # noqa: SLF001

    def _checkpoint(self, *, updates: list[Any], **rest: Any) -> Any:
        for update in updates:
            if update.sub_type == "WaitForCondition" and update.payload is not None:
                payload = self.before(update.payload)
                object.__setattr__(update, "payload", payload)
                options = update.step_options
                self.polls.append((payload, options and options.next_attempt_delay_seconds))
        stored = self._store(updates=updates, **rest)
        if any(update.sub_type == "WaitForCondition" and update.payload is not None for update in updates):
            self.after()
        return stored


def close(runner: DurableFunctionTestRunner) -> None:
    """Close a runner, and its event loop, which it leaves open."""
    runner.close()
    scheduler: Any = runner._scheduler  # noqa: SLF001
    scheduler._thread.join()  # noqa: SLF001
    scheduler._loop.close()  # noqa: SLF001


def options_of(wait: int) -> Any:
    """Return the options with which a wait ends as `undisturbed`."""
    return {**OPTIONS, "seed": seed(workflow_id(wait)), "history_limit": 10}


# The number of the attempt whose call is running. Lambda also counts interrupted checks.
NUMBER: ContextVar[int] = ContextVar("NUMBER")

_attempt = StoredWait.attempt


def _numbered(
    self: StoredWait, state: str, call: Callable[..., object], executions: int = 1, arguments: Sequence[Any] = ()
) -> Attempted:
    NUMBER.set(attempts(state) + 1)
    return _attempt(self, state, call, executions, arguments)


StoredWait.attempt = _numbered  # type: ignore[method-assign]


def latest(state: str) -> dict[str, Any]:
    """Return the latest attempt of a state."""
    attempt = progress(state)
    assert attempt is not None
    return attempt
