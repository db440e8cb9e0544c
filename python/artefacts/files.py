"""Access to the built distributions, whose paths `cargo xtask test` passes in the environment."""

from __future__ import annotations

import os
import tarfile
import zipfile
from email.parser import BytesParser
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from email.message import Message

PYTHON = Path(__file__).parent.parent
PROJECT = PYTHON.parent
WHEELS = [Path(wheel) for wheel in os.environ["SMITHY_WAITERS_WHEELS"].split(os.pathsep)]
SDIST = Path(os.environ["SMITHY_WAITERS_SDIST"])
# The maximum size of a wheel: the measured size and a margin of 10 %.
MAX_SIZE = 1_600_000


@cache
def unpacked(artefact: Path) -> dict[str, bytes]:
    """Return the contents of the files in a wheel or source distribution, without the top-level folder."""
    if artefact.suffix == ".whl":
        with zipfile.ZipFile(artefact) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    with tarfile.open(artefact) as archive:
        files = ((member.name, archive.extractfile(member)) for member in archive)
        return {name.partition("/")[2]: file.read() for name, file in files if file}


def only(artefact: Path, ending: str) -> bytes:
    """Return the contents of the only file whose path has this ending."""
    (content,) = (content for name, content in unpacked(artefact).items() if f"/{name}".endswith(ending))
    return content


def headers(content: bytes) -> Message:
    """Parse a metadata file."""
    return BytesParser().parsebytes(content)
