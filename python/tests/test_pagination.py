"""Pages and items of paginated operations."""

from __future__ import annotations

import asyncio
import copy
import doctest
import json
import pickle
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from libraries import EACH, Library

import smithy_waiters.pagination
from smithy_waiters import DefinitionError, OptionsError
from smithy_waiters.pagination import PaginationError, Paginator

if TYPE_CHECKING:
    from collections.abc import Callable

TRAIT: dict[str, Any] = {"inputToken": "Start", "outputToken": "Result.Next", "items": "Result.Keys", "pageSize": "Max"}

STRING = {"target": "smithy.api#String"}
MODEL: dict[str, Any] = {
    "smithy": "2.0",
    "shapes": {
        "demo#Demo": {
            "type": "service",
            "operations": [{"target": "demo#List"}, {"target": "demo#Get"}],
            "traits": {"smithy.api#paginated": {"inputToken": "Start", "outputToken": "Next"}},
        },
        "demo#Get": {"type": "operation"},
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


class Service:
    """A service that returns the numbers from 0 on in pages, and records requests."""

    def __init__(self, count: int, size: int = 2) -> None:
        self.count = count
        self.size = size
        self.asked: list[dict[str, Any]] = []

    def list(self, **given: Any) -> dict[str, Any]:
        self.asked.append(given)
        start = int(given.get("Start", "0"))
        end = start + given.get("Max", self.size)
        page: dict[str, Any] = {"Keys": list(range(start, min(end, self.count)))}
        if end < self.count:
            page["Next"] = str(end)
        return {"Result": page}

    async def list_async(self, **given: Any) -> dict[str, Any]:
        return self.list(**given)


def test_going_on_from_a_token() -> None:
    paginator, service = Paginator(TRAIT), Service(5)
    page = next(iter(paginator.pages(service.list)))
    token = paginator.next_token(page)
    assert token == str(2)
    assert list(paginator.items(service.list, start_token=token)) == [2, 3, 4]
    assert list(paginator.items(service.list, {"Start": "4"})) == [4]


def test_the_size_of_pages() -> None:
    paginator, service = Paginator(TRAIT), Service(9)
    assert list(paginator.items(service.list, page_size=5)) == list(range(9))
    assert [asked["Max"] for asked in service.asked] == [5, 5]
    service = Service(9)
    assert list(paginator.items(service.list, page_size=lambda page: page if page < 3 else None)) == list(range(9))
    assert [asked.get("Max") for asked in service.asked] == [1, 2, None, None, None]


def test_pages_that_are_objects() -> None:
    pages = [SimpleNamespace(Next="b", Keys=(1,)), SimpleNamespace(Next=None, Keys={2})]
    left = iter(pages)
    paginator = Paginator({"inputToken": "Start", "outputToken": "Next", "items": "Keys"})
    assert list(paginator.items(lambda **_: next(left))) == [1, 2]


def test_a_call_that_changes_its_input_hides_no_token_that_comes_back() -> None:
    paginator = Paginator({"inputToken": "Start", "outputToken": "Next"})

    def call(Start: Any = None) -> Any:  # noqa: N803 - the name of the member.
        if Start is not None:
            Start["id"] = "other"
        return {"Next": {"id": "a"}}

    for given in ({}, {"Start": {"id": "a"}}):
        with pytest.raises(PaginationError, match="repeats the token of the request"):
            list(paginator.pages(call, given))


@pytest.mark.parametrize("token", ["same", {"id": {"S": "same"}}])
def test_a_token_that_comes_twice_in_a_row(token: Any) -> None:
    paginator = Paginator({"inputToken": "Start", "outputToken": "Next"})

    def call(**_: Any) -> Any:
        # Equal tokens are different objects.
        return {"Next": json.loads(json.dumps(token))}

    pages = paginator.pages(call)
    assert [next(pages), next(pages)] == [{"Next": token}] * 2
    with pytest.raises(PaginationError, match="repeats the token of the request") as caught:
        next(pages)
    assert (caught.value.code, caught.value.token) == ("repeated_token", token)
    assert caught.value.to_dict()["token"] == token


def test_an_error_of_the_call_leaves_unchanged() -> None:
    def call(**_: Any) -> Any:
        raise KeyError("no")

    with pytest.raises(KeyError):
        list(Paginator(TRAIT).pages(call))


@EACH
async def test_pages_that_are_awaited(library: Library) -> None:
    paginator, service = Paginator(TRAIT), Service(5)
    assert [item async for item in paginator.items_async(service.list_async)] == [0, 1, 2, 3, 4]
    assert [item async for item in paginator.items_async(service.list_async, max_items=3)] == [0, 1, 2]
    assert len([page async for page in paginator.pages_async(service.list_async)]) == 3
    with pytest.raises(TypeError, match="is it for `pages`"):
        await anext(paginator.pages_async(service.list))  # type: ignore[arg-type]


def test_a_call_that_gives_an_awaitable() -> None:
    with pytest.raises(TypeError, match="use `pages_async`"):
        next(iter(Paginator(TRAIT).pages(Service(5).list_async)))  # type: ignore[unused-coroutine]


def test_of_a_model(tmp_path: Any) -> None:
    path = tmp_path / "model.json"
    path.write_text(json.dumps(MODEL))
    for model in (MODEL, json.dumps(MODEL), path):
        paginator = Paginator.from_model(model, "List", service="demo#Demo")
        assert (paginator.input_token, paginator.page_size, paginator.has_items) == ("Start", None, True)
        assert repr(paginator) == "Paginator(input_token='Start', page_size=None)"
    with pytest.raises(DefinitionError, match="is not paginated") as caught:
        Paginator.from_model(MODEL, "Get")
    assert caught.value.code == "not_paginated"
    with pytest.raises(DefinitionError, match="not its path"):
        Paginator.from_model(str(path), "List")


@pytest.mark.parametrize(
    ("options", "code", "option"),
    [
        ({"repeated_token": "again"}, "invalid_option", "repeated_token"),
        ({"stop_when_not_truncated": 1}, "invalid_option", "stop_when_not_truncated"),
        ({"page_size": 5}, "invalid_option", "page_size"),
        ({"max_items": -1}, "invalid_option", "max_items"),
        ({"max_items": True}, "invalid_option", "max_items"),
        ({"input": 5}, "invalid_option", "input"),
        ({"pagesize": 5}, "unknown_option", "pagesize"),
    ],
)
def test_options_that_do_not_hold(options: Any, code: str, option: str) -> None:
    paginator = Paginator({"inputToken": "Start", "outputToken": "Next", "items": "Keys"})
    walks: list[Callable[..., Any]] = [paginator.items, paginator.items_async]
    for walk in walks:
        with pytest.raises(OptionsError) as caught:
            walk(Service(5).list, **options)
        assert (caught.value.code, caught.value.option) == (code, option)


def sized(kind: str) -> Paginator:
    """Return a paginator whose model has a page size of a type."""
    model = json.loads(json.dumps(MODEL))
    model["shapes"]["demo#In"]["members"]["Max"] = {"target": f"smithy.api#{kind}"}
    model["shapes"]["demo#List"]["traits"]["smithy.api#paginated"]["pageSize"] = "Max"
    return Paginator.from_model(model, "List")


@pytest.mark.parametrize("again", [lambda one: one, copy.copy, lambda one: pickle.loads(pickle.dumps(one))])  # noqa: S301
def test_page_sizes_by_their_type(again: Callable[[Any], Any]) -> None:
    def sent(paginator: Paginator, size: Any) -> Any:
        asked: list[Any] = []

        def call(Max: Any) -> dict[str, Any]:  # noqa: N803 - the operation's name.
            asked.append(Max)
            return {}

        list(paginator.pages(call, page_size=size))
        return asked[0]

    route_53, usual = again(sized("String")), again(sized("Integer"))
    assert (route_53.page_size_kind, usual.page_size_kind) == ("string", "integer")
    assert sent(route_53, 100) == sent(route_53, "100") == sent(route_53, lambda _: 100) == "100"
    assert sent(usual, 100) == sent(usual, lambda _: 100) == 100
    with pytest.raises(OptionsError, match=r"^`page_size` must be an integer from 1 to 2\^53 - 1, got a string$"):
        sent(usual, "100")
    # The kind is unknown without a model.
    paginator = Paginator(TRAIT)
    assert paginator.page_size_kind is None
    assert (sent(paginator, 100), sent(paginator, "100")) == (100, "100")


def test_items_without_a_path() -> None:
    with pytest.raises(DefinitionError, match="the definition has no path for the items"):
        Paginator({"inputToken": "Start", "outputToken": "Next"}).items(Service(5).list)


def test_the_example_runs() -> None:
    found = doctest.testmod(smithy_waiters.pagination, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0


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
