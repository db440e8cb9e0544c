"""Random JMESPath expressions on random values, evaluated by jmespath.py.

The expressions leave out what jmespath.py does in another way than JMESPath's text and Smithy's evaluator: it orders
strings, takes `true` for 1 inside of lists, does not project a slice after an index, and ends a projection after a
multi-select hash and after the first member that follows `.*`. A whole sum or average is an integer here, as in JSON of
other languages, where `to_string` gives `7` and not Python's `7.0`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jmespath
from jmespath import functions
from jmespath.exceptions import JMESPathError

if TYPE_CHECKING:
    from random import Random

NAMES = ["a", "b", "c", "n"]
TEXTS = ["", "x", "xy", "10", "2.5"]
STEPS = [".a", ".b", ".c", "[*]", "[]", "[0]", "[-1]", "[:2]", "[::-1]", "[?a]", "[?n > `5`]", "[?b == 'x']"]
OF_ANY = ["type(%s)", "to_array(%s)", "not_null(%s, `7`)", "to_string(%s)", "!%s"]
OF_SOME = [
    *["length(%s)", "keys(%s)", "values(%s)", "sort(%s)", "reverse(%s)", "sum(%s)", "max(%s)", "min(%s)", "avg(%s)"],
    *["abs(%s)", "ceil(%s)", "floor(%s)", "to_number(%s)", "join(',', %s)", "contains(%s, 'x')", "ends_with(%s, 'y')"],
    *["starts_with(%s, 'x')", "sort_by(%s, &n)", "max_by(%s, &n)", "min_by(%s, &n)", "map(&a, %s)"],
]


def case(random: Random) -> dict[str, Any]:
    """Return a random expression and value, as a vector."""
    return {"kind": "search", "expression": expression(random, 3), "value": value(random, 4)}


def expression(random: Random, depth: int) -> str:
    """Return a random expression."""
    if depth == 0 or random.random() < 0.4:
        return path(random)
    inner = expression(random, depth - 1)
    other = expression(random, depth - 1)
    return random.choice(
        [
            random.choice(OF_ANY) % f"({inner})",
            random.choice(OF_SOME) % inner,
            f"({inner}) {random.choice(['||', '&&', '==', '!='])} ({other})",
            f"[{inner}, {other}]",
            f"{{x: {inner}, y: {other}}}",
            f"({inner}) | {other}",
        ]
    )


def path(random: Random) -> str:
    """Return members, projections and filters."""
    text = random.choice([*NAMES, "@", "*", "[]", "[*]"])
    for _ in range(random.randint(0, 4)):
        step = random.choice(STEPS)
        # See above: a slice follows a member.
        text += step if not step.startswith("[:") or text[-1].isalpha() else ".a"
    return text + random.choice(["", "", ".*"])


def value(random: Random, depth: int) -> Any:
    """Return a random value. Numbers are at least 2, so that none is equal to a boolean."""
    if depth == 0 or random.random() < 0.25:
        return random.choice([None, True, False, 2, 3, 10, -4, 2.5, *TEXTS])
    if random.random() < 0.5:
        return [value(random, depth - 1) for _ in range(random.randint(0, 4))]
    members = {name: value(random, depth - 1) for name in NAMES if random.random() < 0.7}
    return members | ({"n": random.choice([2, 7, 9.5])} if "n" in members else {})


def expected(vector: dict[str, Any]) -> dict[str, Any]:
    """Return the result, or that there is an error."""
    try:
        return {"result": plain(jmespath.search(vector["expression"], vector["value"], OPTIONS))}
    except JMESPathError:
        return {"error": {"class": "ExpressionError"}}


def plain(result: Any) -> Any:
    """Return a result whose whole numbers are integers."""
    if isinstance(result, list):
        return [plain(item) for item in result]
    if isinstance(result, dict):
        return {name: plain(member) for name, member in result.items()}
    return int(result) if isinstance(result, float) and result.is_integer() else result


class Functions(functions.Functions):
    """The functions of jmespath.py, with texts of whole numbers as in other languages."""

    @functions.signature({"types": []})
    def _func_to_string(self, arg: Any) -> str:
        return super()._func_to_string(plain(arg))


OPTIONS = jmespath.Options(custom_functions=Functions())
