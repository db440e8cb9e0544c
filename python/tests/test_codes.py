"""Compare the codes in the types with those in the vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import pytest

from smithy_waiters import DefinitionErrorCode, ExpressionErrorCode, OptionsErrorCode, StateErrorCode

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT = Path(__file__).parents[2]


def listed(union: Any) -> set[str]:
    """Return the values of a union of literals."""
    return {word for literal in get_args(union) for word in get_args(literal) or (literal,)}


CODES = {
    "DefinitionError": listed(DefinitionErrorCode),
    "ExpressionError": listed(ExpressionErrorCode),
    "OptionsError": listed(OptionsErrorCode),
    "StateError": listed(StateErrorCode),
}


def errors_in(value: Any) -> Iterator[tuple[str, str]]:
    """Yield every error that a vector expects."""
    if isinstance(value, list):
        for item in value:
            yield from errors_in(item)
    if isinstance(value, dict):
        if value.get("class") in CODES and "code" in value:
            yield value["class"], value["code"]
        yield from errors_in(list(value.values()))


def test_every_code_that_a_vector_expects_is_in_the_types() -> None:
    vectors = [json.loads(path.read_text("utf-8")) for path in (PROJECT / "tests/vectors").rglob("*.json")]
    seen = list(errors_in(vectors))
    assert len(seen) > 100
    assert {(kind, code) for kind, code in seen if code not in CODES[kind]} == set()


@pytest.mark.parametrize("kind", CODES)
def test_every_code_of_the_types_is_one_that_there_is(kind: str) -> None:
    sources = "".join(path.read_text("utf-8") for path in (PROJECT / "core/src").rglob("*.rs"))
    assert {code for code in CODES[kind] if f'"{code}"' not in sources} == set()
