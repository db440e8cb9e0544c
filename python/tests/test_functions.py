"""The functions `search` and `delay`."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from smithy_waiters import Delay, ExpressionError, delay, search


def test_selected_values_are_returned_unchanged() -> None:
    moment = datetime(2026, 1, 2, tzinfo=timezone.utc)
    table = {"Created": moment}
    assert search("Table", {"Table": table}) is table
    assert search("Table.Created", {"Table": table}) is moment


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("length(Tables)", 3),
        ("Tables[?@ > `1`]", [2, 3]),
        ("avg(Tables)", 2),
        ("sum(Tables) == `6`", True),
        ("{count: length(Tables), none: Missing}", {"count": 3, "none": None}),
        ("`1.5`", 1.5),
        ("'text'", "text"),
        ("to_number('1e300')", 10**300),
    ],
)
def test_types_of_computed_values(expression: str, result: Any) -> None:
    found = search(expression, {"Tables": [1, 2, 3]})
    assert found == pytest.approx(result) if isinstance(result, int) and result > 2**60 else found == result
    assert isinstance(found, type(result))


@pytest.mark.parametrize(
    ("expression", "code", "column"),
    [("a.[", "invalid_expression", True), ("length(`1`)", "evaluation_error", False)],
)
def test_search_raises(expression: str, code: str, column: bool) -> None:
    with pytest.raises(ExpressionError) as caught:
        search(expression, {})
    assert caught.value.code == code
    assert (caught.value.column is not None) == column


def test_search_does_not_swallow_interrupts() -> None:
    class Interrupting:
        @property
        def a(self) -> str:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        search("a", Interrupting())


DELAY: dict[str, Any] = {"attempt": 3, "remaining": 295, "min_delay": 2, "max_delay": 120, "random": 0.7}


def test_delays() -> None:
    assert repr(delay(**DELAY)) == "Delay(delay=6.2, last=False)"
    assert delay(**DELAY | {"remaining": timedelta(seconds=295)}) == delay(**DELAY)
    last = delay(**DELAY | {"remaining": 5})
    assert isinstance(last, Delay)
    assert (last.delay, last.last) == (3.0, True)
    assert delay(**DELAY | {"remaining": 0}) is None
