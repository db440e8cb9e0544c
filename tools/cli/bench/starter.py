"""Runs a program and measures the process."""

from __future__ import annotations

import subprocess
import sys
from typing import NamedTuple

# Peaks are told in bytes on macOS, in units of 1,024 elsewhere.
UNIT = 1 if sys.platform == "darwin" else 1024


class Run(NamedTuple):
    """What a process took: nanoseconds on the clock and of processors, and bytes at its peak."""

    time: int
    processor: int
    memory: int


# A process that begins as a copy of a large one counts that one's memory as its own peak: a small one starts it.
STARTER = """
import os, sys, time
silent = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in (1, 2)]
begin = time.perf_counter_ns()
process = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ, file_actions=silent)
_, status, usage = os.wait4(process, 0)
taken = time.perf_counter_ns() - begin
print(taken, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, os.waitstatus_to_exitcode(status))
"""


def once(command: list[str], codes: tuple[int, ...] = (0,)) -> Run:
    """Run a command, which must end with one of the exit codes."""
    starter = [sys.executable, "-I", "-S", "-c", STARTER, *command]
    said = subprocess.run(starter, capture_output=True, text=True, check=True).stdout
    taken, processor, memory, code = said.split()
    assert int(code) in codes, f"{command[0]} ended with {code}"
    return Run(int(taken), int(float(processor) * 1e9), int(memory) * UNIT)
