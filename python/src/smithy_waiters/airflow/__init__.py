"""Waits in the triggerer of Apache Airflow, which survive its restarts.

>>> from smithy_waiters.airflow import WaitSensor
>>> WaitSensor(
...     task_id="restored",
...     waiter=Waiter.until("Status", "available", pending=["restoring"]),
...     poll="polls.describe",
...     arguments={"database": "orders"},
...     options={"max_wait": 6 * 3600},
...     deferrable=True,
... )

The sensor defers, so that the wait takes no worker. Its trigger makes the calls, and stores the wait as an XCom of the
task at most once a minute: another triggerer continues it. A `WaitOperator` also starts a job, and cancels it if the
task is killed. Install with `pip install "smithy-waiters[airflow]"`.
"""

from .call import HookCall
from .ends import SensorAttemptsExceeded, SensorFailed, SensorTimeout, outcome
from .operators import WaitOperator, WaitSensor
from .trigger import WaitTrigger

__all__ = [
    "HookCall",
    "SensorAttemptsExceeded",
    "SensorFailed",
    "SensorTimeout",
    "WaitOperator",
    "WaitSensor",
    "WaitTrigger",
    "outcome",
]
