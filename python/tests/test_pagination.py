"""Pages and items of paginated operations."""

from __future__ import annotations

import asyncio
import copy
import json
import pickle
from dataclasses import dataclass
from decimal import Decimal
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from libraries import EACH, Library

from smithy_waiters import DefinitionError, OptionsError
from smithy_waiters.pagination import PaginationError, Paginator

if TYPE_CHECKING:
    from collections.abc import Callable

PAGINATOR = Paginator({"inputToken": "Start", "outputToken": "Next", "items": "Keys", "pageSize": "Max"})
TRAIT: dict[str, Any] = {"inputToken": "Start", "outputToken": "Result.Next", "items": "Result.Keys", "pageSize": "Max"}

STRING = {"target": "smithy.api#String"}
MODEL: dict[str, Any] = {
    "smithy": "2.0",
    "shapes": {
        "demo#Demo": {
            "type": "service",
            "operations": [{"target": "demo#List"}],
            "traits": {"smithy.api#paginated": {"inputToken": "Start", "outputToken": "Next"}},
        },
        "demo#List": {
            "type": "operation",
            "input": {"target": "demo#In"},
            "output": {"target": "demo#Out"},
            "traits": {"smithy.api#paginated": {"items": "Keys"}},
        },
        "demo#In": {"type": "structure", "members": {"Start": STRING}},
        "demo#Out": {"type": "structure", "members": {"Next": STRING, "Keys": {"target": "demo#Keys"}}},
        "demo#Keys": {"type": "list", "member": STRING},
    },
}


def numbers(**given: Any) -> dict[str, Any]:
    """Return two of the numbers from 0 to 4."""
    start = int(given.get("Start", "0"))
    page: dict[str, Any] = {"Keys": list(range(start, min(start + 2, 5)))}
    return {"Result": page if start == 4 else {**page, "Next": str(start + 2)}}


async def numbers_async(**given: Any) -> dict[str, Any]:
    return numbers(**given)


def test_going_on_from_a_token() -> None:
    paginator = Paginator(TRAIT)
    assert paginator.next_token(next(paginator.pages(numbers))) == "2"
    assert list(paginator.items(numbers, start_token="2")) == [2, 3, 4]  # noqa: S106 - of a page.


def test_pages_that_are_objects() -> None:
    left = iter([SimpleNamespace(Next="b", Keys=(1,)), SimpleNamespace(Next=None, Keys={2})])
    assert list(PAGINATOR.items(lambda **_: next(left))) == [1, 2]


def test_a_call_that_changes_its_input_hides_no_token_that_comes_back() -> None:
    def call(Start: Any = None) -> Any:  # noqa: N803 - the name of the member.
        if Start is not None:
            Start["id"] = "other"
        return {"Next": {"id": "a"}}

    for given in ({}, {"Start": {"id": "a"}}):
        with pytest.raises(PaginationError, match="repeats the token of the request"):
            list(PAGINATOR.pages(call, given))


def test_the_error_of_a_repeated_token_has_the_token() -> None:
    token = {"id": {"S": "same"}}
    with pytest.raises(PaginationError, match="repeats the token of the request") as caught:
        list(PAGINATOR.pages(lambda **_: {"Next": token}))
    assert caught.value.token == caught.value.to_dict()["token"] == token


@EACH
async def test_pages_that_are_awaited(library: Library) -> None:
    paginator = Paginator(TRAIT)
    assert [item async for item in paginator.items_async(numbers_async)] == [0, 1, 2, 3, 4]
    assert [item async for item in paginator.items_async(numbers_async, max_items=3)] == [0, 1, 2]
    assert len([page async for page in paginator.pages_async(numbers_async)]) == 3


def test_of_a_model(tmp_path: Any) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(MODEL))
    for model in (MODEL, json.dumps(MODEL), path):
        paginator = Paginator.from_model(model, "List", service="demo#Demo")
        assert (paginator.input_token, paginator.page_size, paginator.has_items) == ("Start", None, True)
        assert repr(paginator) == "Paginator(input_token='Start', page_size=None)"
    with pytest.raises(DefinitionError, match="not its path"):
        Paginator.from_model(str(path), "List")


@pytest.mark.parametrize(
    ("option", "given"), [("repeated_token", "again"), ("page_size", 5), ("max_items", -1), ("input", 5)]
)
def test_options_that_do_not_hold(option: str, given: Any) -> None:
    paginator = Paginator({"inputToken": "Start", "outputToken": "Next", "items": "Keys"})
    walks: list[Callable[..., Any]] = [paginator.items, paginator.items_async]
    for walk in walks:
        with pytest.raises(OptionsError) as caught:
            walk(numbers, **{option: given})
        assert (caught.value.code, caught.value.option) == ("invalid_option", option)


@pytest.mark.parametrize("again", [lambda one: one, copy.copy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301
@pytest.mark.parametrize(("kind", "sent"), [("String", "100"), ("Integer", 100)])
def test_a_model_has_the_type_of_the_page_size(again: Callable[[Any], Any], kind: str, sent: Any) -> None:
    model = copy.deepcopy(MODEL)
    model["shapes"]["demo#In"]["members"]["Max"] = {"target": f"smithy.api#{kind}"}
    model["shapes"]["demo#List"]["traits"]["smithy.api#paginated"]["pageSize"] = "Max"
    paginator = again(Paginator.from_model(model, "List"))
    assert (paginator.page_size_kind, Paginator(TRAIT).page_size_kind) == (kind.lower(), None)
    assert next(paginator.pages(lambda **input: input, page_size=100)) == {"Max": sent}


def test_items_without_a_path() -> None:
    with pytest.raises(DefinitionError, match="the definition has no path for the items"):
        Paginator({"inputToken": "Start", "outputToken": "Next"}).items(numbers)


async def give_later() -> dict[str, Any]:
    return {}


def test_messages_name_the_method_that_was_called() -> None:
    paginator = Paginator(TRAIT)
    for walk, other in ((paginator.pages, "pages_async"), (paginator.items, "items_async")):
        with pytest.raises(TypeError, match=f"^the call returned an awaitable: use `{other}`$"):
            next(walk(give_later))

    async def first(walk: Any) -> None:
        async for _ in walk:
            break

    for walk_async, other in ((paginator.pages_async, "pages"), (paginator.items_async, "items")):
        with pytest.raises(TypeError, match=f"is it for `{other}`\\?$"):
            asyncio.run(first(walk_async(dict)))  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("method", ["pages", "items", "pages_async", "items_async"])
def test_mistakes_are_refused_before_the_first_page(method: str) -> None:
    walk = getattr(Paginator(TRAIT), method)
    with pytest.raises(TypeError, match=r"^the call must be callable, got dict$"):
        walk({})
    for option, words in (
        ("TableName", ": pass the operation's input as a dict after the call"),
        ("PageSize", ", did you mean `page_size`?"),
    ):
        with pytest.raises(OptionsError) as caught:
            walk(give_later, **{option: 1})
        assert caught.value.message == f"`{option}` is not an option{words}"
        assert (caught.value.code, caught.value.option) == ("unknown_option", option)


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


def test_an_empty_list_as_start_token_is_ignored() -> None:
    start_token: Any = []
    assert list(PAGINATOR.pages(dict, {"Start": "mine"}, start_token=start_token)) == [{"Start": "mine"}]


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
