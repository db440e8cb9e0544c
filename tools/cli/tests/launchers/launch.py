"""Test `python -m smithy_waiters` in a new environment, `without` and `with` the command installed."""

from __future__ import annotations

import signal
import subprocess
import sys
import sysconfig
from pathlib import Path

COMMAND = [sys.executable, "-I", "-m", "smithy_waiters"]
MODEL = """$version: "2"
namespace example
use smithy.waiters#waitable
@waitable(Ready: { acceptors: [{ state: "success", matcher: { output: {
    path: "State", comparator: "stringEquals", expected: "READY"
} } }] })
operation Get { output := { state: String } }
"""


def run(*command: str, text: str = "") -> tuple[int, str, str]:
    # With an empty search path the command must be found by other means.
    environment = {"PATH": ""}
    ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False, env=environment)
    return ran.returncode, ran.stdout, ran.stderr


def without() -> str:
    code, out, error = run(*COMMAND, "lint", "-")
    assert (code, out) == (2, "")
    assert "pip install smithy-waiters-cli" in error
    return "without the command, Python names the package to install"


def launched() -> str:
    program = str(Path(sysconfig.get_path("scripts")) / "smithy-waiters")
    for arguments in (["lint", "-"], ["lint", "-", "--format", "json"], ["explain"], ["lint", "missing.smithy"], []):
        assert run(*COMMAND, *arguments, text=MODEL) == run(program, *arguments, text=MODEL)
    assert run(*COMMAND, "lint", "-", text=MODEL)[0] == 1
    if sys.platform != "win32":
        # The command blocks on its input.
        waiting = subprocess.Popen([*COMMAND, "lint", "-"], stdin=subprocess.PIPE)
        waiting.send_signal(signal.SIGTERM)
        assert waiting.wait() == -signal.SIGTERM
    return "in Python, output, exit codes and signals equal those of the command"


if __name__ == "__main__":
    print("launchers:", without() if sys.argv[1] == "without" else launched())
