"""Removal of this package's frames from tracebacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from types import TracebackType

E = TypeVar("E", bound="BaseException | None")

_PACKAGE = __name__.partition(".")[0]


def without_own_frames(error: E) -> E:
    """Remove the outermost frames of this package from an error's traceback, and return the error.

    Frames of the caller's functions stay.
    """
    if error is not None:
        traceback = error.__traceback__
        while traceback is not None and _is_own(traceback):
            traceback = traceback.tb_next
        error.__traceback__ = traceback
    return error


def _is_own(traceback: TracebackType) -> bool:
    module = str(traceback.tb_frame.f_globals.get("__name__"))
    return module.partition(".")[0] == _PACKAGE
