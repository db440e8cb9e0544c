"""The values that a wait passes to its call and callback, and its final outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Generic, Literal, TypeAlias

from .errors import end_dict, end_json
from .pickling import argument_value, pickle_argument

if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import TypeVar

    from ._engine import AttemptRecord, Done, Hint, PathValue, Reason
    from .literals import AttemptResult, State

    T = TypeVar("T", default=Any)
else:
    from typing import TypeVar

    T = TypeVar("T")


@dataclass(frozen=True)
class Attempt:
    """An attempt, which a call can receive as its argument."""

    number: int
    """The number of the attempt, starting at 1."""
    remaining: float
    """The seconds until the deadline of the call; infinity if it has no deadline."""


AnyCall: TypeAlias = Callable[[], T] | Callable[[Attempt], T]
"""A call, which can receive its `Attempt`."""


@dataclass(frozen=True)
class Progress(Generic[T]):
    """An attempt that has just ended, and the delay after it."""

    attempt: int
    """The number of the attempt, starting at 1."""
    result: AttemptResult
    """The result of the call: `"response"`, `"error"`, `"cut"` (aborted at its deadline) or `"late"`."""
    state: State | None
    """The state of the verdict; `None` if the result arrived too late and was not evaluated."""
    acceptor: int | None
    """The index of the acceptor that matched."""
    delay: float | None
    """The seconds until the next attempt; `None` if the wait has ended."""
    next_is_last: bool
    """`True` if the next attempt is the last one before the deadline."""
    remaining: float
    """The seconds until the deadline of the wait; infinity if only the number of attempts is limited."""
    elapsed: float
    """The seconds since the start of the wait."""
    response: T | None
    """The response, if the call succeeded."""
    error: Exception | None
    """The error, if the call failed."""
    reasons: tuple[Reason, ...]
    """The reasons why each evaluated acceptor did or did not match."""
    values: tuple[PathValue, ...]
    """The values of the paths in `show`, if the call succeeded."""
    label: str | None
    """The label of the wait."""
    summary: str
    """The attempt as one line of text: the time, the state and its reason, the values, and the next delay."""
    level: Literal["debug", "info"]
    """The level at which the attempt is logged: `"info"` if its result is new, or the latest such line is 30 s old."""
    hints: tuple[Hint, ...]
    """Probable mistakes that the attempt shows; each code is reported once in a wait."""


@dataclass(frozen=True, kw_only=True, repr=False)
class _Success:
    attempts: int
    """The number of attempts started."""
    elapsed: float
    """The duration of the wait, in seconds."""
    noticed_within: float | None
    """The maximum time between the change of the resource and the end of the wait, in seconds.

    It is the time since the start of the latest call that returned another state; `None` if there was no such call.
    """
    acceptor: int | None
    """The index of the acceptor that matched."""
    acceptor_text: str | None
    """The acceptor that matched, as compact JSON."""
    history: tuple[AttemptRecord, ...]
    """The latest attempts, oldest first."""
    _report: Done = field(repr=False, compare=False)

    def __str__(self) -> str:
        return self._report.message

    def __repr__(self) -> str:
        # The response is omitted: it may be long or contain secrets.
        return f"<{type(self).__name__} {self}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as plain data, which `json.dumps` accepts. See `WaiterError.to_dict`."""
        values: Any = self
        return end_dict(self._report, values.response, values.error)

    def to_json(self) -> str:
        """Return the outcome as JSON text, with the same members and the same text as in every language, for logs."""
        values: Any = self
        return end_json(self._report, values.response, values.error)


@dataclass(frozen=True, kw_only=True, repr=False)
class ResponseOutcome(_Success, Generic[T]):
    """A wait that succeeded with a response."""

    response: T
    """The response that matched."""
    error: None = None
    """Always `None`."""
    result: Literal["response"] = "response"
    """The discriminator: `"response"`."""


@dataclass(frozen=True, kw_only=True, repr=False)
class ErrorOutcome(_Success):
    """A wait that succeeded with an error, such as the deletion of a table that is no longer found."""

    response: None = None
    """Always `None`."""
    error: Exception
    """The error that matched. In a pickle, an `ErrorStandIn` replaces an error that cannot be pickled."""
    result: Literal["error"] = "error"
    """The discriminator: `"error"`."""

    def __reduce__(self) -> tuple[Any, ...]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return _rebuild, (type(self), {**values, "error": pickle_argument(self.error)})


def _rebuild(cls: type[ErrorOutcome], values: dict[str, Any]) -> ErrorOutcome:
    """Return the outcome of a pickle or a copy."""
    return cls(**{**values, "error": argument_value(values["error"])})


Outcome: TypeAlias = ResponseOutcome[T] | ErrorOutcome
"""A wait that succeeded. `result` distinguishes the two classes, also for type checkers, and so does `error is None`.

Use it in annotations: `Outcome[MyResponse]`. With `isinstance` and `match`, use the two classes.
"""
