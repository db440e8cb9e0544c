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

from typing import TypeAlias

from ._engine import Cancelled, DeadlineReached, Transient
from ._engine import ErrorEvent as Error
from ._engine import ResponseEvent as Response
from ._engine import VerdictEvent as Verdict

__all__ = ["Cancelled", "DeadlineReached", "Error", "Event", "Response", "Transient", "Verdict"]

Event: TypeAlias = Response | Error | Verdict | DeadlineReached | Cancelled
"""The end of a call, or the cancellation of the wait."""
