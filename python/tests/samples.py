"""Waiters that the tests share."""

from __future__ import annotations

from typing import Any

from smithy_waiters import Waiter

TABLE_EXISTS: dict[str, Any] = {
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

TABLE_NOT_EXISTS: dict[str, Any] = {
    "acceptors": [{"state": "success", "matcher": {"errorType": "com.amazonaws#ResourceNotFoundException"}}],
}

ACTIVE = {"Table": {"TableStatus": "ACTIVE"}}
CREATING = {"Table": {"TableStatus": "CREATING"}}
BROKEN = {"Table": {"TableStatus": "BROKEN"}}


def table_exists() -> Waiter:
    return Waiter(TABLE_EXISTS, name="TableExists")


def output(path: str, expected: str, comparator: str = "stringEquals") -> Waiter:
    """Give a waiter that succeeds when a path gives a value."""
    matcher = {"output": {"path": path, "comparator": comparator, "expected": expected}}
    return Waiter({"acceptors": [{"state": "success", "matcher": matcher}]})


class ClientError(Exception):
    """An error as botocore's."""

    def __init__(self, code: str, message: str = "no such table") -> None:
        super().__init__(f"An error occurred ({code}): {message}")
        self.response = {"Error": {"Code": code, "Message": message}}


NOT_FOUND = ClientError("ResourceNotFoundException")
