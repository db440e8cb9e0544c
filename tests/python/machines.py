"""Run the engine's state machines of requests and of walks over pages step by step."""

from __future__ import annotations

import json
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
from smithy_waiters.retry import RetryRefusal

JsonObject = dict[str, Any]

EVENTS: dict[str, Any] = {
    "success": "success",
    "failed": "failure",
    "deadlineReached": DeadlineReached(),
    "cancelled": Cancelled(),
}


def request_steps(vector: JsonObject) -> JsonObject:
    strategy = retrying.strategy_of(vector["retry"]) if "retry" in vector else None
    options: Any = {snake_case(name): resolve(vector[name]) for name in ("idempotent", "maxTime") if name in vector}
    try:
        request = Request(strategy or vector["firstDelay"], has_policy=vector.get("policy", False), **options)
    except OptionsError as error:
        return results.refusal(error)
    steps = [_request_step(request, command) for command in vector["commands"]]
    # Deleting the request returns the token of a pending attempt, so read the quota first.
    available = None if strategy is None else retrying.available(strategy)
    del request
    return {"steps": steps, "available": available}


def _request_step(request: Request, command: JsonObject) -> JsonObject:
    try:
        step = _take(request, resolve(command))
    except StateError as error:
        return results.refusal(error)
    if isinstance(step, Call):
        return {"type": "call", "attempt": step.attempt, "deadlineMs": step.deadline_ms}
    if isinstance(step, Sleep):
        return {"type": "sleep", "untilMs": step.until_ms}
    return {"type": "done", "attempts": step.attempts, "end": step.code, "message": step.message}


def _take(request: Request, command: JsonObject) -> Any:
    if "poll" in command:
        return request.poll(command["poll"])
    now, given = command["handle"], command.get("failure")
    for member, event in EVENTS.items():
        if member in command:
            return request.handle(event, now)
    failure = request.classify(None if given is None else facts(failure_of(given), now=given.get("now", -1)))
    decision = command.get("granted")
    if "refused" in command:
        refused = command["refused"]
        decision = RetryRefusal(refused["message"], refused["code"])
    return request.handle("retry", now, failure, decision)


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
