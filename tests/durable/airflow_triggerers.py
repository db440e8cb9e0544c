"""Starts a triggerer for each line of the standard input, and prints its process ID.

Each is a copy of this process, which has imported Airflow, so that it starts within a second.
"""

import os
import signal
import sys

# The processes of a triggerer import these.
import airflow.api_fastapi.execution_api.app  # noqa: F401
import airflow_polls  # noqa: F401
from airflow.jobs.job import Job, run_job
from airflow.jobs.triggerer_job_runner import TriggererJobRunner

import smithy_waiters.airflow  # noqa: F401

# Nobody waits for the triggerers.
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in sys.stdin:
    process = os.fork()
    if process == 0:
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        runner = TriggererJobRunner(Job(heartrate=1))
        run_job(runner.job, execute_callable=runner._execute)  # noqa: SLF001 - as the command does.
        os._exit(0)
    print(process, flush=True)
