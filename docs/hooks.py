"""Hooks of MkDocs. The pages are plain Markdown, so that they can be read on GitHub, too.

- Neighbouring blocks of code in several languages become tabs.
- Links to files outside of `docs/` become links to the repository.
- Links to files and headings are checked, also those of the pages outside of `docs/`.
"""
# ruff: noqa: INP001

from __future__ import annotations

import re
from pathlib import Path
from subprocess import check_output
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from mkdocs.plugins import get_plugin_logger
from pymdownx.slugs import slugify

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]

TABS = {"sh": "Shell", "python": "Python", "py": "Python", "js": "JavaScript", "ts": "JavaScript", "rust": "Rust"}

BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$\n*", re.MULTILINE | re.DOTALL)
BLOCKS = re.compile(rf"(?:^```(?:{'|'.join(TABS)})\b[^\n`]*\n(?:(?!```).*\n)*```\n+){{2,}}", re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)")

# Of a warning, `mkdocs build --strict` makes a failure.
log = get_plugin_logger("links")


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, **_: object) -> str:
    """Return a page with tabs and absolute links."""
    source = Path(page.file.abs_src_path or "")

    def absolute(link: re.Match[str]) -> str:
        path = outside(source, link[1])
        return link[0] if path is None else f"]({config.repo_url}/blob/main/{path})"

    check(source, markdown, str(config.repo_url))
    return BLOCK.sub(shown, BLOCKS.sub(tabs, LINK.sub(absolute, markdown)))


def on_post_build(config: MkDocsConfig) -> None:
    """Check the links of the pages outside of `docs/`."""
    for name in check_output(["git", "ls-files", "*.md", ":!docs/*"], cwd=ROOT, text=True).split():  # noqa: S607
        check(ROOT / name, (ROOT / name).read_text("utf-8"), str(config.repo_url))


def tabs(blocks: re.Match[str]) -> str:
    """Return blocks of different languages as tabs, and others unchanged."""
    found = BLOCK.findall(blocks[0])
    labels = [TABS[re.split(r"\W", info)[0]] for info, _ in found]
    if len(labels) != len(set(labels)):
        return blocks[0]
    parts = [f"```{info}\n{code}```" for info, code in found]
    indented = ("\n".join(f"    {line}" for line in part.splitlines()) for part in parts)
    return "".join(f'=== "{label}"\n\n{part}\n\n' for label, part in zip(labels, indented, strict=True))


def shown(block: re.Match[str]) -> str:
    """Return a block without the words that only the tests read."""
    language, _, word = block[1].partition(" ")
    title = f' title="{word}"' if word else ""
    return f"```{language.partition(',')[0]}{title}\n{block[2]}```\n\n"


def outside(source: Path, link: str) -> Path | None:
    """Return the path in the repository of a link to a file outside of `docs/`."""
    if not link.startswith("../"):
        return None
    return Path(re.sub(r"[^/]+/\.\./", "", f"{source.parent.relative_to(ROOT)}/{link}"))


def check(source: Path, markdown: str, repository: str) -> None:
    """Warn of links to files and headings that do not exist, and of malformed addresses."""
    text = re.sub(r"`[^`\n]+`", "", re.sub(r"^ *```.*?^ *```$", "", markdown, flags=re.MULTILINE | re.DOTALL))
    for link in LINK.findall(text):
        ours = re.sub(rf"^{re.escape(repository)}/(?:blob|tree|raw)/main(?=/)", str(ROOT), link)
        address = urlsplit(ours)
        if address.scheme:
            problem = "" if address.scheme in {"http", "https", "mailto"} and address.netloc else "malformed address"
        else:
            problem = missing(source, address.path, address.fragment)
        if problem:
            log.warning("%s: %s: %s", source.relative_to(ROOT), link, problem)


def missing(source: Path, path: str, anchor: str) -> str:
    """Return what of a link to a file does not exist, or an empty text."""
    target = source.parent / unquote(path) if path else source
    if not target.exists():
        return "no such file"
    if target.is_dir():
        target = target / "README.md"
    return "" if not anchor or target.suffix != ".md" or anchor in anchors(target) else "no such heading"


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives to the headings of a page."""
    text = BLOCK.sub("", page.read_text("utf-8"))
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {slugify(case="lower")(re.sub(r"\]\([^)]*\)|[`*\[]", "", title), "-") for title in titles}
