"""The events of a wait, for `Wait.handle`.

>>> from smithy_waiters import Waiter
>>> from smithy_waiters.events import Response
>>> waiter = Waiter({"acceptors": [{"state": "success", "matcher": {"success": True}}]})
>>> wait = waiter.start(max_wait=60)
>>> wait.poll(0)
Call(attempt=1, deadline_ms=60000)
>>> wait.handle(Response({"Status": "READY"}), 30).type
'done'
"""

from __future__ import annotations

from collections.abc import Mapping
from time import time
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ._engine import Cancelled, DeadlineReached, ErrorEvent, Transient, VerdictEvent
from ._engine import ResponseEvent as Response

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Cancelled", "DeadlineReached", "Error", "Event", "Response", "Transient", "Verdict"]

AnyError: TypeAlias = BaseException | str | Mapping[str, object] | None


class Error(ErrorEvent):
    """The event of a call that raised an error.

    Args:
        error: The exception, or the name of an error.
        transient: Your own classification: a `Transient`, or `False` for a permanent error. If it is `None`, the
            package classifies the error.

    Raises:
        OptionsError: `error` is not an error, or `transient` is not a classification.

    """

    __slots__ = ()

    def __new__(cls, error: AnyError, transient: Transient | Literal[False] | None = None) -> Self:
        """Read the facts of the error."""
        return super().__new__(cls, error, transient, _facts(error))


class Verdict(VerdictEvent):
    """The event of a call whose result was evaluated by compiled or hand-written code instead of the engine.

    Args:
        acceptor: The index of the first acceptor that matched, or `None`.
        error: The exception that the call raised, or its name; `None` if the call returned a response.
        transient: Your own classification of the error: a `Transient`, or `False` for a permanent error. If it is
            `None`, the package classifies the error.

    Raises:
        OptionsError: `error` is not an error, or `transient` is not a classification.
        StateError: `acceptor` is not an index (`invalid_verdict`).

    """

    __slots__ = ()

    def __new__(
        cls, acceptor: int | None, error: AnyError = None, transient: Transient | Literal[False] | None = None
    ) -> Self:
        """Read the facts of the error."""
        return super().__new__(cls, acceptor, error, transient, _facts(error))


def _facts(error: object) -> dict[str, Any] | None:
    """Return the facts of an exception: its status, and what its classification as a transient error reads."""
    if not isinstance(error, BaseException):
        return None
    from .failed_request import facts  # noqa: PLC0415 - expensive to import.

    try:
        return facts(error, now=time())
    except Exception:  # noqa: BLE001 - an error that cannot be read is classified by its name.
        return None


Event: TypeAlias = Response | Error | Verdict | DeadlineReached | Cancelled
"""The end of a call, or the cancellation of the wait."""
