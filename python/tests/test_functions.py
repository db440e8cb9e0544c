"""The functions `search` and `delay`."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from smithy_waiters import Delay, delay, search


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


def test_the_remaining_time_may_be_a_timedelta() -> None:
    found = delay(attempt=3, remaining=timedelta(seconds=5), min_delay=2, max_delay=120, random=0.7)
    assert found == Delay(3.0, last=True)
