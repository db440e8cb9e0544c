from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from types import GenericAlias
from typing import Any, Generic, Literal, TypeAlias, final, overload

from typing_extensions import Self, TypeVar, Unpack, disjoint_base

from .literals import AttemptResult, ErrorFault, FailureCode, HintCode, PageSizeKind, RetrySafety, State
from .options import WaiterDefaults, WaitOptions
from .retry.options import RetryOptions

__all__ = [
    "AttemptRecord",
    "Call",
    "Cancelled",
    "Classified",
    "CompressionSettings",
    "DeadlineReached",
    "Delay",
    "Done",
    "ErrorEvent",
    "FailureInfo",
    "Fleet",
    "FleetCall",
    "Hint",
    "Operation",
    "Paginator",
    "PathValue",
    "RateLimit",
    "Reason",
    "Request",
    "RequestCompression",
    "RequestReport",
    "ResponseEvent",
    "RetryInfo",
    "RetryQuota",
    "Sleep",
    "StandardRetryStrategy",
    "StandardRetryToken",
    "Tally",
    "Transient",
    "Verdict",
    "VerdictEvent",
    "Wait",
    "Waiter",
    "Walk",
    "__version__",
    "_attempt",
    "_botocore_error_names",
    "_botocore_find",
    "_botocore_names",
    "_check_no_options",
    "_display_input",
    "_done",
    "_has_slept",
    "_make",
    "_max_items",
    "_max_wait",
    "_must_be",
    "_pause",
    "_plain",
    "_poll_action",
    "_python_name",
    "_report_limit",
    "_retry_error",
    "_set_package_members",
    "_stored",
    "_stored_fleet",
    "_unknown_option",
    "_verdict",
    "_wait",
    "_waits_failed",
    "content_encoding",
    "delay",
    "search",
]

__version__: str

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True, default=Any)

_RequestStep: TypeAlias = Call | Sleep | RequestReport | Literal["acquire", "record", "refresh", "release"]

@disjoint_base
class Waiter:
    """The base class of `smithy_waiters.Waiter`, implemented by the engine: it evaluates results and starts waits.

    See the `specification <https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow>`_.

    Raises:
        DefinitionError: The definition is invalid.
        OptionsError: `error_names` or `service_errors_only` is invalid.

    """

    def __new__(
        cls,
        text: str,
        name: str | None = None,
        *,
        source: tuple[Literal["botocore", "preset"], None]
        | tuple[Literal["model"], str | None]
        | tuple[Literal["short_form"], Callable[[Any], object] | None]
        | None = None,
        defaults: WaiterDefaults | None = None,
        error_names: Callable[[Any], Iterable[str] | None] | None = None,
        service_errors_only: bool | None = None,
    ) -> Self: ...
    def _arguments(self) -> dict[str, Any]: ...
    def _definition(self) -> str: ...
    def _extended(self, text: str) -> str: ...
    @property
    def name(self) -> str | None:
        """The name of the waiter, or `None`."""

    @property
    def documentation(self) -> str | None:
        """The member `documentation` of the definition, or `None`."""

    @property
    def deprecated(self) -> bool:
        """`True` if the definition marks the waiter as deprecated."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The member `tags` of the definition."""

    @property
    def defaults(self) -> WaiterDefaults:
        """The defaults for options that a wait does not set, with the names of the options of `wait`.

        They are empty, which means the specification's rules, unless the waiter has the short form, replaces a waiter
        of an SDK, or was created with `defaults`. See docs/rules.md#defaults.
        """

    @property
    def redact(self) -> tuple[str, ...]:
        """The paths of the members whose values are hidden in reasons, messages and reports.

        They are the paths in the definition's `redact`, and the `@sensitive` members of the model that the acceptors
        read.
        """

    @property
    def min_delay(self) -> float:
        """The minimum delay between two attempts, in seconds: `minDelay` of the definition, 2 by default."""

    @property
    def max_delay(self) -> float:
        """The maximum delay between two attempts, in seconds: `maxDelay` of the definition, 120 by default."""

    @property
    def acceptors(self) -> tuple[str, ...]:
        """The acceptors of the definition, in order, each as compact JSON."""

    @property
    def error_names(self) -> Callable[[Any], Iterable[str] | None] | None:
        """The caller's function that names errors, or `None`."""

    @property
    def predicate(self) -> Callable[[Any], object] | None:
        """The function that a waiter of `Waiter.until` calls instead of evaluating an expression, or `None`."""

    @property
    def service_errors_only(self) -> bool:
        """`True` if `errorType` only matches errors with a service's code or with names from `error_names`."""

    @overload
    def evaluate(self, *, response: _T, input: object = None) -> Verdict[_T]:
        """Evaluate the acceptors on a response or an error.

        >>> waiter.evaluate(response={"Table": {"TableStatus": "ACTIVE"}}).state
        'success'
        >>> waiter.evaluate(error="ResourceNotFoundException").state
        'retry'

        Args:
            response: The response. `None` is a valid response.
            error: The exception that the call raised, or the name of an error. Pass either this or `response`.
            input: The operation's input, which `inputOutput` matchers read.

        Raises:
            OptionsError: Both or neither of `response` and `error` are passed, or `error` is not an error.

        """

    @overload
    def evaluate(self, *, error: BaseException | str | Mapping[str, object] | None, input: object = None) -> Verdict:
        """Evaluate the acceptors on a response or an error.

        >>> waiter.evaluate(response={"Table": {"TableStatus": "ACTIVE"}}).state
        'success'
        >>> waiter.evaluate(error="ResourceNotFoundException").state
        'retry'

        Args:
            response: The response. `None` is a valid response.
            error: The exception that the call raised, or the name of an error. Pass either this or `response`.
            input: The operation's input, which `inputOutput` matchers read.

        Raises:
            OptionsError: Both or neither of `response` and `error` are passed, or `error` is not an error.

        """
    def start(self, *, input: object = None, **options: Unpack[WaitOptions]) -> Wait:
        """Start a wait that the caller drives step by step. The options are those of `Waiter.wait`.

        Raises:
            OptionsError: An option is missing, unknown or invalid.

        """

    def resume(self, json: str, *, input: object = None, elapsed_ms: float | None = None) -> Wait:
        """Resume a wait that was saved by `Wait.to_json`.

        Args:
            json: The saved wait.
            input: The operation's input, which is not saved.
            elapsed_ms: The milliseconds since the start of the wait, including the time while it was saved. By default
                that time is measured by the wall clock.

        Raises:
            StateError: The saved wait is damaged, belongs to another definition, or was saved by a later release.

        """

    def _fleet(self, limit: RateLimit, **options: Any) -> Fleet: ...
    def _resume_due(self, json: str) -> Wait: ...
    def _stored_fingerprint(self) -> str: ...
    def _start_stored(
        self,
        id: str,
        input: str,
        started_at: float,
        deadline_at_ms: float | None,
        report_limit: int,
        **options: Any,
    ) -> Wait: ...

@final
class Verdict(Generic[_T_co]):
    """The result of evaluating the acceptors on one response or error.

    A verdict holds the response or the error, and evaluates it again when `reasons` is read.
    """

    @property
    def state(self) -> State:
        """The state: `"success"`, `"failure"` or `"retry"`."""

    @property
    def acceptor(self) -> int | None:
        """The index of the acceptor that matched.

        `None` if no acceptor matched: an error is then a failure, and a response is retried.
        """

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The reasons why each evaluated acceptor did or did not match, in order."""

    @property
    def response(self) -> _T_co | None:
        """The evaluated response; `None` if an error was evaluated."""

    @property
    def error(self) -> Any:
        """The evaluated error; `None` if a response was evaluated."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Reason:
    """The reason why an acceptor did or did not match.

    Raises:
        StateError: `code` is not the code of a reason (`damaged_state`).

    """

    def __new__(cls, acceptor: int | None, code: str, text: str) -> Self: ...
    @property
    def acceptor(self) -> int | None:
        """The index of the acceptor; `None` if no acceptor was evaluated."""

    @property
    def matched(self) -> bool:
        """`True` if the acceptor matched."""

    @property
    def code(self) -> str:
        """The machine-readable reason: `matched`, `not_equal`, `null`, …"""

    @property
    def text(self) -> str:
        """The reason as text: `Table.TableStatus gave "CREATING", expected "ACTIVE"`."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Wait:
    """A wait in progress. It returns steps for the caller to perform, and never reads a clock, sleeps or calls.

    Times are milliseconds since the start of the wait. A time before the latest one counts as the latest one. A step
    is a `Call`, a `Sleep`, or the `Done` that ends the wait. After that, every method returns the same `Done`.

    >>> wait = waiter.start(max_wait=60, seed=7)
    >>> wait.poll(0)
    Call(attempt=1, deadline_ms=60000)
    >>> wait.handle(Response({"Status": "PENDING"}), 30)
    Sleep(until_ms=2030, last=False)
    """

    def poll(self, now_ms: float) -> Call | Sleep | Done:
        """Return the current step: `Sleep` during a pause, `Call` when the pause has ended and until that call has
        ended, or `Done` at or after the deadline.

        Raises:
            StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`), or another step is being taken (`busy`).

        """

    def _poll_within(self, now_ms: float, limit: RateLimit, started_ms: float) -> Call | Sleep | Done: ...
    def handle(
        self, event: ResponseEvent | ErrorEvent | VerdictEvent | DeadlineReached | Cancelled, now_ms: float
    ) -> Call | Sleep | Done:
        """Handle an event of `smithy_waiters.events` and return the next step.

        An exception that is not an `Exception`, such as a `KeyboardInterrupt` in a property of the response, is raised
        after the event has been handled.

        Raises:
            StateError: The event is out of order, its acceptor does not exist, `now_ms` is not a valid time, or another
                step is being taken. The wait is unchanged.
            TypeError: `event` is not an event.

        """

    def to_json(self) -> str:
        """Return the wait as JSON text, which `Waiter.resume` reads in any process and in every language.

        The text contains no history, response or error. If the wait is saved during a call, the resumed wait returns
        the same attempt again.

        Raises:
            StateError: The waiter has a predicate (`predicate`), or a step is being taken (`busy`).

        """

    def _state(self) -> tuple[str, dict[str, Any]]: ...
    def _conclude(self, now_ms: float) -> Done: ...
    @property
    def _report_limit(self) -> int | None: ...
    def _start_identity(self, arguments: str) -> str | None: ...
    @property
    def waiter(self) -> Waiter:
        """The waiter that started the wait."""

    @property
    def input(self) -> Any:
        """The operation's input."""

    @property
    def attempts(self) -> int:
        """The number of attempts started so far."""

    @property
    def latest(self) -> AttemptRecord | None:
        """The latest attempt that has ended."""

    @property
    def summary(self) -> str | None:
        """The latest attempt that has ended as one line of text: the time, the state and its reason, the values of the
        paths in `show`, and the next delay.
        """

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The hints that the latest attempt shows: probable mistakes in the definition, an option or the call."""

    @property
    def changed(self) -> bool:
        """`True` if the latest attempt that has ended had another result than the previous one, or was the first."""

    @property
    def level(self) -> Literal["debug", "info"] | None:
        """The level at which the latest attempt is logged: `"info"` if its result is new or if the latest such line is
        30 s old, otherwise `"debug"`; `None` before the first one has ended.
        """

    @property
    def label(self) -> str | None:
        """The label of the wait."""

    @property
    def now_ms(self) -> int:
        """The latest time that was passed, in milliseconds since the start of the wait."""

    @property
    def deadline_ms(self) -> int | None:
        """The deadline in milliseconds since the start of the wait; `None` if only the number of attempts is
        limited.
        """

@final
class ResponseEvent:
    """The event of a call that returned a response.

    `not_before_ms` is the earliest time of the next attempt, if the service requested one, in milliseconds since the
    start of the wait.

    Raises:
        StateError: `not_before_ms` is not from 0 to 2^53 - 1 (`invalid_time`).

    """

    def __new__(cls, response: object, not_before_ms: float | None = None) -> Self: ...
    @property
    def response(self) -> Any:
        """The response."""

    @property
    def not_before_ms(self) -> int | None:
        """The earliest time of the next attempt, in milliseconds since the start of the wait; `None` for any time."""

@final
class Transient:
    """A transient error: the wait repeats the call unless an acceptor matches the error.

    `not_before_ms` is the earliest time of the next attempt, in milliseconds since the start of the wait; 0 for any
    time. `answered` is `False` if the connection failed or no answer arrived in time.

    Raises:
        StateError: `not_before_ms` is not from 0 to 2^53 - 1 (`invalid_time`).

    """

    def __new__(cls, not_before_ms: float = 0, answered: bool = True) -> Self: ...
    @property
    def not_before_ms(self) -> int:
        """The earliest time of the next attempt, in milliseconds since the start of the wait."""

    @property
    def answered(self) -> bool:
        """`True` if the service answered."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class ErrorEvent:
    """The event of a call that raised an error.

    `error` is the exception or the name of an error. `transient` is your own classification: a `Transient`, or
    `False` for a permanent error. If it is `None`, the engine classifies the error by its `facts`, or else by its name.

    Raises:
        OptionsError: `error` is not an error, or `transient` is not a classification.

    """

    def __new__(
        cls,
        error: BaseException | str | Mapping[str, object] | None,
        transient: Transient | Literal[False] | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> Self: ...
    @property
    def error(self) -> Any:
        """The exception, or the name of an error."""

    @property
    def transient(self) -> Transient | Literal[False] | None:
        """Your classification of the error; `None` if the engine classifies it."""

@disjoint_base
class VerdictEvent:
    """The event of a call whose result was evaluated by compiled or hand-written code instead of the engine.

    `acceptor` is the index of the first acceptor that matched, or `None`. `error` is the exception that the call
    raised, or its name; `None` if the call returned a response. `transient` is your own classification of the error:
    a `Transient`, or `False` for a permanent error. If it is `None`, the engine classifies the error by its `facts`, or
    else by its name.

    Raises:
        OptionsError: `error` is not an error, or `transient` is not a classification.
        StateError: `acceptor` is not an index (`invalid_verdict`).

    """

    def __new__(
        cls,
        acceptor: int | None,
        error: BaseException | str | Mapping[str, object] | None = None,
        transient: Transient | Literal[False] | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> Self: ...
    @property
    def acceptor(self) -> int | None:
        """The index of the first acceptor that matched, or `None`."""

    @property
    def error(self) -> Any:
        """The exception, or the name of an error; `None` for a response."""

    @property
    def transient(self) -> Transient | Literal[False] | None:
        """Your classification of the error; `None` if the engine classifies it."""

@final
class DeadlineReached:
    """The event of a call that you cancelled at its deadline."""

    def __new__(cls) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Cancelled:
    """The event of a wait that the caller cancelled. It is valid at any time."""

    def __new__(cls) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class RateLimit:
    """The rate at which several waits and fleets of a process may call, in calls per second.

    Whoever asks first calls first, so that no wait calls twice before another one that is due has called once. A
    throttled call lowers the rate by 30 %, and it recovers by 10 % of the limit in each second. A limit is thread-safe
    and cannot be pickled.

    Without a number, the limit is 5.

    >>> limit = RateLimit(5)
    >>> limit.reserve(0), limit.reserve(0)
    (0, 200)

    Raises:
        OptionsError: The rate is not a number from 0.001 to 1000.

    """

    def __new__(cls, rate: float | None = None) -> Self: ...
    @property
    def rate(self) -> float:
        """The limit in calls per second."""

    def reserve(self, now_ms: float) -> int:
        """Take the next free time of a call, and return it in milliseconds. The call may start then, and not earlier.

        Raises:
            StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`).

        """

    def throttle(self, now_ms: float) -> None:
        """Lower the rate after the service throttled a call.

        Raises:
            StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`).

        """

@final
class FleetCall:
    """The step to call the operation for some identifiers, and to report the answer with the number of the call."""

    @property
    def call(self) -> int:
        """The number of the call."""

    @property
    def ids(self) -> list[str]:
        """The identifiers."""

    @property
    def deadline_ms(self) -> int | None:
        """The time after which nobody waits for the answer, in milliseconds; `None` without a deadline."""

@final
class Fleet:
    """Waits for many resources that share their calls. It returns steps for the caller to perform, and never reads a
    clock, sleeps or calls.

    Times are milliseconds on one clock, which is also that of the rate limit.
    """

    def join(self, ids: Mapping[str, Any], now_ms: float, **options: Any) -> list[tuple[int, str]]:
        """Add a caller for each identifier, and return the tickets and the identifiers in their order. If one is
        refused, none is added. `ids` has the list `ids` or the text `id`.

        The options are those of `Waiter.wait`.

        Raises:
            OptionsError: An identifier is empty or repeats, or an option is missing, unknown or invalid.

        """

    def leave(self, ticket: int, now_ms: float) -> Done | None:
        """End the wait of a caller as cancelled and return its `Done`; `None` if it has ended already.

        Raises:
            StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`), or another step is being taken (`busy`).

        """

    def to_json(self, ticket: int) -> str | None:
        """Return the list of a ticket as JSON text, which `resume` reads in any process and in every language. Return
        `None` if all of its waits have ended. Calls in flight are made again after resuming.

        Raises:
            StateError: Another step is being taken (`busy`).

        """

    def deadline_ms(self, ticket: int) -> int | None:
        """Return the deadline of the list of a ticket in milliseconds; `None` if only attempts are limited.

        Raises:
            StateError: Another step is being taken (`busy`).

        """

    def resume(self, json: str, now_ms: float, *, elapsed_ms: float | None = None) -> list[tuple[int, str]]:
        """Resume a list that was saved by `to_json`, and return the tickets and the identifiers in its order. The next
        steps return the waits that had ended.

        Args:
            json: The saved list.
            now_ms: The time.
            elapsed_ms: The milliseconds since the start of the list, including the time while it was saved. By default
                that time is measured by the wall clock.

        Raises:
            StateError: The saved list is damaged, belongs to another definition or fleet, or was saved by a later
                release.

        """

    def poll(self, now_ms: float) -> tuple[list[tuple[int, Done]], FleetCall | Sleep | None]:
        """Return the ends of waits as pairs of a ticket and a `Done`, and the next step: a `FleetCall`, a `Sleep`, or
        `None` if nothing is due.

        Raises:
            StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`), or another step is being taken (`busy`).

        """

    def ended(self, now_ms: float) -> list[tuple[int, Done]]:
        """Return the ends of waits, such as those at their deadlines, without a step.

        Raises:
            StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`), or another step is being taken (`busy`).

        """

    def respond(self, call: int, pages: list[Any], now_ms: float) -> list[tuple[int, Done, Any, str | None]]:
        """Handle the answer of a call, which has one page or several. Return the ends of waits, each as a ticket, a
        `Done`, the resource in the answer or `None`, and the message of the error if two answers do not have it.

        Raises:
            StateError: The resources of the answer cannot be told apart (`invalid_answer`), or the call is not in
                flight. The fleet is unchanged.

        """

    def fail(self, call: int, event: ErrorEvent, now_ms: float) -> None:
        """Handle the error of a call, a `smithy_waiters.events.Error`. A throttled call lowers the rate.

        Raises:
            StateError: The call is not in flight. The fleet is unchanged.

        """

    def _start_stored(
        self,
        ids: Mapping[str, Any],
        whole: Mapping[str, Any],
        id: str,
        started_at: float,
        deadline_at_ms: float | None,
        **options: Any,
    ) -> None: ...
    def _resume_stored(self, json: str, is_due: bool) -> int: ...
    def _stored_state(self) -> tuple[str, str] | None: ...
    def _stored_report(self) -> str | None: ...
    def _start_identity(self, arguments: str) -> str | None: ...
    def _conclude(self, now_ms: float) -> None: ...
    def _cut(self, call: int, now_ms: float) -> None: ...
    def abandon(self, call: int, now_ms: float) -> None:
        """End a call whose result the caller does not have, such as one of a task that was cancelled. It is repeated.

        Raises:
            StateError: The call is not in flight. The fleet is unchanged.

        """

@final
class Tally:
    """Counts the ends of several waits, and decides when the whole has ended.

    Raises:
        OptionsError: `quorum` is 0 or above `total`.

    """

    def __new__(cls, total: int, *, quorum: int | None = None, fail_fast: bool = False) -> Self: ...
    def count(self, is_success: bool) -> Literal["failed", "open", "succeeded"]:
        """Count the end of a wait and return the state of the whole: `"open"`, `"succeeded"` or `"failed"`."""

    @property
    def state(self) -> Literal["failed", "open", "succeeded"]:
        """The state of the whole: `"open"`, `"succeeded"` or `"failed"`. Without waits, it has succeeded."""

@final
class Call:
    """The step to call the operation and then handle the event of its end."""

    def __new__(cls, attempt: int, deadline_ms: int | None) -> Self: ...
    @property
    def type(self) -> Literal["call"]:
        """The kind of step: `"call"`."""

    @property
    def attempt(self) -> int:
        """The number of the attempt, starting at 1."""

    @property
    def deadline_ms(self) -> int | None:
        """The time at which to cancel the call and handle `DeadlineReached`, in milliseconds since the start; `None` if
        the call has no deadline.
        """

    def __eq__(self, other: object, /) -> bool: ...

@final
class Sleep:
    """The step to sleep and then poll."""

    def __new__(cls, until_ms: int, last: bool) -> Self: ...
    @property
    def type(self) -> Literal["sleep"]:
        """The kind of step: `"sleep"`."""

    @property
    def until_ms(self) -> int:
        """The end of the pause, in milliseconds since the start."""

    @property
    def last(self) -> bool:
        """`True` if the next attempt is the last one before the deadline."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class Done:
    """The step that ends the wait, with its report."""

    @property
    def type(self) -> Literal["done"]:
        """The kind of step: `"done"`."""

    @property
    def state(self) -> Literal["success", "failure"]:
        """The state: `"success"` or `"failure"`."""

    @property
    def code(self) -> FailureCode | None:
        """The reason for the failure: `"failure_state"`, `"unexpected_state"`, `"unmatched_error"`, `"unreachable"`,
        `"timed_out"`, `"too_many_attempts"` or `"cancelled"`; `None` for a success.
        """

    @property
    def waiter(self) -> str | None:
        """The name of the waiter."""

    @property
    def label(self) -> str | None:
        """The label of the wait."""

    @property
    def message(self) -> str:
        """The result in one sentence."""

    @property
    def acceptor(self) -> int | None:
        """The index of the acceptor that ended the wait; `None` if no acceptor did."""

    @property
    def acceptor_text(self) -> str | None:
        """The acceptor that ended the wait as compact JSON, with the members of the definition."""

    @property
    def attempts(self) -> int:
        """The number of attempts started."""

    @property
    def elapsed_ms(self) -> int:
        """The duration of the wait, in milliseconds."""

    @property
    def noticed_within_ms(self) -> int | None:
        """The maximum time between the change of the resource and the end of the wait, in milliseconds: the time since
        the start of the latest call that returned another state. `None` for a failure, and if there was no such call.
        """

    @property
    def last_result(self) -> AttemptResult | None:
        """The result of the last attempt: `"response"`, `"error"`, `"cut"` (aborted at its deadline), `"late"` or
        `"cancelled"`; `None` if no attempt was made.
        """

    @property
    def history(self) -> tuple[AttemptRecord, ...]:
        """The latest attempts, oldest first. Their number is limited by `history_limit`."""

    def explain(self) -> str:
        """Return the full report as text: the message, and for each attempt the reasons why each acceptor did or did
        not match.
        """

    def to_json(self) -> str:
        """Return the report as JSON text, with the same members as `WaiterError.to_json`. The response and the errors,
        which the report does not have, are null.
        """

    @property
    def _leaves_work(self) -> bool: ...
    def _end_json(self, values: str, limit: int | None = None) -> str: ...
    def _cause(self, error: BaseException | None) -> BaseException | None: ...
    def __eq__(self, other: object, /) -> bool: ...

@final
class AttemptRecord:
    """The record of an attempt that has ended. Times are milliseconds since the start of the wait."""

    @property
    def attempt(self) -> int:
        """The number of the attempt, starting at 1."""

    @property
    def started_ms(self) -> int:
        """The start of the call."""

    @property
    def ended_ms(self) -> int:
        """The end of the call."""

    @property
    def result(self) -> AttemptResult:
        """The result: `"response"`, `"error"`, `"cut"` (aborted at its deadline), `"late"` or `"cancelled"`."""

    @property
    def error(self) -> str | None:
        """The error in one line, if the call failed."""

    @property
    def state(self) -> State | None:
        """The state of the verdict; `None` if the result was not evaluated."""

    @property
    def acceptor(self) -> int | None:
        """The index of the acceptor that matched."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The reasons why each evaluated acceptor did or did not match."""

    @property
    def values(self) -> tuple[PathValue, ...]:
        """The values of the paths in `show`, if the call succeeded."""

    @property
    def delay_ms(self) -> int | None:
        """The delay before the next attempt, in milliseconds; `None` after the last attempt."""

    @property
    def next_is_last(self) -> bool:
        """`True` if the next attempt is the last one before the deadline."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class Hint:
    """A probable mistake in a definition, an option or a call, which a result of the call shows."""

    def __new__(cls, code: str, text: str) -> Self: ...
    @property
    def code(self) -> HintCode:
        """The stable code, such as `"near_name"`."""

    @property
    def text(self) -> str:
        """The text, in one line."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class PathValue:
    """The value of a path in the option `show`."""

    def __new__(cls, path: str, text: str) -> Self: ...
    @property
    def path(self) -> str:
        """The path, as written in the option."""

    @property
    def text(self) -> str:
        """The value as JSON, truncated at 200 characters. For a redacted value it is the type, and for an unreadable
        value the problem.
        """

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Delay:
    """The pause before the next attempt."""

    def __new__(cls, delay: float, last: bool) -> Self: ...
    @property
    def delay(self) -> float:
        """The length of the pause, in seconds."""

    @property
    def last(self) -> bool:
        """`True` if the next attempt is the last one before the deadline."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class RetryInfo:
    """The information in an error about retrying its call.

    See the `specification <https://smithy.io/2.0/guides/client-guidance/retries.html#retry-strategy>`_.

    Args:
        safety: `"yes"`, `"no"`, or `"maybe"` if the error does not determine it.
        throttle: `True` if the service reported too many requests.
        timeout: `True` if no answer arrived in time.
        retry_after: The minimum delay that the service requested, in seconds or as a `timedelta`.

    Raises:
        OptionsError: `safety` is not one of the three values, or `retry_after` is not a valid duration.

    """

    def __new__(
        cls,
        safety: RetrySafety,
        *,
        throttle: bool = False,
        timeout: bool = False,
        retry_after: float | timedelta | None = None,
    ) -> Self: ...
    @property
    def safety(self) -> RetrySafety:
        """The safety of a retry: `"yes"`, `"no"` or `"maybe"`."""

    @property
    def throttle(self) -> bool:
        """`True` if the service reported too many requests."""

    @property
    def timeout(self) -> bool:
        """`True` if no answer arrived in time."""

    @property
    def retry_after(self) -> float | None:
        """The minimum delay that the service requested, in seconds; `None` if it did not request one."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class FailureInfo:
    """The classification of a failed attempt.

    Args:
        retry: The information about retrying the call.
        fault: The side that caused the error: `"client"`, `"server"` or `"other"`.

    Raises:
        OptionsError: `fault` is not one of the three values.

    """

    def __new__(cls, *, retry: RetryInfo | None = None, fault: ErrorFault | None = None) -> Self: ...
    @property
    def retry(self) -> RetryInfo | None:
        """The information about retrying the call, if the error contains any."""

    @property
    def fault(self) -> ErrorFault | None:
        """The side that caused the error: `"client"`, `"server"` or `"other"`; `None` if it is unknown."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class Classified:
    """The classification of a failed attempt, and a note on the reason that prevents a retry."""

    @property
    def failure(self) -> FailureInfo:
        """The classification, which retry strategies read."""

    @property
    def note(self) -> tuple[str, str] | None:
        """The code and text of a note: a header was ignored, or another reason prevents a retry. `None` without a
        note.
        """

@final
class Request:
    """A request with retries in progress. It returns steps for the caller to perform, and never reads a clock, sleeps
    or calls.

    The steps `"acquire"`, `"refresh"`, `"record"` and `"release"` are for a retry strategy, whose token the caller has.

    Raises:
        OptionsError: An option is unknown or invalid.

    """

    def __new__(
        cls,
        *,
        operation: Operation | None = None,
        input: object = None,
        has_policy: bool = False,
        idempotent: bool | None = None,
        max_time: float | timedelta | None = None,
    ) -> Self: ...
    def poll(self, now_ms: float) -> _RequestStep:
        """Return the current step: `Sleep` during a pause, `Call` when the pause has ended and until that attempt has
        ended, the name of a step of the strategy, or a `RequestReport` if the request has ended.

        Raises:
            StateError: `now_ms` is not from 0 to 2^53 - 1 (`invalid_time`), or another step is being taken (`busy`).

        """

    def handle(
        self,
        event: Literal["success", "failure", "retry", "returned"] | DeadlineReached | Cancelled,
        now_ms: float,
        failure: Classified | None = None,
    ) -> _RequestStep:
        """Handle an event and return the next step.

        Args:
            event: `"success"`, `"failure"`, `"retry"` with its `failure`, or `"returned"` after the strategy took its
                token back; or `DeadlineReached` or `Cancelled` of `smithy_waiters.events`.
            now_ms: The milliseconds since the start of the request.
            failure: The classification of the failed attempt.

        Raises:
            StateError: The event is out of order, `now_ms` is not a valid time, or another step is being taken.
            ValueError: The event is unknown, or its argument is missing.

        """

    def handle_token(self, token: object, now_ms: float) -> _RequestStep:
        """Handle the token that the strategy issued, and return the next step.

        Raises:
            OptionsError: The token has no valid `delay`.
            StateError: The strategy has no step, `now_ms` is not a valid time, or another step is being taken.

        """

    def handle_refusal(self, refusal: Exception, now_ms: float) -> _RequestStep:
        """Handle the exception by which the strategy refused a token, and return the next step.

        Raises:
            StateError: The strategy has no step, `now_ms` is not a valid time, or another step is being taken.

        """

    def classify(self, facts: dict[str, Any] | FailureInfo | None) -> Classified:
        """Classify a failed attempt.

        `facts` are the facts of an error, the caller's own classification, or `None` for a response that a policy
        rejects.

        Raises:
            StateError: A step is being taken (`busy`).

        """

    @property
    def attempts(self) -> int:
        """The number of attempts started so far."""

@final
class RequestReport:
    """The result of a request. Its text describes the number of attempts and the reason for the end."""

    @property
    def attempts(self) -> int:
        """The number of attempts started."""

    @property
    def code(self) -> str | None:
        """The machine-readable reason why no further attempt is made; `None` for a success."""

    @property
    def message(self) -> str | None:
        """The reason why no further attempt is made, as text; `None` for a success."""

@disjoint_base
class Paginator:
    """The base class of `smithy_waiters.pagination.Paginator`, implemented by the engine: it reads tokens and items.

    Raises:
        DefinitionError: The trait or the model is invalid, or the model does not have the operation.

    """

    def __new__(
        cls,
        text: str,
        *,
        operation: str | None = None,
        service: str | None = None,
        truncates: bool | None = None,
        page_size_kind: PageSizeKind | None = None,
    ) -> Self: ...
    @property
    def input_token(self) -> str:
        """The name of the input member for the token."""

    @property
    def page_size(self) -> str | None:
        """The name of the input member that limits the size of a page, if the definition has one."""

    @property
    def page_size_kind(self) -> PageSizeKind | None:
        """The type of the input member `page_size`: `"integer"` or `"string"`; `None` without a model."""

    @property
    def truncates(self) -> bool | None:
        """`True` if the output has a boolean member `IsTruncated`; `None` without a model."""

    def to_json(self) -> str:
        """Return the definition as JSON text."""

    @property
    def has_items(self) -> bool:
        """`True` if the definition has the path of the items."""

    def check_items(self) -> None:
        """Check that the definition has the path of the items.

        Raises:
            DefinitionError: The definition does not have the path.

        """

    def size_of(self, size: object) -> int | str | None:
        """Return the size of a page in the type of the input member, or `None` for `None`.

        Raises:
            OptionsError: The size is invalid, or the definition does not have `pageSize`.

        """

    def next_token(self, page: object, *, stop_when_not_truncated: bool | None = None) -> Any:
        """Return the token of the next page, or `None` after the last page. The token can start a later walk.

        See the `specification <https://smithy.io/2.0/spec/behavior-traits.html#pagination>`_.

        Args:
            page: A response of the operation.
            stop_when_not_truncated: `False` ignores the member `IsTruncated`.

        Raises:
            PaginationError: The token is neither a string nor a map, or the page cannot be read.

        """

    def items_of(self, page: object) -> Any:
        """Return the list or map of items in a page, or `None` if the page or the definition has none.

        Raises:
            PaginationError: The page cannot be read.

        """

@final
class Walk:
    """A walk over the pages of an operation. It returns the page number and the token of each request, and `None` after
    the last page.

    Args:
        paginator: The paginator of the operation.
        repeated_token: The action if a page repeats the token of its request: `"error"` (the default), `"stop"`
            or `"continue"`.
        stop_when_not_truncated: `False` ignores the member `IsTruncated` of a page. By default the walk ends if it
            is false.

    Raises:
        OptionsError: An option is invalid.

    """

    def __new__(
        cls,
        paginator: Paginator,
        *,
        repeated_token: Literal["error", "stop", "continue"] | None = None,
        stop_when_not_truncated: bool | None = None,
    ) -> Self: ...
    def begin(self, start_token: object = None, input: object = None) -> tuple[int, Any] | None:
        """Return the page number and token of the first request. An empty `start_token` is ignored.

        Raises:
            OptionsError: The start token is neither a string nor a map, or is too long.

        """

    def handle(self, page: object) -> tuple[int, Any] | None:
        """Handle a requested page, and return the page number and token of the next request.

        Raises:
            PaginationError: The walk cannot continue after this page, and has ended.

        """

@disjoint_base
class Operation:
    """The base class of `smithy_waiters.operation.Operation`, implemented by the engine: it reads behavior traits.

    Raises:
        DefinitionError: The model is invalid or does not have the operation.
        ValueError: `text` is not the JSON text of an operation, and `operation` is `None`.

    """

    def __new__(cls, text: str, operation: str | None = None, service: str | None = None) -> Self: ...
    def _to_json(self) -> str:
        """Return the traits as JSON text, for `pickle`. The constructor reads the text if no operation is passed."""

    @property
    def idempotency_token(self) -> str | None:
        """The name of the input member with the trait `idempotencyToken`, if there is one."""

    @property
    def compression(self) -> RequestCompression | None:
        """The compression of request bodies, if the operation supports it."""

    def is_idempotent(self, input: object = None) -> bool:
        """Return `True` if a request with this input can be repeated safely.

        That holds if the operation is `readonly` or `idempotent`, or if the input contains the idempotency token. See
        the `specification <https://smithy.io/2.0/spec/behavior-traits.html#idempotency>`_.

        Raises:
            OptionsError: The input cannot be read.

        """

    def missing_token(self, input: object) -> str | None:
        """Return the name of the idempotency token if the input lacks it. Set that member to a fresh UUID.

        See the `specification <https://smithy.io/2.0/spec/behavior-traits.html#idempotencytoken-trait>`_.

        Raises:
            OptionsError: The input cannot be read.

        """

    def error(self, name: str) -> tuple[ErrorFault, bool, bool] | None:
        """Return the traits of a modeled error: its fault, whether it is retryable, and whether it is a throttling
        error.

        `None` if the model does not have the error.
        """

@final
class RequestCompression:
    """The compression of an operation's request bodies, as configured by the `requestCompression` trait.

    See the `specification <https://smithy.io/2.0/spec/behavior-traits.html#requestcompression-trait>`_.

    >>> RequestCompression(["gzip"]).encoding(20_000)
    'gzip'

    Args:
        encodings: The encodings of the trait, in order of preference.
        streaming: `True` if the input has a `streaming` member. Bodies of any size are then compressed.

    Raises:
        DefinitionError: `encodings` is empty or has an invalid name.
        TypeError: `encodings` is not a list of strings.

    """

    def __new__(cls, encodings: Sequence[str], *, streaming: bool = False) -> Self: ...
    def encoding(
        self,
        size: int | None,
        *,
        requires_length: bool = False,
        settings: CompressionSettings | None = None,
        supported: Sequence[str] | None = None,
    ) -> str | None:
        """Return the encoding to compress a body with, or `None` to send the body uncompressed.

        Args:
            size: The size of the body in bytes; `None` for a stream.
            requires_length: `True` if the length of a stream must be known before it is sent. Such a stream is not
                compressed.
            settings: The settings of the client and the request.
            supported: The encodings that the sender supports; `["gzip"]` by default.

        Raises:
            OptionsError: `size` is not an integer of at least 0.

        """

    def __eq__(self, other: object, /) -> bool: ...

@final
class CompressionSettings:
    """The compression settings of a client or of one request.

    Args:
        disable_request_compression: `True` to compress nothing; `False` by default.
        request_min_compression_size_bytes: The minimum size of a compressed body, from 0 to 10485760 bytes; 10240 by
            default. Streams are compressed regardless of their size.

    Raises:
        OptionsError: A setting is unknown or invalid.

    """

    def __new__(
        cls,
        *,
        disable_request_compression: bool | None = None,
        request_min_compression_size_bytes: int | None = None,
    ) -> Self: ...
    def over(self, client: CompressionSettings) -> Self:
        """Return these settings of a request, with the client's values for settings that the request does not have."""

    def __eq__(self, other: object, /) -> bool: ...

def content_encoding(existing: str | None, encoding: str) -> str:
    """Return the `Content-Encoding` header of a compressed body: `encoding` follows the existing codings.

    >>> content_encoding("br", "gzip")
    'br, gzip'
    """

@final
class RetryQuota:
    """A quota of retry tokens. Failing requests empty the quota and successful ones refill it, so that clients stop
    retrying during an outage.

    Pass one quota to several strategies to share it: `StandardRetryStrategy(quota=quota)`. A quota is thread-safe and
    cannot be pickled. See the
    `specification <https://smithy.io/2.0/guides/client-guidance/retries.html#example-retry-strategy>`_.

    >>> RetryQuota(100)
    RetryQuota(capacity=100, available=100)

    Raises:
        OptionsError: The capacity is not an integer of at least 1.

    """

    def __new__(cls, capacity: int | None = 500) -> Self: ...
    @property
    def capacity(self) -> int:
        """The number of tokens in the full quota."""

    @property
    def available(self) -> int:
        """The current number of tokens."""

    def __copy__(self) -> Self:
        """Return the quota itself: a copy shares its tokens."""

    def __deepcopy__(self, _memo: object) -> Self: ...

@disjoint_base
class StandardRetryStrategy:
    """Retry strategy with exponential backoff, full jitter and a retry quota: the example of the specification, with
    configurable values.

    One strategy serves all requests of a client, from any thread. It never sleeps: the caller sleeps for the `delay`
    of a token. A copy is the strategy itself. A pickle contains the options, and the unpickled strategy starts with a
    full quota. A strategy with a shared quota cannot be pickled.

    The options are the keywords of `smithy_waiters.retry.RetryOptions`, and `quota` to share a quota. See the
    `specification <https://smithy.io/2.0/guides/client-guidance/retries.html#example-retry-strategy>`_.

    >>> strategy = StandardRetryStrategy(max_retries=2)
    >>> strategy.acquire_initial_token().delay
    0.0

    Raises:
        OptionsError: An option is unknown or invalid, or conflicts with another one.

    """

    def __new__(cls, *, quota: RetryQuota | None = None, **options: Unpack[RetryOptions]) -> Self: ...
    @property
    def quota(self) -> RetryQuota | None:
        """The quota of the strategy; `None` if retries are unlimited."""

    @property
    def max_retries(self) -> int:
        """The maximum number of retries of a request."""

    def acquire_initial_token(self) -> StandardRetryToken:
        """Return the token for the first attempt of a request."""

    def refresh_retry_token(self, token: StandardRetryToken, failure: FailureInfo) -> StandardRetryToken:
        """Return the token for the next attempt after a failed one.

        Raises:
            RetryRefusal: The request is not retried, and fails with the error of this attempt.
            TokenError: The token was already used or belongs to another strategy.

        """

    def record_success(self, token: StandardRetryToken) -> None:
        """Return the token of a successful attempt, and refill the quota.

        Raises:
            TokenError: The token was already used or belongs to another strategy.

        """

    def release_token(self, token: StandardRetryToken) -> None:
        """Return the token of an attempt that is not made, and refund its cost to the quota.

        The specification does not have this operation.

        Raises:
            TokenError: The token was already used or belongs to another strategy.

        """

    def __copy__(self) -> Self:
        """Return the strategy itself: a copy shares its quota."""

    def __deepcopy__(self, _memo: object) -> Self: ...

@final
class StandardRetryToken:
    """The state of a request between two attempts. A token can be used once."""

    @property
    def delay(self) -> float:
        """The delay before the attempt, in seconds."""

    @property
    def retries(self) -> int:
        """The number of retries, including the one that the token is for."""

def delay(
    *,
    attempt: int,
    remaining: float | timedelta,
    min_delay: float | timedelta,
    max_delay: float | timedelta,
    random: float,
) -> Delay | None:
    """Return the delay before the next attempt, or `None` if no further attempt fits before the deadline.

    See the `specification <https://smithy.io/2.0/additional-specs/waiters.html#waiter-retries>`_.

    >>> delay(attempt=3, remaining=295, min_delay=2, max_delay=120, random=0.7)
    Delay(delay=6.2, last=False)

    Args:
        attempt: The number of calls made so far, at least 1.
        remaining: The time until the deadline, in seconds or as a `timedelta`.
        min_delay: The minimum delay, in seconds or as a `timedelta`.
        max_delay: The maximum delay, in seconds or as a `timedelta`.
        random: The random number for the jitter, at least 0 and less than 1.

    Raises:
        OptionsError: An argument is out of range.

    """

def search(expression: str, value: object) -> Any:
    """Search a value with a JMESPath expression, by the rules that apply to waiters.

    Selected values are returned unchanged. Computed values are new objects; integral numbers are of type `int`. See the
    `specification <https://smithy.io/2.0/additional-specs/waiters.html#jmespath-data-model>`_.

    >>> search("length(Tables)", {"Tables": ["one", "two"]})
    2

    Raises:
        ExpressionError: The expression is invalid or cannot be evaluated on the value.

    """

def _attempt(json: str) -> AttemptRecord: ...
def _make(cls: type[_T], keywords: dict[str, Any], /) -> _T: ...
def _done(json: str) -> Done: ...
def _botocore_error_names(code: str, status: int | None) -> list[str]: ...
def _botocore_find(text: str, name: str) -> str: ...
def _botocore_names(text: str) -> list[str]: ...
def _check_no_options(**options: object) -> None: ...
def _display_input(value: object) -> str: ...
def _has_slept(passed_ms: float, asked_ms: float) -> bool: ...
def _must_be(option: str, rule: str, value: object, advice: str = "") -> Exception: ...
def _pause(json: str) -> tuple[int, int]: ...
def _plain(value: object) -> Any: ...
def _poll_action(*, next_exists: bool, wait: str, is_first: bool, is_reported: bool) -> str: ...
def _max_items(value: object) -> int | None: ...
def _max_wait(**option: object) -> float: ...
def _python_name(name: str) -> str: ...
def _report_limit(**option: object) -> int: ...
def _retry_error(code: str) -> Exception: ...
def _set_package_members(members: dict[str, Any]) -> None: ...
def _stored(json: str) -> dict[str, Any]: ...
def _stored_fleet(json: str) -> str: ...
def _unknown_option(name: str, names: list[str], otherwise: str) -> Exception: ...
def _verdict(
    waiter: Waiter,
    json: str,
    failed: bool,
    observed: object,
    input: object,
) -> Verdict: ...
def _wait(waiter: Waiter, json: str, input: object) -> Wait: ...
def _waits_failed(failures: list[tuple[str, str]], total: int) -> str: ...
