"""Checks of the names of options."""

from __future__ import annotations

from ._engine import _unknown_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def check_names(options: Iterable[str], names: Collection[str], otherwise: str = "") -> None:
    """Refuse other options than these; the message has a similar name, else `otherwise`.

    Raises:
        OptionsError: `unknown_option`.

    """
    for option in options:
        if option not in names:
            raise _unknown_option(option, [*names], otherwise)
