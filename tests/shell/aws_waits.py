"""Count the waits that are lost behind a proxy that fails a share of the requests, with the AWS CLI.

python aws_waits.py WAITS [--own]   # --own: also with `aws … wait`

Each table becomes active after one to four responses. The CLI makes up to three tries for a call, the default of its
version 2. `SMITHY_WAITERS_COMMAND` and `SMITHY_WAITERS_REAL` name the command, and the folder of the services.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.append(str(Path(__file__).parents[1] / "real"))
from services import Services, running

if TYPE_CHECKING:
    from collections.abc import Sequence

SEED: Final = 7

# The shares of requests that fail. A test with few waits runs only the last one.
RATES: Final = (0.2, 0.5)

# Each of our calls starts the CLI, which takes half a second of processor time. Its own waits mostly sleep.
OURS_AT_ONCE: Final = 16
OWN_AT_ONCE: Final = 60

DESCRIBE: Final = ["aws", "dynamodb", "describe-table", "--table-name"]
OURS: Final = ["wait", "--quiet", "--timeout", "5m", "--interval", "1s", "--until", "Table.TableStatus=ACTIVE", "--"]
OWN: Final = ["aws", "dynamodb", "wait", "table-exists", "--table-name"]


def lost(services: Services, waits: int, rate: float, line: Sequence[str]) -> tuple[int, int, float]:
    """Return the number of waits that fail, the number of requests, and the time."""
    services.seed(SEED, {"rate": rate})
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "AWS_ENDPOINT_URL": services.proxy,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "AWS_RETRY_MODE": "standard",
        "AWS_MAX_ATTEMPTS": "3",
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def is_lost(number: int) -> bool:
        run = subprocess.run([*line, f"table-{number}"], env=environment, capture_output=True, text=True, check=False)
        if run.returncode != 0 and line[0] != "aws":
            print(run.stderr)
        return run.returncode != 0

    started = time.monotonic()
    with ThreadPoolExecutor(OWN_AT_ONCE if line is OWN else OURS_AT_ONCE) as pool:
        count = sum(pool.map(is_lost, range(waits)))
    return count, services.count(), time.monotonic() - started


def main(waits: int, *, own: bool) -> int:
    """Print a row for each share of failures, and return the number of our lost waits."""
    total = 0
    commands: dict[str, Any] = {"smithy-waiters wait": [os.environ["SMITHY_WAITERS_COMMAND"], *OURS, *DESCRIBE]}
    if own:
        commands["aws … wait"] = OWN
    with running(waits) as services:
        for rate in RATES if own else RATES[-1:]:
            for name, line in commands.items():
                count, calls, seconds = lost(services, waits, rate, line)
                numbers = f"{count} of {waits} lost, {calls} requests, {seconds:.0f} s"
                print(f"{rate:.0%} of the requests fail, {name}: {numbers}")
                total += count if line is not OWN else 0
    print(f"lost waits: {total} of ours")
    return total


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), own="--own" in sys.argv) > 0)
