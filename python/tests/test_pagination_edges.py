"""Edge cases of pagination: tokens that are almost equal, and invalid sizes."""

from __future__ import annotations

import asyncio
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
        ({3, 1, 2}, {1, 2, 3}),
        (b"abc", "YWJj"),
        (OPAQUE, OPAQUE),
        (Shown(1), Shown(1)),
        (Key("a", 1), Key("a", 1)),
    ],
)
def test_tokens_that_are_the_same(one: Any, other: Any) -> None:
    assert comes_back(one, other)


def test_a_token_that_is_too_long() -> None:
    pages = iter([{"Next": "x" * 65_000}, {"Next": "y" * 66_000}])
    walk = PAGINATOR.pages(lambda **_: next(pages))
    assert len(next(walk)["Next"]) == 65_000
    # The caller receives the page, even if the walk fails after it.
    assert len(next(walk)["Next"]) == 66_000
    with pytest.raises(PaginationError, match="`Next` is longer than 64 KiB") as caught:
        next(walk)
    assert (caught.value.code, caught.value.token) == ("invalid_token", "x" * 65_000)
    with pytest.raises(OptionsError) as refused:
        PAGINATOR.pages(lambda **_: {}, start_token="x" * 66_000)
    assert refused.value.option == "start_token"


def test_the_problem_of_a_page_has_the_token_of_its_request() -> None:
    tokens: list[Any] = []
    for given in ({}, {"Start": "mine"}):
        with pytest.raises(PaginationError) as caught:
            list(PAGINATOR.pages(lambda **_: {"Next": 5}, given))
        tokens.append(caught.value.token)
    assert tokens == [None, "mine"]


@pytest.mark.parametrize("token", ["", {}, [], None])
def test_an_empty_start_token_is_none(token: Any) -> None:
    asked: list[dict[str, Any]] = []

    def call(**given: Any) -> dict[str, Any]:
        asked.append(given)
        return {}

    list(PAGINATOR.pages(call, {"Start": "mine"}, start_token=token))
    assert asked == [{"Start": "mine"}]


@pytest.mark.parametrize("token", [5, True, 1.5])
def test_start_tokens_that_are_none(token: Any) -> None:
    with pytest.raises(OptionsError, match="`start_token` must be a string or a map") as caught:
        PAGINATOR.pages(lambda **_: {}, start_token=token)
    assert caught.value.option == "start_token"


@pytest.mark.parametrize("size", [-1, "5000000", 20000.5, math.nan, True])
def test_sizes_of_bodies_that_are_none(size: Any) -> None:
    with pytest.raises(OptionsError, match=r"`size` must be an integer, at least 0, got ."):
        RequestCompression(["gzip"]).encoding(size)


def test_a_body_of_any_size() -> None:
    assert RequestCompression(["gzip"]).encoding(10**30) == "gzip"


def test_who_changes_a_page_does_not_change_the_walk() -> None:
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


@pytest.mark.parametrize("items", ["abc", b"abc", 5, True, 1.5, Decimal(5), Opaque(1), None])
def test_items_that_are_neither_a_list_nor_a_map(items: Any) -> None:
    assert list(PAGINATOR.items(lambda **_: {"Keys": items})) == []


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


@pytest.mark.parametrize(("none", "what"), [(None, "null"), ([], "an array"), ("{}", "a string"), (5, "5")])
def test_a_return_that_was_forgotten_is_no_last_page(none: Any, what: str) -> None:
    with pytest.raises(PaginationError, match=f"^the page cannot be read: it must be an object, got {what}$") as caught:
        list(PAGINATOR.items(lambda **_: none))
    assert caught.value.code == "unreadable_page"
    assert list(PAGINATOR.items(lambda **_: {})) == []

    async def call(**_: Any) -> Any:
        return none

    async def main() -> None:
        async for _ in PAGINATOR.items_async(call):
            pytest.fail("there are no items")

    with pytest.raises(PaginationError, match=f"got {what}$"):
        asyncio.run(main())
