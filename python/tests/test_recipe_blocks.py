"""The blocks for Python of `docs/recipes.md`, on the scripts of `tests/recipes.json`."""

from __future__ import annotations

import json
import re
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
IMPORTS, *SECTIONS = (ROOT / "docs/recipes.md").read_text("utf-8").split("\n### ")
TITLES = [section.partition("\n")[0] for section in SECTIONS]
PROGRAMS = [text.partition("```python\n")[2].partition("```\n")[0] for text in (IMPORTS, *SECTIONS)]
SCRIPTS = [(recipe, script) for recipe in RECIPES for script in recipe["scripts"]]
SESSION: Any = Session(**LOCAL)
SERVICES = ("acm", "cloudformation", "cloudfront", "ec2", "ecs", "eks", "rds")


def scripts(member: str) -> pytest.MarkDecorator:
    """Return the scripts with a member, as the parameters of a test."""
    found = [(recipe, script) for recipe, script in SCRIPTS if member in script]
    return pytest.mark.parametrize(("recipe", "script"), found, ids=lambda of: str(of.get("title") or of["name"]))


class Script:
    """Answers for the operation that is repeated, and for the others. The last answer is repeated."""

    def __init__(self, recipe: Any, script: Any) -> None:
        self.recipe, self.answers, self.asked = recipe, [], list[str]()
        for one in script["answers"]:
            match one:
                case [answer, int(times)]:
                    self.answers += [answer] * times
                case answer:
                    self.answers.append(answer)

    def filled(self, answer: Any) -> Any:
        is_error = isinstance(answer, dict) and "error" in answer
        return answer if is_error else json.loads(json.dumps(self.recipe["answer"]).replace('"$"', json.dumps(answer)))

    def calls(self) -> int:
        return self.asked.count(self.recipe["poll"])

    def __call__(self, operation: str) -> Any:
        self.asked.append(operation)
        if operation != self.recipe["poll"]:
            return self.recipe["others"][operation]
        return self.filled(self.answers[min(self.calls(), len(self.answers)) - 1])


def aws(service: str, script: Script) -> Any:
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


def attributes(value: Any) -> Any:
    """Return what the official client of Kubernetes makes of JSON: objects with names in snake case."""
    if isinstance(value, list):
        return list(map(attributes, value))
    if not isinstance(value, dict):
        return value
    return SimpleNamespace(**{re.sub("(?=[A-Z])", "_", key).lower(): attributes(item) for key, item in value.items()})


class Client:
    """Stands for the clients of Kubernetes and of a queue."""

    def __init__(self, script: Script, convert: Callable[[Any], Any]) -> None:
        self._script, self._convert = script, convert

    def __getattr__(self, method: str) -> Any:
        def call(*_: Any) -> Any:
            answer = self._script(re.sub("_(.)", lambda match: match[1].upper(), method))
            if "error" in answer:
                raise type(str(answer["error"]), (Exception,), {"status": answer["error"]})("not there")
            return self._convert(answer)

        return call


def web(script: Script) -> httpx.Client:
    def answer(request: httpx.Request) -> httpx.Response:
        found = script(f"{request.method} {request.url.path}")
        if isinstance(found.get("error"), str):
            raise httpx.ConnectError(found["error"])
        if "page" in found:
            return httpx.Response(200, text=found["page"])
        return httpx.Response(found.get("error", 200), json=found)

    return httpx.Client(transport=httpx.MockTransport(answer), base_url="https://example.com")


@pytest.fixture(autouse=True)
def virtual_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, create = FakeClock(), Waiter.fleet
    monkeypatch.setattr("time.monotonic", clock)
    monkeypatch.setattr("time.sleep", clock.sleep)
    monkeypatch.setattr(Waiter, "fleet", lambda *given, **named: create(*given, **named, clock=clock))


def test_each_recipe_has_scripts() -> None:
    assert sorted(TITLES) == sorted(recipe["title"] for recipe in RECIPES)


@scripts("end")
def test_a_block_ends_as_it_must(recipe: Any, script: Any) -> None:
    answers, block = Script(recipe, script), PROGRAMS[TITLES.index(recipe["title"]) + 1]
    typed, plain, http = Client(answers, attributes), Client(answers, lambda answer: answer), web(answers)
    scope = {"apps": typed, "batch": typed, "custom": plain, "queue": plain, "http": http, "github": http}
    scope |= {service: aws(service, answers) for service in SERVICES if f"{service}." in block}
    end, words = "success", ""
    try:
        exec(PROGRAMS[0] + block, {**scope, **recipe.get("names", {})})  # noqa: S102
    except WaiterError as failure:
        end, words = failure.code, f"{failure} {failure.details}"
    except WaitersFailed as failed:
        end = ", ".join(f"{one}: {failure.code}" for one, failure in failed.failures.items())
    assert (end, answers.calls()) == (script["end"], script.get("calls", answers.calls())), words
    assert script.get("words", "") in words
    assert script.get("asked", recipe["poll"]) in answers.asked


@scripts("peer")
def test_the_waiter_of_boto3_ends_as_the_page_says(recipe: Any, script: Any) -> None:
    service, waiter, arguments = recipe["peer"]
    answers, end = Script(recipe, script), "success"
    try:
        aws(service, answers).get_waiter(waiter).wait(**arguments)
    except BotocoreError as failure:
        end = f"{failure} {failure.last_response}"
    words, calls = script["peer"]
    assert words in end
    assert answers.calls() == calls


@scripts("loop")
def test_a_loop_with_one_condition_ends_as_the_page_says(recipe: Any, script: Any) -> None:
    """The number is that of the call after which the loop ends, or 0."""
    answers = Script(recipe, script)
    ends = [
        number for number, one in enumerate(answers.answers, 1) if search(recipe["loop"], answers.filled(one)) is True
    ]
    assert (ends or [0])[0] == script["loop"]
