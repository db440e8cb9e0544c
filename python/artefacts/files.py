"""The built files, which `cargo xtask test` names in the environment."""

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
# The measured size of a wheel and a tenth.
GREATEST_SIZE = 1_100_000


@cache
def unpacked(artefact: Path) -> dict[str, bytes]:
    """Give the contents of a wheel's or source distribution's files; a source distribution's without its one folder."""
    if artefact.suffix == ".whl":
        with zipfile.ZipFile(artefact) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    with tarfile.open(artefact) as archive:
        files = ((member.name, archive.extractfile(member)) for member in archive)
        return {name.partition("/")[2]: file.read() for name, file in files if file}


def only(artefact: Path, ending: str) -> bytes:
    """Give the one file whose path ends like this."""
    (content,) = (content for name, content in unpacked(artefact).items() if f"/{name}".endswith(ending))
    return content


def headers(content: bytes) -> Message:
    """Read a file of metadata."""
    return BytesParser().parsebytes(content)
