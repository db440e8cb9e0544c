"""Compare recipes with the loops that they replace: the calls, the time to notice a change, and the longest silence.

python measure.py   # takes two minutes; `SMITHY_WAITERS_COMMAND` names the command

A stand-in for the program becomes ready after a number of seconds. The silence is the longest time without a line of
output, from the start to the end.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

COMMAND: Final = os.environ["SMITHY_WAITERS_COMMAND"]


class Pair(NamedTuple):
    """A loop, and the command for the same purpose."""

    name: str
    ready_after: float
    loop: str
    line: str


PAIRS: Final = (
    Pair("a program, ready after 7 s", 7, "until ./call > /dev/null 2>&1; do sleep 1; done", "wait -- ./call"),
    Pair(
        "a job, done after 37 s",
        37,
        "until ./call 2>/dev/null | grep -q done; do sleep 5; done",
        "wait --until state=done -- ./call",
    ),
    Pair(
        "a waiter of 20 s, done after 67 s",
        67,
        "until ./call 2>/dev/null | grep -q done; do sleep 20; done",
        "wait --until state=done -- ./call",
    ),
)

CALL: Final = """#!/bin/sh
echo >> calls
[ "$(date +%s%N)" -ge "$(cat ready)" ] && echo '{"state": "done"}' && exit 0
echo 'not ready' >&2
exit 1
"""


def measure(script: str, ready_after: float) -> tuple[int, float, float]:
    """Return the number of calls, the time between the change and the end, and the longest silence."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "call").write_text(CALL)
        (folder / "call").chmod(0o755)
        ready = time.time() + ready_after
        (folder / "ready").write_text(str(int(ready * 1e9)))
        last, silence = time.time(), 0.0
        with subprocess.Popen(["bash", "-c", script], cwd=folder, stderr=subprocess.PIPE) as run:
            assert run.stderr is not None
            for _ in run.stderr:
                silence, last = max(silence, time.time() - last), time.time()
        end = time.time()
        assert run.returncode == 0
        return len((folder / "calls").read_text()), end - ready, max(silence, end - last)


def main() -> None:
    """Print a table in Markdown."""
    print("| wait | calls | noticed after | longest silence |\n|---|---|---|---|")
    for pair in PAIRS:
        for name, script in (("loop", pair.loop), ("smithy-waiters", f"'{COMMAND}' {pair.line}")):
            calls, late, silence = measure(script, pair.ready_after)
            print(f"| {pair.name}: {name} | {calls} | {late:.1f} s | {silence:.0f} s |", flush=True)


if __name__ == "__main__":
    main()
