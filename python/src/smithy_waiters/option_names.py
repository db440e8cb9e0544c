"""Checks of the names of options."""

from __future__ import annotations

from ._engine import _unknown_option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def check_names(options: Iterable[str], names: Collection[str], otherwise: str = "") -> None:
    """Check that all option names are known. The message suggests a similar name, or has `otherwise` appended.

    Raises:
        OptionsError: A name is unknown (`unknown_option`).

    """
    for option in options:
        if option not in names:
            raise _unknown_option(option, [*names], otherwise)
