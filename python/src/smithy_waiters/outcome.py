"""What a wait gives: to its call, on its way, and in the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Generic, Literal, TypeAlias

from ._engine import _plain
from .pickling import original, portable

if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import TypeVar

    from ._engine import AttemptRecord, PathValue, Reason
    from .literals import AttemptResult, State

    T = TypeVar("T", default=Any)
else:
    from typing import TypeVar

    T = TypeVar("T")


@dataclass(frozen=True)
class Attempt:
    """The attempt that a call is made for."""

    number: int
    """Its number, from 1."""
    remaining: float
    """The seconds until its deadline: how long the call may take; infinity if nothing limits it."""


AnyCall: TypeAlias = Callable[[], T] | Callable[[Attempt], T]
"""A call, which may take the attempt that it is made for."""


@dataclass(frozen=True)
class Progress(Generic[T]):
    """One attempt, as it has just ended."""

    attempt: int
    """Its number, from 1."""
    result: AttemptResult
    """The end of the call: `"response"`, `"error"`, `"cut"` at its deadline, or `"late"`."""
    state: State | None
    """The verdict's state; `None` if the result was not evaluated, since the call was too late."""
    acceptor: int | None
    """The index of the acceptor that matched."""
    delay: float | None
    """The seconds until the next attempt; `None` when the wait is over."""
    next_is_last: bool
    """Whether the next attempt is the last that fits."""
    remaining: float
    """The seconds until the deadline of the wait; infinity if only attempts are limited."""
    elapsed: float
    """The seconds since the wait began."""
    response: T | None
    """The response, where the call succeeded."""
    error: Exception | None
    """The error, where it failed."""
    reasons: tuple[Reason, ...]
    """Why each acceptor that was looked at did or did not match."""
    values: tuple[PathValue, ...]
    """The values of the paths to `show`, where the call succeeded."""
    label: str | None
    """The label of the wait."""
    summary: str
    """The attempt in one line for people: the time, the state and its reason, the values, and the next delay."""


@dataclass(frozen=True, kw_only=True)
class _Success:
    attempts: int
    """The number of calls that were started."""
    elapsed: float
    """How long it took, in seconds."""
    noticed_within: float | None
    """How late the success may have been noticed, in seconds.

    It is the time since the start of the newest call that showed another state; `None` if there was none.
    """
    acceptor: int | None
    """The index of the acceptor that matched."""
    acceptor_text: str | None
    """That acceptor as the definition has it, as compact JSON."""
    history: tuple[AttemptRecord, ...]
    """The newest attempts, the oldest first."""

    def to_dict(self) -> dict[str, Any]:
        """Give everything as plain data, for logs, as `WaiterError.to_dict` does: `json.dumps` takes it."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


@dataclass(frozen=True, kw_only=True)
class ResponseOutcome(_Success, Generic[T]):
    """A wait that succeeded by a response."""

    response: T
    """The response that the wanted state was seen in."""
    error: None = None
    result: Literal["response"] = "response"


@dataclass(frozen=True, kw_only=True)
class ErrorOutcome(_Success):
    """A wait that succeeded by an error: a table that is not found any more."""

    response: None = None
    error: Exception
    """The error that the wanted state was seen in; to a pickle, an `ErrorStandIn` where it cannot be pickled itself."""
    result: Literal["error"] = "error"

    def __reduce__(self) -> tuple[Any, ...]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return _rebuild, (type(self), {**values, "error": portable(self.error)})


def _rebuild(cls: type[ErrorOutcome], values: dict[str, Any]) -> ErrorOutcome:
    """Give an outcome that was pickled or copied."""
    return cls(**{**values, "error": original(values["error"])})


Outcome: TypeAlias = ResponseOutcome[T] | ErrorOutcome
"""A wait that succeeded; `result` tells the two apart, also to type checkers, and so does `error is None`.

It is for annotations, `Outcome[MyResponse]`; `isinstance` and `match` take the two classes themselves.
"""
