"""Edge cases of pagination: tokens that are almost equal, and invalid sizes."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest

from smithy_waiters import OptionsError
from smithy_waiters.compression import RequestCompression
from smithy_waiters.pagination import PaginationError, Paginator

PAGINATOR = Paginator({"inputToken": "Start", "outputToken": "Next", "items": "Keys", "pageSize": "Max"})


class Opaque:
    """An object without visible members."""

    def __init__(self, secret: int) -> None:
        self._secret = secret


class Shown(Opaque):
    """An object with visible members."""

    def __repr__(self) -> str:
        return f"Shown({self._secret})"


OPAQUE = Opaque(1)


@dataclass
class Key:
    """A key."""

    name: str
    number: int


def comes_back(one: Any, other: Any) -> bool:
    """Return whether the second token is treated as equal to the first."""
    pages = iter([{"Next": {"k": one}}, {"Next": {"k": other}}, {}])
    try:
        assert len(list(PAGINATOR.pages(lambda **_: next(pages)))) == 3
    except PaginationError as problem:
        return problem.code == "repeated_token"
    return False


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Decimal(2**53), Decimal(2**53 + 1)),
        (Decimal("0.1"), Decimal("0.10000000000000000001")),
        (1, True),
        ("\ud800", "\ud801"),
        ({1: "a"}, {1: "b"}),
        ({"a": 1}, {"a": 1, "b": None}),
        (Opaque(1), Opaque(2)),
        (Shown(1), Shown(2)),
        (Key("a", 2**53), Key("a", 2**53 + 1)),
    ],
)
def test_tokens_that_are_not_the_same(one: Any, other: Any) -> None:
    assert not comes_back(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (Decimal("1.0"), Decimal("1.00")),
        (Decimal(2**60), 2**60),
        ("\ud800", "\ud800"),
        ({1: "a"}, {1: "a"}),
        ([1, (2,)], (1, [2])),
        ({0, 8}, {8, 0}),  # in different orders
        (b"abc", "YWJj"),
        (OPAQUE, OPAQUE),
        (Shown(1), Shown(1)),
        (Key("a", 1), Key("a", 1)),
    ],
)
def test_tokens_that_are_the_same(one: Any, other: Any) -> None:
    assert comes_back(one, other)


def test_the_problem_of_a_page_has_the_token_of_its_request() -> None:
    tokens: list[Any] = []
    for given in ({}, {"Start": "mine"}):
        with pytest.raises(PaginationError) as caught:
            list(PAGINATOR.pages(lambda **_: {"Next": 5}, given))
        tokens.append(caught.value.token)
    assert tokens == [None, "mine"]


@pytest.mark.parametrize("token", ["", {}, [], None])
def test_an_empty_start_token_is_ignored(token: Any) -> None:
    asked: list[dict[str, Any]] = []

    def call(**given: Any) -> dict[str, Any]:
        asked.append(given)
        return {}

    list(PAGINATOR.pages(call, {"Start": "mine"}, start_token=token))
    assert asked == [{"Start": "mine"}]


@pytest.mark.parametrize("size", [-1, "5000000", 20000.5, math.nan, True])
def test_invalid_sizes_of_bodies(size: Any) -> None:
    with pytest.raises(OptionsError, match=r"`size` must be an integer from 0 to 2\^53 - 1, got ."):
        RequestCompression(["gzip"]).encoding(size)


def test_changing_a_page_does_not_change_the_walk() -> None:
    asked: list[Any] = []
    last = iter([{"Id": {"S": "a"}, "Path": ["x"]}, {"Id": {"S": "b"}}, None])

    def call(Start: Any = None) -> Any:  # noqa: N803 - the operation's name.
        asked.append(copy.deepcopy(Start))
        return {"Next": next(last), "Keys": []}

    for page in PAGINATOR.pages(call):
        if page["Next"] is not None:
            page["Next"]["Id"]["S"] = "changed"
            page["Next"].setdefault("Path", []).append("y")
    assert asked == [None, {"Id": {"S": "a"}, "Path": ["x"]}, {"Id": {"S": "b"}}]


def test_nothing_is_sent_before_the_first_page_is_asked_for() -> None:
    calls: list[dict[str, Any]] = []

    def call(**given: Any) -> Any:
        calls.append(given)
        return {"Next": "more", "Keys": [1, 2]}

    pages, items = PAGINATOR.pages(call), PAGINATOR.items(call, max_items=2)
    assert calls == []
    next(pages)
    assert len(calls) == 1
    assert list(items) == [1, 2]
    assert len(calls) == 2


def test_a_token_whose_members_never_end_is_copied() -> None:
    class Endless(dict[str, int]):
        def items(self) -> Any:
            while True:
                yield "a", 1

    tokens: list[Any] = []
    pages = iter([{"Next": Endless(a=1)}, {}])

    def call(**members: Any) -> Any:
        tokens.append(members.get("Start"))
        return next(pages)

    assert len(list(PAGINATOR.pages(call))) == 2
    assert tokens == [None, {"a": 1}]
