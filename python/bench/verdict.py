"""What a verdict costs: the engine, botocore with its `jmespath`, and a function written by hand, on the same objects.

Prints a line of JSON for each case and size, in nanoseconds; the three take turns, the best of each counts. Reasons are
not asked for. Run it where the package and botocore are installed:

    python bench/verdict.py
"""

from __future__ import annotations

import json
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any

from botocore.waiter import AcceptorConfig
from cases import CASES, SIZES, Case

from smithy_waiters import Waiter

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 20
NANOSECONDS_A_ROUND = 4_000_000

# Each comparator as botocore's waiters have it.
BOTOCORE: dict[str, Callable[[Case], dict[str, Any]]] = {
    "allStringEquals": lambda case: {"matcher": "pathAll", "expected": case.expected},
    "booleanEquals": lambda case: {"matcher": "path", "expected": case.expected == "true"},
    "stringEquals": lambda case: {"matcher": "path", "expected": case.expected},
}


def main() -> None:
    """Measure every case in every size."""
    for case in CASES:
        for size in SIZES:
            print(
                json.dumps({"case": case.name, "size": size, **measured(case, case.received(SIZES[size]))}), flush=True
            )


def measured(case: Case, response: Any) -> dict[str, int]:
    """Give the nanoseconds of each way to come to the same verdict."""
    ways = {
        "engine": by_engine(case, response),
        "jmespath": by_jmespath(case, response),
        "byHand": by_hand(case, response),
    }
    verdicts = {name: way(1)[1] for name, way in ways.items()}
    if set(verdicts.values()) != {True}:
        raise SystemExit(f"{case.name}: the verdicts differ: {verdicts}")
    counts = {name: count_of(way) for name, way in ways.items()}
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(ROUNDS):
        for name, way in ways.items():
            best[name] = min(best[name], way(counts[name])[0] / counts[name])
    return {name: round(nanoseconds) for name, nanoseconds in best.items()}


# Each way has its own loop: a call in between would cost as much as the fastest of them.


def by_engine(case: Case, response: Any) -> Callable[[int], tuple[int, bool]]:
    """Give the loop over the engine's verdict."""
    matcher: Any = {"path": case.path, "comparator": case.comparator, "expected": case.expected}
    waiter = Waiter({"acceptors": [{"state": "success", "matcher": {"output": matcher}}]})

    def run(count: int) -> tuple[int, bool]:
        evaluate = waiter.evaluate
        start = perf_counter_ns()
        for _ in range(count):
            verdict = evaluate(response=response)
        return perf_counter_ns() - start, verdict.state == "success"

    return run


def by_jmespath(case: Case, response: Any) -> Callable[[int], tuple[int, bool]]:
    """Give the loop over botocore's own matcher: search by a path that it compiled before, then compare."""
    matches = AcceptorConfig(
        {"state": "success", "argument": case.path, **BOTOCORE[case.comparator](case)}
    ).matcher_func

    def run(count: int) -> tuple[int, bool]:
        start = perf_counter_ns()
        for _ in range(count):
            result = matches(response)
        return perf_counter_ns() - start, result is True

    return run


def by_hand(case: Case, response: Any) -> Callable[[int], tuple[int, bool]]:
    """Give the loop over the function written by hand."""
    decide = case.by_hand

    def run(count: int) -> tuple[int, bool]:
        start = perf_counter_ns()
        for _ in range(count):
            result = decide(response)
        return perf_counter_ns() - start, result

    return run


def count_of(way: Callable[[int], tuple[int, bool]]) -> int:
    """Give how often a way is gone in one round; this warms it up, too."""
    count = 1
    while (nanoseconds := way(count)[0]) < NANOSECONDS_A_ROUND // 4:
        count *= 2
    return max(1, count * NANOSECONDS_A_ROUND // nanoseconds)


if __name__ == "__main__":
    main()
