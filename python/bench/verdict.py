"""What a verdict costs: the engine, botocore with its `jmespath`, and a function written by hand, on the same objects.

Prints a line of JSON for each case and size, in nanoseconds. Run it where the package and botocore are installed:

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

# Each comparator as botocore's waiters have it.
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
    """Compare three ways to the same verdict: the engine, botocore's own matcher, and a function written by hand."""
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
