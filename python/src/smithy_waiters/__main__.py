"""``python -m smithy_waiters``: the command ``smithy-waiters``, which is a package of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

MISSING = "error: the command is a package of its own: pip install 'smithy-waiters[lint]'"


def find() -> str | None:
    """Find the command: where this Python has its programs, else on the search path."""
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")),
        # What `pip install --target` makes beside the packages.
        str(Path(__file__).parents[1] / "bin"),
        os.environ.get("PATH", os.defpath),
    ]
    return shutil.which("smithy-waiters", path=os.pathsep.join(filter(None, folders)))


def main() -> int:
    """Run the command with the arguments of this program; answer with its exit code."""
    program = find()
    if program is None:
        print(MISSING, file=sys.stderr)  # noqa: T201
        return 2
    command = [program, *sys.argv[1:]]
    if os.name != "nt":
        # The command takes this process over, with its files and signals.
        os.execv(program, command)  # noqa: S606
    return subprocess.call(command)  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
