from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from types import GenericAlias
from typing import Any, Generic, Literal, final, overload

from typing_extensions import Self, TypeVar, Unpack, disjoint_base

from .literals import AttemptResult, ErrorFault, FailureCode, PageSizeKind, RetrySafety, State
from .options import WaitOptions
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
    "Operation",
    "Paginator",
    "PathValue",
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
    "Transient",
    "Verdict",
    "VerdictEvent",
    "Wait",
    "Waiter",
    "Walk",
    "__version__",
    "_attempt",
    "_done",
    "_make",
    "_plain",
    "_unknown_option",
    "_use",
    "_verdict",
    "_wait",
    "content_encoding",
    "delay",
    "search",
]

__version__: str

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True, default=Any)

@disjoint_base
class Waiter:
    """The engine's part of a waiter: verdicts on responses and errors, and the start of a wait."""

    def __new__(
        cls,
        text: str,
        name: str | None = None,
        *,
        source: tuple[Literal["model"], str | None]
        | tuple[Literal["short_form"], Callable[[Any], object] | None]
        | None = None,
        error_names: Callable[[Any], Iterable[str] | None] | None = None,
        service_errors_only: bool | None = None,
    ) -> Self: ...
    def _arguments(self) -> dict[str, Any]: ...
    def _definition(self) -> str: ...
    def _extended(self, text: str) -> str: ...
    @property
    def name(self) -> str | None:
        """The name it was made with."""

    @property
    def documentation(self) -> str | None:
        """The definition's `documentation`."""

    @property
    def deprecated(self) -> bool:
        """Whether the definition says that the waiter is deprecated."""

    @property
    def tags(self) -> tuple[str, ...]:
        """The definition's `tags`."""

    @property
    def redact(self) -> tuple[str, ...]:
        """The paths of the members that reasons, messages and reports do not show.

        Those of the definition, and of the members that its acceptors read and that are `@sensitive` in its model.
        """

    @property
    def min_delay(self) -> float:
        """The least delay between two attempts, in seconds: the definition's, 2 where it has none."""

    @property
    def max_delay(self) -> float:
        """The greatest delay between two attempts, in seconds: the definition's, 120 where it has none."""

    @property
    def acceptors(self) -> tuple[str, ...]:
        """The acceptors as the definition has them, as compact JSON, in order."""

    @property
    def error_names(self) -> Callable[[Any], Iterable[str] | None] | None:
        """The function that names errors, where its caller gave one."""

    @property
    def predicate(self) -> Callable[[Any], object] | None:
        """The function that decides in the place of an expression, if the waiter has one."""

    @property
    def service_errors_only(self) -> bool:
        """Whether only errors that carry a service's code, or names by `error_names`, are matched by `errorType`."""

    @overload
    def evaluate(self, *, response: _T, input: object = None) -> Verdict[_T]:
        """Says what follows from a response or an error.

        Give exactly one of the two; `None` is a response like any other. `error` is the exception that a call
        raised, or the name of an error. `input` is the operation's input, which `inputOutput` matchers look at.

        >>> waiter.evaluate(response={"Table": {"TableStatus": "ACTIVE"}}).state
        'success'
        >>> waiter.evaluate(error="ResourceNotFoundException").state
        'retry'
        """

    @overload
    def evaluate(self, *, error: BaseException | str | Mapping[str, object] | None, input: object = None) -> Verdict:
        """Says what follows from a response or an error.

        Give exactly one of the two; `None` is a response like any other. `error` is the exception that a call
        raised, or the name of an error. `input` is the operation's input, which `inputOutput` matchers look at.

        >>> waiter.evaluate(response={"Table": {"TableStatus": "ACTIVE"}}).state
        'success'
        >>> waiter.evaluate(error="ResourceNotFoundException").state
        'retry'
        """
    def start(self, *, input: object = None, **options: Unpack[WaitOptions]) -> Wait:
        """Starts a wait that is driven by hand, step by step; the options are those of `Waiter.wait`."""

    def resume(self, json: str, *, input: object = None, elapsed_ms: float | None = None) -> Wait:
        """Resumes a wait that was saved by `Wait.to_json`.

        `elapsed_ms` is the time since the wait started, in milliseconds. Without it the time away counts by the
        wall clock.
        """

@final
class Verdict(Generic[_T_co]):
    """The verdict on one response or error.

    It keeps the response or the error, and evaluates that again when its `reasons` are read.
    """

    @property
    def state(self) -> State:
        """The state: `"success"`, `"failure"` or `"retry"`."""

    @property
    def acceptor(self) -> int | None:
        """The index of the acceptor that matched.

        `None` where none did: an error is then a failure, a response a retry.
        """

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why each acceptor that was looked at did or did not match, in order."""

    @property
    def response(self) -> _T_co | None:
        """The response that it was given for; `None` where it was an error."""

    @property
    def error(self) -> Any:
        """The error that it was given for; `None` where it was a response."""

    def __class_getitem__(cls, key: Any) -> GenericAlias: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Reason:
    """Why an acceptor did or did not match."""

    def __new__(cls, acceptor: int | None, code: str, text: str) -> Self: ...
    @property
    def acceptor(self) -> int | None:
        """The index of the acceptor; `None` if no acceptor was evaluated."""

    @property
    def matched(self) -> bool:
        """Whether it matched."""

    @property
    def code(self) -> str:
        """Why, for programs: `matched`, `not_equal`, `null`, …"""

    @property
    def text(self) -> str:
        """Why, for people: `Table.TableStatus gave "CREATING", expected "ACTIVE"`."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Wait:
    """A wait in progress: returns the next step, and has no clock or sleep of its own.

    Times are milliseconds since the wait started; an earlier time than before counts as the latest one. A step
    is a `Call`, a `Sleep` or the `Done` that ends the wait; after that every call returns the same `Done`.

    >>> wait = waiter.start(max_wait=60, seed=7)
    >>> wait.poll(0)
    Call(attempt=1, deadline_ms=60000)
    >>> wait.handle(Response({"Status": "PENDING"}), 30)
    Sleep(until_ms=2030, last=False)
    """

    def poll(self, now_ms: float) -> Call | Sleep | Done:
        """Returns the step that is due: `Sleep` before the pause is over, `Call` after it and while that call is in
        flight, `Done` at or past the deadline.
        """

    def handle(
        self, event: ResponseEvent | ErrorEvent | VerdictEvent | DeadlineReached | Cancelled, now_ms: float
    ) -> Call | Sleep | Done:
        """Takes an event of `smithy_waiters.events` and returns the next step.

        Raises `StateError` for an event out of order, which leaves the wait unchanged. A `KeyboardInterrupt` or the
        like that a getter of the response raises leaves after the event was handled.
        """

    def explain_response(self, response: object) -> Done | None:
        """Completes the report of a failed wait whose verdicts were made elsewhere: evaluates the last response for
        the reasons that the event `Verdict` leaves out. Returns `None` unless the wait has failed.
        """

    def to_json(self) -> str:
        """Returns the wait as JSON text, which `Waiter.resume` reads, also elsewhere and in another language.

        The text has no history, no response and no error. A wait that is saved while a call is in flight hands out
        the same attempt again.
        """

    @property
    def waiter(self) -> Waiter:
        """The waiter it belongs to."""

    @property
    def input(self) -> Any:
        """The operation's input."""

    @property
    def attempts(self) -> int:
        """The number of attempts that were started."""

    @property
    def latest(self) -> AttemptRecord | None:
        """The newest attempt that has ended."""

    @property
    def summary(self) -> str | None:
        """The newest attempt that has ended, in one line for people: the time, the state and its reason, the values to
        show, and the next delay.
        """

    @property
    def label(self) -> str | None:
        """The label of the wait."""

    @property
    def now_ms(self) -> int:
        """The latest time that was given, in milliseconds since the wait started."""

    @property
    def deadline_ms(self) -> int | None:
        """The deadline of the wait in milliseconds since its start; `None` if only attempts are limited."""

@final
class ResponseEvent:
    """The call returned a response.

    `not_before_ms` is the earliest time of the next attempt, if the service asked for one, in milliseconds
    since the wait started.
    """

    def __new__(cls, response: object, not_before_ms: float | None = None) -> Self: ...
    @property
    def response(self) -> Any:
        """The response."""

    @property
    def not_before_ms(self) -> int | None:
        """The earliest time of the next attempt, in milliseconds since the wait started."""

@final
class Transient:
    """A transient error: a wait makes the call again unless an acceptor matches the error.

    `not_before_ms` is the earliest time of the next attempt, in milliseconds since the wait started; 0 for any.
    `answered` is false if the connection failed or no answer came in time.
    """

    def __new__(cls, not_before_ms: float = 0, answered: bool = True) -> Self: ...
    @property
    def not_before_ms(self) -> int:
        """The earliest time of the next attempt, in milliseconds since the wait started."""

    @property
    def answered(self) -> bool:
        """`True` if the service answered."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class ErrorEvent:
    """The call raised an error: the exception, or the name of one.

    `transient` is your own classification: a `Transient`, or `False` for an error that waiting does not cure.
    Without it the package classifies the error.
    """

    def __new__(
        cls,
        error: BaseException | str | Mapping[str, object] | None,
        transient: Transient | Literal[False] | None = None,
    ) -> Self: ...
    @property
    def error(self) -> Any:
        """The exception, or the name of one."""

    @property
    def transient(self) -> Transient | Literal[False] | None:
        """Your classification of the error; `None` to let the package classify it."""

@final
class VerdictEvent:
    """The call ended, and compiled or hand-written code evaluated the result: the engine reads no value.

    `acceptor` is the index of the first acceptor that matched, or `None`. `error` is the exception that the
    call raised, or its name; `None` if the call returned a response. `transient` as in `Error`.
    """

    def __new__(
        cls,
        acceptor: int | None,
        error: BaseException | str | Mapping[str, object] | None = None,
        transient: Transient | Literal[False] | None = None,
    ) -> Self: ...
    @property
    def acceptor(self) -> int | None:
        """The index of the first acceptor that matched."""

    @property
    def error(self) -> Any:
        """The exception, or the name of one; `None` after a response."""

    @property
    def transient(self) -> Transient | Literal[False] | None:
        """Your classification of the error; `None` to let the package classify it."""

@final
class DeadlineReached:
    """You cancelled the call because its deadline has passed."""

    def __new__(cls) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Cancelled:
    """The caller cancelled the wait; legal at any time."""

    def __new__(cls) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Call:
    """Call the operation, then handle the end of the call."""

    def __new__(cls, attempt: int, deadline_ms: int | None) -> Self: ...
    @property
    def type(self) -> Literal["call"]: ...
    @property
    def attempt(self) -> int:
        """The number of the attempt, from 1."""

    @property
    def deadline_ms(self) -> int | None:
        """When to cancel the call and handle `DeadlineReached`, in milliseconds since the start; `None` if nothing
        limits it.
        """

    def __eq__(self, other: object, /) -> bool: ...

@final
class Sleep:
    """Sleep, then poll."""

    def __new__(cls, until_ms: int, last: bool) -> Self: ...
    @property
    def type(self) -> Literal["sleep"]: ...
    @property
    def until_ms(self) -> int:
        """When the pause ends, in milliseconds since the start."""

    @property
    def last(self) -> bool:
        """Whether the next attempt is the last one that fits before the deadline."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class Done:
    """The wait has ended."""

    @property
    def type(self) -> Literal["done"]: ...
    @property
    def state(self) -> Literal["success", "failure"]:
        """`"success"` or `"failure"`."""

    @property
    def code(self) -> FailureCode | None:
        """Why it failed: `"failure_state"`, `"unexpected_state"`, `"unmatched_error"`, `"unreachable"`, `"timed_out"`,
        `"too_many_attempts"` or `"cancelled"`; `None` for a success.
        """

    @property
    def waiter(self) -> str | None:
        """The waiter's name."""

    @property
    def label(self) -> str | None:
        """The label of the wait."""

    @property
    def message(self) -> str:
        """The headline, for people."""

    @property
    def acceptor(self) -> int | None:
        """The index of the acceptor that ended the wait."""

    @property
    def acceptor_text(self) -> str | None:
        """That acceptor as compact JSON, with the members of the definition."""

    @property
    def attempts(self) -> int:
        """The number of attempts that were started."""

    @property
    def elapsed_ms(self) -> int:
        """How long the wait took, in milliseconds."""

    @property
    def noticed_within_ms(self) -> int | None:
        """How late a success may have been noticed, in milliseconds: the time since the start of the newest call
        before it that showed another state. `None` if there was none, and for a failure.
        """

    @property
    def last_result(self) -> AttemptResult | None:
        """The end of the last attempt: `"response"`, `"error"`, `"cut"`, `"late"` or `"cancelled"`; `None` if there
        was none.
        """

    @property
    def history(self) -> tuple[AttemptRecord, ...]:
        """The newest attempts, oldest first, at most the history limit."""

    def explain(self) -> str:
        """Returns the whole story for people: the message, then each attempt and why each acceptor did or did not
        match.
        """

    def __eq__(self, other: object, /) -> bool: ...

@final
class AttemptRecord:
    """One attempt that has ended; times are in milliseconds since the wait began."""

    @property
    def attempt(self) -> int:
        """Its number, from 1."""

    @property
    def started_ms(self) -> int:
        """When the call was started."""

    @property
    def ended_ms(self) -> int:
        """When it ended."""

    @property
    def result(self) -> AttemptResult:
        """The result: `"response"`, `"error"`, `"cut"`, `"late"` or `"cancelled"`."""

    @property
    def error(self) -> str | None:
        """The error in one line, where the call failed."""

    @property
    def state(self) -> State | None:
        """The verdict's state; `None` where the result was not looked at."""

    @property
    def acceptor(self) -> int | None:
        """The index of the acceptor that matched."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why each acceptor that was looked at did or did not match."""

    @property
    def values(self) -> tuple[PathValue, ...]:
        """The values of the paths to show, if the call succeeded."""

    @property
    def delay_ms(self) -> int | None:
        """The delay that followed; `None` where none did."""

    @property
    def next_is_last(self) -> bool:
        """Whether the attempt after that delay is the last that fits."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class PathValue:
    """The value of a path that the caller of a wait wants to see."""

    def __new__(cls, path: str, text: str) -> Self: ...
    @property
    def path(self) -> str:
        """The path, as the caller gave it."""

    @property
    def text(self) -> str:
        """The value as JSON, cut at 200 characters; its type if it is redacted, the problem if it cannot be read."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Delay:
    """The pause before the next attempt."""

    def __new__(cls, delay: float, last: bool) -> Self: ...
    @property
    def delay(self) -> float:
        """How long to wait, in seconds."""

    @property
    def last(self) -> bool:
        """Whether no further attempt fits after the next one."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class RetryInfo:
    """What an error says of retrying it.

    `safety` is `"yes"`, `"no"` or `"maybe"`, where not enough is known; `throttle` whether the service said
    that there were too many requests, `timeout` whether no answer came in time; `retry_after` the least time to
    wait, where the service named one: seconds, or a `timedelta`.
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
        """Whether it is safe: `"yes"`, `"no"` or `"maybe"`."""

    @property
    def throttle(self) -> bool:
        """Whether the service said that there were too many requests."""

    @property
    def timeout(self) -> bool:
        """Whether no answer came in time."""

    @property
    def retry_after(self) -> float | None:
        """The least time to wait, in seconds, where the service named one."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class FailureInfo:
    """What is known of a failed attempt: as much of retrying it, and of whose fault it is, as its error tells.

    `fault` is `"client"`, `"server"` or `"other"`.
    """

    def __new__(cls, *, retry: RetryInfo | None = None, fault: ErrorFault | None = None) -> Self: ...
    @property
    def retry(self) -> RetryInfo | None:
        """What it says of retrying it, where it says anything."""

    @property
    def fault(self) -> ErrorFault | None:
        """Whose fault it is, where that is known: `"client"`, `"server"` or `"other"`."""

    def __eq__(self, other: object, /) -> bool: ...

@final
class Classified:
    """The classification of a failed attempt, and a note on what keeps it from being retried."""

    @property
    def failure(self) -> FailureInfo:
        """The part that a strategy decides by."""

    @property
    def note(self) -> tuple[str, str] | None:
        """The code and the text for a header that was ignored, or for what else keeps the error from being retried."""

@final
class Request:
    """A request in progress: returns the next step, and has no clock, sleep or call of its own.

    `strategy` is a `StandardRetryStrategy`; or the first delay of a custom one in seconds, which then decides
    outside.
    """

    def __new__(
        cls,
        strategy: StandardRetryStrategy | float,
        *,
        operation: Operation | None = None,
        input: object = None,
        has_policy: bool = False,
        idempotent: bool | None = None,
        max_time: float | timedelta | None = None,
    ) -> Self: ...
    def poll(self, now_ms: float) -> Call | Sleep | RequestReport:
        """Returns the step that is due: `Sleep` before the pause is over, `Call` after it and while that attempt is in
        flight, a `RequestReport` if no time is left.
        """

    def handle(
        self,
        event: Literal["success", "failure", "retry"] | DeadlineReached | Cancelled,
        now_ms: float,
        failure: Classified | None = None,
        decision: float | Exception | None = None,
    ) -> Call | Sleep | RequestReport:
        """Takes an event and returns the next step: `"success"`, `"failure"`, or `"retry"` with its `failure`;
        `DeadlineReached` or `Cancelled` of `smithy_waiters.events`.

        `decision` is what a custom strategy decided on a retry: the delay in seconds, or a refusal.
        """

    def classify(self, facts: dict[str, Any] | FailureInfo | None) -> Classified:
        """Classifies a failed attempt by what is known of the request. `facts` are those of an error, the caller's own
        classification, or `None` for a response that a policy does not accept.
        """

    @property
    def attempts(self) -> int:
        """The number of attempts that were started."""

@final
class RequestReport:
    """How a request ended; its text tells people after how many attempts and why."""

    @property
    def attempts(self) -> int:
        """The number of attempts that were started."""

    @property
    def code(self) -> str | None:
        """Why there is no further attempt, for programs; `None` for a success."""

    @property
    def message(self) -> str | None:
        """Why, for people."""

@disjoint_base
class Paginator:
    """The engine's part of a paginator: it finds the continuation token and the items of a page."""

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
        """The input member that takes the token."""

    @property
    def page_size(self) -> str | None:
        """The input member that bounds the size of a page, if there is one."""

    @property
    def page_size_kind(self) -> PageSizeKind | None:
        """The type of that member: `"integer"` or `"string"`; `None` without a model."""

    @property
    def truncates(self) -> bool | None:
        """Whether the output has a boolean `IsTruncated`; `None` without a model."""

    def to_json(self) -> str:
        """Returns the definition as JSON text."""

    @property
    def has_items(self) -> bool:
        """Whether the definition says where a page's items are."""

    def check_items(self) -> None:
        """Raises `DefinitionError` if the definition does not say where the items are."""

    def next_token(self, page: object, *, stop_when_not_truncated: bool | None = None) -> Any:
        """Returns the token of the next page, to start from another time; `None` if the page is the last one.

        Raises `PaginationError` for a token that is neither a string nor a map, and for a page that cannot be read.
        """

    def items_of(self, page: object) -> Any:
        """Returns the list or map of a page's items; `None` if the definition names none, or the page has none."""

@final
class Walk:
    """A walk in progress: returns the next request's page number and token, or `None` after the last page.

    `repeated_token` is `"error"` (the default), `"stop"` or `"continue"`: what happens if a page has the token
    that it was requested with. `stop_when_not_truncated` is whether the walk ends if a page's `IsTruncated` is
    false.
    """

    def __new__(
        cls,
        paginator: Paginator,
        *,
        repeated_token: Literal["error", "stop", "continue"] | None = None,
        stop_when_not_truncated: bool | None = None,
    ) -> Self: ...
    def begin(self, start_token: object = None, input: object = None) -> tuple[int, Any] | None:
        """Returns the first request, with `start_token` unless that is empty.

        Raises `OptionsError` for a start token that is neither a string nor a map, or too long.
        """

    def handle(self, page: object) -> tuple[int, Any] | None:
        """Takes the page that was requested, and returns the next request.

        Raises `PaginationError`: the walk cannot go on from this page, and has ended.
        """

@disjoint_base
class Operation:
    """The engine's part of an operation: what its behavior traits say."""

    def __new__(cls, text: str, operation: str | None = None, service: str | None = None) -> Self: ...
    def _to_json(self) -> str:
        """Returns the traits as JSON text, for `pickle`. The constructor reads it if no operation is given."""

    @property
    def idempotency_token(self) -> str | None:
        """The input member that makes a request safe to repeat once it is provided, where there is one."""

    @property
    def compression(self) -> RequestCompression | None:
        """How request bodies may be compressed, where they may."""

    def is_idempotent(self, input: object = None) -> bool:
        """Whether a request with this input may be repeated without harm.

        It may where the operation is `readonly` or `idempotent`, or the input has its idempotency token.
        """

    def missing_token(self, input: object) -> str | None:
        """The input member that is to be filled with a fresh UUID: the idempotency token, where this input has none."""

    def error(self, name: str) -> tuple[ErrorFault, bool, bool] | None:
        """What the model says of an error: its fault, whether it is retryable, and whether that is throttling."""

@final
class RequestCompression:
    """How the bodies of an operation's requests may be compressed: the encodings of its `requestCompression`
    trait.

    `streaming` is whether its input has a `streaming` member: bodies are then compressed whatever their size.

    >>> RequestCompression(["gzip"]).encoding(20_000)
    'gzip'
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
        """By what a body is to be compressed; `None` where it is sent as it is.

        `size` is the size of a body that is there as a whole; `None` for a stream. One whose length has to be known
        before it is sent, by `requires_length`, is never compressed. `supported` is what the sender has: gzip.
        """

    def __eq__(self, other: object, /) -> bool: ...

@final
class CompressionSettings:
    """The two settings of a client, or of one request.

    `disable_request_compression` is a boolean, `False` by default; `request_min_compression_size_bytes` an
    integer from 0 to 10485760, 10240 by default: the least size of a whole body that is compressed.
    """

    def __new__(
        cls,
        *,
        disable_request_compression: bool | None = None,
        request_min_compression_size_bytes: int | None = None,
    ) -> Self: ...
    def over(self, client: CompressionSettings) -> Self:
        """These settings of a request, and for what they do not say those of its client."""

    def __eq__(self, other: object, /) -> bool: ...

def content_encoding(existing: str | None, encoding: str) -> str:
    """The `Content-Encoding` of a body that was compressed: after the caller's own codings.

    >>> content_encoding("br", "gzip")
    'br, gzip'
    """

@final
class RetryQuota:
    """What retries are paid from: it empties while requests fail and fills up as they succeed, so that clients
    leave a service alone that is down.

    Strategies share one by being given the same: `StandardRetryStrategy(quota=quota)`. It is safe between
    threads.

    >>> RetryQuota(100)
    RetryQuota(capacity=100, available=100)
    """

    def __new__(cls, capacity: int | None = 500) -> Self: ...
    @property
    def capacity(self) -> int:
        """What it holds when it is full."""

    @property
    def available(self) -> int:
        """What it holds now."""

    def __copy__(self) -> Self:
        """It is the same quota: what one pays, the other has not."""

    def __deepcopy__(self, _memo: object) -> Self: ...

@disjoint_base
class StandardRetryStrategy:
    """Exponential backoff with full jitter, paid from a quota: the specification's example, each value yours to
    choose.

    One strategy serves all requests of a client, from any thread. Deciding never sleeps: a token tells its
    `delay`. A copy is the same strategy; a pickle is its settings, and begins with a full quota, where it was
    given none.

    The options are keywords: `preset`, `"specification"` (the default) or `"aws"`, over which the others count;
    `max_retries` (5), or `max_attempts`, which counts the first one too; `base_delay` (1),
    `throttling_base_delay` and `max_backoff` (20), or `fixed_delay`; `max_retry_after`, `retry_after_excess`;
    `capacity` (500), `quota` to share one, or `unlimited=True` for none; `retry_cost` (5), `throttling_cost`
    (5), `timeout_cost` (10), `success_refund` (1), `refund_cost`; `seed`. Times are seconds or `timedelta`.
    `smithy_waiters.retry.RetryOptions` tells of each.

    >>> strategy = StandardRetryStrategy(max_retries=2)
    >>> strategy.acquire_initial_token().delay
    0.0
    """

    def __new__(cls, *, quota: RetryQuota | None = None, **options: Unpack[RetryOptions]) -> Self: ...
    @property
    def quota(self) -> RetryQuota | None:
        """What its retries are paid from; `None` where they are free."""

    @property
    def max_retries(self) -> int:
        """How often a request is made again, at most."""

    def acquire_initial_token(self) -> StandardRetryToken:
        """The token of a request, before its first attempt."""

    def refresh_retry_token(self, token: StandardRetryToken, failure: FailureInfo) -> StandardRetryToken:
        """The token of the next attempt, after one that failed.

        Raises `RetryRefusal` where there is none: the request has failed with the error of its attempt. Raises
        `TokenError` for a token that was used before, or that is another strategy's.
        """

    def record_success(self, token: StandardRetryToken) -> None:
        """Takes the token back after an attempt that succeeded. Raises `TokenError` as `refresh_retry_token` does."""

    def release_token(self, token: StandardRetryToken) -> None:
        """Takes the token back of an attempt that is not made: what it took returns to the quota.

        Raises `TokenError` as `refresh_retry_token` does.
        """

    def __copy__(self) -> Self:
        """It is the same strategy, with the same quota."""

    def __deepcopy__(self, _memo: object) -> Self: ...

@final
class StandardRetryToken:
    """The state of one request between its attempts. It is good for one use."""

    @property
    def delay(self) -> float:
        """How long to wait before the next attempt, in seconds."""

    @property
    def retries(self) -> int:
        """How many retries were made, the one that it is for included."""

def delay(
    *,
    attempt: int,
    remaining: float | timedelta,
    min_delay: float | timedelta,
    max_delay: float | timedelta,
    random: float,
) -> Delay | None:
    """The delay before the next attempt, or `None` where no further attempt fits.

    `attempt` is the number of calls already made, from 1; `random` the draw, at least 0 and less than 1; the
    others are seconds or `timedelta`. Raises `OptionsError` for what is out of range.

    >>> delay(attempt=3, remaining=295, min_delay=2, max_delay=120, random=0.7)
    Delay(delay=6.2, last=False)
    """

def search(expression: str, value: object) -> Any:
    """Searches a value with a JMESPath expression, by the rules that waiters are evaluated by.

    What the expression picks comes back as it was; what it computes is new: numbers are `int` where they are
    integral. Raises `ExpressionError` for an expression that does not parse or cannot be evaluated on the
    value.

    >>> search("length(Tables)", {"Tables": ["one", "two"]})
    2
    """

def _attempt(json: str) -> AttemptRecord: ...
def _make(cls: type[_T], keywords: dict[str, Any], /) -> _T: ...
def _done(json: str) -> Done: ...
def _plain(value: object) -> Any: ...
def _unknown_option(name: str, known: list[str], otherwise: str) -> Exception: ...
def _use(members: dict[str, Any]) -> None: ...
def _verdict(
    waiter: Waiter,
    json: str,
    failed: bool,
    seen: object,
    input: object,
) -> Verdict: ...
def _wait(waiter: Waiter, json: str, input: object) -> Wait: ...
