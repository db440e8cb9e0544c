"""The verb `wait` as a process: the time to the first call, memory, size, and how long it outlives its deadline.

Arguments: the command's program. Beside it are the programs with which people do the same, if they are installed.
"""

from __future__ import annotations

import http.server
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from starter import once

ROUNDS = 50
MEGABYTE = 1_000_000
LARGE = 15 * MEGABYTE
DEADLINE = 2
TIME_IS_OVER = 124

# Commands that a wait must not depend on.
CHILDREN = {
    "ignores SIGTERM": "trap '' TERM INT HUP; while :; do sleep 1; done",
    "leaves its output to a daemon": "setsid sleep 20 & exit 1",
    "prints without end": "while :; do echo again; sleep 0.01; done",
    "closes its output and stays": "exec >&- 2>&-; sleep 20",
    "stops itself": "kill -STOP $$",
    "starts processes": "sleep 20 | sleep 20 | sleep 20",
}


def say(case: str, **figures: object) -> None:
    print(json.dumps({"case": case, **figures}), flush=True)


def first_call(command: list[str]) -> float:
    """Return the milliseconds from the start of a command to the clock that its child, `date`, reads and prints."""
    begin = time.time()
    ran = subprocess.run([*command, "date", "+%s.%N"], capture_output=True, text=True, check=True)
    return (float(ran.stdout) - begin) * 1000


def starts(program: str) -> None:
    ours = [program, "wait", "--quiet", "--until-text", ".", "--query", "stdout", "--"]
    # In turns, so that other load meets all of them.
    commands = {"ms": ours, "ms of timeout": ["timeout", "5"], "ms of env": ["env"]}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            times[name].append(first_call(command))
    say("start to the first call, median of 50", **{name: median(values) for name, values in times.items()})


def memory(program: str, folder: Path) -> None:
    item = {"Id": "i-0123456789abcdef0", "State": "running", "Tags": [{"Key": "name", "Value": "web"}], "Size": 17}
    for name, size in (("small", 1), ("15 MB", LARGE // (len(json.dumps(item)) + 2))):
        file = folder / f"{size}.json"
        file.write_text(json.dumps({"status": "ready", "items": [item] * size}))
        peers = {
            "MB of python json.load": [sys.executable, "-I", "-c", f"import json; json.load(open({str(file)!r}))"],
            "MB of jq": ["jq", "--exit-status", '.status == "ready"', str(file)],
        }
        installed = {name: once(peer) for name, peer in peers.items() if shutil.which(peer[0])}
        ours = once([program, "wait", "--until", "status=ready", "--", "cat", str(file)])
        peaks = {"MB": ours, **installed}
        say("peak memory", size=name, **{name: run.memory / MEGABYTE for name, run in peaks.items()})


class Service(http.server.BaseHTTPRequestHandler):
    """Answers at the path `/redirect` with a redirection to itself, elsewhere with a body of one byte a second."""

    def do_GET(self) -> None:
        redirects = self.path == "/redirect"
        self.send_response(302 if redirects else 200)
        self.send_header("Location" if redirects else "Content-Length", "/redirect" if redirects else "1000")
        self.end_headers()
        # The client leaves.
        with suppress(OSError):
            while not redirects:
                self.wfile.write(b" ")
                time.sleep(1)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def service() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def overrun(command: list[str]) -> tuple[float, int]:
    """Return the milliseconds that a command runs after its deadline, and the number of processes that it leaves."""
    mark = f"BENCH={time.time_ns()}"
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    begin = time.perf_counter()
    ran = subprocess.run(["env", mark, *command], check=False, **quiet)
    after = (time.perf_counter() - begin - DEADLINE) * 1000
    assert ran.returncode == TIME_IS_OVER, f"{command} ended with {ran.returncode}"
    left = 0
    for process in Path("/proc").glob("[0-9]*"):
        # Processes end while they are read, or belong to somebody else.
        with suppress(OSError):
            if mark.encode() in (process / "environ").read_bytes():
                left += 1
                os.kill(int(process.name), signal.SIGKILL)
    return after, left


def deadlines(program: str) -> list[float]:
    wait = [program, "wait", "--timeout", str(DEADLINE), "--interval", "0.5s"]
    loop = ["timeout", str(DEADLINE), "bash", "-c"]
    after = []

    def compare(case: str, call: list[str], until: str) -> None:
        late, left = overrun([*wait, *call])
        after.append(late)
        their_late, their_left = overrun([*loop, f"until {until}; do sleep 0.5; done"])
        theirs = {"ms of a loop under timeout": their_late, "processes that it leaves": their_left}
        say("past the deadline", size=case, ms=late, **{"processes that stay": left}, **theirs)

    for case, script in CHILDREN.items():
        compare(f"the command {case}", ["--", "sh", "-c", script], f"sh -c {shlex.quote(script)} | grep -q never")
    # Nobody accepts what this socket has in its queue.
    with service() as url, socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        for case, place in (
            ("sends a byte a second", f"{url}/slow"),
            ("redirects to itself", f"{url}/redirect"),
            ("never answers", f"http://127.0.0.1:{port}/"),
        ):
            compare(f"the URL {case}", [place], f"curl --fail --silent {place} --location")
    return after


def main(program: str) -> None:
    starts(program)
    say("the program", MB=Path(program).stat().st_size / MEGABYTE)
    with TemporaryDirectory() as folder:
        memory(program, Path(folder))
    after = deadlines(program)
    say("past the deadline", size="the worst", ms=max(after))


main(*sys.argv[1:])
