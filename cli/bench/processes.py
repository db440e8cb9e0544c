"""The command beside Smithy's own, both as whole processes over the same models: time and the most memory they have.

Arguments: the command's program, the folder of the models, and a class path of Smithy's command, which may be missing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROUNDS = 5
MEGABYTE = 1_000_000
# Peaks are told in bytes on macOS, in units of 1,024 elsewhere.
UNIT = 1 if sys.platform == "darwin" else 1024


class Run(NamedTuple):
    """What a process took: nanoseconds on the clock and of processors, and bytes at its peak."""

    time: int
    processor: int
    memory: int


def measured(command: list[str], rounds: int) -> Run:
    """Give the least times and the greatest peak of several runs."""
    runs = [once(command) for _ in range(rounds)]
    return Run(min(run.time for run in runs), min(run.processor for run in runs), max(run.memory for run in runs))


def once(command: list[str]) -> Run:
    begin = time.perf_counter_ns()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    # Events are no failure here, and give 1.
    assert process.returncode in (0, 1), said.decode()
    processor = int((usage.ru_utime + usage.ru_stime) * 1e9)
    return Run(time.perf_counter_ns() - begin, processor, usage.ru_maxrss * UNIT)


def say(**figure: object) -> None:
    print(json.dumps(figure))


def main(program: str, folder: str, classes: str | None = None) -> None:
    models = sorted(path for path in Path(folder).glob("*.json") if not path.name.endswith(".events.json"))
    files = [str(path) for path in models]
    sizes = [path.stat().st_size for path in models]
    size = f"{len(files)} models, {sum(sizes) / MEGABYTE:.0f} MB"
    java = None
    if classes:
        # Its own Java, as people run it; models have traits that are not on its path.
        smithy = ["java", "-cp", classes, "software.amazon.smithy.cli.SmithyCli", "validate", "--allow-unknown-traits"]
        java = measured([*smithy, "--quiet", *files], 2)
    for case, arguments in (("lint --each", ["--each"]), ("lint", [])):
        ours = measured([program, "lint", *arguments, *files], ROUNDS)
        beside = {"smithyCli": java.time} if java else {}
        say(case=case, size=size, engine=ours.time, **beside)
        beside = {"smithyCli": java.processor} if java else {}
        say(case=f"{case}, processor time", size=size, engine=ours.processor, **beside)
        peak = {"MB": ours.memory / MEGABYTE, "times the largest file": ours.memory / max(sizes)}
        beside = {"MB of smithyCli": java.memory / MEGABYTE} if java else {}
        say(case=f"{case}, peak memory", size=size, **peak, **beside)


main(*sys.argv[1:])
