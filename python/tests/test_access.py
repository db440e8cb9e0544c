"""The package uses neither files nor the network nor the environment. See SECURITY.md."""

from __future__ import annotations

import subprocess
import sys

import pytest

FORBID = """
import os, sys
touched = []
class Environment:
    def __getattr__(self, name): touched.append("os.environ"); raise AttributeError(name)
    def __getitem__(self, name): touched.append("os.environ"); raise KeyError(name)
import smithy_waiters
from smithy_waiters import Waiter
FORBIDDEN = ("open", "os.", "socket.", "subprocess.", "shutil.", "tempfile.", "ctypes.", "http.", "urllib.")
sys.addaudithook(lambda event, _: touched.append(event) if event.startswith(FORBIDDEN) else None)
"""

USE = """
for turn in range(2):
    if turn == 1:  # The first turn imports modules, which opens files and reads the environment.
        os.environ = Environment()
        touched.clear()
    waiter = Waiter.until("List[].State", "ready")
    states = iter(["pending", "ready"])
    outcome = waiter.wait(lambda: {"List": [{"State": next(states)}]}, max_wait=60, sleep=lambda _: None)
    fleet = waiter.fleet(lambda ids: {"List": [{"Id": id, "State": "ready"} for id in ids]}, items="List[]", key="Id")
    each = fleet.wait_each(["a", "b"], max_wait=60)
print(outcome.attempts, len(each), touched)
"""


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", FORBID + program], capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr


def test_the_package_touches_neither_files_nor_the_network_nor_the_environment() -> None:
    assert run(USE) == "2 2 []"


@pytest.mark.parametrize(
    ("act", "event"),
    [
        ("open(os.devnull)", "open"),
        ("import socket; socket.socket()", "socket.__new__"),
        ("os.environ = Environment(); os.environ.get('HOME')", "os.environ"),
    ],
)
def test_what_would_be_noticed(act: str, event: str) -> None:
    assert event in run(f"try:\n  {act}\nexcept AttributeError: pass\nprint(touched)")
