"""A waiter, and the ways to wait with it."""

from __future__ import annotations

from . import _engine
from .errors import DefinitionError, WaiterError
from .json_text import ModelText, of_arguments, of_definition, of_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any, SupportsIndex, TypeVar, overload

    from typing_extensions import Self, Unpack

    from .definition import AcceptorDefinition, MatcherDefinition, WaiterDefinition
    from .drivers.cancel import AsyncEvent, Event
    from .options import WaitOptions
    from .outcome import AnyCall, Outcome, Progress

    _T = TypeVar("_T")
    _W = TypeVar("_W", bound=_engine.Waiter)
    # No argument tells it: what it is in needs an annotation, and has none that makes sense.
    _NotToBeUsed = TypeVar("_NotToBeUsed")

    class _Unknown:
        """What nothing but the results of untyped calls can stand for."""

    # What to do with a call that is to be awaited: not this.
    _Awaited = AnyCall[Awaitable[object]]
    _Untyped = AnyCall[_Unknown]

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
        with ModelText(model) as text:
            return super().__new__(
                cls,
                text,
                str(waiter_name),
                source=("model", None if service is None else str(service)),
                error_names=error_names,
                service_errors_only=service_errors_only,
            )

    if TYPE_CHECKING:

        @overload
        @classmethod
        def until(
            cls,
            expression: str,
            expected: str | bool | None = None,  # noqa: FBT001 - a value.
            *,
            any: bool = False,
            fail: Sequence[str | MatcherDefinition] | None = None,
            pending: Sequence[str] | None = None,
            retry_errors: Sequence[str] | None = None,
            name: str | None = None,
            error_names: Callable[[Any], Iterable[str] | None] | None = None,
            service_errors_only: bool = False,
        ) -> Self: ...

        @overload
        @classmethod
        def until(
            cls,
            expression: Callable[[Any], bool],
            *,
            retry_errors: Sequence[str] | None = None,
            name: str | None = None,
            error_names: Callable[[Any], Iterable[str] | None] | None = None,
            service_errors_only: bool = False,
        ) -> Self: ...

    @classmethod
    def until(
        cls,
        expression: str | Callable[[Any], bool],
        expected: str | bool | None = None,  # noqa: FBT001 - a value.
        *,
        any: bool = False,
        fail: Sequence[str | MatcherDefinition] | None = None,
        pending: Sequence[str] | None = None,
        retry_errors: Sequence[str] | None = None,
        name: str | None = None,
        error_names: Callable[[Any], Iterable[str] | None] | None = None,
        service_errors_only: bool = False,
    ) -> Self:
        """Make a waiter in its short form: a path and the value that it takes, a condition, or a function.

        >>> table_active = Waiter.until("Table.TableStatus", "ACTIVE", retry_errors=["ResourceNotFoundException"])
        >>> enough = Waiter.until("length(Items) >= `3`")
        >>> done = Waiter.until(lambda response: response["status"] == "DONE")

        It makes an ordinary `definition`, unless it has a function: such a waiter cannot be saved, linted or extended.
        What the function raises leaves unchanged.

        Args:
            expression: A JMESPath expression of the response, or a function that returns `True` for the wanted one.
            expected: The value that the path takes. Of a path that projects, such as `Tasks[].Status`, every item must
                have it. Without it the expression must compare or call a function that returns a boolean.
            any: One item with the expected value is enough.
            fail: Values of the path that are failures (of a list, one item is enough), or matchers of the
                specification, such as `{"errorType": "AccessDenied"}`. Failures are tried before the success.
            pending: Values on the way to the expected one. With any, all others are failures, code `unexpected_state`.
            retry_errors: Names of errors after which the wait goes on.
            name: The waiter's name, for messages.
            error_names: As for `Waiter`.
            service_errors_only: As for `Waiter`.

        Raises:
            DefinitionError: An expression that does not parse, a value that is two things, a bad matcher or name.

        """
        predicate = expression if callable(expression) else None
        if expression is None or _is_coroutine_function(predicate):
            what = "None" if expression is None else "a coroutine function"
            message = f"`expression` must be a string or a function that returns a boolean, got {what}"
            raise DefinitionError(message, "wrong_type", "expression")
        short_form = {
            "expression": None if predicate else expression,
            "expected": expected,
            # To a function, any value is too much.
            "any": None if any is False else any,
            "fail": fail,
            "pending": pending,
            "retry_errors": retry_errors,
        }
        return super().__new__(
            cls,
            of_arguments(short_form, "short form"),
            None if name is None else str(name),
            source=("short_form", predicate),
            error_names=error_names,
            service_errors_only=service_errors_only,
        )

    def extend(
        self,
        *,
        fail: Sequence[str | MatcherDefinition] | None = None,
        first: Sequence[AcceptorDefinition] | None = None,
    ) -> Self:
        """Make a waiter with further acceptors, and with everything else of this one.

        >>> table_exists = table_exists.extend(fail=["ARCHIVED", {"errorType": "AccessDenied"}])

        Args:
            fail: Failures: values of the path by which the waiter succeeds (of a list, one item is enough), or matchers
                of the specification. They are tried before the waiter's own acceptors.
            first: Acceptors of the specification, which are tried before all others.

        Raises:
            DefinitionError: A value without a path that it could be of, a bad acceptor, or a waiter with a function.

        """
        text = self._extended(of_arguments({"fail": fail, "first": first}, "extension"))
        return _rebuild(type(self), {**self._arguments(), "text": text})

    @property
    def definition(self) -> WaiterDefinition:
        """The definition: one Waiter structure, which makes an equal waiter together with the name.

        Raises:
            DefinitionError: The waiter has a function in the place of an expression, code `predicate`.

        """
        import json  # noqa: PLC0415 - expensive to import.

        definition: WaiterDefinition = json.loads(self._definition())
        return definition

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]:
        return (), self._arguments()

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        # Python's protocols 0 and 1 know nothing of `__getnewargs_ex__`, but can hold what the later ones make of it.
        reduced: Any = super().__reduce_ex__(max(2, protocol.__index__()))
        _, (cls, _, arguments), *rest = reduced
        return _rebuild, (cls, arguments), *rest

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Waiter) or type(self) is not type(other):
            return NotImplemented
        return self._arguments() == other._arguments()

    def __hash__(self) -> int:
        return hash((self.name, self.acceptors))

    def __repr__(self) -> str:
        name = "" if self.name is None else f" {self.name}"
        count = len(self.acceptors)
        acceptors = "1 acceptor" if count == 1 else f"{count} acceptors"
        return f"<{type(self).__name__}{name}: {acceptors}, delays of {self.min_delay:g} to {self.max_delay:g} s>"

    if TYPE_CHECKING:

        @overload
        def wait(
            self,
            call: _Untyped,
            *,
            input: object = None,
            on_attempt: Callable[[Progress[Any]], object] | None = None,
            cancel: Event | None = None,
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
            matcher: Callable[[Any], int | None] | None = None,
            sleep: Callable[[float], object] | None = None,
            clock: Callable[[], float] | None = None,
            **options: Unpack[WaitOptions],
        ) -> Outcome[_NotToBeUsed]: ...

        @overload
        def wait(
            self,
            call: AnyCall[_T],
            *,
            input: object = None,
            on_attempt: Callable[[Progress[_T]], object] | None = None,
            cancel: Event | None = None,
            matcher: Callable[[_T], int | None] | None = None,
            sleep: Callable[[float], object] | None = None,
            clock: Callable[[], float] | None = None,
            **options: Unpack[WaitOptions],
        ) -> Outcome[_T]: ...

    def wait(  # pyright: ignore[reportInconsistentOverload] - of no type, as what is not to be used is.
        self,
        call: AnyCall[_T],
        *,
        input: object = None,
        on_attempt: Callable[[Progress[_T]], object] | None = None,
        cancel: Event | None = None,
        matcher: Callable[[_T], int | None] | None = None,
        sleep: Callable[[float], object] | None = None,
        clock: Callable[[], float] | None = None,
        **options: Unpack[WaitOptions],
    ) -> Outcome[_T]:
        """Call the operation until an acceptor leads to success or failure, or the time is up.

        >>> outcome = table_exists.wait(lambda: client.describe_table(TableName="orders"), max_wait=300)

        An exception of the call is a result like any other. If no acceptor matches it, a transient error (throttling, a
        fault of the server, a lost connection) is followed by another attempt, and any other error ends the wait. A
        `KeyboardInterrupt`, or whatever else is not an `Exception`, leaves unchanged. Blocking calls cannot be
        interrupted: they may read the remaining time, and a late result is discarded. No call starts at or after the
        deadline.

        Args:
            call: Makes the call. One that has one required positional parameter takes the `Attempt`: its number, and
                the seconds it may take.
            input: The operation's input, which `inputOutput` matchers read.
            on_attempt: Called after each attempt with its `Progress`; an exception in it ends the wait. An awaitable is
                refused.
            cancel: A `threading.Event`, or the like: once it is set, the wait ends as cancelled, also out of a sleep.
            matcher: The definition's acceptors as compiled code: returns the index of the first that matches a
                response, or `None`. The engine evaluates errors, and the last response of a failed wait, to explain it.
            sleep: Sleeps some seconds, instead of `time.sleep`. A sleep that returns at once counts as slept: a wait
                with a mocked sleep runs in virtual time.
            clock: A monotonic clock in seconds, instead of `time.monotonic`. A `smithy_waiters.testing.FakeClock` has a
                sleep, too.
            **options: Durations are numbers of seconds or `timedelta`.
                max_wait: How long the wait may take. Required without `deadline` and `max_attempts`.
                deadline: A time at which the wait ends at the latest, which several waits may share: seconds on the
                    clock of the wait, or an aware `datetime`. Once it has passed, a wait times out without a call.
                attempt_timeout: How long one attempt may take.
                min_delay, max_delay: The bounds of the delays between attempts, instead of the definition's.
                max_attempts: The number of attempts after which the wait gives up.
                initial_delay: A pause before the first attempt.
                seed: The seed of the delays' jitter; drawn by default.
                history_limit: The number of the newest attempts to report; 10 by default.
                pace: The rule for the delays: `every(15)`, `proportional(0.1)`, or the specification's by default.
                final_poll: `"late"` makes the last poll as late as it can be answered.
                transient_errors: `"fail"` ends the wait by any error that no acceptor matches.
                transient_window: How long the service may leave calls without any answer; 120 seconds by default.
                label: A text that follows the waiter's name in every message, such as a resource's name.
                show: Paths of a response whose values progress, history and messages show.
                redact: Paths of members whose values messages, reasons and reports do not show.

        Raises:
            WaiterFailed: An acceptor led to failure, no acceptor matches the error, or the service is unreachable.
            WaiterTimeout: The time is up, or no further poll fits into it.
            WaiterAttemptsExceeded: The attempts are used up.
            WaiterCancelled: The `cancel` event was set.
            OptionsError: An option does not hold.

        """
        from .drivers.blocking import drive  # noqa: PLC0415
        from .drivers.wait import WaitRun  # noqa: PLC0415

        run = WaitRun(self, input, options, cancel=cancel, on_attempt=on_attempt, matcher=matcher)
        ended: Outcome[_T] | WaiterError = drive(run, call, sleep=sleep, clock=clock, instead="wait_async")
        if isinstance(ended, WaiterError):
            try:
                raise ended
            finally:
                # The failure holds this frame.
                del ended
        return ended

    async def wait_async(
        self,
        call: AnyCall[Awaitable[_T]],
        *,
        input: object = None,
        on_attempt: Callable[[Progress[_T]], object] | None = None,
        cancel: AsyncEvent | None = None,
        matcher: Callable[[_T], int | None] | None = None,
        sleep: Callable[[float], Awaitable[object]] | None = None,
        clock: Callable[[], float] | None = None,
        **options: Unpack[WaitOptions],
    ) -> Outcome[_T]:
        """Do the same with a call that returns an awaitable, on asyncio, trio or anyio, whichever runs.

        >>> outcome = await table_exists.wait_async(lambda: client.describe_table(TableName="orders"), max_wait=300)

        A call is cancelled at its deadline, and when `cancel` is set; its clean-up is awaited. On asyncio the call is a
        task of its own; on trio, and in a task of anyio, it runs in the caller's task, inside of a cancel scope. A
        cancellation from outside cancels the call and leaves unchanged. On any other library `sleep` is required, and
        calls are not cancelled.

        Args:
            call: Returns an awaitable. One that has one required positional parameter takes the `Attempt`.
            input: The operation's input, which `inputOutput` matchers read.
            on_attempt: Called after each attempt with its `Progress`; an awaitable that it returns is awaited, until
                the deadline at most. An exception in it ends the wait.
            cancel: An event of the library: once it is set, the wait ends as cancelled, also out of a sleep or a call.
            matcher: The definition's acceptors as compiled code, as for `wait`.
            sleep: Returns an awaitable that sleeps some seconds, instead of the library's. Calls are timed by it, too,
                unless it returns at once.
            clock: A monotonic clock in seconds, instead of the library's. A `smithy_waiters.testing.FakeClock` has a
                sleep, too.
            **options: The options of `wait`. `attempt_timeout` cancels a call that takes longer, and the wait goes on.

        Raises:
            WaiterFailed: An acceptor led to failure, no acceptor matches the error, or the service is unreachable.
            WaiterTimeout: The time is up, or no further poll fits into it.
            WaiterAttemptsExceeded: The attempts are used up.
            WaiterCancelled: The `cancel` event was set.
            OptionsError: An option does not hold.

        """
        from .drivers.asynchronous import drive  # noqa: PLC0415
        from .drivers.wait import WaitRun  # noqa: PLC0415

        run = WaitRun(self, input, options, cancel=cancel, on_attempt=on_attempt, matcher=matcher)
        ended: Outcome[_T] | WaiterError = await drive(run, call, sleep=sleep, clock=clock, instead="wait")
        if isinstance(ended, WaiterError):
            try:
                raise ended
            finally:
                # The failure holds this frame.
                del ended
        return ended

    def start(self, *, input: object = None, **options: Unpack[WaitOptions]) -> _engine.Wait:
        """Start a wait that is driven by hand, step by step; the options are those of `wait`.

        A `deadline` in seconds is a time of `time.monotonic`.
        """
        if (deadline := options.get("deadline")) is not None:
            from time import monotonic  # noqa: PLC0415

            from .drivers.deadline import seconds_until  # noqa: PLC0415

            options["deadline"] = seconds_until(deadline, monotonic())
        return super().start(input=input, **options)

    def __init_subclass__(cls, **options: Any) -> None:
        """Refuse what looks as if it decided waits."""
        super().__init_subclass__(**options)
        if cls.evaluate is not Waiter.evaluate:
            raise TypeError("waits do not ask the `evaluate` of a subclass: give `wait` a `matcher`")

    def resume(
        self, json: Mapping[str, Any] | str | bytes, *, input: object = None, elapsed_ms: float | None = None
    ) -> _engine.Wait:
        """Resume a wait that was saved by `Wait.to_json`: with the same delays and the same number of attempts.

        Args:
            json: The saved wait, as text or parsed; also one that was saved in another language.
            input: The operation's input: it is not saved.
            elapsed_ms: The milliseconds since the wait started, the time away included. By default the time away counts
                by the wall clock.

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
        def check(self, call: AnyCall[_T], *, input: object = None) -> _engine.Verdict[_T]: ...

    def check(  # pyright: ignore[reportInconsistentOverload]
        self, call: AnyCall[_T], *, input: object = None
    ) -> _engine.Verdict[_T]:
        """Call the operation once and say what follows; the verdict carries the `response` or `error`.

        >>> table_exists.check(lambda: client.describe_table(TableName="orders")).state
        'retry'
        """
        from .drivers.call import only_attempt, reject_awaitable, with_attempt  # noqa: PLC0415

        operation = with_attempt(call)
        try:
            response = operation(only_attempt)
        except Exception as error:  # noqa: BLE001 - every error is looked at.
            return self.evaluate(error=error, input=input)
        reject_awaitable(response, "check_async")
        return self.evaluate(response=response, input=input)

    async def check_async(
        self,
        call: AnyCall[Awaitable[_T]],
        *,
        input: object = None,
    ) -> _engine.Verdict[_T]:
        """Do the same with a call that gives an awaitable, on any async library."""
        from .drivers.call import only_attempt, require_awaitable, with_attempt  # noqa: PLC0415

        operation = with_attempt(call)
        try:
            awaitable = operation(only_attempt)
        except Exception as error:  # noqa: BLE001 - every error is looked at.
            return self.evaluate(error=error, input=input)
        require_awaitable(awaitable, "check")
        try:
            response = await awaitable
        except Exception as error:  # noqa: BLE001 - every error is looked at.
            return self.evaluate(error=error, input=input)
        return self.evaluate(response=response, input=input)


def _rebuild(cls: type[_W], arguments: dict[str, Any]) -> _W:
    """Return a waiter that was pickled or copied."""
    return _engine.Waiter.__new__(cls, **arguments)


def _is_coroutine_function(function: object) -> bool:
    if function is None:
        return False
    from inspect import iscoroutinefunction  # noqa: PLC0415 - expensive to import.

    return iscoroutinefunction(function)
