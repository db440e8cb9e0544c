"""The option `progress`: one line on standard error, with tqdm, with rich, or plain."""

from __future__ import annotations

import io
import re
import sys
from contextlib import redirect_stderr
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from samples import ACTIVE, BROKEN, CREATING, script, script_async, table_exists
from virtual import run

from smithy_waiters import OptionsError, WaiterFailed
from smithy_waiters.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from smithy_waiters import Progress

FIRST = 'TableExists orders: attempt 1 after 0 s: retry: Table.TableStatus gave "CREATING", expected "ACTIVE"'
LINES = [
    f"{FIRST}; next in 2 s; 60 s left",
    'TableExists orders: attempt 2 after 2 s: success: Table.TableStatus gave "ACTIVE"',
]
ABSENT = {"tqdm": [], "rich": ["tqdm.auto"], "plain": ["tqdm.auto", "rich.live"]}


class Stream(io.StringIO):
    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


@pytest.fixture(params=ABSENT)
def _display(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set up a terminal, and remove the libraries that come first."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("TERM", "xterm")
    for module in ABSENT[request.param]:
        monkeypatch.setitem(sys.modules, module, None)


EACH = pytest.mark.usefixtures("_display")


def lines_of(wait: Callable[[], object], *, is_terminal: bool = True) -> list[str]:
    """Return the distinct lines that a wait shows on standard error, oldest first."""
    stream = Stream(is_terminal)
    with redirect_stderr(stream):
        wait()
        assert sys.stderr is stream
    text = re.sub(r"\x1b\[(\?25[lh]|2K)", "", stream.getvalue())
    # The last line has ended, so that the next output does not follow it.
    assert text.strip(" \r")[-1:] in ("", "\n")
    distinct = dict.fromkeys(line.rstrip() for line in re.split("[\r\n]", text))
    return [line for line in distinct if line]


def options(**more: Any) -> dict[str, Any]:
    return {"max_wait": 60, "label": "orders", "seed": 7, "clock": FakeClock(), "progress": True} | more


@EACH
def test_the_latest_attempt_is_shown() -> None:
    assert lines_of(lambda: table_exists().wait(script(CREATING, ACTIVE), **options())) == LINES


@EACH
def test_an_asynchronous_wait_shows_it_too() -> None:
    seen: list[int] = []

    async def told(progress: Progress[Any]) -> None:
        seen.append(progress.attempt)

    async def main() -> None:
        await table_exists().wait_async(script_async(CREATING, ACTIVE), **options(on_attempt=told))

    assert (lines_of(lambda: run(main())), seen) == (LINES, [1, 2])


@EACH
@pytest.mark.parametrize(("last", "ending"), [(BROKEN, WaiterFailed), (KeyboardInterrupt(), KeyboardInterrupt)])
def test_the_line_ends_with_the_wait(last: Any, ending: type[BaseException]) -> None:
    def wait() -> None:
        with pytest.raises(ending):
            table_exists().wait(script(CREATING, last), **options())

    failure = 'TableExists orders: attempt 2 after 2 s: failure: Table.TableStatus gave "BROKEN"'
    assert lines_of(wait) == ([LINES[0], failure] if last is BROKEN else LINES[:1])


@EACH
def test_a_line_fits_into_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = lines_of(lambda: table_exists().wait(script(CREATING, ACTIVE), **options(label="a [bold]")))
    assert lines == [
        'TableExists a [bold]: attempt 1 after …xpected "ACTIVE"; next in 2 s; 60 s left',
        'TableExists a [bold]: attempt 2 after …success: Table.TableStatus gave "ACTIVE"',
    ]


@EACH
def test_without_a_deadline_no_time_is_left() -> None:
    limits = {"max_wait": None, "max_attempts": 2}
    lines = lines_of(lambda: table_exists().wait(script(CREATING, ACTIVE), **options(**limits)))
    assert lines == [f"{FIRST}; next in 2 s", LINES[1]]


@EACH
def test_a_waiter_of_a_client_shows_it() -> None:
    pytest.importorskip("boto3")
    from answers import answering  # noqa: PLC0415 - only this test needs a client.

    from smithy_waiters import boto3  # noqa: PLC0415

    client, _ = answering("s3", (404, b""), (200, b""))
    first, second = lines_of(lambda: boto3.waiter(client, "bucket_exists").wait(Bucket="logs", **options()))
    assert first.endswith("; next in 5 s; 60 s left")
    assert second.startswith("BucketExists orders: attempt 2 after 5 s: success")


def test_a_file_has_a_line_for_each_new_result() -> None:
    call = script(CREATING, CREATING, ACTIVE)
    lines = lines_of(lambda: table_exists().wait(call, **options()), is_terminal=False)
    assert [line.split(" after ")[0] for line in lines] == [f"TableExists orders: attempt {n}" for n in (1, 3)]


def test_a_notebook_has_the_line_of_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    line = SimpleNamespace(set_description_str=shown.append, close=lambda: shown.append("closed"))
    # In a notebook, the stream is not a terminal, and `tqdm.auto` has a widget.
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", SimpleNamespace(tqdm=lambda **_: line))
    lines = lines_of(lambda: table_exists().wait(script(CREATING, ACTIVE), **options()), is_terminal=False)
    assert (lines, shown) == ([], [*LINES, "closed"])


@pytest.mark.parametrize("is_missing", [False, True])
def test_a_stream_that_fails_does_not_end_the_wait(is_missing: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Stream(is_terminal=False)
    stream.close()
    monkeypatch.setattr(sys, "stderr", None if is_missing else stream)
    assert table_exists().wait(script(CREATING, ACTIVE), **options()).attempts == 2


def test_progress_is_a_boolean() -> None:
    with pytest.raises(OptionsError, match=r"^`progress` must be a boolean, got `str`$"):
        table_exists().wait(script(ACTIVE), **options(progress="yes"))
    with pytest.raises(OptionsError, match=r"did you mean `progress`\?$"):
        table_exists().wait(script(ACTIVE), **options(progres=True))
