"""What can go wrong, as classes to catch.

A wait that ends without success::

    WaiterError
    ├── WaiterFailed             failure_state, unexpected_state, unmatched_error, unreachable
    ├── WaiterTimeout            timed_out; also a TimeoutError
    ├── WaiterAttemptsExceeded   too_many_attempts
    └── WaiterCancelled          cancelled

What the caller got wrong::

    ValueError
    ├── DefinitionError
    ├── ExpressionError
    ├── OptionsError
    └── TokenError
    RuntimeError
    └── StateError

A request that is not made again (`smithy_waiters.retry`)::

    RetryRefusal                 a strategy's no; the call's own error is what the caller sees
    RetryError                   where the call has none
    ├── RetryCancelled           cancelled
    └── RetryTimeout             out_of_time; also a TimeoutError

Pages that cannot be walked (`smithy_waiters.pagination`)::

    PaginationError              repeated_token, invalid_token, unreadable_page

Each has a stable `code` for programs; the text is for people. All can be copied and pickled, with all that they carry:
to a pickle, an `ErrorStandIn` takes the place of an error that cannot be pickled or not be read back, and plain data
that of such a response. `to_dict` gives them as plain data.
"""

from __future__ import annotations

from ._engine import Done, _plain, _use
from .pickling import original, portable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar, Literal

    from ._engine import AttemptRecord
    from .literals import DefinitionErrorCode, ExpressionErrorCode, FailureCode, OptionsErrorCode, StateErrorCode


class WaiterError(Exception):
    """A wait that ended without success, with everything that is known of why.

    Its `__cause__` is the error of the last attempt, if that ended with one.

    Attributes:
        waiter: The waiter's name.
        label: The label of the wait.
        code: Why, for programs: `failure_state`, `unexpected_state`, `unmatched_error`, `unreachable`, `timed_out`,
            `too_many_attempts` or `cancelled`.
        message: Why, for people.
        acceptor: The index of the acceptor that ended the wait.
        acceptor_text: That acceptor as the definition has it, as compact JSON.
        attempts: The number of calls that were started.
        elapsed: How long it took, in seconds.
        response: The newest response of all attempts.
        error: The newest error of all attempts.
        history: The newest attempts, the oldest first.

    """

    code: FailureCode

    def __init__(self, report: Done | None = None, *, response: Any = None, error: BaseException | None = None) -> None:
        # Mocks give a text, or nothing.
        if not isinstance(report, Done):
            raise TypeError(f"`{type(self).__name__}` is made by a wait that fails, not by hand: {_IN_A_TEST}")
        super().__init__(report.message)
        # What is thrown has one.
        code: Any = report.code
        self.code = code
        self.waiter: str | None = report.waiter
        self.label: str | None = report.label
        self.message: str = report.message
        self.acceptor: int | None = report.acceptor
        self.acceptor_text: str | None = report.acceptor_text
        self.attempts: int = report.attempts
        self.elapsed: float = report.elapsed_ms / 1000
        self.response: Any = response
        self.error: BaseException | None = error
        self.history: tuple[AttemptRecord, ...] = report.history
        self._report = report

    def explain(self) -> str:
        """Tell people the whole story: the message, then each attempt and why each acceptor did or did not match."""
        return self._report.explain()

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain data, for logs: `json.dumps` takes it.

        The response and the errors are in it as the engine reads them: times as epoch seconds, bytes as base64. Errors
        have their `name` and `message`, too. A text in angle brackets stands for what goes in a circle, goes too far,
        or cannot be read.
        """
        return {
            "name": type(self).__name__,
            "message": self.message,
            "code": self.code,
            "waiter": self.waiter,
            "label": self.label,
            "acceptor": self.acceptor,
            "acceptor_text": self.acceptor_text,
            "attempts": self.attempts,
            "elapsed": self.elapsed,
            "response": _plain(self.response),
            "error": _plain(self.error),
            "cause": _plain(self.__cause__),
            "history": _plain(self.history),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        rest = {name: value for name, value in self.__dict__.items() if name not in _OF_REPORT}
        error = portable(self.error)
        cause = error if self.__cause__ is self.error else portable(self.__cause__)
        return _rebuild, (type(self), self._report, portable(self.response), error, cause), rest

    def __repr__(self) -> str:
        # Not the response: logs show this, and it may be long or hold what must not be seen.
        names = ("waiter", "code", "acceptor", "attempts", "elapsed")
        return _display(self, names)


class WaiterFailed(WaiterError):
    """An acceptor led to failure, or the call failed with an error that no acceptor matches and waiting does not cure.

    With the code `unexpected_state` the resource is in a state that the definition does not list; with `unreachable`
    the service has not answered for longer than the `transient_window`.
    """

    code: Literal[  # pyright: ignore[reportIncompatibleVariableOverride]
        "failure_state", "unexpected_state", "unmatched_error", "unreachable"
    ]


class WaiterTimeout(WaiterError, TimeoutError):
    """The time is up, or no further poll fits into it."""

    code: Literal["timed_out"]  # pyright: ignore[reportIncompatibleVariableOverride]


class WaiterAttemptsExceeded(WaiterError):
    """The caller's number of attempts is used up."""

    code: Literal["too_many_attempts"]  # pyright: ignore[reportIncompatibleVariableOverride]


class WaiterCancelled(WaiterError):
    """The caller's `cancel` event was set."""

    code: Literal["cancelled"]  # pyright: ignore[reportIncompatibleVariableOverride]


# Attributes that a copy takes from the report.
_OF_REPORT = frozenset(
    (
        *("waiter", "label", "code", "message", "acceptor", "acceptor_text", "attempts", "elapsed", "history"),
        *("response", "error", "_report"),
    )
)


_IN_A_TEST = "in a test, let a wait on a `smithy_waiters.testing.FakeClock` fail, and take what it raises"


def _rebuild(cls: type[WaiterError], report: Done, response: Any, error: Any, cause: Any) -> WaiterError:
    """Give a failure that was pickled or copied."""
    failure = cls(report, response=original(response), error=original(error))
    failure.__cause__ = original(cause)
    return failure


def _display(error: BaseException, names: tuple[str, ...]) -> str:
    """Give the class and the message, then everything else by its name."""
    parts = [repr(str(error)), *(f"{name}={getattr(error, name)!r}" for name in names)]
    return f"{type(error).__name__}({', '.join(parts)})"


_CLASSES: dict[str | None, type[WaiterError]] = {
    "cancelled": WaiterCancelled,
    "failure_state": WaiterFailed,
    "timed_out": WaiterTimeout,
    "too_many_attempts": WaiterAttemptsExceeded,
    "unexpected_state": WaiterFailed,
    "unmatched_error": WaiterFailed,
    "unreachable": WaiterFailed,
}


def failure(report: Done, *, response: Any, error: BaseException | None, cause: BaseException | None) -> WaiterError:
    """Give the exception of a report without success."""
    failure = _CLASSES.get(report.code, WaiterError)(report, response=response, error=error)
    failure.__cause__ = cause
    return failure


class _Coded(Exception):
    """What the caller got wrong: `message`, `code`, and what else says where."""

    _parts: ClassVar[tuple[str, ...]]
    message: str

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain data, for logs: `json.dumps` takes it."""
        rest = {part: _plain(getattr(self, part)) for part in self._parts}
        return {"name": type(self).__name__, "message": self.message, **rest}

    def __reduce__(self) -> tuple[Any, ...]:
        names = ("message", *self._parts)
        values = {name: portable(getattr(self, name)) for name in names}
        same = (part for name, part in values.items() if getattr(self, name) is self.__cause__)
        rest = {name: value for name, value in self.__dict__.items() if name not in names}
        return _rebuild_coded, (type(self), next(same, portable(self.__cause__)), *values.values()), rest

    def __repr__(self) -> str:
        return _display(self, self._parts)


def _rebuild_coded(cls: type[_Coded], cause: Any, *parts: Any) -> _Coded:
    """Give a mistake that was pickled or copied."""
    mistake = cls(*map(original, parts))
    mistake.__cause__ = original(cause)
    return mistake


class DefinitionError(_Coded, ValueError):
    """A waiter's definition that the specification does not allow.

    Attributes:
        message: What is wrong, for people.
        code: What is wrong, for programs: `unknown_state`, `no_success_acceptor`, …
        path: The JSON path of the culprit, `acceptors[0].matcher.output.path`; empty for the definition as a whole.
        column: The column of the culprit, from 1, where it is inside a JMESPath expression.

    """

    _parts = ("code", "path", "column")

    def __init__(self, message: str, code: DefinitionErrorCode, path: str = "", column: int | None = None) -> None:
        super().__init__(message)
        self.message: str = message
        self.code: DefinitionErrorCode = code
        self.path = path
        self.column = column


class ExpressionError(_Coded, ValueError):
    """A JMESPath expression that does not parse, goes beyond a limit, or cannot be evaluated on a value.

    Attributes:
        message: What is wrong, for people.
        code: What is wrong, for programs: `invalid_expression`, `evaluation_error`, …
        column: The column of the culprit, from 1, where one character is to blame.

    """

    _parts = ("code", "column")

    def __init__(self, message: str, code: ExpressionErrorCode, column: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code: ExpressionErrorCode = code
        self.column = column


class OptionsError(_Coded, ValueError):
    """An option that is missing, of the wrong type, or out of its range.

    Attributes:
        message: What is wrong, for people.
        code: What is wrong, for programs: `missing_option`, `invalid_option`, `unknown_option`, `conflicting_options`.
        option: The option to blame: `max_wait`.

    """

    _parts = ("code", "option")

    def __init__(self, message: str, code: OptionsErrorCode, option: str) -> None:
        super().__init__(message)
        self.message = message
        self.code: OptionsErrorCode = code
        self.option = option


class RetryRefusal(_Coded):
    """A retry strategy's no to another attempt.

    Attributes:
        message: Why, for people.
        code: Why, for programs: `max_retries`, `not_retryable`, `quota_exhausted`, `retry_after_too_long`, or one of
            your own strategy's.

    """

    _parts = ("code",)

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class TokenError(_Coded, ValueError):
    """A retry token that a strategy cannot take.

    Attributes:
        message: Why, for people.
        code: Why, for programs: `foreign_token`, `used_token`.

    """

    _parts = ("code",)

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class RetryError(_Coded):
    """A request that failed without an error of its own call.

    Its `__cause__` is the `error`, where there was one.

    Attributes:
        message: Why, for people.
        code: Why, for programs: `failed`, `cancelled`, `out_of_time`, or that of the strategy's `RetryRefusal`.
        attempts: The number of calls that were made.
        response: That of the last attempt that ended, where a policy did not take it.
        error: That of the last attempt that ended, where it failed.

    """

    _parts = ("code", "attempts", "response", "error")

    def __init__(
        self, message: str, code: str, attempts: int = 0, response: Any = None, error: BaseException | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.attempts = attempts
        self.response: Any = response
        self.error = error


class RetryCancelled(RetryError):
    """The caller's `cancel` event was set."""


class RetryTimeout(RetryError, TimeoutError):
    """The last attempt was cut when the time was over."""


class PaginationError(_Coded):
    """A page that a walk cannot go on from; what was read so far stays read.

    Attributes:
        message: Why, for people.
        code: Why, for programs: `repeated_token`, `invalid_token`, `unreadable_page`.
        token: The token that the page was asked for with; `None` for the first one.

    """

    _parts = ("code", "token")

    def __init__(self, message: str, code: str, token: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.token: Any = token


class StateError(_Coded, RuntimeError):
    """A step of a wait that is taken out of order, or a saved wait that cannot be resumed; the wait stays as it was.

    Attributes:
        message: What is wrong, for people.
        code: What is wrong, for programs: `not_in_flight`, `before_deadline`, `busy`, `invalid_time`,
            `invalid_verdict`; `damaged_state`, `other_definition`, `newer_version`; `predicate` for a wait that cannot
            be saved.

    """

    _parts = ("code",)

    def __init__(self, message: str, code: StateErrorCode) -> None:
        super().__init__(message)
        self.message = message
        self.code: StateErrorCode = code


def _request_facts(error: BaseException) -> dict[str, Any]:
    """Return what is known of a failed request, for the classification of transient errors."""
    from time import time  # noqa: PLC0415

    from .failed_request import facts  # noqa: PLC0415 - expensive to import.

    return facts(error, now=time())


# The extension raises and calls these, and imports nothing of the package itself.
_use(
    {
        "DefinitionError": DefinitionError,
        "ExpressionError": ExpressionError,
        "OptionsError": OptionsError,
        "PaginationError": PaginationError,
        "RetryRefusal": RetryRefusal,
        "StateError": StateError,
        "TokenError": TokenError,
        "original": original,
        "portable": portable,
        "request_facts": _request_facts,
    }
)
