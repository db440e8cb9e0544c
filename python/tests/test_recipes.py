"""The blocks for Python of `docs/recipes.md`, on the scripts of `tests/recipes.json`."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import chain, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from answers import LOCAL
from boto3.session import Session  # type: ignore[import-untyped]
from botocore.exceptions import WaiterError as BotocoreError
from botocore.validate import ParamValidator

from smithy_waiters import Waiter, WaiterError, WaitersFailed, search
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
RECIPES = json.loads((ROOT / "tests/recipes.json").read_text("utf-8"))
SECTIONS = (ROOT / "docs/recipes.md").read_text("utf-8").split("\n### ")
IMPORTS, *BLOCKS = [part.partition("```\n")[0] for part in "".join(SECTIONS).split("```python\n")[1:]]
TITLES = [section.partition("\n")[0] for section in SECTIONS[1:]]
SCRIPTS = [(recipe, script) for recipe in RECIPES for script in recipe["scripts"]]
PEERS = [(recipe, script) for recipe, script in SCRIPTS if "peer" in script]
LOOPS = [(recipe, script) for recipe, script in SCRIPTS if "loop" in script]
SERVICES = ("acm", "cloudformation", "cloudfront", "ec2", "ecs", "eks", "rds")
SESSION: Any = Session(**LOCAL)


def name(of: Any) -> str:
    return str(of.get("title") or of["name"])


def attributes(value: Any) -> Any:
    """Return what the official client of Kubernetes makes of JSON: objects with names in snake case."""
    if isinstance(value, list):
        return list(map(attributes, value))
    if not isinstance(value, dict):
        return value
    return SimpleNamespace(**{re.sub("(?=[A-Z])", "_", key).lower(): attributes(item) for key, item in value.items()})


class Script:
    """Answers for the operation that is repeated, and for the others. The last answer is repeated."""

    def __init__(self, recipe: Any, script: Any) -> None:
        self.poll, self.others = recipe["poll"], recipe.get("others", {})
        entries = [one if is_repeated(one) else [one, 1] for one in script["answers"]]
        self.answers = [filled(recipe["answer"], one) for one, times in entries for _ in range(times)]
        self.left = chain(self.answers, repeat(self.answers[-1]))
        self.asked: Counter[str] = Counter()

    def __call__(self, operation: str) -> Any:
        self.asked[operation] += 1
        return next(self.left) if operation == self.poll else self.others[operation]


def is_repeated(one: Any) -> bool:
    return isinstance(one, list) and len(one) == 2 and isinstance(one[1], int)


def filled(template: Any, answer: Any) -> Any:
    is_error = isinstance(answer, int) or (isinstance(answer, dict) and list(answer) == ["error"])
    return answer if is_error else json.loads(json.dumps(template).replace('"$"', json.dumps(answer)))


def client(service: str, script: Script) -> Any:
    """Return a client of boto3, which checks the requests. The names in its answers are checked here."""
    client: Any = SESSION.client(service)

    def answer(model: Any, **_: Any) -> Any:
        found = script(model.name)
        if "error" in found:
            return SimpleNamespace(status_code=400), {"Error": {"Code": found["error"], "Message": "not there"}}
        report = ParamValidator().validate(found, model.output_shape)._errors
        assert [one for one in report if one[0] == "unknown field"] == []
        return SimpleNamespace(status_code=200), found

    client.meta.events.register(f"before-call.{service}", answer)
    return client


class Client:
    """Stands for the clients of Kubernetes and of a queue."""

    def __init__(self, script: Script, convert: Callable[[Any], Any]) -> None:
        self._script, self._convert = script, convert

    def __getattr__(self, method: str) -> Any:
        def call(*_: Any) -> Any:
            answer = self._script(re.sub("_(.)", lambda match: match[1].upper(), method))
            if list(answer) == ["error"]:
                raise type(answer["error"], (Exception,), {})("not there")
            return self._convert(answer)

        return call


def web(script: Script) -> httpx.Client:
    def answer(request: httpx.Request) -> httpx.Response:
        found = script(f"{request.method} {request.url.path}")
        if isinstance(found, int):
            return httpx.Response(found)
        if list(found) == ["error"]:
            raise httpx.ConnectError(found["error"])
        return httpx.Response(200, json=found)

    return httpx.Client(transport=httpx.MockTransport(answer), base_url="https://example.com")


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    clock = FakeClock()
    monkeypatch.setattr("time.monotonic", clock)
    monkeypatch.setattr("time.sleep", clock.sleep)
    create = Waiter.fleet
    monkeypatch.setattr(Waiter, "fleet", lambda *given, **named: create(*given, **named, clock=clock))
    return clock


def run(recipe: Any, script: Script) -> tuple[str, str]:
    """Run a block, and return its end and its words."""
    block = BLOCKS[TITLES.index(recipe["title"])]
    apps, plain = Client(script, attributes), Client(script, lambda answer: answer)
    scope = {"apps": apps, "batch": apps, "custom": plain, "queue": plain, "http": web(script), "github": web(script)}
    scope |= {service: client(service, script) for service in SERVICES if f"{service}." in block}
    try:
        exec(IMPORTS + block, {**scope, **recipe.get("names", {})})  # noqa: S102
    except WaiterError as failure:
        return failure.code, f"{failure} {failure.details}"
    except WaitersFailed as failed:
        return ", ".join(f"{one}: {failure.code}" for one, failure in failed.failures.items()), str(failed)
    return "success", ""


def test_each_recipe_has_a_block_and_scripts() -> None:
    assert sorted(TITLES) == sorted(recipe["title"] for recipe in RECIPES)
    assert len(BLOCKS) == len(TITLES)


@pytest.mark.parametrize(("recipe", "script"), SCRIPTS, ids=name)
def test_a_block_ends_as_it_must(recipe: Any, script: Any) -> None:
    answers = Script(recipe, script)
    end, words = run(recipe, answers)
    assert (end, answers.asked[recipe["poll"]]) == (
        script["end"],
        script.get("calls", answers.asked[recipe["poll"]]),
    ), words
    assert script.get("words", "") in words
    assert answers.asked[script.get("asked", recipe["poll"])]


@pytest.mark.parametrize(("recipe", "script"), PEERS, ids=name)
def test_the_waiter_of_boto3_ends_as_the_page_says(recipe: Any, script: Any) -> None:
    service, waiter, arguments = recipe["peer"]
    answers = Script(recipe, script)
    end = "success"
    try:
        client(service, answers).get_waiter(waiter).wait(**arguments)
    except BotocoreError as failure:
        end = f"{failure} {failure.last_response}"
    words, calls = script["peer"]
    assert words in end
    assert answers.asked[recipe["poll"]] == calls


@pytest.mark.parametrize(("recipe", "script"), LOOPS, ids=name)
def test_a_loop_with_one_condition_ends_as_the_page_says(recipe: Any, script: Any) -> None:
    """The number is that of the call after which the loop ends, or 0."""
    answers = Script(recipe, script).answers
    ends = [number for number, answer in enumerate(answers, 1) if search(recipe["loop"], answer) is True]
    assert (ends or [0])[0] == script["loop"]
