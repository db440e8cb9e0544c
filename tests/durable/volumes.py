"""A fleet of volumes with scripted answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from smithy_waiters import Waiter

if TYPE_CHECKING:
    from smithy_waiters.options import WaitOptions

AVAILABLE = Waiter.until("Volumes[].State", "available", fail=["error"], name="VolumeAvailable")

SHAPE: Any = {"items": "Volumes[]", "key": "VolumeId", "batch": 100}

# The deadline is out of reach, so that the delays of a killed worker do not change the ends.
OPTIONS: WaitOptions = {"max_wait": 3600, "min_delay": 0.1, "max_delay": 0.3}

ROUNDS = 12
"""The number of rounds after which the last volume is available."""


def names(count: int) -> list[str]:
    return [f"vol-{number}" for number in range(count)]


def answer(ids: list[str], number: int) -> dict[str, Any]:
    """Return the answer to a call of a round, which only depends on its number and on the volumes."""
    return {"Volumes": [{"VolumeId": name, "State": state(int(name.removeprefix("vol-")), number)} for name in ids]}


def state(volume: int, number: int) -> str:
    if number <= volume % ROUNDS:
        return "creating"
    return "error" if volume % 50 == 7 else "available"


def codes(count: int) -> dict[str, str | None]:
    """Return the code of the end of each volume."""
    return {name: "failure_state" if number % 50 == 7 else None for number, name in enumerate(names(count))}
