"""Compare the installed package with the oracle of `tests/oracle` on random cases. A case that differs is made smaller.

`SMITHY_WAITERS_CASES` is the folder with the cases. `cargo xtask test` and `cargo xtask deep` write it.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kinds
import pytest
import results

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = os.environ.get("SMITHY_WAITERS_CASES")
FILES = sorted(Path(FOLDER).glob("*.jsonl")) if FOLDER else []

# The lists of a vector that a smaller case has less of.
LISTS = ["script", "pages", "callers"]

sys.path.append(str(Path(__file__).resolve().parents[1] / "oracle"))


@pytest.mark.skipif(not FILES, reason="SMITHY_WAITERS_CASES is not set")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_results_are_those_of_the_oracle(path: Path, closing: list[str]) -> None:
    oracle = importlib.import_module(path.stem)
    count = 0
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            vector = json.loads(line)
            count += 1
            if differs(vector):
                vector = smaller(vector, oracle)
                pytest.fail(f"{json.dumps(vector)}\ngave {json.dumps(result(vector))}")
    closing.append(f"python: {count} {path.stem} as in the oracle")
    assert count > 0


def result(vector: dict[str, Any]) -> Any:
    """Return what the engine gives, as plain data."""
    given = results.with_spelling_of_vectors(kinds.run(vector, {"definitions": {}, "models": {}}))
    return json.loads(results.text(given))


def differs(vector: dict[str, Any]) -> bool:
    given, expected = result(vector), vector["expected"]
    # A result of a search has no more members than the oracle's.
    return not contains(given, expected) or ("result" in expected and not contains(expected, given))


def contains(given: Any, expected: Any) -> bool:
    """Return `True` if the result has everything that the oracle decides."""
    if isinstance(expected, dict):
        return isinstance(given, dict) and all(
            name in given and contains(given[name], value) for name, value in expected.items()
        )
    if isinstance(expected, list):
        return isinstance(given, list) and len(given) == len(expected) and all(map(contains, given, expected))
    return bool(given == expected)


def smaller(vector: dict[str, Any], oracle: Any) -> dict[str, Any]:
    """Return a vector with fewer parts that differs, too."""
    for candidate in parts(vector):
        try:
            candidate["expected"] = oracle.expected(candidate)
            if differs(candidate):
                return smaller(candidate, oracle)
        except Exception:  # noqa: BLE001, S112 - a part can be one that is needed
            continue
    return vector


def parts(vector: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield copies without an answer, an acceptor or an option each."""
    places = [[name, index] for name in LISTS for index in range(len(vector.get(name, [])))]
    acceptors = vector.get("definition", {}).get("acceptors", [])
    places += [["definition", "acceptors", index] for index in range(len(acceptors))]
    places += [[name, option] for name in ("options", "retry") for option in vector.get(name, {})]
    for *path, last in places:
        copy = deepcopy(vector)
        holder: Any = copy
        for name in path:
            holder = holder[name]
        del holder[last]
        yield copy
