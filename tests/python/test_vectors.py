"""Run all vectors of `tests/vectors` with the installed package.

The results are written to `target/vectors/python.json`. `cargo xtask parity` compares them with the other languages'.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kinds
import pytest
import results
from values import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]

# The minimum number of vectors, which detects missing ones.
LEAST = 650

# Kinds of vectors without a runner, which `cargo xtask parity` counts.
PENDING = json.loads((ROOT / "tests" / "pending.json").read_text(encoding="utf-8"))["python"]


def vectors() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield each vector with its file, which contains the definitions that vectors refer to by name."""
    for path in sorted(ROOT.glob("tests/vectors/**/*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        for vector in file["vectors"]:
            if vector["kind"] not in PENDING:
                yield vector, file


VECTORS = {vector["id"]: (vector, file) for vector, file in vectors()}


@pytest.fixture(scope="module")
def written(closing: list[str]) -> Iterator[dict[str, Any]]:
    """Collect the results, and write them at the end."""
    collected: dict[str, Any] = {}
    yield collected
    folder = ROOT / "target" / "vectors"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "python.json").write_text(results.text(collected), encoding="utf-8")
    closing.append(f"python: {len(collected)} vectors")


@pytest.mark.parametrize("name", VECTORS)
def test_vector(name: str, written: dict[str, Any]) -> None:
    vector, file = VECTORS[name]
    result = results.with_spelling_of_vectors(kinds.run(vector, file))
    written[name] = result
    assert results.text(result) == results.text(resolve(vector["expected"]))


def test_all_vectors_are_there() -> None:
    assert len(VECTORS) >= LEAST
    assert len(VECTORS) == len(list(vectors())), "an id is there twice"
