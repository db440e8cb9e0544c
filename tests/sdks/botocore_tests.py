"""Runs botocore's own tests of waiters with the waiters of this package: `botocore_tests.py REQUIREMENTS FOLDER`.

The tests are in botocore's source distribution, which pip downloads into the folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

FILES = ["tests/unit/test_waiters.py", "tests/functional/test_waiter_config.py"]
NEEDED = ["tests/__init__.py", "tests/unit/__init__.py", "tests/functional/__init__.py", *FILES]

CONFTEST = """\
import botocore.waiter

from smithy_waiters.boto3 import PatchedWaiter

botocore.waiter.Waiter = PatchedWaiter
"""


def fetch(requirements: str, folder: Path) -> Path:
    """Return the folder with botocore's tests."""
    folder.mkdir(parents=True, exist_ok=True)
    if not list(folder.glob("botocore-*.tar.gz")):
        options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary", ":all:", "--require-hashes"]
        pip = [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), "--requirement", requirements]
        subprocess.run(pip, check=True)
    (archive,) = folder.glob("botocore-*.tar.gz")
    root = archive.name.removesuffix(".tar.gz")
    with tarfile.open(archive) as tar:
        for name in NEEDED:
            tar.extract(f"{root}/{name}", folder, filter="data")
    return folder / root


def main() -> int:
    """Return the exit status of pytest."""
    tests = fetch(sys.argv[1], Path(sys.argv[2]))
    (tests / "tests/conftest.py").write_text(CONFTEST)
    pytest = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "--config-file",
        os.devnull,
        "-W",
        "ignore",
        *FILES,
    ]
    return subprocess.run([*pytest, "--rootdir", "."], cwd=tests, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
