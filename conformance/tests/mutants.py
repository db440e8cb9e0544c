"""Break the toy waiter in many ways: the cases of `core` and `behaviour` must notice all of them."""

from __future__ import annotations

import random
import sys
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from jmespath.visitor import TreeInterpreter
from play import failures

if TYPE_CHECKING:
    from collections.abc import Callable

TOY = Path(__file__).parent / "toy.py"

# A name, a part of the toy, and its replacement.
MUTANTS = [
    ("stringEquals ignores case", "found == expected\n", "found.lower() == expected.lower()\n"),
    ("stringEquals by prefix", "found == expected\n", "found.startswith(expected)\n"),
    ("stringEquals strips", "found == expected\n", "found.strip() == expected\n"),
    ("stringEquals of any text", "isinstance(found, str) and found == expected\n", "str(found) == expected\n"),
    (
        "stringEquals takes null for empty",
        "isinstance(found, str) and found == expected\n",
        "(found or '') == expected\n",
    ),
    ("booleanEquals by truth", "isinstance(found, bool) and found is (expected", "bool(found) is (expected"),
    ("booleanEquals with coercion", "isinstance(found, bool) and found is (expected", "found == (expected"),
    ("booleanEquals ignores expected", 'found is (expected == "true")', "found"),
    ("booleanEquals of texts", "isinstance(found, bool) and found is (expected", "str(found).lower() == str(expected"),
    ("allStringEquals of an empty list", "len(same) > 0 and all(same)", "all(same)"),
    ("allStringEquals is any", "len(same) > 0 and all(same)", "any(same)"),
    ("allStringEquals looks at the first", "len(same) > 0 and all(same)", "len(same) > 0 and same[0]"),
    ("allStringEquals is inverted", "len(same) > 0 and all(same)", "len(same) > 0 and not any(same)"),
    ("anyStringEquals is all", "return any(same)", "return len(same) > 0 and all(same)"),
    ("anyStringEquals looks at the first", "return any(same)", "return same[:1] == [True]"),
    ("lists drop nulls", "for item in found]", "for item in found if item is not None]"),
    ("lists compare texts", "isinstance(item, str) and item == expected", "str(item) == expected"),
    (
        "a text is a list",
        "if not isinstance(found, list):",
        "if isinstance(found, str):\n        found = [found]\n    if not isinstance(found, list):",
    ),
    ("success is always true", "value is not is_error", "not is_error"),
    ("success ignores the answer", "value is not is_error", "value"),
    ("errorType with the namespace", 'value.rpartition("#")[2]', "value"),
    ("errorType by prefix", '== value.rpartition("#")[2]', '.startswith(value.rpartition("#")[2])'),
    ("errorType by status", 'error_name(answer["http"]) ==', "(error_name(answer[\"http\"]) or 'JobNotFound') =="),
    ("errorType keeps the namespace", '.rpartition("#")[2])', ")"),
    ("errorType keeps the URI", 'name.split(":")[0]', "name"),
    ("errorType ignores the body", 'body.get("__type") or body.get("code") or ""', '""'),
    ("errorType ignores `code`", ' or body.get("code")', ""),
    (
        "paths see errors",
        '    if is_error:\n        return False\n    output = answer["output"]',
        '    output = answer.get("output", {})',
    ),
    ("inputOutput sees the output only", 'output if kind == "output" else', "output if True else"),
    ("inputOutput has no input", '{"input": params,', '{"input": None,'),
    ("the last match wins", 'in definition["acceptors"]', 'in reversed(definition["acceptors"])'),
    (
        "failures first",
        'in definition["acceptors"]',
        'in sorted(definition["acceptors"], key=lambda one: one["state"] != "failure")',
    ),
    (
        "retry acceptors go on",
        "answer, params):\n            return",
        'answer, params) and acceptor["state"] != "retry":\n            return',
    ),
    ("unmatched errors are retried", '"failure" if answer["http"]["status"] >= 300 else "retry"', '"retry"'),
    ("unmatched outputs fail", '"failure" if answer["http"]["status"] >= 300 else "retry"', '"failure"'),
    ("requests have no deadline", "client.call(deadline)", 'client.call(float("inf"))'),
    ("a deadline for each request", "client.call(deadline)", "client.call(client.now + deadline)"),
    (
        "the deadline counts delays only",
        "remaining = deadline - client.now",
        "remaining = deadline - client.now + sum(b - a for a, b in zip(client.starts, client.ends))",
    ),
    ("no last poll", "delay, last = max(remaining - low, 0), True", 'return "timeout"'),
    ("the last delay is not cut", "delay, last = max(remaining - low, 0), True", "last = True"),
    ("endless", "if last or remaining <= 0:", "if False:"),
    ("no backoff", "low * 2 ** (attempt - 1)", "low"),
    ("backoff starts too high", "2 ** (attempt - 1)", "2 ** attempt"),
    ("no ceiling", "min(high, low * 2 ** (attempt - 1))", "low * 2 ** (attempt - 1)"),
    ("no jitter", "random.uniform(low, ceiling)", "ceiling"),
    ("jitter from zero", "random.uniform(low, ceiling)", "random.uniform(0, ceiling)"),
    ("a delay before the first request", "    while True:\n", "    client.sleep(low)\n    while True:\n"),
    (
        "a delay after the end",
        '        if state != "retry":\n',
        '        if state != "retry":\n            client.sleep(low)\n',
    ),
    ("no delay", "client.sleep(delay)", "pass"),
    ("one request too few", "if last or", "if attempt >= 3 or last or"),
]


def keep_nulls(self: Any, node: Any, value: Any) -> Any:
    base = self.visit(node["children"][0], value)
    return [self.visit(node["children"][1], one) for one in base] if isinstance(base, list) else None


def never_false(self: Any, value: Any) -> bool:
    return value is None or value is False


def zero_is_false(self: Any, value: Any) -> bool:
    return not value


def null_comparisons(self: Any, node: Any, value: Any) -> Any:
    left, right = (self.visit(child, value) for child in node["children"])
    if left is None or right is None:
        return None
    return original_comparator(self, node, value)


original_comparator = TreeInterpreter.visit_comparator

# A name, a method of jmespath.py, and its replacement.
PATH_MUTANTS: list[tuple[str, str, Callable[..., Any]]] = [
    ("projections keep nulls", "visit_projection", keep_nulls),
    ("only null and false are false", "_is_false", never_false),
    ("zero is false", "_is_false", zero_is_false),
    ("null compares with nothing", "visit_comparator", null_comparisons),
]


def toy(source: str) -> types.ModuleType:
    module = types.ModuleType("toy")
    exec(compile(source, "toy", "exec"), module.__dict__)  # noqa: S102
    return module


def main() -> None:
    source = TOY.read_text("utf-8")
    random.seed(1)
    whole = failures(toy(source))
    assert whole == [], f"the toy itself fails: {whole}"
    survivors = []
    for name, old, new in MUTANTS:
        assert old in source, f"{name}: the toy has no {old!r}"
        if not failures(toy(source.replace(old, new, 1))):
            survivors.append(name)
    for name, method, replacement in PATH_MUTANTS:
        with mock.patch.object(TreeInterpreter, method, replacement):
            if not failures(toy(source)):
                survivors.append(name)
    total = len(MUTANTS) + len(PATH_MUTANTS)
    print(f"conformance: mutants: {total - len(survivors)} of {total} caught")
    for name in survivors:
        print(f"  not caught: {name}")
    sys.exit(bool(survivors))


if __name__ == "__main__":
    main()
