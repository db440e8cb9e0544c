"""Measurement of contestants that alternate in one process.

A contestant is a function that runs something `runs` times and returns the duration in seconds.
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
    """Return the contestant that runs a statement inside the measuring loop, without the cost of a function call."""
    # `timeit` disables the garbage collector, unlike real programs.
    return Timer(statement, "import gc; gc.enable()", globals=names).timeit


def figure(case: str, size: str, contestants: dict[str, Contestant], parts: int = 1, turns: int = TURNS) -> None:
    """Print the median time of each contestant for one of the `parts` of a run, in nanoseconds."""
    runs = {name: fit(run) for name, run in contestants.items()}
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(turns):
        for name, run in contestants.items():
            times[name].append(run(runs[name]) * 1e9 / runs[name] / parts)
    medians = {name: round(median(series), 1) for name, series in times.items()}
    print(json.dumps({"case": case, "size": size, **medians}), flush=True)


def fit(run: Contestant) -> int:
    """Return the number of runs that fill a turn. The search also warms up."""
    runs = 1
    while run(runs) < TURN / 2:
        runs *= 2
    return runs
