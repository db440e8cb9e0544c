"""The exceptions of this package.

A wait that ends without success::

    WaiterError
    ├── WaiterFailed             failure_state, unexpected_state, unmatched_error, unreachable, never_found, gone,
    │                            never_seen, never_left, replaced
    ├── WaiterTimeout            timed_out; also a TimeoutError
    ├── WaiterAttemptsExceeded   too_many_attempts
    └── WaiterCancelled          cancelled
    WaitersFailed                  several waits, of which too many failed

Errors of the caller::

    ValueError
    ├── DefinitionError
    ├── ExpressionError
    ├── OptionsError
    └── TokenError
    RuntimeError
    └── StateError

A request that is not retried (`smithy_waiters.retry`)::

    RetryRefusal                 raised by a strategy; `retry` raises the error of the call instead
    RetryError                   a request that ends without an error of the call
    ├── RetryCancelled           cancelled
    └── RetryTimeout             out_of_time; also a TimeoutError

A walk over pages that cannot continue (`smithy_waiters.pagination`)::

    PaginationError              repeated_token, invalid_token, unreadable_page

Each exception has a stable `code` for programs and a message for people. `to_dict` returns it as plain data. All
exceptions can be copied and pickled with their attributes. In a pickle, an `ErrorStandIn` replaces an error that cannot
be pickled or unpickled, and plain data replaces such a response.
"""

from __future__ import annotations

from ._engine import Done, _plain, _python_name, _set_package_members, _waits_failed
from .pickling import argument_value, pickle_argument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, ClassVar, Literal

    from ._engine import AttemptRecord
    from .literals import (
        DefinitionErrorCode,
        ExpressionErrorCode,
        FailedCode,
        FailureCode,
        OptionsErrorCode,
        StateErrorCode,
    )


class WaiterError(Exception):
    """A wait that ended without success, with its full report.

    Its `__cause__` is the error of the last attempt, if that attempt failed. Waits create this exception. It cannot be
    constructed directly.

    Attributes:
        waiter: The name of the waiter.
        label: The label of the wait.
        code: The machine-readable reason: `failure_state`, `unexpected_state`, `unmatched_error`, `unreachable`,
            `never_found`, `gone`, `never_seen`, `never_left`, `replaced`, `timed_out`, `too_many_attempts` or
            `cancelled`.
        message: The reason as text.
        acceptor: The index of the acceptor that ended the wait; `None` if no acceptor did.
        acceptor_text: The acceptor that ended the wait, as compact JSON.
        attempts: The number of attempts started.
        elapsed: The duration of the wait, in seconds.
        response: The latest response of all attempts.
        error: The latest error of all attempts.
        history: The latest attempts, oldest first.
        details: The result of `on_failure`.
        details_error: The exception of `on_failure`.
        cancel_error: The exception of `cancel_with`.

    """

    code: FailureCode
    """The machine-readable reason for the failure."""

    def __init__(self, report: Done | None = None, *, response: Any = None, error: BaseException | None = None) -> None:
        # Mocks are often created with a text or without arguments.
        if not isinstance(report, Done):
            raise TypeError(f"`{type(self).__name__}` cannot be constructed directly: {_HINT_FOR_TESTS}")
        Exception.__init__(self, report.message)
        # Only the report of a success has no code.
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
        self.details: Any = None
        self.details_error: Exception | None = None
        self.cancel_error: Exception | None = None
        self._report = report

    @property
    def leaves_work(self) -> bool:
        """`True` if the wait gave up on work that may still run: it was cancelled, or its time or attempts are over."""
        return self._report._leaves_work  # noqa: SLF001

    def explain(self) -> str:
        """Return the full report as text: the message, and each attempt with the reasons of its verdict."""
        return self._report.explain()

    def to_dict(self) -> dict[str, Any]:
        """Return the error as plain data, which `json.dumps` accepts. All members are present.

        The response and the errors are converted by the rules of the engine: times to epoch seconds, and bytes to
        base64. Errors also have their `name` and `message`. A text in angle brackets replaces values that are circular,
        too large or unreadable. The values of members in `redact` are omitted.
        """
        return end_dict(self._report, self.response, self.error)

    def to_json(self) -> str:
        """Return the error as JSON text, with the same members and the same text as in every language, for logs."""
        return end_json(self._report, self.response, self.error)

    def __reduce__(self) -> tuple[Any, ...]:
        rest = {name: value for name, value in self.__dict__.items() if name not in _REPORT_ATTRIBUTES}
        error = pickle_argument(self.error)
        cause = error if self.__cause__ is self.error else pickle_argument(self.__cause__)
        return _rebuild, (type(self), self._report, pickle_argument(self.response), error, cause), rest

    def __repr__(self) -> str:
        # The response is omitted: it may be long or contain secrets, and the text ends up in logs.
        names = ("waiter", "code", "acceptor", "attempts", "elapsed")
        return _display(self, names)


class WaiterFailed(WaiterError):
    """An acceptor led to failure, or the call failed with a permanent error that no acceptor matches.

    The code `unexpected_state` means that the resource is in a state that the definition does not list. The code
    `unreachable` means that the service has not answered for longer than the `transient_window`. With `not_found_for`,
    `never_found` means that the resource was not found in this time, and `gone` that it no longer exists. With `same`,
    `never_seen` means that the value was not seen in time, and `replaced` that another one took its place. With `left`,
    `never_left` means that the resource did not leave the state from before the change.
    """

    code: FailedCode  # pyright: ignore[reportIncompatibleVariableOverride]
    """The machine-readable reason for the failure."""


class WaiterTimeout(WaiterError, TimeoutError):
    """The time is up, or no further attempt fits before the deadline."""

    code: Literal["timed_out"]  # pyright: ignore[reportIncompatibleVariableOverride]
    """The machine-readable reason for the failure."""


class WaiterAttemptsExceeded(WaiterError):
    """The wait made `max_attempts` attempts without success."""

    code: Literal["too_many_attempts"]  # pyright: ignore[reportIncompatibleVariableOverride]
    """The machine-readable reason for the failure."""


class WaiterCancelled(WaiterError):
    """The caller's `cancel` event was set."""

    code: Literal["cancelled"]  # pyright: ignore[reportIncompatibleVariableOverride]
    """The machine-readable reason for the failure."""


def python_members(text: str) -> dict[str, Any]:
    """Return the members of a JSON object with the names of Python, such as `acceptor_text`."""
    from json import loads  # noqa: PLC0415 - expensive to import.

    # Only the engine's members have such names: the values of the host are not in the text.
    named: dict[str, Any] = loads(text, object_pairs_hook=lambda pairs: {_python_name(name): v for name, v in pairs})
    return named


def end_json(report: Done, response: object, error: object) -> str:
    """Return the end of a wait as JSON text, with the response and the error as plain data."""
    from json import dumps  # noqa: PLC0415 - expensive to import.

    return report._end_json(dumps({"response": _plain(response), "error": _plain(error)}))  # noqa: SLF001


def end_dict(report: Done, response: object, error: object) -> dict[str, Any]:
    """Return the members of `end_json` with the names of Python, except for those of the response and the errors."""
    from json import loads  # noqa: PLC0415 - expensive to import.

    end = loads(end_json(report, response, error))
    values = {name: end[name] for name in ("response", "error", "cause")}
    return {**python_members(report.to_json()), **values}


# Attributes that a copy reads from the report or receives as arguments.
_REPORT_ATTRIBUTES = frozenset(
    (
        *("waiter", "label", "code", "message", "acceptor", "acceptor_text", "attempts", "elapsed", "history"),
        *("response", "error", "_report"),
    )
)


_HINT_FOR_TESTS = "in a test, catch the failure of a wait on a `smithy_waiters.testing.FakeClock`"


def _rebuild(cls: type[WaiterError], report: Done, response: Any, error: Any, cause: Any) -> WaiterError:
    """Return the failure of a pickle or a copy."""
    failure = cls(report, response=argument_value(response), error=argument_value(error))
    failure.__cause__ = argument_value(cause)
    return failure


def _display(error: BaseException, names: tuple[str, ...]) -> str:
    """Return the text of a `repr`: the class, the message, and the named attributes."""
    parts = [repr(str(error)), *(f"{name}={getattr(error, name)!r}" for name in names)]
    return f"{type(error).__name__}({', '.join(parts)})"


# All other codes belong to `WaiterFailed`.
_CLASSES: dict[str | None, type[WaiterError]] = {
    "cancelled": WaiterCancelled,
    "timed_out": WaiterTimeout,
    "too_many_attempts": WaiterAttemptsExceeded,
}


class WaitersFailed(Exception):
    """Several waits of which too many ended without success.

    Attributes:
        failures: The failure of each wait that failed, by its identifier or name.
        outcomes: The outcome of each wait that succeeded.

    """

    def __init__(self, failures: Mapping[str, WaiterError], outcomes: Mapping[str, Any]) -> None:
        super().__init__(failures, outcomes)
        self.failures: dict[str, WaiterError] = dict(failures)
        self.outcomes: dict[str, Any] = dict(outcomes)

    def __str__(self) -> str:
        failures = [(name, failure.message) for name, failure in self.failures.items()]
        return _waits_failed(failures, len(failures) + len(self.outcomes))


def outcomes_of(ends: Mapping[str, Any], *, succeeded: bool) -> dict[str, Any]:
    """Return the outcomes of several waits by their names.

    Raises:
        WaitersFailed: They did not succeed as a whole.

    """
    outcomes = {name: end for name, end in ends.items() if not isinstance(end, WaiterError)}
    if succeeded:
        return outcomes
    raise WaitersFailed({name: end for name, end in ends.items() if name not in outcomes}, outcomes)


def failure(report: Done, *, response: Any, error: BaseException | None, cause: BaseException | None) -> WaiterError:
    """Return the exception for the report of a failed wait."""
    failure = _CLASSES.get(report.code, WaiterFailed)(report, response=response, error=error)
    failure.__cause__ = cause
    return failure


class _Coded(Exception):
    """Base class of exceptions with a `message`, a `code` and further attributes, which `_parts` lists."""

    _parts: ClassVar[tuple[str, ...]]
    message: str

    def to_dict(self) -> dict[str, Any]:
        """Return the error as plain data, which `json.dumps` accepts."""
        rest = {part: _plain(getattr(self, part)) for part in self._parts}
        return {"name": type(self).__name__, "message": self.message, **rest}

    def __reduce__(self) -> tuple[Any, ...]:
        names = ("message", *self._parts)
        values = {name: pickle_argument(getattr(self, name)) for name in names}
        same = (part for name, part in values.items() if getattr(self, name) is self.__cause__)
        rest = {name: value for name, value in self.__dict__.items() if name not in names}
        return _rebuild_coded, (type(self), next(same, pickle_argument(self.__cause__)), *values.values()), rest

    def __repr__(self) -> str:
        return _display(self, self._parts)


def _rebuild_coded(cls: type[_Coded], cause: Any, *parts: Any) -> _Coded:
    """Return the exception of a pickle or a copy."""
    error = cls(*map(argument_value, parts))
    error.__cause__ = argument_value(cause)
    return error


class DefinitionError(_Coded, ValueError):
    """A definition or a model that the specification does not allow.

    Attributes:
        message: The problem as text.
        code: The machine-readable problem: `unknown_state`, `no_success_acceptor`, …
        path: The JSON path of the invalid member, such as `acceptors[0].matcher.output.path`; empty for the definition.
        column: The column of the problem inside a JMESPath expression, starting at 1; otherwise `None`.

    """

    _parts = ("code", "path", "column")

    def __init__(self, message: str, code: DefinitionErrorCode, path: str = "", column: int | None = None) -> None:
        super().__init__(message)
        self.message: str = message
        self.code: DefinitionErrorCode = code
        self.path = path
        self.column = column


class ExpressionError(_Coded, ValueError):
    """A JMESPath expression that is invalid, exceeds a limit, or cannot be evaluated on a value.

    Attributes:
        message: The problem as text.
        code: The machine-readable problem: `invalid_expression`, `evaluation_error`, …
        column: The column of the problem, starting at 1; `None` if it has no single position.

    """

    _parts = ("code", "column")

    def __init__(self, message: str, code: ExpressionErrorCode, column: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.code: ExpressionErrorCode = code
        self.column = column


class OptionsError(_Coded, ValueError):
    """An option that is missing, unknown, invalid or in conflict with another one.

    Attributes:
        message: The problem as text.
        code: The machine-readable problem: `missing_option`, `invalid_option`, `unknown_option` or
            `conflicting_options`.
        option: The name of the option, such as `max_wait`.

    """

    _parts = ("code", "option")

    def __init__(self, message: str, code: OptionsErrorCode, option: str) -> None:
        super().__init__(message)
        self.message = message
        self.code: OptionsErrorCode = code
        self.option = option


class RetryRefusal(_Coded):
    """A retry strategy's refusal to allow another attempt.

    Attributes:
        message: The reason as text.
        code: The machine-readable reason: `max_retries`, `not_retryable`, `quota_exhausted`, `retry_after_too_long`, or
            a code of a custom strategy.

    """

    _parts = ("code",)

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class TokenError(_Coded, ValueError):
    """A retry token that a strategy does not accept.

    Attributes:
        message: The problem as text.
        code: The machine-readable problem: `foreign_token` or `used_token`.

    """

    _parts = ("code",)

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


class RetryError(_Coded):
    """A request that failed without an error of its call.

    Its `__cause__` is `error`, if there is one.

    Attributes:
        message: The reason as text.
        code: The machine-readable reason: `failed`, `cancelled`, `out_of_time`, or the code of a `RetryRefusal`.
        attempts: The number of attempts started.
        response: The response of the last completed attempt, if a policy rejected it.
        error: The error of the last completed attempt, if it failed.

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
    """`max_time` ended during the last attempt or before the next one."""


class PaginationError(_Coded):
    """A page after which a walk cannot continue. Items read before it remain valid.

    Attributes:
        message: The problem as text.
        code: The machine-readable problem: `repeated_token`, `invalid_token` or `unreadable_page`.
        token: The token of the request for the page; `None` for the first page.

    """

    _parts = ("code", "token")

    def __init__(self, message: str, code: str, token: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.token: Any = token


class StateError(_Coded, RuntimeError):
    """An event that is out of order, or a saved wait that cannot be resumed. The wait is unchanged.

    Attributes:
        message: The problem as text.
        code: The machine-readable problem. For a step: `not_in_flight`, `before_deadline`, `busy`, `invalid_time` or
            `invalid_verdict`. For an answer in a fleet: `invalid_answer`. For a saved wait: `damaged_state`,
            `other_definition` or `newer_version`; `predicate` for a wait that cannot be saved.

    """

    _parts = ("code",)

    def __init__(self, message: str, code: StateErrorCode) -> None:
        super().__init__(message)
        self.message = message
        self.code: StateErrorCode = code


# The extension raises these exceptions and calls these functions. It cannot import the package that it is part of.
_set_package_members(
    {
        "DefinitionError": DefinitionError,
        "ExpressionError": ExpressionError,
        "OptionsError": OptionsError,
        "PaginationError": PaginationError,
        "RetryRefusal": RetryRefusal,
        "StateError": StateError,
        "TokenError": TokenError,
        "argument_value": argument_value,
        "pickle_argument": pickle_argument,
    }
)
