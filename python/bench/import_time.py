"""How long `import smithy_waiters` takes: fresh processes with it, less fresh processes without.

Prints one line of JSON, in nanoseconds: the median of the differences of processes that take turns.
"""

from __future__ import annotations

import json
import subprocess
import sys
from statistics import median
from time import perf_counter_ns

PROCESSES = 20


def main() -> None:
    """Measure, after one turn that warms the disk and writes the byte code."""
    turns = [nanoseconds("import smithy_waiters") - nanoseconds("pass") for _ in range(PROCESSES + 1)]
    print(json.dumps({"case": "import", "engine": median(turns[1:])}))


def nanoseconds(program: str) -> int:
    """Run a program in a fresh interpreter."""
    begun = perf_counter_ns()
    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603 - both programs are above.
    return perf_counter_ns() - begun


if __name__ == "__main__":
    main()
