"""Waits for files, in a table of SQLite. Stop it and run it again: the waits continue.

python sqlite_wait.py report.csv summary.csv
"""

import sqlite3
import sys
import time
from pathlib import Path

from smithy_waiters import StateError, Waiter, WaiterError
from smithy_waiters.durable import StoredWait, result

waits = StoredWait(Waiter.until("Status", "DONE", name="FileExists"))


def describe(file):  # replace this with a call of your client
    return {"Status": "DONE" if Path(file).exists() else "RUNNING"}


def poll(file, state):
    state, due, report, progress = waits.attempt(state, lambda: describe(file))  # the time away counts
    db.execute("UPDATE waits SET state = ?, due = ? WHERE file = ?", (state or report, due, file))
    print(progress["summary"])
    if report is not None:
        try:
            print(file, "exists after", result(report).attempts, "attempts")
        except WaiterError as failure:
            print(failure)


db = sqlite3.connect("waits.sqlite", isolation_level=None)
db.execute("CREATE TABLE IF NOT EXISTS waits (file TEXT PRIMARY KEY, state TEXT, due REAL)")
for file in sys.argv[1:]:
    begun = waits.begin(file, None, {"max_wait": 3600, "min_delay": 1, "max_delay": 5, "label": file})
    db.execute("INSERT OR IGNORE INTO waits VALUES (?, ?, ?)", (file, begun.state, begun.due_at))
while next_wait := db.execute("SELECT file, state, due FROM waits WHERE due IS NOT NULL ORDER BY due").fetchone():
    time.sleep(max(0, next_wait[2] - time.time()))
    try:
        poll(*next_wait[:2])
    except StateError as error:  # the definition has changed
        print(next_wait[0], error)
        db.execute("UPDATE waits SET due = NULL WHERE file = ?", next_wait[:1])
