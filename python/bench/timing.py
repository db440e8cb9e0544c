"""Contestants that take turns in one process.

A contestant is a function that runs something as often as its argument says, and returns the seconds that it took.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from statistics import median
from timeit import Timer
from typing import Any, TypeAlias

TURNS = 31
TURN = 0.008

Contestant: TypeAlias = Callable[[int], float]


def runs_of(statement: str, **names: Any) -> Contestant:
    """Give the contestant that runs a statement, which stands in the loop itself: a call more would count."""
    # `timeit` turns the garbage collector off, which programs do not.
    return Timer(statement, "import gc; gc.enable()", globals=names).timeit


def figure(case: str, size: str, contestants: dict[str, Contestant], parts: int = 1) -> None:
    """Print one case: the median time that each contestant takes for one of the `parts` of a run, in nanoseconds."""
    runs = {name: fit(run) for name, run in contestants.items()}
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(TURNS):
        for name, run in contestants.items():
            times[name].append(run(runs[name]) * 1e9 / runs[name] / parts)
    medians = {name: round(median(found), 1) for name, found in times.items()}
    print(json.dumps({"case": case, "size": size, **medians}), flush=True)


def fit(run: Contestant) -> int:
    """Give how many runs fill a turn; finding out warms up, too."""
    runs = 1
    while run(runs) < TURN / 2:
        runs *= 2
    return runs
