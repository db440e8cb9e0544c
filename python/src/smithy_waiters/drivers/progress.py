"""The option `progress`: one line on standard error that shows the latest attempt of a wait."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from smithy_waiters._engine import _must_be

from .call import check_functions

if TYPE_CHECKING:
    from smithy_waiters.outcome import Progress

T = TypeVar("T")

# The end of a line that is too long for the terminal, which has the times, is preserved.
_END = 40

# The functions that show a line and that end the display.
_Display: TypeAlias = tuple[Callable[[str], object], Callable[[], object]]


def observer(
    on_attempt: Callable[[Progress[T]], object] | None, *, progress: bool | None
) -> AbstractContextManager[Callable[[Progress[T]], object] | None]:
    """Return the callback of a wait, which also shows the attempts if `progress` is `True`.

    Raises:
        OptionsError: `on_attempt` is not a function, or `progress` is not a boolean.

    """
    check_functions(on_attempt=on_attempt)
    if progress is not None and progress is not True and progress is not False:
        raise _must_be("progress", "a boolean", progress)
    return _Observer(on_attempt) if progress else nullcontext(on_attempt)


class _Observer(AbstractContextManager["_Observer"]):
    def __init__(self, on_attempt: Any) -> None:
        self._on_attempt = on_attempt
        self._display: _Display | None = None

    def __call__(self, progress: Progress[Any]) -> object:
        # A stream that cannot be written to must not end the wait.
        with suppress(OSError, ValueError):
            if _is_live():
                self._display = self._display or _display()
                self._display[0](_line(progress))
            elif sys.stderr is not None and progress.level == "info":
                # At the engine's pace: a new result, or the first one after 30 seconds.
                _write(_line(progress) + "\n")
        return None if self._on_attempt is None else self._on_attempt(progress)

    def __exit__(self, *_: object) -> None:
        if self._display is not None:
            with suppress(OSError, ValueError):
                self._display[1]()


def _is_live() -> bool:
    # Notebooks replace lines, although their streams are not terminals.
    return sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)


def _line(progress: Progress[Any]) -> str:
    has_rest = progress.delay is not None and progress.remaining < math.inf
    rest = f"; {progress.remaining:.0f} s left" if has_rest else ""
    line = "".join(char if char.isprintable() else " " for char in progress.summary + rest)
    width = shutil.get_terminal_size().columns - 1
    if len(line) <= width or not sys.stderr.isatty():
        return line
    return line[: max(width - _END - 1, 0)] + "…" + line[-_END:]


def _display() -> _Display:
    for display in (_tqdm, _rich):
        with suppress(ImportError):
            return display()
    return _plain()


def _tqdm() -> _Display:
    bar = import_module("tqdm.auto").tqdm(bar_format="{desc}")
    # The line already fits. tqdm shows nothing in a terminal of unknown size.
    bar.ncols = bar.nrows = None
    return bar.set_description_str, bar.close


def _rich() -> _Display:
    console, text = import_module("rich.console").Console(stderr=True), import_module("rich.text").Text
    live = import_module("rich.live").Live(console=console, auto_refresh=False)
    live.start()
    return lambda line: live.update(text(line), refresh=True), live.stop


def _plain() -> _Display:
    width = 0

    def show(line: str) -> None:
        nonlocal width
        # Spaces instead of an escape sequence, which not every terminal supports.
        _write("\r" + line.ljust(width))
        width = len(line)

    return show, lambda: _write("\n")


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
