"""What a caller may have meant by an option that there is not."""

from __future__ import annotations

from difflib import get_close_matches

from .errors import OptionsError
from .options import WaitOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

# What a wait is given beside them: only the host knows of these.
_OF_THE_HOST = ("input", "cancel", "matcher", "on_attempt", "sleep", "clock")

_NAMES = (*WaitOptions.__annotations__, *_OF_THE_HOST)

# What others call them.
_OTHER_NAMES = {
    "abortsignal": "cancel",
    "maxwaittime": "max_wait",
    "onprogress": "on_attempt",
    "signal": "cancel",
    "timeout": "max_wait",
}

# What they call retries: a wait counts its attempts.
_RETRIES = ("max_attempts", "max_retries")

# Higher than usual: a far guess misleads.
_LEAST_LIKENESS = 0.8


def hinted(error: Exception, names: Iterable[str] = _NAMES, otherwise: str = "") -> Exception:
    """Return an error with the option that an unknown one may stand for, else with another hint; others unchanged."""
    if not isinstance(error, OptionsError) or error.code != "unknown_option":
        return error
    return OptionsError(f"{error}{did_you_mean(error.option, names) or otherwise}", error.code, error.option)


def did_you_mean(given: str, names: Iterable[str] = _NAMES) -> str:
    """Give ``, did you mean `max_wait`?``; nothing where no option is near."""
    letters = given.replace("_", "").lower()
    # An option of `wait` may be none of `start`.
    by_letters = {name.replace("_", ""): name for name in names}
    others = {other: name for other, name in _OTHER_NAMES.items() if name in by_letters.values()}
    for name in _RETRIES:
        if name in by_letters.values():
            others["retries"] = name
    known = {other: name for other, name in (by_letters | others).items() if name != given}
    near = get_close_matches(letters, known, n=1, cutoff=_LEAST_LIKENESS)
    return f", did you mean `{known[near[0]]}`?" if near else ""
