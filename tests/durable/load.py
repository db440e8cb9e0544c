"""Many pending waits on DBOS and PostgreSQL, served by several workers: their lag, processor time and memory.

python load.py FOLDER                         # writes `load.svg` and prints a table
python load.py worker NUMBER URL WAITS FOLDER # a worker, which starts its part of the waits

The lag of a poll is the time from its due time to its call. The waits poll every 60 to 120 seconds.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from math import ceil
from pathlib import Path
from statistics import quantiles
from typing import Any

from dbos import DBOS
from postgres import Server

from smithy_waiters import Waiter
from smithy_waiters.dbos import durable_wait

WAITS = int(os.environ.get("SMITHY_WAITERS_DURABLE_WAITS", "10000"))
WORKERS = 4
# The measurement begins when each wait has polled once, and the polls are spread evenly.
SPREAD = 120
SECONDS = 120
OPTIONS: dict[str, Any] = {"max_wait": 86_400, "min_delay": 60, "max_delay": 120}

polls: list[tuple[str, float]] = []


def poll(job: str) -> dict[str, str]:
    """Record the time of a call, and return the state of a job that never ends."""
    polls.append((str(DBOS.workflow_id), time.time()))
    return {"Status": "RUNNING", "Job": job}


waits = durable_wait(Waiter.until("Status", "DONE", name="JobDone"), poll, name="job-done", queue="jobs")


def work(number: int, url: str, count: int, folder: Path) -> None:
    """Start some waits and poll until the process is told to end; then write the polls and the use of resources."""
    DBOS(
        config={
            "name": "load",
            "system_database_url": url,
            "application_version": "1",
            "executor_id": f"worker-{number}",
            "console_log_level": "CRITICAL",
        }
    )
    DBOS.launch()
    DBOS.register_queue("jobs", worker_concurrency=20, polling_interval_sec=0.2)
    (folder / "launched").touch()
    signals: list[int] = []
    for name in (signal.SIGUSR1, signal.SIGTERM):
        signal.signal(name, lambda received, _: signals.append(received))
    for wait in range(count):
        waits.start(
            f"{number}-{wait}", workflow_id=f"job-{number}-{wait}", initial_delay=random.uniform(1, SPREAD), **OPTIONS
        )
    (folder / f"started-{number}").touch()
    cpu = 0.0
    while signal.SIGTERM not in signals:
        time.sleep(0.1)
        if signals and not cpu:
            cpu = time.process_time()
    used = {"cpu": time.process_time() - cpu, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}
    (folder / f"worker-{number}.json").write_text(json.dumps({"polls": polls, **used}))
    os._exit(0)


def due_times(url: str) -> dict[str, float]:
    """Return the due time of each poll."""
    import psycopg  # noqa: PLC0415 - not in the workers.

    with psycopg.connect(url) as connection:
        query = "SELECT workflow_uuid, delay_until_epoch_ms FROM dbos.workflow_status WHERE delay_until_epoch_ms > 0"
        return {workflow: float(due) / 1000 for workflow, due in connection.execute(query)}


def measure(folder: Path) -> tuple[list[float], list[dict[str, Any]]]:
    """Return the lags of the polls in the period that is measured, in seconds, and the reports of the workers."""
    server = Server()
    try:
        workers: list[subprocess.Popen[bytes]] = []
        for number in range(WORKERS):
            program = [sys.executable, __file__, "worker", str(number), server.url, str(WAITS // WORKERS), str(folder)]
            workers.append(subprocess.Popen(program))
            while not (folder / "launched").exists():
                time.sleep(0.1)
        while len(list(folder.glob("started-*"))) < WORKERS:
            assert not any(worker.poll() for worker in workers)
            time.sleep(0.1)
        time.sleep(SPREAD)
        begun = time.time()
        for worker in workers:
            worker.send_signal(signal.SIGUSR1)
        time.sleep(SECONDS)
        ended = time.time()
        for worker in workers:
            worker.send_signal(signal.SIGTERM)
            worker.wait()
        due = due_times(server.url)
    finally:
        server.remove()
    reports = [json.loads((folder / f"worker-{number}.json").read_text()) for number in range(WORKERS)]
    made = [poll for report in reports for poll in report["polls"]]
    assert len({name for name, _ in made}) == len(made), "a poll was repeated"
    # A poll that is due in the period may be made after it, and is then missing only if it is more than 5 seconds late.
    late = [name for name, at in due.items() if begun <= at < ended - 5 and ".poll-" in name and name not in dict(made)]
    assert late == [], f"{len(late)} polls are more than 5 s late"
    return sorted(at - due[name] for name, at in made if begun <= at < ended), reports


def table(lags: list[float], reports: list[dict[str, Any]]) -> str:
    """Return the figures as a table of Markdown."""
    cuts = quantiles(lags, n=100)
    cpu = sum(report["cpu"] for report in reports) / len(lags) * 1000
    load = cpu * len(lags) / SECONDS / 10 / WORKERS
    memory = max(report["memory"] for report in reports) / (1 << 20)
    rows = {
        "pending waits": f"{WAITS:,}",
        "workers": str(WORKERS),
        "polls": f"{len(lags):,} in {SECONDS} s: {len(lags) / SECONDS:.0f} per second",
        "lag": f"median {cuts[49]:.2f} s, 99th percentile {cuts[98]:.2f} s, maximum {lags[-1]:.2f} s",
        "processor time of the workers": f"{cpu:.1f} ms per poll, {load:.0f} % of a core each",
        "memory of a worker": f"{memory:.0f} MiB at most",
    }
    return "\n".join(f"| {name} | {value} |" for name, value in rows.items())


def plot(lags: list[float]) -> str:
    """Return an image of the share of polls that were made within a lag."""
    left, top, width, height = 48, 36, 360, 200
    ticks = max(2, ceil(lags[-1] * 2))

    def x(lag: float) -> float:
        return left + lag * 2 / ticks * width

    def y(share: float) -> float:
        return top + (1 - share) * height

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 440 280" font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{left}" y="20">Polls that were made within a lag, of {len(lags):,} polls</text>',
    ]
    for percent in range(0, 101, 25):
        at = y(percent / 100)
        parts.append(
            f'<line x1="{left}" y1="{at:.1f}" x2="{left + width}" y2="{at:.1f}" stroke="#d5d8dc"/>'
            f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{percent} %</text>'
        )
    parts += [
        f'<text x="{x(tick / 2):.1f}" y="{top + height + 18}" text-anchor="middle">{tick / 2:g} s</text>'
        for tick in range(ticks + 1)
    ]
    cuts = quantiles(lags, n=100)
    points = [(0.0, 0.0), *((cut, (index + 1) / 100) for index, cut in enumerate(cuts)), (lags[-1], 1.0)]
    line = " ".join(f"{x(max(0.0, lag)):.1f},{y(share):.1f}" for lag, share in points)
    parts.append(f'<polyline fill="none" stroke="#2471a3" stroke-width="2" points="{line}"/>')
    at = x(cuts[98])
    parts.append(
        f'<line x1="{at:.1f}" y1="{top}" x2="{at:.1f}" y2="{top + height}" stroke="#c0392b" stroke-dasharray="4"/>'
        f'<text x="{at - 4:.1f}" y="{y(0.1):.1f}" text-anchor="end">99 % within {cuts[98]:.2f} s</text>'
    )
    return "\n".join([*parts, "</svg>\n"])


def main(folder: Path) -> None:
    """Measure, write the image and print the table."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    lags, reports = measure(folder)
    (folder / "load.svg").write_text(plot(lags))
    print(table(lags, reports))


if __name__ == "__main__":
    if sys.argv[1] == "worker":
        work(int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), Path(sys.argv[5]))
    else:
        main(Path(sys.argv[1]))
