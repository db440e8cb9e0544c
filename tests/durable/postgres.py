"""A PostgreSQL server for tests, on a socket and a port of its own. It is never a service of the system.

python postgres.py PROGRAM ARGUMENT…   # runs a program with the URL of a new server in SMITHY_WAITERS_POSTGRES
"""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

VARIABLE: Final = "SMITHY_WAITERS_POSTGRES"

# Without `fsync`, a commit survives a crash of the server, but not of the computer.
SETTINGS: Final = {"listen_addresses": "localhost", "max_connections": "200", "fsync": "off"}


class Server:
    """A server that runs until `stop`, with the database `postgres`."""

    def __init__(self, **settings: str) -> None:
        # The path of a socket has at most 107 characters.
        self.folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
        self._data = self.folder / "data"
        self.port = unused_port()
        self._settings = {**SETTINGS, "port": str(self.port), "unix_socket_directories": str(self.folder), **settings}
        if os.geteuid() == 0:
            # The server refuses to run as root.
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        self._run("initdb", "--auth=trust", "--username=postgres", "--no-sync", "--pgdata", str(self._data))
        self.start()

    @property
    def url(self) -> str:
        """The URL of the database on a local socket."""
        return f"postgresql://postgres@localhost:{self.port}/postgres?host={self.folder}"

    @property
    def tcp_url(self) -> str:
        """The URL of the database on the loopback address."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        options = " ".join(f"-c {name}='{value}'" for name, value in self._settings.items())
        log = str(self.folder / "log")
        self._run("pg_ctl", "start", "--wait", "--pgdata", str(self._data), "--log", log, "--options", options)

    def stop(self, mode: str = "fast") -> None:
        """Stop the server. The mode `immediate` ends it as a crash does."""
        self._run("pg_ctl", "stop", "--wait", "--pgdata", str(self._data), "--mode", mode)

    def restart(self) -> None:
        """Crash the server and start it again."""
        self.stop("immediate")
        self.start()

    def remove(self) -> None:
        """Stop the server and delete its data."""
        self.stop("immediate")
        shutil.rmtree(self.folder)

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(programs() / program), *arguments]
        if os.geteuid() == 0:
            command = ["runuser", "--user", "postgres", "--", *command]
        run = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise RuntimeError(f"{program} failed: {run.stdout}{run.stderr}")


def unused_port() -> int:
    """Return the number of a port that no program uses."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def programs() -> Path:
    """Return the folder of the newest server's programs, which Debian does not put on the path."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    initdb = shutil.which("initdb")
    if initdb is None:
        raise RuntimeError("PostgreSQL is not installed")
    return Path(initdb).parent


if __name__ == "__main__":
    server = Server()
    try:
        sys.exit(subprocess.run(sys.argv[1:], env={**os.environ, VARIABLE: server.url}, check=False).returncode)
    finally:
        server.remove()
