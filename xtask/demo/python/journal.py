"""What a wait does, told to the parent as it happens. All times are milliseconds."""

from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError
from control import say

from smithy_waiters import Attempt, Outcome, Progress, WaiterError


class Journal:
    """Tells of one wait."""

    def __init__(self, max_wait: float) -> None:
        self._max_wait = max_wait
        self._started = 0

    def watch(self, call: Callable[[], Any]) -> Callable[[Attempt], Any]:
        """The call, told of when it starts."""

        def watched(attempt: Attempt) -> Any:
            self._started = millis(self._max_wait - attempt.remaining)
            say({"event": "call", "attempt": attempt.number})
            return call()

        return watched

    def attempt(self, progress: Progress) -> None:
        """An attempt that has just ended."""
        event = {
            "event": "attempt",
            "attempt": progress.attempt,
            "started": self._started,
            "took": millis(progress.elapsed) - self._started,
            "seen": seen(progress.response, progress.error),
            "state": progress.state,
            "acceptor": progress.acceptor,
            "delay": None if progress.delay is None else millis(progress.delay),
            "nextIsLast": progress.next_is_last,
            "remaining": millis(progress.remaining),
            "answer": answer(progress.response, progress.error),
        }
        say(event)

    def end(self, wait: Callable[[], Outcome[Any]]) -> None:
        """How the wait ends."""
        try:
            outcome = wait()
            say(report(outcome, "success"))
        except WaiterError as failure:
            say({**report(failure, failure.code), "explanation": failure.explain()})


def report(end: Outcome[Any] | WaiterError, code: str | None) -> dict[str, Any]:
    return {
        "event": "end",
        "code": code,
        "acceptor": end.acceptor,
        "acceptorText": end.acceptor_text,
        "attempts": end.attempts,
        "elapsed": millis(end.elapsed),
    }


def seen(response: Any, error: Exception | None) -> str | None:
    """The state of the table, or the error's name; nothing where no answer came in time."""
    if isinstance(error, ClientError):
        return str(error.response["Error"]["Code"])
    if error is not None:
        return type(error).__name__
    return response["Table"]["TableStatus"] if response else None


def answer(response: Any, error: Exception | None) -> dict[str, Any] | None:
    """What a replay of this attempt needs."""
    if isinstance(error, ClientError):
        told = error.response["Error"]
        return {"error": {"code": told["Code"], "message": told["Message"]}}
    if response:
        return {"response": {"Table": {"TableStatus": response["Table"]["TableStatus"]}}}
    return None


def millis(seconds: float) -> int:
    return round(seconds * 1000)
