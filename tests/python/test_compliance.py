"""Run all cases of the official JMESPath compliance suite with `search` on native values.

`cargo xtask test` passes the path of the suite. Benchmarks run, but do not count as cases.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from smithy_waiters import ExpressionError, search

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(os.environ.get("JMESPATH_COMPLIANCE", ""))
SUITE = os.environ.get("JMESPATH_COMPLIANCE_NAME")
EXCUSES = json.loads((Path(__file__).parents[1] / "compliance.json").read_text(encoding="utf-8"))["cannotHold"]

# The minimum number of cases, which detects an incomplete suite.
LEAST = 800


@dataclass
class Tally:
    cases: int = 0
    held: int = 0
    excused: list[str] = field(default_factory=list)

    def check(self, file: str, case: dict[str, Any], given: object) -> str | None:
        """Describe a wrong result."""
        expression = case["expression"]
        difference = difference_of(case, given)
        if "bench" not in case:
            self.cases += 1
            self.held += difference is None
        excuse = next((one for one in EXCUSES if (one["file"], one["expression"]) == (file, expression)), None)
        if excuse is None:
            return difference and f"{expression}: {difference}"
        if difference is None:
            return f"{expression}: holds after all"
        self.excused.append(f"{file}: `{expression}`: {excuse['reason']}")
        return None


@pytest.fixture(scope="module")
def tally(closing: list[str]) -> Iterator[Tally]:
    tally = Tally()
    yield tally
    closing.append(f"jmespath compliance: {tally.held} of {tally.cases} ({SUITE})")
    closing.extend(f"  cannot hold: {line}" for line in tally.excused)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.name)
def test_file(path: Path, tally: Tally) -> None:
    groups = json.loads(path.read_text(encoding="utf-8"))
    found = [tally.check(path.name, case, group["given"]) for group in groups for case in group["cases"]]
    assert [difference for difference in found if difference is not None] == []


def test_the_suite_is_whole(tally: Tally) -> None:
    assert tally.cases >= LEAST


def difference_of(case: dict[str, Any], given: object) -> str | None:
    try:
        found = search(case["expression"], given)
    except ExpressionError as error:
        return None if "error" in case else f"fails: {error}"
    if "error" in case:
        return f"gives {found!r}, not an error"
    # A benchmark does not have an expected result.
    if "result" not in case or typed(found) == typed(case["result"]):
        return None
    return f"gives {found!r}, not {case['result']!r}"


def typed(value: Any) -> object:
    """Return the value in a form in which booleans are not equal to numbers."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, list):
        return [typed(item) for item in value]
    if isinstance(value, dict):
        return {name: typed(member) for name, member in value.items()}
    return value if isinstance(value, (int, float)) else (value,)
