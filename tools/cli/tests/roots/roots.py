"""Run the command in root file systems without Rust and Python: that of the image, and two of Debian.

Arguments: the folder of the repository, a folder for the root file systems, and the static program.
"""

from __future__ import annotations

import http.server
import json
import shutil
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# The oldest and the newest release that Debian's main archive has.
RELEASES = ("bullseye", "trixie")
PROGRAM = "/smithy-waiters"
STATUS = {"status": "ready"}
# Docker adds these files to each container. An empty file is read like the device.
FILES = {"etc/hosts": "127.0.0.1 localhost\n", "etc/resolv.conf": "", "dev/null": ""}


class Service(http.server.BaseHTTPRequestHandler):
    """Answers every request with the same JSON."""

    def do_GET(self) -> None:
        body = json.dumps(STATUS).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def service(certificate: Path | None = None) -> Iterator[int]:
    """Serve in the background, with TLS if there is a certificate, and return the port."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def new_certificate(file: Path) -> None:
    """Write a key and a certificate for `localhost`."""
    options = ["-nodes", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2"]
    # rustls does not accept a certificate that may sign others.
    options += ["-addext", "basicConstraints=critical,CA:FALSE"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    key = file.with_suffix(".key")
    command = ["openssl", "req", "-x509", *options, *names, "-keyout", key, "-out", file]
    subprocess.run(command, check=True, capture_output=True)
    file.write_text(file.read_text() + key.read_text())


class Image:
    """The root file system and the command of a `Dockerfile` with one stage, which begins without files."""

    def __init__(self, repository: Path, root: Path) -> None:
        self.entry: list[str] = []
        text = (repository / "Dockerfile").read_text()
        lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
        assert lines[0] == ["FROM", "scratch"]
        cpu = "arm64" if subprocess.check_output(["uname", "-m"], text=True).strip() == "aarch64" else "amd64"
        for instruction, *words in lines[1:]:
            if instruction == "COPY":
                *sources, target = [word for word in words if not word.startswith("--")]
                for source in sources:
                    file = repository / source.replace("${TARGETPLATFORM}", f"linux/{cpu}")
                    place = root / target.lstrip("/")
                    place = place / file.name if target.endswith("/") else place
                    place.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(file, place)
            elif instruction == "ENTRYPOINT":
                self.entry = json.loads(" ".join(words))
            else:
                assert instruction in ("ARG", "USER"), f"the test does not know {instruction}"


def files(root: Path) -> set[str]:
    return {str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir()}


def debian(release: str, root: Path, cache: Path) -> None:
    """Unpack Debian's smallest system. Nothing in it is configured, as nothing in it needs to be."""
    cache.mkdir(parents=True, exist_ok=True)
    command = ["debootstrap", "--foreign", "--variant=minbase", f"--cache-dir={cache.resolve()}", release, root]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-2000:] + ran.stderr[-2000:]


class Root:
    """A root file system with the program, a certificate and the files that Docker adds."""

    def __init__(self, root: Path, certificate: Path) -> None:
        self.root = root
        for name, text in FILES.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)
        shutil.copy(certificate, root / "ca.pem")
        (root / "status.json").write_text(json.dumps(STATUS))

    def run(self, *arguments: str) -> tuple[int, str, str]:
        # A user who is not root can be root in a namespace.
        command = ["unshare", "--map-root-user", "--root", str(self.root), PROGRAM, *arguments]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"})
        return ran.returncode, ran.stdout, ran.stderr

    def check(self, ports: tuple[int, int], child: list[str]) -> None:
        """Run each kind of wait. `child` prints the status."""
        port, secure = ports
        until = ["wait", "--until", "status=ready", "--query", "status"]
        url = f"https://localhost:{secure}/"
        for arguments, code, out, error in [
            (["--version"], 0, "smithy-waiters", ""),
            (["wait", f"tcp://localhost:{port}"], 0, "", "was already"),
            ([*until, f"http://127.0.0.1:{port}/"], 0, "ready\n", "was already ready"),
            ([*until, "--cacert", "/ca.pem", url], 0, "ready\n", "was already ready"),
            # The program has the certificates of Mozilla, which did not sign this one.
            ([*until, url], 3, "", "certificate"),
            (["wait", "--once", "--", PROGRAM, "lint", "/missing"], 124, "", "not_yet (exit 124)"),
            (["wait", "--", "/missing"], 127, "", "(exit 127)"),
            ([*until, "--", *child], 0, "ready\n", "was already ready"),
        ]:
            ran = self.run(*arguments)
            assert ran[0] == code, (self.root.name, arguments, ran)
            assert ran[1].startswith(out), (self.root.name, arguments, ran)
            assert error in ran[2], (self.root.name, arguments, ran)


def main(repository: Path, folder: Path, program: Path) -> None:
    certificate = folder / "localhost.pem"
    new_certificate(certificate)
    with service() as port, service(certificate) as secure:
        ports = port, secure
        image = folder / "image"
        entry = Image(repository, image).entry
        assert entry == [PROGRAM]
        licences = {"licences/LICENSE", "licences/THIRD-PARTY-LICENSES"}
        assert files(image) == {PROGRAM[1:], *licences}
        assert (image / PROGRAM[1:]).read_bytes() == program.read_bytes()
        # No other program is here to print a file.
        url = f"http://127.0.0.1:{port}/"
        again = [PROGRAM, "wait", "--quiet", "--query", "@", url]
        Root(image, certificate).check(ports, again)
        for release in RELEASES:
            root = folder / release
            debian(release, root, folder.with_name("debootstrap"))
            assert not [name for name in ("python3", "rustc", "cargo") if list(root.glob(f"usr/bin/{name}*"))]
            shutil.copy(program, root)
            Root(root, certificate).check(ports, ["cat", "/status.json"])
    print(f"roots: the image, {', '.join(RELEASES)}")


main(*map(Path, sys.argv[1:]))
