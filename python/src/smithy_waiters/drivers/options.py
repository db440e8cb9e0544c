"""The options that only a driver knows, checked."""

from __future__ import annotations

from typing import Any

from smithy_waiters.errors import OptionsError


def check_functions(**options: Any) -> None:
    """Refuse an option that must be a function and cannot be called.

    Raises:
        OptionsError: It cannot be called.

    """
    for option, given in options.items():
        if given is not None and not callable(given):
            raise OptionsError(f"`{option}` must be a function", "invalid_option", option)
