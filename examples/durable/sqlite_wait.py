"""Waits for files, in a table of SQLite. Stop it and run it again: the waits continue.

python sqlite_wait.py report.csv summary.csv
"""

import json
import sqlite3
import sys
import time
from pathlib import Path

from smithy_waiters import Call, Done, StateError, Waiter
from smithy_waiters.events import Error, Response

file_exists = Waiter.until("Status", "DONE", name="FileExists")


def describe(file):  # replace this with a call of your client
    return {"Status": "DONE" if Path(file).exists() else "RUNNING"}


def poll(file, state):
    wait = file_exists.resume(state)  # the time away counts
    began = json.loads(state)["startedAtMs"]
    step = wait.poll(wait.now_ms)
    if isinstance(step, Call):
        try:
            event = Response(describe(file))
        except Exception as error:
            event = Error(error)
        step = wait.handle(event, time.time() * 1000 - began)
    over = isinstance(step, Done)
    due = None if over else began + getattr(step, "until_ms", wait.now_ms)
    db.execute("UPDATE waits SET state = ?, due = ? WHERE file = ?", (wait.to_json(), due, file))
    print(step.message if over else wait.summary)


db = sqlite3.connect("waits.sqlite", isolation_level=None)
db.execute("CREATE TABLE IF NOT EXISTS waits (file TEXT PRIMARY KEY, state TEXT, due REAL)")
for file in sys.argv[1:]:
    state = file_exists.start(max_wait=3600, min_delay=1, max_delay=5, label=file).to_json()
    db.execute("INSERT OR IGNORE INTO waits VALUES (?, ?, 0)", (file, state))
while next_wait := db.execute("SELECT file, state, due FROM waits WHERE due IS NOT NULL ORDER BY due").fetchone():
    time.sleep(max(0, next_wait[2] / 1000 - time.time()))
    try:
        poll(*next_wait[:2])
    except StateError as error:  # the definition has changed
        print(next_wait[0], error)
        db.execute("UPDATE waits SET due = NULL WHERE file = ?", next_wait[:1])
