"""Whole requests with retries, as the specification's example of a retry strategy has them.

Clause: https://smithy.io/2.0/guides/client-guidance/retries.html#example-retry-strategy. docs/rules.md has the errors
that are retried, and the draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from waits import draw, mix

if TYPE_CHECKING:
    from random import Random

CAPACITY, RETRY_COST, TIMEOUT_COST, REFUND = 500, 5, 10, 1
BASE_MS, MAX_BACKOFF_MS, MAX_RETRIES = 1_000, 20_000, 5
TEN_YEARS_MS = 315_360_000_000

# The service invites a retry with these. Rule: docs/rules.md#idempotent-retries
INVITES = {429, 503}
TIMEOUTS = {504}
SERVER = {500, 502, 503, 504}


def case(random: Random) -> dict[str, Any]:
    """Return a random service, strategy and limit, as a vector."""
    retry: dict[str, Any] = {"seed": random.randrange(2**53)}
    optional = {"capacity": random.choice([4, 5, 12, 19]), "maxRetries": random.choice([0, 1, 8]), "maxRetryAfter": 20}
    retry |= {name: value for name, value in optional.items() if random.random() < 0.3}
    vector: dict[str, Any] = {
        "kind": "request",
        "retry": retry,
        "script": [answer(random) for _ in range(random.randint(1, 5))],
    }
    if random.random() < 0.6:
        vector["idempotent"] = True
    if random.random() < 0.4:
        vector["maxTime"] = random.choice([0.5, 2, 15, 60])
    return vector


def answer(random: Random) -> dict[str, Any]:
    """Return a random end of a call, after a time."""
    takes = random.choice([0, 10, 900, 6_000])
    if random.random() < 0.25:
        return {"takes": takes, "response": {"x": random.randint(0, 9)}}
    failure: dict[str, Any] = {"status": random.choice([400, 404, 429, 500, 502, 503, 503, 504]), "message": "no"}
    if random.random() < 0.3:
        failure["retryAfter"] = random.choice(["0", "1", "7", "19.5", "30", "soon"])
    return {"takes": takes, "failure": failure}


def expected(vector: dict[str, Any]) -> dict[str, Any]:
    """Return the response or the end, the calls, the sleeps, and what is left of the quota."""
    retry, script = vector["retry"], vector["script"]
    capacity = retry.get("capacity", CAPACITY)
    limit = round(vector["maxTime"] * 1_000) if "maxTime" in vector else None
    now, retries, tokens = 0, 0, capacity
    calls: list[Any] = []
    sleeps: list[int] = []

    def end(ended: dict[str, Any]) -> dict[str, Any]:
        return {**ended, "calls": calls, "sleeps": sleeps, "available": tokens}

    def failed(code: str, error: str | None = "no") -> dict[str, Any]:
        return end({"failed": {"code": code, "attempts": len(calls), "error": error, "response": None}})

    last_error: str | None = None
    while True:
        calls.append({"attempt": len(calls) + 1, "atMs": now, "remainingMs": None if limit is None else limit - now})
        seen = script[min(len(calls), len(script)) - 1]
        if limit is not None and now + seen["takes"] > limit:
            return failed("out_of_time", last_error)
        now += seen["takes"]
        if "response" in seen:
            tokens = min(capacity, tokens + REFUND)
            return end({"response": seen["response"]})
        failure, last_error = seen["failure"], "no"
        if retries >= retry.get("maxRetries", MAX_RETRIES):
            return failed("max_retries")
        after = millis_after(failure.get("retryAfter"))
        if not is_retried(failure["status"], after, "idempotent" in vector):
            return failed("not_retryable")
        if after is not None and "maxRetryAfter" in retry and after > retry["maxRetryAfter"] * 1_000:
            return failed("retry_after_too_long")
        cost = TIMEOUT_COST if failure["status"] in TIMEOUTS else RETRY_COST
        if tokens < cost:
            return failed("quota_exhausted")
        wanted = int(draw(mix(retry["seed"], 0), retries + 1) * min(BASE_MS * 2**retries, MAX_BACKOFF_MS))
        pause = max(wanted, after or 0)
        if now + pause >= (TEN_YEARS_MS if limit is None else limit):
            return failed("out_of_time")
        tokens -= cost
        retries += 1
        sleeps.extend([pause] if pause else [])
        now += pause


def is_retried(status: int, after: int | None, idempotent: bool) -> bool:
    """Return `True` if an error may be retried: the service asks for it, or the request may be repeated."""
    return status in INVITES or after is not None or (status in SERVER and idempotent)


def millis_after(header: str | None) -> int | None:
    """Return the pause of a `Retry-After` in seconds, or `None` if it says nothing."""
    return None if header in (None, "soon") else round(float(header) * 1_000)
