"""A waiter in 80 lines. `mutants.py` breaks it in many ways, to test whether the kit notices."""

from __future__ import annotations

import json
import random
from typing import Any

import jmespath
from jmespath.exceptions import JMESPathError


class Cut(Exception):
    """The time for a request is over."""


def error_name(http: dict[str, Any]) -> str:
    """Return the name of an error in restJson1."""
    name = http["headers"].get("x-amzn-errortype")
    if name is None:
        body = json.loads(http.get("body", "{}"))
        name = body.get("__type") or body.get("code") or ""
    return str(name.split(":")[0].rpartition("#")[2])


def compare(comparator: str, expected: str, found: Any) -> bool:
    if comparator == "stringEquals":
        return isinstance(found, str) and found == expected
    if comparator == "booleanEquals":
        return isinstance(found, bool) and found is (expected == "true")
    if not isinstance(found, list):
        return False
    same = [isinstance(item, str) and item == expected for item in found]
    if comparator == "allStringEquals":
        return len(same) > 0 and all(same)
    return any(same)


def matches(matcher: dict[str, Any], answer: dict[str, Any], params: dict[str, Any]) -> bool:
    ((kind, value),) = matcher.items()
    is_error = answer["http"]["status"] >= 300
    if kind == "success":
        return bool(value is not is_error)
    if kind == "errorType":
        return bool(is_error and error_name(answer["http"]) == value.rpartition("#")[2])
    if is_error:
        return False
    output = answer["output"]
    root = output if kind == "output" else {"input": params, "output": output}
    try:
        found = jmespath.search(value["path"], root)
    except JMESPathError:
        return False
    return compare(value["comparator"], value["expected"], found)


def verdict(definition: dict[str, Any], answer: dict[str, Any], params: dict[str, Any]) -> str:
    for acceptor in definition["acceptors"]:
        if matches(acceptor["matcher"], answer, params):
            return str(acceptor["state"])
    return "failure" if answer["http"]["status"] >= 300 else "retry"


def wait(definition: dict[str, Any], params: dict[str, Any], options: dict[str, Any], client: Any) -> str:
    low, high, deadline = options["minDelay"], options["maxDelay"], options["maxWait"]
    attempt, last = 0, False
    while True:
        attempt += 1
        try:
            answer = client.call(deadline)
        except Cut:
            return "timeout"
        except ConnectionError:
            return "failure"
        state = verdict(definition, answer, params)
        if state != "retry":
            return state
        remaining = deadline - client.now
        if last or remaining <= 0:
            return "timeout"
        ceiling = min(high, low * 2 ** (attempt - 1))
        delay = random.uniform(low, ceiling)  # noqa: S311
        if remaining - delay <= low:
            delay, last = max(remaining - low, 0), True
        client.sleep(delay)
