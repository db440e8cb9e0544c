"""The pace of a wait: the rule for the delays between its attempts."""

from __future__ import annotations

from datetime import timedelta  # noqa: TC003 - `typing.get_type_hints` needs it at run time.
from typing import Literal, TypeAlias, TypedDict


class FixedPace(TypedDict):
    """A fixed delay. It replaces `min_delay` and `max_delay`."""

    every: float | timedelta
    """The delay in seconds or as a `timedelta`: more than 0."""


class ProportionalPace(TypedDict):
    """Delays proportional to the elapsed time, within `min_delay` and `max_delay`."""

    proportional: float
    """The delay as a fraction of the elapsed time: more than 0, at most 1."""


Pace: TypeAlias = FixedPace | ProportionalPace | Literal["specification", "doubling"]
"""The rule for the delays; `"specification"` is exponential backoff with jitter.

`"doubling"` doubles each delay from `min_delay` to `max_delay`, and shortens it by up to a tenth.
"""


def every(seconds: float | timedelta) -> FixedPace:
    """Return a pace with a fixed delay, in seconds or as a `timedelta`.

    >>> every(15)
    {'every': 15}
    """
    return {"every": seconds}


def proportional(part: float) -> ProportionalPace:
    """Return a pace whose delays are a fraction of the elapsed time, reduced by up to a tenth by jitter.

    With a fraction of 0.1, a change is noticed after at most a tenth of the time that it took.

    >>> proportional(0.1)
    {'proportional': 0.1}
    """
    return {"proportional": part}
