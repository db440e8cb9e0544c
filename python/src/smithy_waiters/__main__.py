"""``python -m smithy_waiters``: runs the command ``smithy-waiters``, which is installed by a separate package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

MISSING = (
    "error: the command is in a separate package: pip install smithy-waiters-cli; "
    "before it is published, run `cargo install --path tools/cli` in its repository"
)


def find() -> str | None:
    """Return the path of the command in the script folders of this Python or on the search path; `None` if missing."""
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")),
        # `pip install --target` puts commands into `bin` next to the packages.
        str(Path(__file__).parents[1] / "bin"),
        os.environ.get("PATH", os.defpath),
    ]
    return shutil.which("smithy-waiters", path=os.pathsep.join(filter(None, folders)))


def main() -> int:
    """Run the command with the arguments of this program, and return its exit code."""
    program = find()
    if program is None:
        print(MISSING, file=sys.stderr)  # noqa: T201
        return 2
    command = [program, *sys.argv[1:]]
    if os.name != "nt":
        # The command replaces this process, so that it receives the signals itself.
        os.execv(program, command)  # noqa: S606
    return subprocess.call(command)  # noqa: S603


if __name__ == "__main__":
    sys.exit(main())
