"""The pace of a wait: the rule for the delays between its attempts."""

from __future__ import annotations

from datetime import timedelta  # noqa: TC003 - for those who ask for the hints at run time.
from typing import Literal, TypeAlias, TypedDict


class FixedPace(TypedDict):
    """A fixed delay, instead of `min_delay` and `max_delay`."""

    every: float | timedelta
    """The delay, in seconds: more than 0."""


class ProportionalPace(TypedDict):
    """Delays that grow with the time waited so far, within `min_delay` and `max_delay`."""

    proportional: float
    """The part of the time waited that a delay is: more than 0, at most 1."""


Pace: TypeAlias = FixedPace | ProportionalPace | Literal["specification"]
"""The rule for the delays; `"specification"` is exponential backoff with jitter."""


def every(seconds: float | timedelta) -> FixedPace:
    """Return the pace of a fixed delay, in seconds or as a `timedelta`.

    >>> every(15)
    {'every': 15}
    """
    return {"every": seconds}


def proportional(part: float) -> ProportionalPace:
    """Return the pace whose delays are a part of the time waited so far, up to a tenth of it less by jitter.

    With 0.1 a change is noticed no later than a tenth of the time that it took.

    >>> proportional(0.1)
    {'proportional': 0.1}
    """
    return {"proportional": part}
