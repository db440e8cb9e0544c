"""The connection with the parent process: events as JSON lines on standard output, commands on standard input.

The program exits when its standard input ends.
"""

import json
import os
import sys
import threading
from collections.abc import Mapping


def send(event: Mapping[str, object]) -> None:
    """Write an event."""
    print(json.dumps(event), flush=True)


def wait_for_start() -> None:
    """Report that the client is ready, and wait for the parent's line that starts it."""
    send({"event": "ready"})
    if not sys.stdin.readline():
        sys.exit()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Exit the process when the parent exits."""
    # Read the file descriptor: a lock on `sys.stdin` would block the shutdown of the interpreter.
    while os.read(0, 1024):
        pass
    os._exit(0)
