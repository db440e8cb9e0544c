"""Whole waits as the specification's text has them, and as docs/rules.md has them where it is silent.

Clause: https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow. Slow and obvious: one loop over calls, with
the clock, the number of calls and what was seen as its state. `expected` has what the text decides, not messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

THROTTLING = "ThrottlingException"
MISSING = "ResourceNotFoundException"
DENIED = "AccessDeniedException"
EXPIRED = "ExpiredTokenException"
QUOTA = "LimitExceededException"

STATES = ["A", "B", "C", None]


def case(random: Random) -> dict[str, Any]:
    """Return a random definition, options and answers, as a vector."""
    acceptors = [
        {"state": random.choice(["success", "retry", "failure"]), "matcher": matcher(random)}
        for _ in range(random.randint(0, 4))
    ]
    acceptors.insert(random.randint(0, len(acceptors)), {"state": "success", "matcher": matcher(random)})
    least = random.choice([0.5, 1, 2, 3, 10])
    options: dict[str, Any] = {
        "seed": random.randrange(2**53),
        "historyLimit": 1000,
        "minDelay": least,
        "maxDelay": least * random.choice([1, 1.5, 4, 60]),
        "maxWait": random.choice([0.5, 2, 7, 30, 299.999]),
    }
    optional = {
        "maxAttempts": random.randint(1, 6),
        "attemptTimeout": random.choice([0.3, 1.5, 20]),
        "initialDelay": random.choice([0, 0.25, 0.4]),
        "finalPoll": random.choice(["late", "specification"]),
        "transientErrors": random.choice(["fail", "retry"]),
        "transientWindow": random.choice([1, 10, 40]),
    }
    options |= {name: value for name, value in optional.items() if random.random() < 0.25}
    pace = random.choice([None, None, None, "doubling", {"proportional": 0.1}])
    if pace:
        options["pace"] = pace
    script = [answer(random) for _ in range(random.randint(1, 6))]
    return {"kind": "wait", "definition": {"acceptors": acceptors}, "options": options, "script": script}


def matcher(random: Random) -> dict[str, Any]:
    """Return a random matcher on a text, a boolean, a list of texts, or how the call ended."""
    text = random.choice(STATES[:3])
    return random.choice(
        [
            {"output": {"path": "S", "expected": text, "comparator": "stringEquals"}},
            {"output": {"path": "Ok", "expected": "true", "comparator": "booleanEquals"}},
            {"output": {"path": "L[].S", "expected": text, "comparator": "allStringEquals"}},
            {"output": {"path": "L[].S", "expected": text, "comparator": "anyStringEquals"}},
            {"success": random.choice([True, False, False])},
            {"errorType": random.choice([MISSING, THROTTLING, DENIED])},
        ]
    )


def answer(random: Random) -> dict[str, Any]:
    """Return a random end of a call, after a time."""
    if random.random() < 0.1:
        return {"hangs": True}
    takes = random.choice([0, 1, 30, 400, 2_500, 40_000])
    if random.random() < 0.35:
        code = random.choice([MISSING, THROTTLING, THROTTLING, DENIED, EXPIRED, QUOTA])
        return {"takes": takes, "error": {"code": code, "message": "no"}}
    items = [{"S": random.choice(STATES)} for _ in range(random.randint(0, 3))]
    response = {"S": random.choice(STATES), "Ok": random.choice([True, False, None, "true"]), "L": items}
    return {"takes": takes, "response": {name: value for name, value in response.items() if random.random() < 0.8}}


def expected(vector: dict[str, Any]) -> dict[str, Any]:
    """Return how the wait ends, its calls, its sleeps and its history."""
    options, acceptors = vector["options"], vector["definition"]["acceptors"]
    deadline = millis(options["maxWait"])
    timeout = millis(options["attemptTimeout"]) if "attemptTimeout" in options else None
    pause = millis(options.get("initialDelay", 0))
    now = attempt = slowest = 0
    outage: int | None = None
    is_last = was_expired = False
    calls: list[Any] = []
    sleeps: list[int] = []
    history: list[dict[str, Any]] = []

    def end(code: str | None, acceptor: int | None = None) -> dict[str, Any]:
        facts = {"acceptor": acceptor, "attempts": attempt, "elapsedMs": now, "history": history}
        ended = {"outcome": facts} if code is None else {"failure": {"code": code, **facts}}
        return {**ended, "calls": calls, "sleeps": sleeps}

    while True:
        if pause:
            sleep = min(pause, deadline - now)
            sleeps.append(sleep)
            now += sleep
        # Step 1 and 2 of the workflow: no call starts at or after the deadline.
        if now >= deadline:
            return end("timed_out")
        attempt += 1
        started = now
        limit = deadline if timeout is None else min(deadline, started + timeout)
        calls.append({"attempt": attempt, "atMs": now, "remainingMs": limit - now})
        seen = vector["script"][min(attempt, len(vector["script"])) - 1]
        entry: dict[str, Any] = {"attempt": attempt, "startedMs": started, "delayMs": None, "nextIsLast": False}
        history.append(entry)
        if "hangs" in seen or started + seen["takes"] > limit:
            now = limit
            is_over = now >= deadline
            entry |= {"endedMs": now, "result": "cut", "acceptor": None, "state": None if is_over else "retry"}
            if is_over:
                return end("timed_out")
            outage = started if outage is None else outage
        else:
            now = started + seen["takes"]
            state, index = verdict(acceptors, seen)
            code = seen.get("error", {}).get("code")
            if state is None:
                # Step 4: an error that no acceptor matches ends the wait, unless it passes by itself.
                passes = code == THROTTLING or (code == EXPIRED and not was_expired)
                state = "retry" if passes and options.get("transientErrors") != "fail" else "failure"
            was_expired = code == EXPIRED and index is None
            entry |= {"endedMs": now, "result": "error" if code else "response", "state": state, "acceptor": index}
            outage, slowest = None, max(slowest, now - started)
            # Step 3: the first acceptor that matches.
            if state == "success":
                return end(None, index)
            if state == "failure":
                return end("unmatched_error" if index is None else "failure_state", index)
        window = millis(options.get("transientWindow", 120))
        if outage is not None and now >= outage + window:
            return end("unreachable")
        if attempt == options.get("maxAttempts"):
            return end("too_many_attempts")
        following = None if is_last else delay(options, attempt, now, deadline - now, slowest)
        if following is None:
            return end("timed_out")
        pause, is_last = following
        if outage is not None and outage + window - now < pause:
            pause, is_last = outage + window - now, False
        entry |= {"delayMs": pause, "nextIsLast": is_last}


def verdict(acceptors: list[Any], seen: dict[str, Any]) -> tuple[str | None, int | None]:
    """Return the state of the first acceptor that matches, and its index, else retry, or `None` for an error."""
    for index, acceptor in enumerate(acceptors):
        if matches(acceptor["matcher"], seen):
            return acceptor["state"], index
    return ("retry" if "response" in seen else None), None


def matches(matcher: dict[str, Any], seen: dict[str, Any]) -> bool:
    """Return `True` if a matcher matches a response or an error. Clause: #matcher-union."""
    if "success" in matcher:
        return bool(matcher["success"] == ("response" in seen))
    if "errorType" in matcher:
        return bool("error" in seen and seen["error"]["code"] == matcher["errorType"])
    if "response" not in seen:
        return False
    response, output = seen["response"], matcher["output"]
    if output["path"] == "S":
        return bool(response.get("S") == output["expected"])
    if output["path"] == "Ok":
        return response.get("Ok") is True
    # A projection leaves out what is null, and is null itself on what is no list.
    if "L" not in response:
        return False
    values = [item["S"] for item in response["L"] if item["S"] is not None]
    equal = [value == output["expected"] for value in values]
    # Clause: #path-comparator: `allStringEquals` needs at least one value.
    return any(equal) if output["comparator"] == "anyStringEquals" else bool(values) and all(equal)


def delay(options: dict[str, Any], attempt: int, now: int, remaining: int, slowest: int) -> tuple[int, bool] | None:
    """Return the delay before the next call, and whether it is the last, or `None`. Clause: #waiter-retries."""
    least, most = millis(options["minDelay"]), millis(options["maxDelay"])
    chance = draw(options["seed"], attempt)
    pace = options.get("pace")
    if pace == {"proportional": 0.1}:
        part = now // 10
        wanted = min(max(part - int(chance * (part // 10)), least), most)
    else:
        ceiling = min(least * 2 ** (attempt - 1), most)
        if pace == "doubling":
            wanted = max(ceiling - int(chance * (ceiling // 10)), least)
        else:
            wanted = least + int(chance * (ceiling - least + 1))
    if options.get("finalPoll") == "late":
        return late(wanted, remaining, least, most, min(max(2 * slowest, 1_000), least))
    if remaining <= 1:
        return None
    if remaining <= least:
        return remaining // 2, True
    return (remaining - least, True) if remaining - wanted <= least else (wanted, False)


def late(wanted: int, remaining: int, least: int, most: int, reserve: int) -> tuple[int, bool] | None:
    """Return the same with `finalPoll: "late"`. Rule: docs/rules.md#final-poll."""
    rest = remaining - reserve
    if rest <= 0:
        return None
    if wanted >= rest:
        return rest, True
    if rest - wanted >= least:
        return wanted, False
    return (rest, True) if rest <= most else (rest // 2, False)


def draw(seed: int, attempt: int) -> float:
    """Return the random number of an attempt. Rule: docs/rules.md#delay-arithmetic."""
    return float(mix(seed, attempt) >> 11) / float(2**53)


def mix(seed: int, number: int) -> int:
    """Return 64 bits of a seed and a number, by the finalizer of splitmix64."""
    mask = 2**64 - 1
    bits = (seed + number * 0x9E3779B97F4A7C15) & mask
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & mask
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & mask
    return bits ^ (bits >> 31)


def millis(seconds: float) -> int:
    """Return whole milliseconds."""
    return round(seconds * 1_000)
