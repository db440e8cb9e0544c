"""The command beside Smithy's own, both as whole processes over the same models: time and the most memory they have.

Arguments: the command's program, the folder of the models, and a class path of Smithy's command, which may be missing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median_high

from starter import Run, once

ROUNDS = 5
MEGABYTE = 1_000_000


def measured(command: list[str], rounds: int) -> Run:
    """Give the least times of several runs, which other programs disturb least, and the median peak: caches change it."""
    # Events are no failure here, and give 1.
    runs = [once(command, (0, 1)) for _ in range(rounds)]
    memory = median_high(run.memory for run in runs)
    return Run(min(run.time for run in runs), min(run.processor for run in runs), memory)


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
