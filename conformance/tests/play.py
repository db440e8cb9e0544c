"""Plays the kit to a waiter in Python, on a virtual clock."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

KIT = Path(__file__).parent.parent
# A virtual clock needs no tolerance but for rounding.
EXACT = 1e-6
MOST_REQUESTS = 1000


class Cancelled(Exception):
    """The caller cancels the wait."""


class Hung(Exception):
    """The wait would never end."""


class Client:
    """A client whose service follows the script of a behaviour."""

    def __init__(self, case: dict[str, Any], answers: dict[str, Any], cut: type[Exception]) -> None:
        self.steps = [dict(step) for step in case["script"]]
        self.cancel_at = case["options"].get("cancelAt", float("inf"))
        self.answers = answers
        self.cut = cut
        self.now = 0.0
        self.starts: list[float] = []
        self.ends: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.advance(self.now + seconds)

    def advance(self, to: float) -> None:
        if max(to, self.now) >= self.cancel_at:
            self.now = max(self.now, self.cancel_at)
            raise Cancelled
        self.now = max(to, self.now)

    def call(self, deadline: float) -> Any:
        self.advance(self.now)
        if len(self.starts) > MOST_REQUESTS:
            raise Hung
        self.starts.append(self.now)
        step = self.step()
        takes = float("inf") if step.get("connection") == "hang" else step.get("takes", 0)
        if self.now + takes > deadline:
            self.advance(deadline)
            raise self.cut
        if takes == float("inf"):
            self.advance(min(takes, self.cancel_at))
            raise Hung
        self.advance(self.now + takes)
        self.ends.append(self.now)
        if step.get("connection") == "reset":
            raise ConnectionResetError
        if "status" in step:
            return {"error": {"code": str(step["status"])}, "http": {"status": step["status"], "headers": {}}}
        return self.answers[step["role"]]

    def step(self) -> dict[str, Any]:
        while len(self.steps) > 1:
            step = self.steps[0]
            times = 0 if self.now >= step.get("until", float("inf")) else step.get("times", 1)
            if times > 0:
                if "until" not in step:
                    step["times"] = times - 1
                return step
            self.steps.pop(0)
        return self.steps[0]


def suites(folder: str) -> list[dict[str, Any]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted((KIT / folder).glob("*.json"))]


def failures(waiter: Any) -> list[str]:
    """Return the ids of the cases that a waiter fails, except open ones."""
    failed = []
    waiters: dict[str, Any] = {}
    for suite in suites("core"):
        waiters.update(suite["waiters"])
        for case in suite["cases"]:
            one = suite["waiters"][case["waiter"]]
            try:
                state = waiter.verdict(one["definition"], case["answer"], case.get("params", one["params"]))
            except Exception as error:  # noqa: BLE001
                state = repr(error)
            if state != case["expect"]["state"] and case["basis"] != "open":
                failed.append(case["id"])
    for suite in suites("behaviour"):
        strict = [case for case in suite["cases"] if case["basis"] != "open"]
        failed += [case["id"] for case in strict if not passes(waiter, case, waiters["JobDone"])]
    return failed


def passes(waiter: Any, case: dict[str, Any], one: dict[str, Any]) -> bool:
    client = Client(case, one["answers"], waiter.Cut)
    try:
        end = waiter.wait(one["definition"], one["params"], case["options"], client)
    except Cancelled:
        end = "cancelled"
    except Exception as error:  # noqa: BLE001
        end = repr(error)
    return meets(case["expect"], end, client)


def meets(expect: dict[str, Any], end: str, client: Client) -> bool:
    delays = [start - end for end, start in zip(client.ends, client.starts[1:], strict=False)]
    ranges = expect.get("delays", [])
    limits = [ranges[min(place, len(ranges) - 1)] for place in range(len(delays))] if ranges else []
    if end == "timeout" and limits:
        limits[-1] = {"max": limits[-1]["max"]}
    observed = [
        (expect.get("requests", {}), len(client.starts)),
        (expect.get("elapsed", {}), client.now),
        (expect.get("lastRequest", {}), client.starts[-1] if client.starts else 0),
        *zip(limits, delays, strict=False),
    ]
    within = all(one.get("min", value) - EXACT <= value <= one.get("max", value) + EXACT for one, value in observed)
    distinct = len({round(delay, 2) for delay in delays[3:]})
    return end == expect["end"] and within and distinct >= expect.get("distinctDelays", 0)
