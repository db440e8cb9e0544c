"""Benchmark of `import smithy_waiters`: the time of new processes with the import, minus that of processes without it.

Prints one line of JSON, in nanoseconds: the median of the differences between alternating processes.
"""

from __future__ import annotations

import json
import subprocess
import sys
from statistics import median
from time import perf_counter_ns

PROCESSES = 20


def main() -> None:
    """Measure, after a first turn that fills the disk cache and writes the byte code."""
    turns = [nanoseconds("import smithy_waiters") - nanoseconds("pass") for _ in range(PROCESSES + 1)]
    print(json.dumps({"case": "import", "engine": median(turns[1:])}))


def nanoseconds(program: str) -> int:
    """Run a program in a new interpreter, and return its duration."""
    begun = perf_counter_ns()
    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603 - both programs are above.
    return perf_counter_ns() - begun


if __name__ == "__main__":
    main()
