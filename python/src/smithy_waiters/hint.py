"""Options that there are not, with the one that a caller may have meant."""

from __future__ import annotations

from ._engine import nearest
from .errors import OptionsError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def check_names(options: Iterable[str], names: Collection[str], otherwise: str = "") -> None:
    """Refuse options other than those named; `otherwise` is said where none of them is near.

    Raises:
        OptionsError: `unknown_option`.

    """
    for option in options:
        if option not in names:
            near = nearest(option, [*names])
            hint = otherwise if near is None else f", did you mean `{near}`?"
            raise OptionsError(f"`{option}` is not an option{hint}", "unknown_option", option)
