"""A local Airflow on SQLite, in a folder of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError

if TYPE_CHECKING:
    from collections.abc import Callable

TESTS = Path(__file__).parent
_PATIENCE = 300


class Airflow:
    """The processes, the database and the logs of an Airflow."""

    def __init__(self, folder: Path, **environment: str) -> None:
        """Create the database. The folders `dags` and `plugins` are empty."""
        self.folder = folder
        self.port = _free_port()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        # A triggerer that was killed must not keep its triggers for long.
        settings = {
            "API__BASE_URL": f"http://127.0.0.1:{self.port}",
            "API__PORT": str(self.port),
            "API__WORKERS": "1",
            "API_AUTH__JWT_SECRET": "secret of this test, which is long enough",
            "CORE__EXECUTION_API_SERVER_URL": f"http://127.0.0.1:{self.port}/execution/",
            "CORE__DAGS_ARE_PAUSED_AT_CREATION": "False",
            "CORE__LOAD_EXAMPLES": "False",
            "CORE__PARALLELISM": "2",
            "CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS": "True",
            "CORE__UNIT_TEST_MODE": "False",
            "DAG_PROCESSOR__MIN_FILE_PROCESS_INTERVAL": "600",
            "DAG_PROCESSOR__REFRESH_INTERVAL": "1",
            "DATABASE__SQL_ALCHEMY_CONN": self._database(60),
            "SCHEDULER__SCHEDULER_IDLE_SLEEP_TIME": "0.2",
            "TRIGGERER__JOB_HEARTBEAT_SEC": "1",
            "TRIGGERER__TRIGGERER_HEALTH_CHECK_THRESHOLD": "3",
            "USAGE_DATA_COLLECTION__ENABLED": "False",
            "WORKERS__EXECUTION_API_TIMEOUT": "60",
        }
        self.environment = {
            **os.environ,
            "AIRFLOW_HOME": str(folder),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")]),
            **{f"AIRFLOW__{name}": value for name, value in settings.items()},
            **environment,
        }
        for name in ("dags", "plugins"):
            (folder / name).mkdir()
        self.run("airflow", "db", "migrate")
        # Without this, a reader and a writer of the API may wait for each other until the timeout of the database.
        sqlite3.connect(f"{folder}/airflow.db").execute("PRAGMA journal_mode=WAL").connection.close()

    def run(self, module: str | Path, *arguments: str) -> None:
        """Run a program or a command of Airflow until it ends."""
        with (self.folder / "commands.log").open("ab") as log:
            command = [sys.executable, *(["-m", module] if isinstance(module, str) else [module]), *arguments]
            subprocess.run(command, env=self.environment, stdout=log, stderr=log, check=True)

    def start(self, *names: str) -> None:
        """Start processes of Airflow, such as `triggerer`."""
        # A request that waits for the lock of the database may stop the one that holds it until this time is over.
        api = {"AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": self._database(5)}
        for name in names:
            environment = {**self.environment, **api} if name == "api-server" else self.environment
            with (self.folder / f"{name}.log").open("ab") as log:
                self._processes[name] = subprocess.Popen(
                    [sys.executable, "-m", "airflow", name],
                    env=environment,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )

    def kill(self, name: str) -> None:
        """Kill a process with the processes that it started."""
        process = self._processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def terminate(self, name: str) -> None:
        """Stop a process, as a deploy does."""
        process = self._processes.pop(name)
        process.terminate()
        process.wait()

    def stop(self) -> None:
        for name in list(self._processes):
            self.kill(name)

    def query(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        connection = sqlite3.connect(f"file:{self.folder}/airflow.db?mode=ro", uri=True, timeout=60)
        try:
            return connection.execute(statement, values).fetchall()
        finally:
            connection.close()

    def output(self, name: str) -> str:
        """Return what a process wrote."""
        return (self.folder / f"{name}.log").read_text()

    def state(self, dag: str) -> str | None:
        """Return the state of the only task of a DAG."""
        rows = self.query("SELECT state FROM task_instance WHERE dag_id = ?", dag)
        return rows[0][0] if rows else None

    def wait_for(self, what: str, condition: Callable[[], bool]) -> None:
        """Wait until a condition is true. The processes must not end."""
        end = time.monotonic() + _PATIENCE
        while not condition():
            for name, process in self._processes.items():
                assert process.poll() is None, f"{name} ended:\n{self.output(name)[-3000:]}"
            assert time.monotonic() < end, f"no {what}: see {self.folder}"
            time.sleep(0.02)

    def result(self, dag: str, key: str = "return_value") -> Any:
        """Return what the only task of a DAG returned, or another of its XComs."""
        ((value,),) = self.query("SELECT value FROM xcom WHERE dag_id = ? AND key = ?", dag, key)
        return json.loads(value)

    def log(self, dag: str) -> str:
        """Return the log of the only task of a DAG, with that of its trigger: the events and the tracebacks."""
        text = ""
        for file in sorted((self.folder / "logs").glob(f"dag_id={dag}/**/*.log*")):
            for line in file.read_text().splitlines():
                try:
                    entry = json.loads(line)
                except ValueError:
                    # The last line may be incomplete.
                    continue
                details = [entry["event"], *(detail["exc_value"] for detail in entry.get("error_detail", []))]
                text += "".join(f"{detail}\n" for detail in details)
        return text

    def request(self, method: str, path: str, **body: object) -> Any:
        """Use the API as a user, again if the database was locked."""
        token = self._send("GET", "/auth/token", {}, {})["access_token"]
        answers: list[Any] = []

        def is_answered() -> bool:
            try:
                answers.append(self._send(method, f"/api/v2{path}", body, {"Authorization": f"Bearer {token}"}))
            except HTTPError as error:
                if error.code != HTTPStatus.INTERNAL_SERVER_ERROR:
                    raise
            return bool(answers)

        self.wait_for(f"answer of {path}", is_answered)
        return answers[0]

    def _database(self, timeout: int) -> str:
        return f"sqlite:///{self.folder}/airflow.db?timeout={timeout}"

    def _send(self, method: str, path: str, body: object, headers: dict[str, str]) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json", **headers},
            method=method,
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
