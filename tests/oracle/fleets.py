"""Callers of a fleet. Rule: docs/rules.md#fleets.

The states of a volume alone decide, as if each caller were alone and saw every state in time. A case whose end depends
on the moment of a call is not made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

DELAY = 2

SUCCESS, FAILURE = (
    {"output": {"path": "Volumes[].State", "comparator": comparator, "expected": state}}
    for comparator, state in [("allStringEquals", "available"), ("anyStringEquals", "error")]
)
AVAILABLE = [{"state": "success", "matcher": SUCCESS}, {"state": "failure", "matcher": FAILURE}]
DELETED = [{"state": "success", "matcher": {"errorType": "NotFound"}}, {"state": "failure", "matcher": FAILURE}]


def case(random: Random) -> dict[str, Any]:
    """Return random volumes and callers, as a vector."""
    while True:
        vector = draw(random)
        if all(end(vector, caller, volume) != "unclear" for caller in vector["callers"] for volume in volumes(caller)):
            return vector


def draw(random: Random) -> dict[str, Any]:
    names = [f"vol-{number}" for number in range(1, random.randint(2, 9))]
    callers = []
    for _ in range(random.randint(1, 4)):
        caller: dict[str, Any] = {"at": random.randrange(0, 20_000)}
        if random.random() < 0.5:
            caller["wait"] = random.choice(names)
        else:
            caller["waitEach"] = random.sample(names, random.randint(1, len(names)))
        if random.random() < 0.2:
            caller["cancelAt"] = caller["at"] + random.randrange(1, 90_000)
        caller["options"] = {"maxWait": random.choice([10, 60, 200]), "seed": random.randrange(100)}
        callers.append(caller)
    return {
        "kind": "fleet-waits",
        "definition": {"minDelay": DELAY, "maxDelay": DELAY, "acceptors": random.choice([AVAILABLE, DELETED])},
        "fleet": {"items": "Volumes[]", "key": "VolumeId", "batch": random.choice([1, 2, 100])},
        "states": {name: states(random) for name in names if random.random() < 0.9},
        "takes": random.choice([0, 10, 300]),
        "callers": callers,
    }


def states(random: Random) -> list[list[Any]]:
    """Return states that lead to one that stays."""
    times = sorted(random.sample(range(1, 90_000), random.randint(0, 2)))
    passing = [[time, random.choice(["creating", "in-use", "deleting"])] for time in [0, *times]]
    if random.random() < 0.2:
        return passing
    return [*passing, [times[-1] + random.randrange(1, 40_000) if times else 0, random.choice(["available", "error"])]]


def volumes(caller: dict[str, Any]) -> list[str]:
    """Return the volumes of a caller."""
    return caller.get("waitEach") or [caller["wait"]]


def end(vector: dict[str, Any], caller: dict[str, Any], volume: str) -> str | None:
    """Return the code of the failure of a wait, `None` for success."""
    changes = vector["states"].get(volume)
    # Two answers without a volume are the error `NotFound`.
    last, since = changes[-1][::-1] if changes else ("missing", 0)
    is_deletion = vector["definition"]["acceptors"] == DELETED
    code: str | None = "waiting"
    if last == "error":
        code = "failure_state"
    elif last == "available" and not is_deletion:
        code = None
    elif last == "missing":
        code = None if is_deletion else "unmatched_error"
    deadline = caller["at"] + caller["options"]["maxWait"] * 1_000
    stop, code_of_stop = deadline, "timed_out"
    if caller.get("cancelAt", deadline) < deadline:
        stop, code_of_stop = caller["cancelAt"], "cancelled"
        # A wait ends with its last call, if the delay after it would take too long.
        if stop + DELAY * 1_000 + vector["takes"] + 1_000 > deadline:
            return "unclear"
    # A state is seen by the call after it at the latest; 5 calls a second, and two answers for a missing volume.
    slack = 3 * (DELAY * 1_000 + vector["takes"]) + 400 * len(vector["states"]) + 2_000
    if code == "waiting" or max(since, caller["at"]) >= stop:
        return code_of_stop
    return code if max(since, caller["at"]) + slack < stop else "unclear"


def expected(vector: dict[str, Any]) -> dict[str, Any]:
    """Return who succeeds, and the codes of the others."""
    ends = []
    for caller in vector["callers"]:
        codes = {volume: end(vector, caller, volume) for volume in volumes(caller)}
        outcomes = {volume: {} for volume, code in codes.items() if code is None}
        failures = {volume: {"code": code} for volume, code in codes.items() if code is not None}
        ends.append({**({"outcomes": outcomes} if outcomes else {}), **({"failures": failures} if failures else {})})
    return {"ends": ends}
