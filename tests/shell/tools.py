"""Programs and servers for the recipes.

A sequence of states decides their answers: one for each call, and the last one for all further calls.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SERVICE: Final = Path(__file__).parents[1] / "sdks/service.py"


class Says(NamedTuple):
    """The output of a program, and its exit code."""

    stdout: str = ""
    stderr: str = ""
    exit: int = 0


class StandIn:
    """A program that prints its states: a `Says`, or a value in JSON."""

    def __init__(self, folder: Path, name: str) -> None:
        self._answers = folder / f"{name}.answers"
        self._program = folder / name
        self._program.write_text(
            f"""#!/bin/sh
cd '{self._answers}'
echo >> calls
number=$(wc -l < calls)
[ -e $number.exit ] || number=$(cat last)
cat $number.stderr >&2
cat $number.stdout
exit $(cat $number.exit)
"""
        )
        self._program.chmod(0o755)

    def set(self, *states: Any) -> None:
        shutil.rmtree(self._answers, ignore_errors=True)
        self._answers.mkdir()
        for number, state in enumerate(states, 1):
            says = state if isinstance(state, Says) else Says(json.dumps(state))
            for part, text in says._asdict().items():
                (self._answers / f"{number}.{part}").write_text(f"{text}\n" if part != "exit" else str(text))
        (self._answers / "last").write_text(str(len(states)))


class Status(NamedTuple):
    """The response of a server with another status than 200."""

    status: int
    body: Any = ""
    headers: tuple[tuple[str, str], ...] = ()


class Server:
    """An HTTP server. Each path has its own position in the states."""

    def __init__(self) -> None:
        self._states: Sequence[Any] = ()
        self._calls: Counter[str] = Counter()
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                answer = server.answer(self.path)
                status = answer if isinstance(answer, Status) else Status(200, answer)
                body = status.body if isinstance(status.body, str) else json.dumps(status.body)
                content = body.encode()
                self.send_response(status.status)
                self.send_header("Content-Type", "application/json" if body is not status.body else "text/plain")
                self.send_header("Content-Length", str(len(content)))
                for name, value in status.headers:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"127.0.0.1:{self._server.server_address[1]}"

    def set(self, *states: Any) -> None:
        with self._lock:
            self._states = states
            self._calls.clear()

    def answer(self, path: str) -> Any:
        """Return the next state of a path."""
        with self._lock:
            self._calls[path] += 1
            return self._states[min(self._calls[path], len(self._states)) - 1]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


# The kinds of the recipes, by their plural names, and the API groups that have them.
KINDS: Final = {
    "": {"pods": "Pod", "secrets": "Secret"},
    "apps": {"deployments": "Deployment", "daemonsets": "DaemonSet"},
    "batch": {"jobs": "Job"},
    "apiextensions.k8s.io": {"customresourcedefinitions": "CustomResourceDefinition"},
    "example.com": {"widgets": "Widget"},
}

UNSCOPED: Final = ("customresourcedefinitions",)


class Kubernetes(Server):
    """An API server with one object, which has the states, or a list of pods."""

    def set(self, *states: Any, pods: Sequence[str] = ()) -> None:
        super().set(*states)
        self._pods = pods

    def answer(self, path: str) -> Any:
        url = urlsplit(path)
        query = parse_qs(url.query)
        names = [part for part in url.path.split("/") if part]
        if (found := discovered(names)) is not None:
            return found
        if "watch" in query:
            return {}
        return self._resource(url.path, names, query)

    def _resource(self, path: str, names: Sequence[str], query: dict[str, list[str]]) -> Any:
        group = names[1] if names[0] == "apis" else ""
        plural = next(name for name in reversed(names) if name in KINDS[group])
        kind, version = KINDS[group][plural], f"{group}/v1" if group else "v1"
        is_list = names[-1] == plural
        if is_list and self._pods:
            return listed([{"metadata": {"name": name, "namespace": "default"}} for name in self._pods], version, kind)
        state = super().answer(path)
        if isinstance(state, int):
            return failure(state, f'{plural} "{names[-1]}"')
        if isinstance(state, list):
            return listed(state, version, kind)
        name = query["fieldSelector"][0].partition("=")[2] if is_list else names[-1]
        metadata = {**state.get("metadata", {}), "name": name, "namespace": "default"}
        found = {"apiVersion": version, "kind": kind, **state, "metadata": metadata}
        return listed([found], version, kind) if is_list else found

    def config(self, file: Path) -> None:
        """Write the configuration of `kubectl`."""
        cluster = {"name": "test", "cluster": {"server": f"http://{self.address}"}}
        context = {"name": "test", "context": {"cluster": "test", "user": "test"}}
        config = {"apiVersion": "v1", "kind": "Config", "current-context": "test"}
        users = [{"name": "test", "user": {"token": "test"}}]
        file.write_text(json.dumps({**config, "clusters": [cluster], "contexts": [context], "users": users}))


REASONS: Final = {401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 429: "TooManyRequests"}


def failure(code: int, name: str) -> Status:
    reason = REASONS.get(code, "InternalError")
    status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason, "code": code}
    return Status(code, {**status, "message": f"{name} {reason}"})


def listed(items: list[Any], version: str, kind: str) -> Any:
    items = [{"apiVersion": version, "kind": kind, **item} for item in items]
    return {"apiVersion": version, "kind": f"{kind}List", "metadata": {"resourceVersion": "1"}, "items": items}


def discovered(names: Sequence[str]) -> Any:
    """Return what an API server reports about itself, or `None` for other paths."""
    match names:
        case ["version"]:
            return {"major": "1", "minor": "32", "gitVersion": "v1.32.0"}
        case ["api"]:
            return {"kind": "APIVersions", "versions": ["v1"]}
        case ["apis"]:
            groups = []
            for name in filter(None, KINDS):
                version = {"groupVersion": f"{name}/v1", "version": "v1"}
                groups.append({"name": name, "versions": [version], "preferredVersion": version})
            return {"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}
        case ["api", "v1"]:
            return resources("", "v1")
        case ["apis", group, "v1"]:
            return resources(group, f"{group}/v1")
    return None


def resources(group: str, version: str) -> Any:
    found = []
    for plural, kind in KINDS[group].items():
        names = {"name": plural, "singularName": kind.lower(), "kind": kind}
        short = {"shortNames": ["crd"]} if kind == "CustomResourceDefinition" else {}
        verbs = ["get", "list", "watch", "delete"]
        found.append({**names, **short, "namespaced": plural not in UNSCOPED, "verbs": verbs})
    return {"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": version, "resources": found}


class Aws:
    """moto behind a proxy, which changes its responses (`service.py`)."""

    def __init__(self, port: str) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.environment = {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "key",
            "AWS_SECRET_ACCESS_KEY": "secret",
        }

    def set(self, *states: Any) -> None:
        """Set the changes of the next responses. After them, responses are unchanged."""
        request = Request(f"{self.url}/-/script", json.dumps(states).encode(), method="PUT")
        with urlopen(request):
            pass

    def client(self, service: str) -> Any:
        # The tools that check the types have no boto3.
        import boto3  # type: ignore[import-untyped] # noqa: PLC0415

        return boto3.client(
            service,
            endpoint_url=self.url,
            region_name="us-east-1",
            aws_access_key_id="key",
            aws_secret_access_key="secret",
        )


@contextmanager
def aws() -> Iterator[Aws]:
    """Run moto until the end of the block."""
    with subprocess.Popen(
        [sys.executable, SERVICE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        yield Aws(program.stdout.readline().strip())
        program.communicate("")
