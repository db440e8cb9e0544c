"""Convert results of the package to the common format of all runners."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from values import message_of

from smithy_waiters import (
    Call,
    DefinitionError,
    ErrorOutcome,
    ExpressionError,
    OptionsError,
    Outcome,
    ResponseOutcome,
    Sleep,
    StateError,
    WaiterAttemptsExceeded,
    WaiterCancelled,
    WaiterError,
    WaiterFailed,
    WaiterTimeout,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from smithy_waiters import AttemptRecord, Done, Hint, Reason

OPTION = re.compile(r"`([a-z]+(?:_[a-z]+)+)`")

SETTING = re.compile(r"`([a-z_]+)=(\\?\"[a-z]+\\?\")`")

CLASSES: dict[str | None, type[WaiterError]] = {
    "cancelled": WaiterCancelled,
    "failure_state": WaiterFailed,
    "timed_out": WaiterTimeout,
    "too_many_attempts": WaiterAttemptsExceeded,
    "unexpected_state": WaiterFailed,
    "unmatched_error": WaiterFailed,
    "unreachable": WaiterFailed,
    "gone": WaiterFailed,
    "never_found": WaiterFailed,
    "never_left": WaiterFailed,
    "never_seen": WaiterFailed,
    "replaced": WaiterFailed,
}


def refusal(error: DefinitionError | ExpressionError | OptionsError | StateError) -> dict[str, Any]:
    told: dict[str, Any] = {"class": type(error).__name__, "code": error.code, "message": str(error)}
    if isinstance(error, DefinitionError):
        # Only for short forms: definitions have the same members in all languages.
        told["message"] = error.message.replace("retry_errors", "retryErrors")
        told |= {"path": error.path.replace("retry_errors", "retryErrors"), "column": error.column}
    if isinstance(error, ExpressionError):
        told["column"] = error.column
    if isinstance(error, OptionsError):
        # Python's messages contain the Python names of options.
        told["message"] = OPTION.sub(lambda name: f"`{camel_case(name[1])}`", error.message)
        told["message"] = told["message"].removesuffix(": pass the operation's input as a dict after the call")
        told["option"] = camel_case(error.option)
    return {"error": told}


def hint(hint: Hint) -> dict[str, str]:
    return {"code": hint.code, "text": OPTION.sub(lambda name: f"`{camel_case(name[1])}`", hint.text)}


def with_spelling_of_vectors(result: Any) -> Any:
    """Convert the options in messages of reports, which have Python's spelling, to that of the vectors."""
    if isinstance(result, dict):
        return {name: with_spelling_of_vectors(member) for name, member in result.items()}
    if isinstance(result, list):
        return [with_spelling_of_vectors(item) for item in result]
    if not isinstance(result, str):
        return result
    result = result.replace("`retry_errors`", "`retryErrors`").replace("`not_found_for`", "`notFoundFor`")
    return SETTING.sub(lambda found: f"`{camel_case(found[1])}: {found[2]}`", result)


def step(taken: Call | Sleep | Done) -> dict[str, Any]:
    if isinstance(taken, Call):
        return {"type": taken.type, "attempt": taken.attempt, "deadlineMs": taken.deadline_ms}
    if isinstance(taken, Sleep):
        return {"type": taken.type, "untilMs": taken.until_ms, "last": taken.last}
    report = {**told_by_all(taken), **words(taken), "elapsedMs": taken.elapsed_ms, "lastResult": taken.last_result}
    return {"type": taken.type, "report": {**report, "noticedWithinMs": taken.noticed_within_ms}}


def without_history(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the steps, with only those members of their reports that do not depend on earlier attempts."""
    members = ("code", "attempts", "elapsedMs", "acceptor")
    reports = [step.get("report") for step in steps]
    return [
        step if report is None else {member: report[member] for member in members}
        for step, report in zip(steps, reports, strict=True)
    ]


def outcome(ended: Outcome[Any]) -> dict[str, Any]:
    assert isinstance(ended, ResponseOutcome if ended.error is None else ErrorOutcome)
    assert ended.result == ("response" if ended.error is None else "error")
    seen = {"response": ended.response, "error": message_of(ended.error)}
    return {"outcome": {**told_by_all(ended), "elapsedMs": millis(ended.elapsed), **seen}}


def failure(ended: WaiterError, *, explained: bool) -> dict[str, Any]:
    assert type(ended) is CLASSES[ended.code]
    assert str(ended) == ended.message
    assert isinstance(ended, TimeoutError) == (ended.code == "timed_out")
    assert ended.__cause__ in (None, ended.error)
    seen = {"response": ended.response, "error": message_of(ended.error), "waiter": ended.waiter}
    seen["cause"] = message_of(ended.__cause__)
    if explained:
        seen["explanation"] = ended.explain()
    return {"failure": {**told_by_all(ended), "elapsedMs": millis(ended.elapsed), **words(ended), **seen}}


def told_by_all(ended: Done | Outcome[Any] | WaiterError) -> dict[str, Any]:
    return {
        "acceptor": ended.acceptor,
        "acceptorText": ended.acceptor_text,
        "attempts": ended.attempts,
        "history": [record(attempt) for attempt in ended.history],
    }


def words(ended: Done | WaiterError) -> dict[str, Any]:
    return {"code": ended.code, "message": ended.message}


def record(attempt: AttemptRecord) -> dict[str, Any]:
    values = [{"path": value.path, "text": value.text} for value in attempt.values]
    return {
        "attempt": attempt.attempt,
        "startedMs": attempt.started_ms,
        "endedMs": attempt.ended_ms,
        "result": attempt.result,
        "error": attempt.error,
        "state": attempt.state,
        "acceptor": attempt.acceptor,
        "reasons": reasons(attempt.reasons),
        "delayMs": attempt.delay_ms,
        "nextIsLast": attempt.next_is_last,
        **({"values": values} if values else {}),
    }


def reasons(given: Iterable[Reason]) -> list[dict[str, Any]]:
    return [
        {"acceptor": reason.acceptor, "matched": reason.matched, "code": reason.code, "text": reason.text}
        for reason in given
    ]


def millis(seconds: float) -> int:
    return round(seconds * 1000)


def camel_case(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def text(result: Any) -> str:
    """Return canonical JSON text: sorted, with integral numbers without a fraction."""
    return json.dumps(_whole(result), sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False)


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _whole(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
