"""How a program of the demo talks with its parent: JSON lines out, plain lines in. It ends when its parent does."""

import json
import os
import sys
import threading
from collections.abc import Mapping


def say(event: Mapping[str, object]) -> None:
    """Writes one event."""
    print(json.dumps(event), flush=True)


def go() -> None:
    """Says that everything is set up, and waits for the word to begin."""
    say({"event": "ready"})
    if not sys.stdin.readline():
        sys.exit()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process once the parent is gone, whatever it is doing."""
    # By the descriptor: a lock on `sys.stdin` would be in the way of the interpreter's own end.
    while os.read(0, 1024):
        pass
    os._exit(0)
