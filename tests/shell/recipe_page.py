"""The recipes in `docs/shell.md`, and the lines for a shell in the other pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

PAGE: Final = Path(__file__).resolve().parents[2] / "docs/shell.md"

ROOT: Final = PAGE.parents[1]

OTHERS: Final = [*sorted({*PAGE.parent.glob("*.md")} - {PAGE}), ROOT / "README.md", ROOT / "tools/cli/README.md"]

LOOP: Final = "# instead of: "
NOT_TESTED: Final = "Not tested here, because "


class Recipe(NamedTuple):
    """A section of the page."""

    title: str
    loop: str
    """What people write without the command."""
    line: str
    is_tested: bool


def recipes() -> list[Recipe]:
    """Return the recipes: the sections with a block of code."""
    sections = re.split(r"^### ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    found = []
    for section in sections:
        title, _, text = section.partition("\n")
        block = re.search(r"^```\w+\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
        assert block is not None, f"`{title}` has no block of code"
        code = block[1]
        loop, _, line = code.partition("\n") if code.startswith(LOOP) else ("", "", code)
        found.append(Recipe(title, loop.removeprefix(LOOP), line, is_tested=NOT_TESTED not in text))
    return found


def lines_of_other_pages() -> list[str]:
    """Return the commands that the other pages show. A command can have several lines."""
    texts = [page.read_text(encoding="utf-8") for page in OTHERS]
    blocks = re.findall(r"^```sh\n(.*?)^```$", "".join(texts), flags=re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in re.findall(r"(?:.*\\\n)*.*\n", block)]
