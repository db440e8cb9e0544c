"""Compare verdicts on responses and errors of real models with those of the reference implementation of JMESPath.

`cargo xtask test` passes their path.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from smithy_waiters import Waiter

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDERS = [Path(folder) for folder in os.environ.get("AWS_VERDICTS", "").split(os.pathsep)]
FILES = [path for folder in FOLDERS for path in sorted(folder.glob("*.json"))]

# The minimum number of cases, which detects missing data.
LEAST = 1_000


@pytest.fixture(scope="module")
def counts(closing: list[str]) -> Iterator[Counter[str]]:
    counts: Counter[str] = Counter()
    yield counts
    closing.append(f"aws verdicts: {counts['right']} of {counts.total()} right")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_file(path: Path, counts: Counter[str]) -> None:
    wrong = []
    for given in json.loads(path.read_text(encoding="utf-8")):
        waiter = Waiter(given["definition"], name=given["waiter"])
        for case in given["cases"]:
            right = is_right(waiter, case)
            counts["right" if right else "wrong"] += 1
            if not right:
                wrong.append((given["waiter"], case))
    assert wrong == []


def test_all_verdicts_are_there(counts: Counter[str]) -> None:
    assert counts.total() > LEAST


def is_right(waiter: Waiter, case: dict[str, Any]) -> bool:
    seen = {"error": case["error"]} if "error" in case else {"response": case["output"]}
    verdict = waiter.evaluate(**seen, input=case.get("input"))
    return (verdict.state, verdict.acceptor) == (case["expected"]["state"], case["expected"]["acceptor"])
