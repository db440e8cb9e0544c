"""Benchmark of a verdict: the engine, botocore with `jmespath`, and a hand-written function on the same objects.

Prints a line of JSON for each case and size, in nanoseconds. Run it in an environment with the package and botocore:

    python bench/verdict.py
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from botocore.waiter import AcceptorConfig
from cases import CASES, SIZES, Case
from timing import figure, runs_of

from smithy_waiters import Waiter

if TYPE_CHECKING:
    from collections.abc import Callable

# The botocore matcher for each comparator.
BOTOCORE: dict[str, Callable[[Case], dict[str, Any]]] = {
    "allStringEquals": lambda case: {"matcher": "pathAll", "expected": case.expected},
    "booleanEquals": lambda case: {"matcher": "path", "expected": case.expected == "true"},
    "stringEquals": lambda case: {"matcher": "path", "expected": case.expected},
}


def main() -> None:
    """Measure every case in every size."""
    for case in CASES:
        for size, count in SIZES.items():
            measure(case, size, case.received(count))


def measure(case: Case, size: str, response: Any) -> None:
    """Compare the engine, botocore's matcher and a hand-written function."""
    matcher: Any = {"path": case.path, "comparator": case.comparator, "expected": case.expected}
    waiter = Waiter({"acceptors": [{"state": "success", "matcher": {"output": matcher}}]})
    config = {"state": "success", "argument": case.path, **BOTOCORE[case.comparator](case)}
    matches = AcceptorConfig(config).matcher_func
    figure(
        case.name,
        size,
        {
            "engine": runs_of("evaluate(response=response)", evaluate=waiter.evaluate, response=response),
            "jmespath": runs_of("matches(response)", matches=matches, response=response),
            "byHand": runs_of("decide(response)", decide=case.by_hand, response=response),
        },
    )
    if waiter.evaluate(response=response).state != "success" or not matches(response) or not case.by_hand(response):
        raise SystemExit(f"{case.name}: the verdicts differ")


if __name__ == "__main__":
    main()
