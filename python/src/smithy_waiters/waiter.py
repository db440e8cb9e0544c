"""A waiter, and the ways to wait with it."""

from __future__ import annotations

import time

from . import _engine
from .errors import OptionsError
from .json_text import PathHint, of_definition, of_model, of_state, of_waiter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping
    from os import PathLike
    from typing import Any, SupportsIndex, TypeVar, overload

    from typing_extensions import Self, Unpack

    from .definition import WaiterDefinition
    from .drivers.given import AsyncEvent, Event
    from .options import WaitOptions
    from .outcome import Attempt, Outcome, Progress
    from .retry.strategy import RetryStrategy

    _T = TypeVar("_T")
    # No argument tells it: what it is in needs an annotation, and has none that makes sense.
    _NotToBeUsed = TypeVar("_NotToBeUsed")

    class _Unknown:
        """What nothing but the results of untyped calls can stand for."""

    # What to do with a call that is to be awaited: not this.
    _Awaited = Callable[[], Awaitable[object]] | Callable[[Attempt], Awaitable[object]]
    _Untyped = Callable[[], _Unknown] | Callable[[Attempt], _Unknown]

# The drivers are loaded by the first wait: they need modules that are dear to import, and many programs only decide.


class Waiter(_engine.Waiter):
    """One waiter of a Smithy model: polls an operation until a resource is in the wanted state.

    >>> table_exists = Waiter(
    ...     {
    ...         "acceptors": [
    ...             {
    ...                 "state": "success",
    ...                 "matcher": {
    ...                     "output": {"path": "Table.TableStatus", "comparator": "stringEquals", "expected": "ACTIVE"}
    ...                 },
    ...             },
    ...             {"state": "retry", "matcher": {"errorType": "ResourceNotFoundException"}},
    ...         ]
    ...     },
    ...     name="TableExists",
    ... )
    >>> table_exists.evaluate(response={"Table": {"TableStatus": "ACTIVE"}}).state
    'success'

    A waiter is immutable, and may be shared between threads, copied, pickled and compared.

    Errors are matched by the service's code where they carry one (botocore's `ClientError`), and by the name that the
    model has for them; others by the name of their class. Two options say otherwise:

    Args:
        definition: One Waiter structure, as an object or its JSON text. To type checkers it is a `WaiterDefinition`, so
            that they know if a word is misspelt; annotate data that is of no type as `Any`.
        name: The waiter's name, for messages.
        error_names: Gives the names of an error that a call raised, or `None` where the usual reading is as well; what
            it raises leaves unchanged. It is not asked about an error that is given by name.
        service_errors_only: Only errors that carry a service's code, or names by `error_names`, are matched by
            `errorType`.

    Raises:
        DefinitionError: The specification does not allow the definition; says where and why.

    """

    __slots__ = ()

    def __new__(
        cls,
        definition: WaiterDefinition | str | bytes,
        name: str | None = None,
        *,
        error_names: Callable[[Any], Iterable[str] | None] | None = None,
        service_errors_only: bool = False,
    ) -> Self:
        """Parse and check the definition, once."""
        return super().__new__(
            cls,
            of_definition(definition),
            None if name is None else str(name),
            error_names=error_names,
            service_errors_only=service_errors_only,
        )

    @classmethod
    def from_model(
        cls,
        model: Mapping[str, Any] | str | bytes | PathLike[str],
        waiter_name: str,
        *,
        service: str | None = None,
        error_names: Callable[[Any], Iterable[str] | None] | None = None,
        service_errors_only: bool = False,
    ) -> Self:
        """Give a waiter of a Smithy model.

        >>> table_exists = Waiter.from_model(Path("dynamodb.json"), "TableExists")

        Args:
            model: The model's JSON AST: parsed, as text, or where to read it. A `str` is text, never a path.
            waiter_name: The waiter's name, in any case.
            service: The service's shape id, absolute or relative, where several have such a waiter.
            error_names: As for `Waiter`.
            service_errors_only: As for `Waiter`.

        Raises:
            DefinitionError: There is no such waiter, or more than one, or the specification does not allow it.
            OSError: The file cannot be read.

        """
        with PathHint(model):
            return super().__new__(
                cls,
                of_model(model),
                str(waiter_name),
                of_model=True,
                service=None if service is None else str(service),
                error_names=error_names,
                service_errors_only=service_errors_only,
            )

    def __getnewargs_ex__(self) -> tuple[tuple[str, str | None], dict[str, Any]]:
        naming = {"error_names": self.error_names, "service_errors_only": self.service_errors_only}
        return (of_waiter(self), self.name), naming

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[Any, ...]:
        # Python's protocols 0 and 1 know nothing of `__getnewargs_ex__`, but can hold what the later ones make of it.
        return super().__reduce_ex__(max(2, protocol.__index__()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Waiter) or type(self) is not type(other):
            return NotImplemented
        return self.__getnewargs_ex__() == other.__getnewargs_ex__()

    def __hash__(self) -> int:
        return hash((self.name, self.acceptors))

    def __repr__(self) -> str:
        (definition, name), naming = self.__getnewargs_ex__()
        options = "".join(f", {option}={given!r}" for option, given in naming.items() if given)
        return f"{type(self).__name__}({definition!r}, name={name!r}{options})"

    if TYPE_CHECKING:

        @overload
        def wait(
            self,
            call: _Untyped,
            *,
            input: object = None,
            on_attempt: Callable[[Progress[Any]], object] | None = None,
            cancel: Event | None = None,
            retry_strategy: RetryStrategy | None = None,
            matcher: Callable[[Any], int | None] | None = None,
            sleep: Callable[[float], object] | None = None,
            clock: Callable[[], float] | None = None,
            **options: Unpack[WaitOptions],
        ) -> Outcome: ...

        # Refused where its outcome is used: `wait_async` is for these.
        @overload
        def wait(
            self,
            call: _Awaited,
            *,
            input: object = None,
            on_attempt: Callable[[Progress[Any]], object] | None = None,
            cancel: Event | None = None,
            retry_strategy: RetryStrategy | None = None,
            matcher: Callable[[Any], int | None] | None = None,
            sleep: Callable[[float], object] | None = None,
            clock: Callable[[], float] | None = None,
            **options: Unpack[WaitOptions],
        ) -> Outcome[_NotToBeUsed]: ...

        @overload
        def wait(
            self,
            call: Callable[[], _T] | Callable[[Attempt], _T],
            *,
            input: object = None,
            on_attempt: Callable[[Progress[_T]], object] | None = None,
            cancel: Event | None = None,
            retry_strategy: RetryStrategy | None = None,
            matcher: Callable[[_T], int | None] | None = None,
            sleep: Callable[[float], object] | None = None,
            clock: Callable[[], float] | None = None,
            **options: Unpack[WaitOptions],
        ) -> Outcome[_T]: ...

    def wait(  # pyright: ignore[reportInconsistentOverload] - of no type, as what is not to be used is.
        self,
        call: Callable[[], _T] | Callable[[Attempt], _T],
        *,
        input: object = None,
        on_attempt: Callable[[Progress[_T]], object] | None = None,
        cancel: Event | None = None,
        retry_strategy: RetryStrategy | None = None,
        matcher: Callable[[_T], int | None] | None = None,
        sleep: Callable[[float], object] | None = None,
        clock: Callable[[], float] | None = None,
        **options: Unpack[WaitOptions],
    ) -> Outcome[_T]:
        """Wait: call the operation until an acceptor says success or failure, or the time is up.

        >>> outcome = table_exists.wait(lambda: client.describe_table(TableName="orders"), max_wait=300)

        An exception of the call is a result like any other: an acceptor matches it, or the wait ends with it. What is
        no `Exception`, such as `KeyboardInterrupt`, leaves unchanged. A call that is running at the deadline is not
        cut: the wait ends when it returns. No call starts at or after the deadline.

        Args:
            call: Makes the call. One that has one required positional parameter is given the `Attempt`: its number, and
                the seconds it may take.
            input: The operation's input, which `inputOutput` matchers look at.
            on_attempt: Called after each attempt with its `Progress`; what it raises ends the wait. An awaitable is
                refused.
            cancel: A `threading.Event`, or the like: once it is set, the wait ends as cancelled, also out of a sleep.
            retry_strategy: A strategy of `smithy_waiters.retry` for errors that no acceptor matches: where it allows
                another attempt, a throttle or a lost connection does not end the wait. Where it refuses, the failure
                says why. A response, or an error that an acceptor matches, is a success to it, and ends a row.
            matcher: The definition's acceptors as compiled code: gives the index of the first that matches a response,
                `None` for none. It decides in the engine's place, which still says why; errors are the engine's.
            sleep: Sleeps some seconds, instead of `time.sleep`.
            clock: A monotonic clock in seconds, instead of `time.monotonic`. A `smithy_waiters.testing.FakeClock`
                sleeps, too.
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
        from .drivers import blocking, given  # noqa: PLC0415
        from .drivers.call import taking_attempt  # noqa: PLC0415
        from .drivers.run import Run  # noqa: PLC0415

        taking = taking_attempt(call)
        given.check_functions(on_attempt=on_attempt, matcher=matcher, sleep=sleep, clock=clock)
        given.check_event(cancel, awaited=False)
        given.check_strategy("retry_strategy", retry_strategy)
        wait = self.start(input=input, **options)
        run: Run[_T] = Run(wait, clock or time.monotonic, cancel, on_attempt, retry_strategy, matcher=matcher)
        return blocking.drive(run, taking, blocking.sleeper(sleep, clock, cancel))

    async def wait_async(
        self,
        call: Callable[[], Awaitable[_T]] | Callable[[Attempt], Awaitable[_T]],
        *,
        input: object = None,
        on_attempt: Callable[[Progress[_T]], object] | None = None,
        cancel: AsyncEvent | None = None,
        retry_strategy: RetryStrategy | None = None,
        matcher: Callable[[_T], int | None] | None = None,
        sleep: Callable[[float], Awaitable[object]] | None = None,
        clock: Callable[[], float] | None = None,
        **options: Unpack[WaitOptions],
    ) -> Outcome[_T]:
        """Wait, on asyncio, trio or anyio, whichever runs.

        >>> outcome = await table_exists.wait_async(lambda: client.describe_table(TableName="orders"), max_wait=300)

        As `wait`, with these differences. A call is cancelled at the deadline, and when `cancel` is set; the wait ends
        when it has cleaned up. On asyncio it is a task of its own; on trio, and in a task of anyio, it runs in the
        caller's own, inside of a cancel scope. A cancellation from outside cancels the call and leaves unchanged. On
        any other library `sleep` is required, and a call is not cut.

        Args:
            call: Gives an awaitable. One that has one required positional parameter is given the `Attempt`.
            input: The operation's input, which `inputOutput` matchers look at.
            on_attempt: Called after each attempt with its `Progress`, and awaited where it gives an awaitable: until
                the deadline at most, at which it is cancelled as a call is. What it raises ends the wait.
            cancel: An event of the library: once it is set, the wait ends as cancelled, also out of a sleep or a call.
            retry_strategy: As for `wait`.
            matcher: As for `wait`.
            sleep: Gives an awaitable that sleeps some seconds, instead of the library's; calls are timed by it, too.
            clock: A monotonic clock in seconds, instead of the library's. A `smithy_waiters.testing.FakeClock` sleeps,
                too.
            **options: As for `wait`; `max_wait` is required.

        Raises:
            WaiterFailed: An acceptor said failure, or no acceptor matches the call's error.
            WaiterTimeout: The time is up, or no further poll fits into it.
            WaiterAttemptsExceeded: The attempts are used up.
            WaiterCancelled: The `cancel` event was set.
            OptionsError: An option does not hold.

        """
        from .drivers import awaiting, given  # noqa: PLC0415
        from .drivers.call import taking_attempt  # noqa: PLC0415
        from .drivers.library import library  # noqa: PLC0415
        from .drivers.run import Run  # noqa: PLC0415

        taking = taking_attempt(call)
        given.check_functions(on_attempt=on_attempt, matcher=matcher, sleep=sleep, clock=clock)
        given.check_event(cancel, awaited=True)
        given.check_strategy("retry_strategy", retry_strategy)
        wait = self.start(input=input, **options)
        sleeps = sleep is not None or hasattr(clock, "sleep_async")
        host = awaiting.Host(library(sleeps=sleeps), sleep, clock, cancel)
        return await awaiting.drive(
            Run(wait, host.clock, cancel, on_attempt, retry_strategy, matcher=matcher), taking, host
        )

    def start(self, *, input: object = None, **options: Unpack[WaitOptions]) -> _engine.Wait:
        """Start a wait that is driven by hand, step by step.

        Args:
            input: The operation's input, which `inputOutput` matchers look at.
            **options: As for `wait`; `max_wait` is required.

        Raises:
            OptionsError: An option does not hold.

        """
        try:
            return super().start(input=input, **options)
        except OptionsError as error:
            if error.code != "unknown_option":
                raise
            from .hint import did_you_mean  # noqa: PLC0415

            raise OptionsError(f"{error}{did_you_mean(error.option)}", error.code, error.option) from None

    def __init_subclass__(cls, **options: Any) -> None:
        """Refuse what looks as if it decided waits."""
        super().__init_subclass__(**options)
        if cls.evaluate is not Waiter.evaluate:
            raise TypeError("waits do not ask the `evaluate` of a subclass: give `wait` a `matcher`")

    def resume(
        self, json: Mapping[str, Any] | str | bytes, *, input: object = None, elapsed_ms: float = 0
    ) -> _engine.Wait:
        """Go on with a wait that was saved by `Wait.to_json`: the same delays, attempts and history.

        Args:
            json: The saved wait, as text or parsed; also one that was saved in another language.
            input: The operation's input: it is not saved.
            elapsed_ms: The milliseconds since the wait began, the time away included.

        Raises:
            StateError: The saved wait is damaged, of another definition, or of a later release.

        """
        return super().resume(of_state(json), input=input, elapsed_ms=elapsed_ms)

    if TYPE_CHECKING:

        @overload
        def check(self, call: _Untyped, *, input: object = None) -> _engine.Verdict: ...

        @overload
        def check(
            self,
            call: _Awaited,
            *,
            input: object = None,
        ) -> _engine.Verdict[_NotToBeUsed]: ...  # pyright: ignore[reportInvalidTypeVarUse]

        @overload
        def check(
            self, call: Callable[[], _T] | Callable[[Attempt], _T], *, input: object = None
        ) -> _engine.Verdict[_T]: ...

    def check(  # pyright: ignore[reportInconsistentOverload]
        self, call: Callable[[], _T] | Callable[[Attempt], _T], *, input: object = None
    ) -> _engine.Verdict[_T]:
        """Call the operation once and say what follows; the verdict carries the `response` or `error`.

        >>> table_exists.check(lambda: client.describe_table(TableName="orders")).state
        'retry'
        """
        from .drivers.call import only_attempt, reject_awaitable, taking_attempt  # noqa: PLC0415

        taking = taking_attempt(call)
        try:
            response = taking(only_attempt())
        except Exception as error:  # noqa: BLE001 - every error is looked at.
            return self.evaluate(error=error, input=input)
        reject_awaitable(response, "check_async")
        return self.evaluate(response=response, input=input)

    async def check_async(
        self,
        call: Callable[[], Awaitable[_T]] | Callable[[Attempt], Awaitable[_T]],
        *,
        input: object = None,
    ) -> _engine.Verdict[_T]:
        """Do the same with a call that gives an awaitable, on any async library."""
        from .drivers.call import only_attempt, require_awaitable, taking_attempt  # noqa: PLC0415

        taking = taking_attempt(call)
        try:
            awaitable = taking(only_attempt())
        except Exception as error:  # noqa: BLE001 - every error is looked at.
            return self.evaluate(error=error, input=input)
        require_awaitable(awaitable, "check")
        try:
            response = await awaitable
        except Exception as error:  # noqa: BLE001 - every error is looked at.
            return self.evaluate(error=error, input=input)
        return self.evaluate(response=response, input=input)
