"""Walks over pages. Clause: https://smithy.io/2.0/spec/behavior-traits.html#client-behavior."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

TOKENS = [None, "", "a", "a", "b", "c", 0, 7, {}, {"k": "v"}, {"k": "w"}]


def case(random: Random) -> dict[str, Any]:
    """Return a random service of pages, as a vector."""
    output = random.choice(["Next", "Meta.Next"])
    vector: dict[str, Any] = {
        "kind": "walk",
        "paginated": {"inputToken": "Token", "outputToken": output},
        "pages": [page(random, output) for _ in range(random.randint(1, 6))] + [{}],
    }
    if random.random() < 0.3:
        vector["input"] = {"Token": random.choice(["a", "b"])}
    return vector


def page(random: Random, output: str) -> dict[str, Any]:
    """Return a page with a token, or with none."""
    token = random.choice(TOKENS)
    if random.random() < 0.15:
        return {}
    return {"Next": token} if output == "Next" else {"Meta": {"Next": token}}


def expected(vector: dict[str, Any]) -> list[Any]:
    """Return the call of each page with its token, and how the walk ends."""
    sent = vector.get("input", {}).get("Token")
    # The token of the input is sent with it, so that the first call adds none.
    steps: list[Any] = [{"type": "call", "page": 1, "token": None}]
    for number, page in enumerate(vector["pages"], start=2):
        found = page.get("Next", page.get("Meta", {}).get("Next"))
        # Step 3: without a token, the pages are at their end. Rule: docs/rules.md#page-tokens
        if found is None or found in ("", {}):
            steps.append({"type": "done"})
            break
        # A token is a string or a map.
        if isinstance(found, int):
            steps.append({"error": {"code": "invalid_token"}})
            break
        # Step 4: a token that repeats the one of the request would give the same page for ever.
        if found == sent:
            steps.append({"error": {"code": "repeated_token"}})
            break
        sent = found
        steps.append({"type": "call", "page": number, "token": found})
    # A walk that has ended stays so.
    return steps + [{"type": "done"}] * (len(vector["pages"]) + 1 - len(steps))
