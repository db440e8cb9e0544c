"""Starts a triggerer for each line of the standard input, and writes its process ID to a pipe.

Each is a copy of this process, which has imported Airflow, so that it starts within a second.
"""

import os
import signal
import sys

# The process of the triggers imports these.
import airflow_polls  # noqa: F401
from airflow.api_fastapi.execution_api.app import InProcessExecutionAPI
from airflow.jobs import triggerer_job_runner
from airflow.jobs.job import Job, run_job

import smithy_waiters.airflow  # noqa: F401

# A triggerer creates it for its first request, which takes seconds.
api = InProcessExecutionAPI()
assert api.app
triggerer_job_runner.in_process_api_server = lambda: api
answers = os.fdopen(int(sys.argv[1]), "w")
# Nobody waits for the triggerers.
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in sys.stdin:
    process = os.fork()
    if process == 0:
        os.setsid()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        runner = triggerer_job_runner.TriggererJobRunner(Job(heartrate=1))
        run_job(runner.job, execute_callable=runner._execute)  # noqa: SLF001 - as the command does.
        os._exit(0)
    print(process, file=answers, flush=True)
