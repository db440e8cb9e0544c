"""Run the engine's state machines of requests and of walks over pages step by step."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import results
import retrying
from failures import failure_of
from operations import shown
from values import resolve
from waiters import snake_case

from smithy_waiters import Call, OptionsError, Sleep, StateError
from smithy_waiters._engine import Request, Walk
from smithy_waiters.events import Cancelled, DeadlineReached
from smithy_waiters.failed_request import facts
from smithy_waiters.pagination import PaginationError, Paginator
from smithy_waiters.retry import RetryRefusal, StandardRetryStrategy

JsonObject = dict[str, Any]

EVENTS: dict[str, Any] = {
    "success": "success",
    "failed": "failure",
    "deadlineReached": DeadlineReached(),
    "cancelled": Cancelled(),
    "returned": "returned",
}


def request_steps(vector: JsonObject) -> JsonObject:
    strategy = retrying.strategy_of(vector["retry"]) if "retry" in vector else None
    options: Any = {snake_case(name): resolve(vector[name]) for name in ("idempotent", "maxTime") if name in vector}
    try:
        request = Request(has_policy=vector.get("policy", False), **options)
    except OptionsError as error:
        return results.refusal(error)
    host = _Host(request, strategy)
    steps = [_request_step(host, command) for command in vector["commands"]]
    return {"steps": steps, "available": None if strategy is None else retrying.available(strategy)}


class _Host:
    """A request, its strategy, and the token and failure that the strategy receives."""

    def __init__(self, request: Request, strategy: StandardRetryStrategy | None) -> None:
        self._request, self._strategy = request, strategy
        self._token: Any = None
        self._failure: Any = None

    def take(self, command: JsonObject) -> Any:
        """Execute a command, and the steps of the standard strategy after it."""
        step, now = self._execute(command), command["poll" if "poll" in command else "handle"]
        while self._strategy is not None and isinstance(step, str):
            step = self._ask(self._strategy, step, now)
        return step

    def _ask(self, strategy: StandardRetryStrategy, step: str, now: int) -> Any:
        try:
            if step == "acquire":
                self._token = strategy.acquire_initial_token()
            elif step == "refresh":
                self._token = strategy.refresh_retry_token(self._token, self._failure.failure)
            else:
                (strategy.record_success if step == "record" else strategy.release_token)(self._token)
                return self._request.handle("returned", now)
            return self._request.handle_token(self._token, now)
        except RetryRefusal as refusal:
            return self._request.handle_refusal(refusal, now)

    def _execute(self, command: JsonObject) -> Any:
        request = self._request
        if "poll" in command:
            return request.poll(command["poll"])
        now, given = command["handle"], command.get("failure")
        for member, event in EVENTS.items():
            if member in command:
                return request.handle(event, now)
        if "token" in command:
            return request.handle_token(SimpleNamespace(delay=command["token"]), now)
        if "refused" in command:
            refused = command["refused"]
            return request.handle_refusal(RetryRefusal(refused["message"], refused["code"]), now)
        self._failure = request.classify(None if given is None else facts(failure_of(given), now=given.get("now", -1)))
        return request.handle("retry", now, self._failure)


def _request_step(host: _Host, command: JsonObject) -> JsonObject:
    try:
        step = host.take(resolve(command))
    except StateError as error:
        return results.refusal(error)
    if isinstance(step, str):
        return {"type": step}
    if isinstance(step, Call):
        return {"type": "call", "attempt": step.attempt, "deadlineMs": step.deadline_ms}
    if isinstance(step, Sleep):
        return {"type": "sleep", "untilMs": step.until_ms}
    return {"type": "done", "attempts": step.attempts, "end": step.code, "message": step.message}


def walk(vector: JsonObject) -> Any:
    given = resolve(vector)
    paging = {snake_case(name): value for name, value in given.get("paging", {}).items()}
    walk = Walk(Paginator(json.dumps(given["paginated"])), **paging)
    try:
        first = walk.begin(given.get("startToken"), given.get("input"))
    except OptionsError as error:
        return results.refusal(error)
    return [_walk_step(first), *(_page_step(walk, page) for page in given["pages"])]


def _page_step(walk: Walk, page: Any) -> JsonObject:
    try:
        return _walk_step(walk.handle(page))
    except PaginationError as error:
        return {"error": {"code": error.code, "message": error.message}}


def _walk_step(step: tuple[int, Any] | None) -> JsonObject:
    if step is None:
        return {"type": "done"}
    page, token = step
    return {"type": "call", "page": page, "token": shown(token)}
