"""How long `import smithy_waiters` takes: fresh processes with it, less fresh processes without.

Prints one line of JSON, in milliseconds: the medians of processes that take turns, and of the differences in a turn.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from time import perf_counter

PROCESSES = 20


def main() -> None:
    """Measure, after one round that warms the disk and writes the byte code."""
    programs = {"empty": "pass", "import": "import smithy_waiters"}
    times: dict[str, list[float]] = {name: [] for name in programs}
    for program in programs.values():
        milliseconds(program)
    for _ in range(PROCESSES):
        for name, program in programs.items():
            times[name].append(milliseconds(program))
    medians = {name: statistics.median(found) for name, found in times.items()}
    added = statistics.median(
        with_it - without for with_it, without in zip(times["import"], times["empty"], strict=True)
    )
    figures = {"ms": added, "with": medians["import"], "without": medians["empty"]}
    print(json.dumps({"case": "import"} | {name: round(ms, 2) for name, ms in figures.items()}))


def milliseconds(program: str) -> float:
    """Run a program in a fresh interpreter."""
    start = perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603 - both programs are above.
    return (perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
