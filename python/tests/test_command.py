"""`python -m smithy_waiters` runs the command if it is installed, and otherwise prints how to install it."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path


def run(path: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "smithy_waiters", *arguments]
    environment = {**os.environ, "PATH": str(path)}
    return subprocess.run(command, env=environment, input=text, capture_output=True, text=True, check=False)


def test_without_the_command_the_message_names_its_package(tmp_path: Path) -> None:
    ran = run(tmp_path, "lint")
    message = (
        "error: the command is in a separate package: pip install smithy-waiters-cli; "
        "before it is published, run `cargo install --path tools/cli` in its repository\n"
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", message)


@pytest.mark.skipif(os.name == "nt", reason="the program is a script")
def test_arguments_input_output_and_exit_code_are_the_commands(tmp_path: Path) -> None:
    program = tmp_path / "smithy-waiters"
    program.write_text('#!/bin/sh\nread line\necho "$line: $*"\necho wrong >&2\nexit 7\n')
    program.chmod(0o755)
    ran = run(tmp_path, "lint", "a b", text="said\n")
    assert (ran.returncode, ran.stdout, ran.stderr) == (7, "said: lint a b\n", "wrong\n")
    program.write_text("#!/bin/sh\nkill -TERM $$\n")
    assert run(tmp_path).returncode == -15
