"""Draws `docs/wait.svg`: a terminal in which the command waits for a service of this machine, with success and without.

`python picture.py COMMAND FILE` records a shell that runs the command, and writes the picture. With `--check`, it
compares the texts of the picture with those of a new record instead, without times.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import pexpect
from lxml import etree
from termtosvg.anim import NAMESPACES, render_animation
from termtosvg.asciicast import AsciiCastV2Event, AsciiCastV2Header
from termtosvg.term import timed_frames

if TYPE_CHECKING:
    from collections.abc import Iterator

COLUMNS: Final = 100
ROWS: Final = 24
PORT: Final = 8080

COMMANDS: Final = (
    f"smithy-waiters wait --interval 1s --until status=UP http://localhost:{PORT}/health",
    (
        "smithy-waiters wait --interval 1s --until status=running --fail failed --show reason \\\n"
        f"http://localhost:{PORT}/deploy"
    ),
)

# The answers to the calls: the status of HTTP, and the body.
ANSWERS: Final[dict[str, list[tuple[int, dict[str, str]]]]] = {
    "/health": [
        (503, {"message": "starting"}),
        (503, {"message": "starting"}),
        (200, {"status": "STARTING"}),
        (200, {"status": "UP"}),
    ],
    "/deploy": [
        (200, {"status": "pulling"}),
        (200, {"status": "pulling"}),
        (200, {"status": "starting"}),
        (200, {"status": "failed", "reason": "exit code 137: out of memory"}),
    ],
}

# The time of an answer in seconds, so that a call is seen.
LATENCY: Final = 0.4
# A screen that changes again within this time, in seconds, is not a frame.
SETTLED: Final = 0.08
# The pauses of a person, in seconds: between words, before a command is entered, and after its end.
WORD: Final = 0.15
READ: Final = 1.5
# The time of the last frame, in milliseconds.
END: Final = 9_000


class Service(BaseHTTPRequestHandler):
    """The service that the command waits for."""

    calls: ClassVar[Counter[str]] = Counter()

    def do_GET(self) -> None:
        """Sends the next answer of the path."""
        time.sleep(LATENCY)
        answers = ANSWERS[self.path]
        status, body = answers[min(self.calls[self.path], len(answers) - 1)]
        self.calls[self.path] += 1
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Does not log."""


class Recorder:
    """Stores the outputs of a terminal with their times."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self.outputs: list[tuple[float, str]] = []

    def write(self, output: str) -> None:
        """Stores an output."""
        self.outputs.append((time.monotonic() - self._begun, output))

    def flush(self) -> None:
        """Does nothing: all outputs are stored."""


def record(command: Path) -> list[tuple[float, str]]:
    """Returns the outputs of a shell that runs the commands, with their times in seconds."""
    prompt = "\x1b[32m$\x1b[0m "
    environment = {
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "TERM": "xterm-256color",
        "PS1": prompt,
        "PS2": "    ",
    }
    recorder = Recorder()
    shell = pexpect.spawn("sh", ["-i"], env=environment, dimensions=(ROWS, COLUMNS), encoding="utf-8", timeout=30)
    shell.logfile_read = recorder
    shell.expect_exact(prompt)
    for line in COMMANDS:
        # pexpect stores an output only when it reads.
        for word in re.findall(r"\S+\s*", line):
            shell.send(word)
            shell.expect(pexpect.TIMEOUT, timeout=WORD)
        shell.expect(pexpect.TIMEOUT, timeout=READ)
        shell.send("\n")
        shell.expect_exact(prompt)
        shell.expect(pexpect.TIMEOUT, timeout=READ)
    shell.terminate(force=True)
    return recorder.outputs


def cast(outputs: list[tuple[float, str]]) -> Iterator[AsciiCastV2Header | AsciiCastV2Event]:
    """Returns a record of asciinema, with one event for the outputs that follow each other at once."""
    yield AsciiCastV2Header(2, COLUMNS, ROWS, None)
    text = ""
    for (moment, output), (following, _) in zip(outputs, [*outputs[1:], (float("inf"), "")], strict=True):
        text += output
        if following - moment >= SETTLED:
            yield AsciiCastV2Event(moment, "o", text, None)
            text = ""


def draw(outputs: list[tuple[float, str]], file: Path) -> None:
    """Writes the picture."""
    geometry, frames = timed_frames(cast(outputs), last_frame_dur=END)
    template = Path(__file__).with_name("template.svg").read_bytes()
    render_animation(frames, geometry, file, template)


def screens(file: Path) -> dict[str, str]:
    """Returns the texts of the frames, each once, by what has to be equal in another record."""
    picture = etree.parse(file).getroot()
    lines = {
        f"#{group.get('id')}": "".join(group.itertext()) for group in picture.iterfind(".//svg:defs/svg:g", NAMESPACES)
    }
    href = f"{{{NAMESPACES['xlink']}}}href"
    frames = picture.find(".//svg:g[@id='screen_view']", NAMESPACES)
    texts = ["\n".join(lines[line.get(href)] for line in frame.iterfind("svg:use", NAMESPACES)) for frame in frames]
    return {comparable(text): text for text in texts}


def comparable(text: str) -> str:
    """Removes times and the spinner, and spaces, because a longer time moves the end of a line."""
    text = re.sub(r"\b[\d.]+(?: to [\d.]+)? (ms|s|min)\b", r"0\1", text)
    return re.sub(r"[\u2800-\u28ff]|\s", "", text)


def difference(expected: dict[str, str], actual: dict[str, str]) -> str | None:
    """Returns the first screens that differ, or `None`."""
    for one, other in zip_longest(expected, actual, fillvalue=""):
        if one != other:
            return f"{expected.get(one, 'nothing')}\ninstead of\n{actual.get(other, 'nothing')}"
    return None


def main() -> None:
    """Draws or checks the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    outputs = record(options.command.resolve())
    if not options.check:
        draw(outputs, options.file)
        print(f"{options.file.stat().st_size} bytes, {len(screens(options.file))} screens")
        return
    with tempfile.TemporaryDirectory() as folder:
        current = Path(folder) / "wait.svg"
        draw(outputs, current)
        expected, actual = screens(current), screens(options.file)
    if differs := difference(expected, actual):
        sys.exit(f"the picture differs from the command, which shows\n{differs}")
    print(f"{len(expected)} screens")


if __name__ == "__main__":
    main()
