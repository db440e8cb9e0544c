"""Waiters, and the methods that wait with them."""

from __future__ import annotations

from . import _engine
from .errors import DefinitionError, WaiterError
from .json_text import ModelText, arguments_text, definition_text, state_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
    from os import PathLike
    from typing import Any, Literal, SupportsIndex, TypeVar, overload

    from typing_extensions import Self, Unpack

    from ._engine import RateLimit
    from .definition import AcceptorDefinition, Goal, MatcherDefinition, WaiterDefinition
    from .drivers.cancel import AsyncEvent, Event
    from .fleet import Fleet
    from .options import DriverOptions, WaiterDefaults, WaitOptions
    from .outcome import AnyCall, Outcome, Progress

    _T = TypeVar("_T")
    _W = TypeVar("_W", bound=_engine.Waiter)
    # No argument determines this variable, so type checkers require an annotation, and no annotation fits.
    _Unusable = TypeVar("_Unusable")

    class _Unknown:
        """A type that no value has: only the results of untyped calls are assignable to it."""

    # Calls for `wait_async` that are passed to `wait` by mistake.
    _Awaited = AnyCall[Awaitable[object]]
    _Untyped = AnyCall[_Unknown]

# The first wait imports the drivers: they need modules that are expensive to import, and many programs only evaluate.


class Waiter(_engine.Waiter):
    """A waiter of a Smithy model: polls an operation until a resource reaches a desired state.

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

    A waiter is immutable. It can be shared between threads, copied, pickled and compared.

    An error that carries a service's code, such as botocore's `ClientError`, is matched by that code and by the error's
    name in the model. Other errors are matched by the name of their class. `error_names` and `service_errors_only`
    change this.

    See the `specification <https://smithy.io/2.0/additional-specs/waiters.html#waiter-structure>`_.

    Args:
        definition: A Waiter structure as an object or as JSON text. Its type `WaiterDefinition` lets type checkers find
            misspelled members; annotate untyped data as `Any`.
        name: The name of the waiter, for messages.
        error_names: A function that returns the names of an exception that a call raised, or `None` to use the default
            names. Its exceptions are propagated. It is not called for errors that are passed by name.
        service_errors_only: `True` if `errorType` only matches errors with a service's code or with names from
            `error_names`.
        defaults: The defaults for options that a wait does not set: `final_poll`, `pace`, `min_delay`, `max_delay`,
            `max_attempts`, `show` and the path of `same`. Without them, the specification's rules apply. See
            docs/rules.md#defaults.

    Raises:
        DefinitionError: The specification does not allow the definition. The error has the path of the invalid member.
        OptionsError: `error_names` is not a function, `service_errors_only` is not a boolean, or a default is invalid.

    """

    __slots__ = ()

    def __new__(
        cls,
        definition: WaiterDefinition | str | bytes,
        name: str | None = None,
        *,
        error_names: Callable[[Any], Iterable[str] | None] | None = None,
        service_errors_only: bool = False,
        defaults: WaiterDefaults | None = None,
    ) -> Self:
        """Parse and check the definition."""
        return super().__new__(
            cls,
            definition_text(definition),
            None if name is None else str(name),
            error_names=error_names,
            service_errors_only=service_errors_only,
            defaults=defaults,
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
        """Create a waiter from a Smithy model.

        >>> table_exists = Waiter.from_model(Path("dynamodb.json"), "TableExists")

        Args:
            model: The JSON AST of the model: parsed, as text, or as a path. A `str` is text, never a path.
            waiter_name: The name of the waiter, in any case.
            service: The absolute or relative shape ID of the service, if several services have a waiter of this name.
            error_names: A function that returns the names of an exception. See `Waiter`.
            service_errors_only: Restricts `errorType` to errors of the service. See `Waiter`.

        Raises:
            DefinitionError: The model has no such waiter or several, or the specification does not allow the waiter.
            OptionsError: `error_names` is not a function, or `service_errors_only` is not a boolean.
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

    @classmethod
    def preset(
        cls,
        name: str,
        *,
        error_names: Callable[[Any], Iterable[str] | None] | None = None,
        service_errors_only: bool = False,
    ) -> Self:
        """Create a ready waiter for a public system, such as `kubernetes/deployment`.

        >>> Waiter.preset("github/run").evaluate(response={"status": "completed", "conclusion": "success"}).state
        'success'

        The definition follows the system's own rules, which docs/presets.md lists with their sources. The waiter has
        the defaults of `until`. Some presets also have paths to `show`, or the path of `same`, whose value each wait
        must have: `wait(…, same="ecs-svc/17")`. The paths are those of the system's JSON.

        Args:
            name: The name of the preset.
            error_names: A function that returns the names of an exception. See `Waiter`.
            service_errors_only: Restricts `errorType` to errors of the service. See `Waiter`.

        Raises:
            DefinitionError: There is no such preset.
            OptionsError: `error_names` is not a function, or `service_errors_only` is not a boolean.

        """
        return super().__new__(
            cls,
            str(name),
            source=("preset", None),
            error_names=error_names,
            service_errors_only=service_errors_only,
        )

    @classmethod
    def from_botocore(cls, source: Any, waiter_name: str) -> Self:
        """Create a waiter from botocore's waiters: of a client, of a service, or of a file in botocore's format.

        >>> instance_running = Waiter.from_botocore("ec2", "instance_running")
        >>> instance_running.wait(lambda: client.describe_instances(InstanceIds=["i-0"]), max_wait=600)

        The delay is fixed, as in botocore. A wait without `max_wait`, `deadline` or `max_attempts` makes as many
        attempts as botocore. The acceptors match responses and errors of boto3 exactly as botocore's do: an acceptor
        for an error only matches errors of the service, by their code. See docs/rules.md#botocore-waiters.

        `smithy_waiters.boto3` also makes the calls.

        Args:
            source: A client of boto3 or aiobotocore, the name of a service, the path of a `waiters-2.json`, or the
                parsed file. A `str` is the name of a service, never a path.
            waiter_name: The name of the waiter, such as `instance_running` or `InstanceRunning`.

        Raises:
            DefinitionError: There is no such service or waiter, or the file is invalid.
            ModuleNotFoundError: The source is a service or a client, and botocore is not installed.
            OSError: The file cannot be read.

        """
        from .botocore import error_names, read  # noqa: PLC0415

        return super().__new__(
            cls,
            read(source),
            str(waiter_name),
            source=("botocore", None),
            error_names=error_names,
            service_errors_only=True,
        )

    @staticmethod
    def names(source: Any) -> list[str]:
        """Return the names of botocore's waiters as `client.waiter_names` does, in alphabetical order.

        >>> Waiter.names("dynamodb")
        ['table_exists', 'table_not_exists']

        Args:
            source: A client, a service, a path or a parsed file. See `from_botocore`.

        Raises:
            DefinitionError: There is no such service, or the file is invalid.
            ModuleNotFoundError: The source is a service or a client, and botocore is not installed.
            OSError: The file cannot be read.

        """
        from .botocore import read, snake_case  # noqa: PLC0415

        return sorted(snake_case(name) for name in _engine._botocore_names(read(source)))  # noqa: SLF001

    if TYPE_CHECKING:

        @overload
        @classmethod
        def until(
            cls,
            expression: str | Sequence[str | Goal],
            expected: str | bool | Sequence[str] | None = None,  # noqa: FBT001 - a value.
            *,
            any: bool = False,
            text: bool = False,
            fail: Sequence[str | Goal | MatcherDefinition] | None = None,
            pending: Sequence[str] | None = None,
            retry_errors: Sequence[str | type[BaseException]] | Literal["any"] | None = None,
            success_errors: Sequence[str | type[BaseException]] | None = None,
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
            retry_errors: Sequence[str | type[BaseException]] | Literal["any"] | None = None,
            success_errors: Sequence[str | type[BaseException]] | None = None,
            name: str | None = None,
            error_names: Callable[[Any], Iterable[str] | None] | None = None,
            service_errors_only: bool = False,
        ) -> Self: ...

    @classmethod
    def until(
        cls,
        expression: str | Sequence[str | Goal] | Callable[[Any], bool],
        expected: str | bool | Sequence[str] | None = None,  # noqa: FBT001 - a value.
        *,
        any: bool = False,
        text: bool = False,
        fail: Sequence[str | Goal | MatcherDefinition] | None = None,
        pending: Sequence[str] | None = None,
        retry_errors: Sequence[str | type[BaseException]] | Literal["any"] | None = None,
        success_errors: Sequence[str | type[BaseException]] | None = None,
        name: str | None = None,
        error_names: Callable[[Any], Iterable[str] | None] | None = None,
        service_errors_only: bool = False,
    ) -> Self:
        """Create a waiter in its short form: a path with its expected value, a condition, or a function.

        >>> table_active = Waiter.until("Table.TableStatus", "ACTIVE", retry_errors=["ResourceNotFoundException"])
        >>> enough = Waiter.until("length(Items) >= `3`")
        >>> done = Waiter.until(lambda response: response["status"] == "DONE")
        >>> rolled_out = Waiter.until([{"path": "status", "expected": ["Ready", "Complete"]}, "replicas == ready"])

        The result is an ordinary waiter with a `definition`. However, a waiter with a function cannot be saved, linted
        or extended. Exceptions of the function are propagated.

        The short form is an extension of the specification. See docs/rules.md#short-form.

        Args:
            expression: A JMESPath expression on the response, a list of goals and conditions that one response must
                reach, or a function that returns `True` for a response in the desired state.
            expected: The expected value of the path, or several of which it must give one. If the path gives a list,
                every item must have such a value. Without it, the expression must be a comparison or a function that
                returns a boolean.
            any: `True` if one item with the expected value is enough.
            text: `True` if numbers and booleans are also compared by their texts: `3` equals `"3"`.
            fail: Values of the path that are failures (of a list, one item is enough), goals with a path of their own,
                or matchers of the specification, such as `{"errorType": "AccessDenied"}`. Failures are evaluated before
                the success.
            pending: Values of the path before the expected one. If there are any, all other values are failures with
                code `unexpected_state`.
            retry_errors: Names of errors after which the wait continues, or classes of exceptions, which also match
                subclasses. `"any"` continues after every error, including exceptions of your own code.
            success_errors: Names or classes of errors that are a success, such as the error for a deleted resource.
            name: The name of the waiter, for messages.
            error_names: A function that returns the names of an exception. See `Waiter`.
            service_errors_only: Restricts `errorType` to errors of the service. See `Waiter`.

        Raises:
            DefinitionError: An expression is invalid, a value has two meanings, or a matcher or a name is invalid.
            OptionsError: `error_names` is not a function, or `service_errors_only` is not a boolean.

        """
        predicate = expression if callable(expression) else None
        if expression is None or _is_coroutine_function(predicate):
            what = "None" if expression is None else "a coroutine function"
            message = f"`expression` must be a string, a list of goals or a function, got {what}"
            raise DefinitionError(message, "wrong_type", "expression")
        short_form = {
            "expression": None if predicate else expression,
            "expected": expected,
            # With a function, every value of these members is an error.
            "any": None if any is False else any,
            "text": None if text is False else text,
            "fail": fail,
            "pending": pending,
            "retry_errors": _error_names(retry_errors),
            "success_errors": _error_names(success_errors),
        }
        return super().__new__(
            cls,
            arguments_text(short_form, "short form"),
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
        """Return a copy of the waiter with additional acceptors.

        >>> table_exists = table_exists.extend(fail=["ARCHIVED", {"errorType": "AccessDenied"}])

        Args:
            fail: Failures: values of the path that the waiter's success reads (of a projection, one item is enough), or
                matchers of the specification. They are evaluated before the acceptors of the waiter.
            first: Acceptors of the specification, which are evaluated before all others.

        Raises:
            DefinitionError: The waiter has no path that a value can belong to, an acceptor is invalid, or the waiter
                has a function.

        """
        text = self._extended(arguments_text({"fail": fail, "first": first}, "extension"))
        return _rebuild(type(self), {**self._arguments(), "text": text})

    @property
    def definition(self) -> WaiterDefinition:
        """The definition: a Waiter structure. A waiter with equal definition, name and defaults equals this one.

        Raises:
            DefinitionError: The waiter has a function instead of an expression (`predicate`).

        """
        import json  # noqa: PLC0415 - expensive to import.

        definition: WaiterDefinition = json.loads(self._definition())
        return definition

    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, Any]]:
        return (), self._arguments()

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        # Protocols 0 and 1 do not support `__getnewargs_ex__`, but they can store the result of protocol 2.
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
            progress: bool | None = None,
            cancel: Event | None = None,
            sleep: Callable[[float], object] | None = None,
            clock: Callable[[], float] | None = None,
            **options: Unpack[DriverOptions],
        ) -> Outcome: ...

        # Type checkers report an error when the outcome is used: these calls need `wait_async`.
        @overload
        def wait(
            self,
            call: _Awaited,
            *,
            input: object = None,
            on_attempt: Callable[[Progress[Any]], object] | None = None,
            progress: bool | None = None,
            cancel: Event | None = None,
            sleep: Callable[[float], object] | None = None,
            clock: Callable[[], float] | None = None,
            **options: Unpack[DriverOptions],
        ) -> Outcome[_Unusable]: ...

        @overload
        def wait(
            self,
            call: AnyCall[_T],
            *,
            input: object = None,
            on_attempt: Callable[[Progress[_T]], object] | None = None,
            progress: bool | None = None,
            cancel: Event | None = None,
            sleep: Callable[[float], object] | None = None,
            clock: Callable[[], float] | None = None,
            **options: Unpack[DriverOptions],
        ) -> Outcome[_T]: ...

    def wait(  # pyright: ignore[reportInconsistentOverload] - the overload has an unsolved type variable.
        self,
        call: AnyCall[_T],
        *,
        input: object = None,
        on_attempt: Callable[[Progress[_T]], object] | None = None,
        progress: bool | None = None,
        cancel: Event | None = None,
        sleep: Callable[[float], object] | None = None,
        clock: Callable[[], float] | None = None,
        **options: Unpack[DriverOptions],
    ) -> Outcome[_T]:
        """Call the operation until an acceptor leads to success or failure, or until time runs out.

        >>> outcome = table_exists.wait(lambda: client.describe_table(TableName="orders"), max_wait=300)

        Exceptions of the call are evaluated like responses. If no acceptor matches an exception, a transient error
        (throttling, a server fault, a lost connection) is followed by another attempt, and any other error ends the
        wait. In the specification, transient errors end the wait, too: see docs/rules.md#transient-errors.

        Exceptions that are not an `Exception`, such as `KeyboardInterrupt`, are propagated. Blocking calls cannot be
        interrupted: a call can read the remaining time from its `Attempt`, and a late result is discarded. No call
        starts at or after the deadline.

        See the `specification <https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow>`_.

        Args:
            call: The function that makes the call. If it has one required positional parameter, it receives the
                `Attempt`: its number, and the remaining seconds.
            input: The operation's input, which `inputOutput` matchers read.
            on_attempt: A function that is called after each attempt with its `Progress`. An exception in it ends the
                wait and is propagated. It must not return an awaitable.
            progress: `True` shows the latest attempt in one line on standard error: with tqdm, else with rich, if one
                of them is installed.
            cancel: A `threading.Event` or a similar object. Setting it ends the wait, including a sleep, as cancelled.
            sleep: A function that sleeps for a number of seconds, instead of `time.sleep`. If it returns immediately,
                its time counts as passed, so a wait with a mocked sleep runs in virtual time.
            clock: A monotonic clock in seconds, instead of `time.monotonic`. A `smithy_waiters.testing.FakeClock` also
                provides the sleep.
            **options: The options of `WaitOptions`. Durations are numbers of seconds or `timedelta`.
                max_wait: The maximum duration of the wait. Required without `deadline` and `max_attempts`.
                deadline: The time at which the wait ends at the latest, which several waits can share: seconds on the
                    clock of the wait, or an aware `datetime`. After the deadline, a wait times out without a call.
                attempt_timeout: The maximum duration of one attempt.
                min_delay, max_delay: The limits of the delays between attempts, instead of the definition's.
                max_attempts: The maximum number of attempts; unlimited by default.
                initial_delay: A pause before the first attempt.
                seed: The seed of the delays' jitter; random by default.
                hints: Whether probable mistakes are reported and logged as warnings; `True` by default.
                history_limit: The maximum number of attempts in the history; 10 by default.
                pace: The rule for the delays: `every(15)`, `proportional(0.1)`, or the specification's by default.
                final_poll: `"late"` makes the last attempt as close to the deadline as an answer can arrive in time.
                transient_errors: `"fail"` ends the wait on any error that no acceptor matches.
                transient_window: The time without any answer from the service after which the wait fails; 120 seconds
                    by default.
                not_found_for: The time for which the resource may not exist yet.
                same: Whose success counts: `{"path": …, "is": …}`, the value that the change returned.
                left: The state before a change, which must be left before a success counts.
                left_else: `"accept"` counts a success although the state was not left in time.
                left_within: The time in which the state must be left, or the value of `same` be seen; 60 seconds by
                    default.
                at_least: The least numbers of paths: `{"status.observedGeneration": 7}`.
                successes: The number of successes in a row.
                stable_for: The time for which every response must be a success.
                label: A text that follows the waiter's name in messages, such as the name of a resource.
                show: Paths of a response whose values are included in progress, history and messages.
                redact: Paths of members whose values are hidden in messages, reasons and reports.
                rate_limit: A `RateLimit` that several waits and fleets share.
                on_change: A function that is called with its `Progress` after each attempt with a new result.
                on_failure: A function that is called with the error if the wait fails; its result is the error's
                    `details`.
                cancel_with: A function that stops the work, which is called if the wait gives up on it.

        Raises:
            WaiterFailed: An acceptor led to failure, no acceptor matches the error, or the service is unreachable.
            WaiterTimeout: The time is up, or no further attempt fits before the deadline.
            WaiterAttemptsExceeded: `max_attempts` attempts were made.
            WaiterCancelled: The `cancel` event was set.
            OptionsError: An option is missing, unknown or invalid.
            TypeError: `call` cannot be called, or it returns an awaitable.

        """
        from .drivers.blocking import drive  # noqa: PLC0415
        from .drivers.follow_up import follow_up  # noqa: PLC0415
        from .drivers.progress import observer  # noqa: PLC0415
        from .drivers.wait import WaitRun  # noqa: PLC0415

        with observer(on_attempt, progress=progress) as report:
            run = WaitRun(self, input, options, cancel=cancel, on_attempt=report)
            ended: Outcome[_T] | WaiterError = drive(run, call, sleep=sleep, clock=clock, instead="wait_async")
        if isinstance(ended, WaiterError):
            follow_up(ended, run)
            try:
                raise ended
            finally:
                # The traceback of the failure references this frame: avoid a reference cycle.
                del ended
        return ended

    async def wait_async(
        self,
        call: AnyCall[Awaitable[_T]],
        *,
        input: object = None,
        on_attempt: Callable[[Progress[_T]], object] | None = None,
        progress: bool | None = None,
        cancel: AsyncEvent | None = None,
        sleep: Callable[[float], Awaitable[object]] | None = None,
        clock: Callable[[], float] | None = None,
        **options: Unpack[DriverOptions],
    ) -> Outcome[_T]:
        """Call an asynchronous operation until an acceptor leads to success or failure, or until time runs out.

        >>> outcome = await table_exists.wait_async(lambda: client.describe_table(TableName="orders"), max_wait=300)

        The method runs on asyncio, trio and anyio. It evaluates results by the rules of `wait`.

        A call is cancelled at its deadline and when `cancel` is set, and its clean-up is awaited. On asyncio each call
        is a separate task. On trio, and in a task of anyio, a call runs in the caller's task, inside a cancel scope. If
        the task of the wait is cancelled, the call is cancelled and the cancellation is propagated. On any other
        library `sleep` is required, and calls are not cancelled.

        Args:
            call: A function that returns an awaitable. If it has one required positional parameter, it receives the
                `Attempt`.
            input: The operation's input, which `inputOutput` matchers read.
            on_attempt: A function that is called after each attempt with its `Progress`. If it returns an awaitable,
                that is awaited until the deadline. An exception in it ends the wait and is propagated.
            progress: `True` shows the latest attempt in one line on standard error. See `wait`.
            cancel: An event of the library. Setting it ends the wait, including a sleep or a call, as cancelled.
            sleep: A function that returns an awaitable that sleeps for a number of seconds, instead of the library's
                sleep. It also measures the deadlines of calls, unless it returns immediately.
            clock: A monotonic clock in seconds, instead of the library's. A `smithy_waiters.testing.FakeClock` also
                provides the sleep.
            **options: The options of `WaitOptions`. See `wait`. With `attempt_timeout`, a call that takes longer is
                cancelled and the wait continues.

        Raises:
            WaiterFailed: An acceptor led to failure, no acceptor matches the error, or the service is unreachable.
            WaiterTimeout: The time is up, or no further attempt fits before the deadline.
            WaiterAttemptsExceeded: `max_attempts` attempts were made.
            WaiterCancelled: The `cancel` event was set.
            OptionsError: An option is missing, unknown or invalid.
            TypeError: `call` cannot be called, or it does not return an awaitable.

        """
        from .drivers.asynchronous import drive  # noqa: PLC0415
        from .drivers.follow_up import follow_up_async  # noqa: PLC0415
        from .drivers.progress import observer  # noqa: PLC0415
        from .drivers.wait import WaitRun  # noqa: PLC0415

        with observer(on_attempt, progress=progress) as report:
            run = WaitRun(self, input, options, cancel=cancel, on_attempt=report)
            ended: Outcome[_T] | WaiterError = await drive(run, call, sleep=sleep, clock=clock, instead="wait")
        if isinstance(ended, WaiterError):
            await follow_up_async(ended, run)
            try:
                raise ended
            finally:
                # The traceback of the failure references this frame: avoid a reference cycle.
                del ended
        return ended

    def fleet(
        self,
        call: Callable[[list[str]], object],
        *,
        items: str,
        key: str | Sequence[str],
        also: Mapping[str, str] | None = None,
        batch: int | None = None,
        rate: float | RateLimit | None = None,
        clock: Callable[[], float] | None = None,
        sleep: Callable[[float], object] | None = None,
    ) -> Fleet[Any]:
        """Create a fleet: one call answers for all resources that are waited for.

        >>> fleet = volumes.fleet(lambda ids: ec2.describe_volumes(VolumeIds=ids), items="Volumes[]", key="VolumeId")
        >>> fleet.wait_each(ids, max_wait=600)

        The waiter judges each resource as if the answer held only it. See docs/rules.md#fleets.

        Args:
            call: A function that makes the call for a list of identifiers. It returns the response, an awaitable of it,
                or an iterator of the responses of all pages.
            items: The path of the resources in a response: `"Reservations[].Instances[]"`.
            key: The member of a resource that is its identifier, or several, any of which may be. An identifier that
                is an ARN is also found by its last part.
            also: Further lists whose entries belong to resources, with the member that has the identifier:
                `{"failures[]": "arn"}`. The waiter sees the entries of its resource.
            batch: The most identifiers of one call; 100 by default.
            rate: The most calls per second, 5 by default, or a `RateLimit` that fleets share. A throttled call lowers
                the rate for a time.
            clock: A monotonic clock in seconds, instead of `time.monotonic` or the time of the loop.
            sleep: A function that sleeps for a number of seconds in a blocking fleet.

        Raises:
            OptionsError: An option is missing, unknown or invalid, or the waiter has a function instead of an
                expression.
            TypeError: `call` is not a function.

        """
        from .drivers.call import check_functions, require_callable  # noqa: PLC0415
        from .fleet import Fleet, RateLimit  # noqa: PLC0415

        require_callable(call)
        check_functions(clock=clock, sleep=sleep)
        limit = rate if isinstance(rate, RateLimit) else RateLimit(rate)
        return Fleet(
            lambda: self._fleet(limit, items=items, key=key, also=also, batch=batch), call, limit, clock, sleep
        )

    def start(self, *, input: object = None, **options: Unpack[WaitOptions]) -> _engine.Wait:
        """Start a wait that the caller drives step by step. The options are those of `wait`.

        A `deadline` in seconds is a time of `time.monotonic`.

        Raises:
            OptionsError: An option is missing, unknown or invalid.

        """
        if (deadline := options.get("deadline")) is not None:
            from time import monotonic  # noqa: PLC0415

            from .drivers.deadline import seconds_until  # noqa: PLC0415

            options["deadline"] = seconds_until(deadline, monotonic())
        return super().start(input=input, **options)

    def __init_subclass__(cls, **options: Any) -> None:
        """Reject subclasses that override `evaluate`, because waits do not call it."""
        super().__init_subclass__(**options)
        if cls.evaluate is not Waiter.evaluate:
            raise TypeError("waits do not call the `evaluate` of a subclass: use `Waiter.until` with a predicate")

    def resume(
        self, json: Mapping[str, Any] | str | bytes, *, input: object = None, elapsed_ms: float | None = None
    ) -> _engine.Wait:
        """Resume a wait that was saved by `Wait.to_json`. The delays and the number of attempts are preserved.

        Args:
            json: The saved wait, as text or parsed. Waits that were saved in another language are supported.
            input: The operation's input, which is not saved.
            elapsed_ms: The milliseconds since the start of the wait, including the time while it was saved. By default
                that time is measured by the wall clock.

        Raises:
            StateError: The saved wait is damaged, belongs to another definition, or was saved by a later release.

        """
        return super().resume(state_text(json), input=input, elapsed_ms=elapsed_ms)

    if TYPE_CHECKING:

        @overload
        def check(self, call: _Untyped, *, input: object = None) -> _engine.Verdict: ...

        @overload
        def check(
            self,
            call: _Awaited,
            *,
            input: object = None,
        ) -> _engine.Verdict[_Unusable]: ...  # pyright: ignore[reportInvalidTypeVarUse]

        @overload
        def check(self, call: AnyCall[_T], *, input: object = None) -> _engine.Verdict[_T]: ...

    def check(  # pyright: ignore[reportInconsistentOverload]
        self, call: AnyCall[_T], *, input: object = None
    ) -> _engine.Verdict[_T]:
        """Call the operation once and return the verdict on its result.

        >>> table_exists.check(lambda: client.describe_table(TableName="orders")).state
        'retry'

        Args:
            call: The function that makes the call. If it has one required positional parameter, it receives the
                `Attempt`.
            input: The operation's input, which `inputOutput` matchers read.

        Raises:
            TypeError: `call` cannot be called, or returns an awaitable.

        """
        from .drivers.call import only_attempt, reject_awaitable, with_attempt  # noqa: PLC0415

        operation = with_attempt(call)
        try:
            response = operation(only_attempt)
        except Exception as error:  # noqa: BLE001 - any error may match an acceptor.
            return self.evaluate(error=error, input=input)
        reject_awaitable(response, "check_async")
        return self.evaluate(response=response, input=input)

    async def check_async(
        self,
        call: AnyCall[Awaitable[_T]],
        *,
        input: object = None,
    ) -> _engine.Verdict[_T]:
        """Call an asynchronous operation once, on any async library, and return the verdict on its result.

        Args:
            call: A function that returns an awaitable. If it has one required positional parameter, it receives the
                `Attempt`.
            input: The operation's input, which `inputOutput` matchers read.

        Raises:
            TypeError: `call` cannot be called, or does not return an awaitable.

        """
        from .drivers.call import only_attempt, require_awaitable, with_attempt  # noqa: PLC0415

        operation = with_attempt(call)
        try:
            awaitable = operation(only_attempt)
        except Exception as error:  # noqa: BLE001 - any error may match an acceptor.
            return self.evaluate(error=error, input=input)
        require_awaitable(awaitable, "check")
        try:
            response = await awaitable
        except Exception as error:  # noqa: BLE001 - any error may match an acceptor.
            return self.evaluate(error=error, input=input)
        return self.evaluate(response=response, input=input)


def _rebuild(cls: type[_W], arguments: dict[str, Any]) -> _W:
    """Return the waiter of a pickle or a copy."""
    return _engine.Waiter.__new__(cls, **arguments)


def _is_coroutine_function(function: object) -> bool:
    if function is None:
        return False
    from inspect import iscoroutinefunction  # noqa: PLC0415 - expensive to import.

    return iscoroutinefunction(function)


def _error_names(errors: Any) -> Any:
    """Replace the classes in a list by names that the engine compares with the classes of an error."""
    # Other types are errors of the engine.
    return [_class_name(error) for error in errors] if _is_list(errors) else errors


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def _class_name(error: Any) -> Any:
    if not isinstance(error, type):
        return error
    error_class: type[Any] = error
    if not issubclass(error_class, BaseException):
        return error_class
    module = error_class.__module__
    is_short = module in ("builtins", "__main__")
    return f"class={error_class.__qualname__}" if is_short else f"class={module}.{error_class.__qualname__}"
