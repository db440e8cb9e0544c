"""Report the progress of a wait to the parent. All times are in milliseconds."""

from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError
from control import send

from smithy_waiters import Attempt, Outcome, Progress, WaiterError


class Journal:
    """Reports the progress of a wait."""

    def __init__(self, max_wait: float) -> None:
        self._max_wait = max_wait
        self._started = 0

    def watch(self, call: Callable[[], Any]) -> Callable[[Attempt], Any]:
        """Wrap a call to report its start."""

        def wrapper(attempt: Attempt) -> Any:
            self._started = millis(self._max_wait - attempt.remaining)
            send({"event": "call", "attempt": attempt.number})
            return call()

        return wrapper

    def attempt(self, progress: Progress) -> None:
        """Report an attempt that has ended."""
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
        send(event)

    def end(self, wait: Callable[[], Outcome[Any]]) -> None:
        """Report the end of the wait."""
        try:
            outcome = wait()
            send(report(outcome, "success"))
        except WaiterError as failure:
            send({**report(failure, failure.code), "explanation": failure.explain()})


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
    """Return the state of the table or the name of the error, or `None` if the call timed out."""
    if isinstance(error, ClientError):
        return str(error.response["Error"]["Code"])
    if error is not None:
        return type(error).__name__
    return response["Table"]["TableStatus"] if response else None


def answer(response: Any, error: Exception | None) -> dict[str, Any] | None:
    """Return the response for the replay."""
    if isinstance(error, ClientError):
        details = error.response["Error"]
        return {"error": {"code": details["Code"], "message": details["Message"]}}
    if response:
        return {"response": {"Table": {"TableStatus": response["Table"]["TableStatus"]}}}
    return None


def millis(seconds: float) -> int:
    return round(seconds * 1000)
