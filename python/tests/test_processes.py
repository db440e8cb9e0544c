"""Whole processes: signals, forks and subinterpreters."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

# The timeout of a test that hangs.
HANGS = 120
# The time after which a program is interrupted again.
AGAIN = 10

# A process that a shell starts in the background ignores interrupts, as do its children.
WAITER = """
import signal, sys
from smithy_waiters import Waiter
signal.signal(signal.SIGINT, signal.default_int_handler)
waiter = Waiter({
    "minDelay": 3600,
    "maxDelay": 3600,
    "acceptors": [{"state": "success", "matcher": {"errorType": "Never"}}],
})
def say(*words):
    print(*words, flush=True)
"""

# A signal just before asyncio's loop starts to sleep wakes it only if the loop has a signal handler.
WOKEN_BY_SIGNALS = "import asyncio, signal; asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, bool)"

# An interrupt while Python code of the loop runs can leave a coroutine that is never awaited. It comes when the loop is
# about to sleep.
ASLEEP_IN_ASYNCIO = """
import selectors
class Asleep(selectors.DefaultSelector):
    told = False
    def select(self, timeout=None):
        if not self.told and (timeout is None or timeout > 60):
            self.told = True
            say("waiting")
        return super().select(timeout)
selectors.DefaultSelector = Asleep
"""
ASLEEP_IN_TRIO = """
class Asleep(trio.abc.Instrument):
    told = False
    def before_io_wait(self, timeout):
        if timeout > 60 and not self.told:
            self.told = True
            say("waiting")
"""


def started(program: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", WAITER + program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent,
    )


def end_of(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Interrupt a program until it ends, because a signal just before a sleep does not wake it."""
    for _ in range(HANGS // AGAIN):
        process.send_signal(signal.SIGINT)
        try:
            return process.communicate(timeout=AGAIN)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("the program ignores interrupts")


def interrupted(program: str) -> list[str]:
    """Run a program, interrupt it when it prints that it is waiting, and return the rest of its output."""
    with started(program) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "waiting\n"
            said, problems = end_of(process)
        finally:
            process.kill()
    assert problems == ""
    assert process.returncode == 0
    return said.split()


posix_only = pytest.mark.skipif(os.name == "nt", reason="Windows cannot send a signal to a single process")


@posix_only
@pytest.mark.parametrize("cancel", ["None", "threading.Event()"], ids=["", "with an event"])
def test_an_interrupt_ends_a_sleep_of_a_blocking_wait(cancel: str) -> None:
    said = interrupted(
        f"""
import threading
try:
    waiter.wait(lambda: {{}}, max_wait=86_400, on_attempt=lambda _: say("waiting"), cancel={cancel})
except KeyboardInterrupt as interrupt:
    say(type(interrupt).__name__, interrupt.__cause__)
"""
    )
    assert said == ["KeyboardInterrupt", "None"]


@posix_only
def test_an_interrupt_ends_a_call_of_a_blocking_wait() -> None:
    said = interrupted(
        """
import time
seen = []
def call():
    say("waiting")
    time.sleep(86_400)
try:
    waiter.wait(call, max_wait=86_400, on_attempt=seen.append)
except KeyboardInterrupt:
    say("interrupted", len(seen))
"""
    )
    assert said == ["interrupted", "0"]


@posix_only
@pytest.mark.parametrize("library", ["asyncio", "trio", "anyio"])
@pytest.mark.parametrize("during", ["call", "sleep"])
def test_an_interrupt_ends_a_wait_that_is_awaited(library: str, during: str) -> None:
    # Before Python 3.11, anyio reports an interrupt with the exception that cancels its program.
    ends = "BaseException" if library == "anyio" and sys.version_info < (3, 11) else "KeyboardInterrupt"
    is_trio = library == "trio"
    run = {"asyncio": "main()", "trio": "main, instruments=[Asleep()]", "anyio": "main"}[library]
    said = interrupted(
        f"""
import {library}
{ASLEEP_IN_TRIO if is_trio else ASLEEP_IN_ASYNCIO}
async def call():
    if {during == "sleep"}:
        return {{}}
    try:
        await {library}.sleep(86_400)
    finally:
        say("clean")
async def main():
    {"" if is_trio else WOKEN_BY_SIGNALS}
    await waiter.wait_async(call, max_wait=86_400)
try:
    {library}.run({run})
except {ends}:
    say("interrupted")
"""
    )
    assert said == ["clean"] * (during == "call") + ["interrupted"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="requires fork")
def test_a_child_goes_on_with_the_same_wait() -> None:
    program = """
import os
from smithy_waiters.events import Error
wait = waiter.start(max_wait=86_400, seed=7)
verdict = waiter.evaluate(response={})
wait.poll(0)
reader, writer = os.pipe()
child = os.fork()
step = wait.handle(Error("NoSuchThing"), 10)
said = repr((step, wait.to_json(), verdict.reasons, wait.waiter.resume(wait.to_json(), elapsed_ms=20).poll(20)))
if child == 0:
    os.write(writer, said.encode())
    os._exit(0)
os.close(writer)
with open(reader, "rb") as told:
    assert told.read().decode() == said
assert os.waitpid(child, 0)[1] == 0
say("same")
"""
    with started(program) as process:
        said, problems = process.communicate(timeout=HANGS)
    assert (said, problems) == ("same\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="requires fork")
def test_a_child_waits_on_a_fleet_whose_threads_it_does_not_have() -> None:
    program = """
import os, threading, warnings
from smithy_waiters.testing import FakeClock
warnings.simplefilter("ignore", DeprecationWarning)  # Of a fork with threads.
polling, release = threading.Event(), threading.Event()
def call(ids):
    if "busy" in ids:
        polling.set()
        release.wait()
    return {"Volumes": [{"Id": name, "State": "available"} for name in ids]}
fleet = Waiter.until("Volumes[].State", "available").fleet(call, items="Volumes[]", key="Id", clock=FakeClock())
thread = threading.Thread(target=fleet.wait, args=("busy",), kwargs={"max_wait": 60})
thread.start()
polling.wait()
child = os.fork()
if child == 0:
    signal.alarm(30)
    os._exit(fleet.wait("idle", max_wait=60).attempts)
say(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
release.set()
thread.join()
say(fleet.wait("idle", max_wait=60).attempts)
"""
    with started(program) as process:
        said, problems = process.communicate(timeout=HANGS)
    assert (said, problems) == ("1\n1\n", "")


def interpreters() -> str | None:
    """Return the name of the module that creates subinterpreters."""
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            __import__(name)
        except ImportError:
            continue
        return name
    return None


@pytest.mark.skipif(interpreters() is None, reason="requires subinterpreters")
@pytest.mark.parametrize("shared", [True, False], ids=["shared lock", "own lock"])
def test_a_second_interpreter_is_refused(shared: bool) -> None:
    program = f"""
import {interpreters()} as interpreters
shares = {shared}
try:
    other = interpreters.create("legacy" if shares else "isolated")
except TypeError:
    other = interpreters.create(isolated=not shares)
script = '''
try:
    import smithy_waiters
except ImportError as refused:
    print(refused, flush=True)
else:
    print("imported", flush=True)
'''
getattr(interpreters, "exec", None) and interpreters.exec(other, script) or interpreters.run_string(other, script)
import importlib
for name in [name for name in sys.modules if name.startswith("smithy_waiters")]:
    del sys.modules[name]
importlib.import_module("smithy_waiters")
"""
    with started(program) as process:
        said, problems = process.communicate(timeout=HANGS)
    assert problems == ""
    assert set(said.splitlines()) <= {
        "smithy_waiters is used by another interpreter of this process: it cannot be imported in a second one",
        "module smithy_waiters._engine does not support loading in subinterpreters",
    }
    assert said
