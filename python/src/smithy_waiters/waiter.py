"""A waiter, and the ways to wait with it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, TypeVar

from . import _engine
from .definition import text_of
from .drivers import blocking
from .drivers.call import reject_awaitable, require_awaitable, taking_attempt
from .drivers.run import Run

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Mapping

    from typing_extensions import Self, Unpack

    from .drivers.blocking import Event
    from .options import WaitOptions
    from .outcome import Attempt, Outcome, Progress

T = TypeVar("T")


class Waiter(_engine.Waiter):
    """One waiter of a Smithy model: polls an operation until a resource is in the wanted state.

    `definition` is one Waiter structure of the specification, as an object or its JSON text; `name` is for messages.
    A waiter is immutable and may be shared between threads.

    Raises:
        DefinitionError: The specification does not allow the definition; says where and why.

    """

    __slots__ = ()

    def __new__(cls, definition: Mapping[str, Any] | str | bytes, name: str | None = None) -> Self:
        """Parse and check the definition, once."""
        return super().__new__(cls, text_of(definition), name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r}, acceptors={len(self.acceptors)})"

    def wait(
        self,
        call: Callable[[], T] | Callable[[Attempt], T],
        *,
        input: object = None,
        on_attempt: Callable[[Progress], object] | None = None,
        cancel: Event | None = None,
        sleep: Callable[[float], object] | None = None,
        clock: Callable[[], float] | None = None,
        **options: Unpack[WaitOptions],
    ) -> Outcome[T]:
        """Wait: call the operation until an acceptor says success or failure, or the time is up.

        >>> outcome = table_exists.wait(lambda: client.describe_table(TableName="orders"), max_wait=300)

        An exception of the call is a result like any other: an acceptor matches it, or the wait ends with it. What is
        no `Exception`, such as `KeyboardInterrupt`, leaves unchanged. A call that is running at the deadline is not
        cut: the wait ends when it returns. No call starts at or after the deadline.

        Args:
            call: Makes the call. One that has one required positional parameter is given the `Attempt`: its number, and
                the seconds it may take.
            input: The operation's input, which `inputOutput` matchers look at.
            on_attempt: Called after each attempt with its `Progress`; what it raises ends the wait.
            cancel: A `threading.Event`, or the like: once it is set, the wait ends as cancelled, also out of a sleep.
            sleep: Sleeps some seconds, instead of `time.sleep`.
            clock: A monotonic clock in seconds, instead of `time.monotonic`.
            **options: Durations are numbers of seconds or `timedelta`.
                max_wait: How long the wait may take. Required.
                min_delay, max_delay: The bounds of the delays between attempts, instead of the definition's.
                max_attempts: The number of attempts after which to give up.
                initial_delay: A pause before the first attempt.
                seed: The seed of the delays' jitter; drawn where there is none.
                history_limit: How many of the newest attempts to remember; 10.
                final_poll, final_poll_grace: `"atDeadline"` makes the last poll at the deadline; how long it may take.

        Raises:
            WaiterFailed: An acceptor said failure, or no acceptor matches the call's error.
            WaiterTimeout: The time is up, or no further poll fits into it.
            WaiterAttemptsExceeded: The attempts are used up.
            WaiterCancelled: The `cancel` event was set.
            OptionsError: An option does not hold.

        """
        run: Run[T] = Run(self.start(input=input, **options), clock or time.monotonic, cancel, on_attempt)
        return blocking.drive(run, taking_attempt(call), blocking.sleeper(sleep, cancel))

    async def wait_async(
        self,
        call: Callable[[], Awaitable[T]] | Callable[[Attempt], Awaitable[T]],
        *,
        input: object = None,
        on_attempt: Callable[[Progress], object] | None = None,
        cancel: asyncio.Event | None = None,
        sleep: Callable[[float], Awaitable[object]] | None = None,
        clock: Callable[[], float] | None = None,
        **options: Unpack[WaitOptions],
    ) -> Outcome[T]:
        """Wait, on asyncio.

        >>> outcome = await table_exists.wait_async(lambda: client.describe_table(TableName="orders"), max_wait=300)

        As `wait`, with these differences: `call` gives an awaitable, which runs as a task of its own and is cancelled
        at the deadline; the wait ends when it has cleaned up. `cancel` is an `asyncio.Event`, heeded during a call too.
        `sleep` gives an awaitable; calls are timed by it and by `clock`, so that virtual time works. A cancellation
        from outside cancels the call and leaves unchanged.

        Raises:
            WaiterFailed: An acceptor said failure, or no acceptor matches the call's error.
            WaiterTimeout: The time is up, or no further poll fits into it.
            WaiterAttemptsExceeded: The attempts are used up.
            WaiterCancelled: The `cancel` event was set.
            OptionsError: An option does not hold.

        """
        from .drivers import on_asyncio  # noqa: PLC0415 - asyncio is dear to import, and not everyone's.

        run: Run[T] = Run(self.start(input=input, **options), clock or time.monotonic, cancel, on_attempt)
        return await on_asyncio.drive(run, taking_attempt(call), on_asyncio.Pauses(sleep, cancel))

    def check(self, call: Callable[[], object], *, input: object = None) -> _engine.Verdict:
        """Call the operation once and say what follows; the verdict carries the `response` or `error`.

        >>> table_exists.check(lambda: client.describe_table(TableName="orders")).state
        'retry'
        """
        try:
            response = call()
        except Exception as error:  # noqa: BLE001 - every error is looked at.
            return self.evaluate(error=error, input=input)
        reject_awaitable(response, "check_async")
        return self.evaluate(response=response, input=input)

    async def check_async(self, call: Callable[[], Awaitable[object]], *, input: object = None) -> _engine.Verdict:
        """Do the same with a call that gives an awaitable."""
        try:
            awaitable = call()
        except Exception as error:  # noqa: BLE001 - every error is looked at.
            return self.evaluate(error=error, input=input)
        require_awaitable(awaitable, "check")
        try:
            response = await awaitable
        except Exception as error:  # noqa: BLE001 - every error is looked at.
            return self.evaluate(error=error, input=input)
        return self.evaluate(response=response, input=input)
