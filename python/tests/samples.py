"""Waiters that the tests share."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from smithy_waiters import Waiter

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

TABLE_EXISTS: Any = {
    "documentation": "Waits until a table exists.",
    "tags": ["tables"],
    "minDelay": 2,
    "maxDelay": 20,
    "acceptors": [
        {
            "state": "success",
            "matcher": {"output": {"path": "Table.TableStatus", "comparator": "stringEquals", "expected": "ACTIVE"}},
        },
        {
            "state": "failure",
            "matcher": {"output": {"path": "Table.TableStatus", "comparator": "stringEquals", "expected": "BROKEN"}},
        },
        {"state": "retry", "matcher": {"errorType": "ResourceNotFoundException"}},
    ],
}

TABLE_NOT_EXISTS: Any = {
    "acceptors": [{"state": "success", "matcher": {"errorType": "com.amazonaws#ResourceNotFoundException"}}],
}

MODEL: dict[str, Any] = {
    "smithy": "2.0",
    "shapes": {
        "com.example#Tables": {"type": "service", "operations": [{"target": "com.example#GetTables"}]},
        "com.example#GetTables": {
            "type": "operation",
            "traits": {"smithy.waiters#waitable": {"TableExists": TABLE_EXISTS}},
        },
    },
}

ACTIVE = {"Table": {"TableStatus": "ACTIVE"}}
CREATING = {"Table": {"TableStatus": "CREATING"}}
BROKEN = {"Table": {"TableStatus": "BROKEN"}}


def table_exists() -> Waiter:
    return Waiter(TABLE_EXISTS, name="TableExists")


def output(path: str, expected: str, comparator: str = "stringEquals") -> Waiter:
    """Return a waiter that succeeds when a path returns a value."""
    matcher: Any = {"output": {"path": path, "comparator": comparator, "expected": expected}}
    return Waiter({"acceptors": [{"state": "success", "matcher": matcher}]})


class ClientError(Exception):
    """An error like those of botocore."""

    def __init__(self, code: str, message: str = "no such table") -> None:
        super().__init__(f"An error occurred ({code}): {message}")
        self.response = {"Error": {"Code": code, "Message": message}}


NOT_FOUND = ClientError("ResourceNotFoundException")
RESET = ConnectionResetError("reset")


def script(*results: Any) -> Callable[[], Any]:
    """Return a call with scripted results, which raises those that are errors."""
    left = iter(results)

    def call() -> Any:
        result = next(left)
        if isinstance(result, BaseException):
            raise result
        return result

    return call


def slow(pass_by: Callable[[float], object], seconds: float, response: Any) -> Callable[[], Any]:
    """Return a call that takes some seconds on a clock."""

    def call() -> Any:
        pass_by(seconds)
        return response

    return call


def script_async(
    *results: Any, takes: float = 0, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
) -> Callable[[], Awaitable[Any]]:
    """Return an asynchronous call with scripted results that takes some seconds."""
    answer = script(*results)

    async def call() -> Any:
        if takes:
            await sleep(takes)
        return answer()

    return call
