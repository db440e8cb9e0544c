"""The kinds of calls that a wait accepts."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from virtual import run

from smithy_waiters import Waiter

ANY = Waiter({"acceptors": [{"state": "success", "matcher": {"success": True}}]})


@pytest.mark.parametrize(
    "use",
    [
        lambda call: ANY.wait(call, max_wait=1),
        ANY.check,
        lambda call: run(ANY.wait_async(call, max_wait=1)),
        lambda call: run(ANY.check_async(call)),
    ],
)
@pytest.mark.parametrize(
    ("call", "message"),
    [
        ({"Table": {}}, "the call must be callable, got dict"),
        (None, "the call must be callable, got NoneType"),
        (lambda one, two: one or two, "the call takes one argument at most, the attempt; this one requires 2"),
        (lambda *, a: a, "the call takes one argument at most, the attempt; this one requires `a` by name"),
        (lambda one, *, a: one or a, "the call takes one argument at most, the attempt; this one requires `a` by name"),
    ],
)
def test_a_call_that_cannot_be_made_is_the_callers_mistake(use: Any, call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        use(call)


def optional(attempt: object = None, *more: object, key: object = None) -> int:
    assert attempt is None
    assert not more
    return 1


@pytest.mark.parametrize(
    "call",
    [
        optional,
        partial(optional, None),
        partial(int, 1),
        lambda *given: 1 - len(given),
        lambda **_: 1,
        lambda *, a=1: a,
        partial(lambda *, a: a, a=1),
    ],
)
def test_a_call_that_requires_nothing_is_given_nothing(call: Any) -> None:
    assert ANY.wait(call, max_wait=1).response == 1
