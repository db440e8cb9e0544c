"""Waits behind a proxy whose faults a seed decides, and reports of how many were lost."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from smithy_waiters import Waiter

if TYPE_CHECKING:
    from services import Services

    from smithy_waiters.definition import WaiterDefinition

WAITS = int(os.environ.get("SMITHY_WAITERS_LOST_WAITS", "30"))
SEED = 7

# Where the reports go. Without it the SDK's own waiter is not run.
REPORTS = os.environ.get("SMITHY_WAITERS_LOST_WAITS_REPORTS")

CONCURRENT = 32

DEFINITION: WaiterDefinition = {
    "acceptors": [
        {
            "state": "success",
            "matcher": {"output": {"path": "Table.TableStatus", "comparator": "stringEquals", "expected": "ACTIVE"}},
        },
        {"state": "retry", "matcher": {"errorType": "ResourceNotFoundException"}},
    ]
}
TABLE_EXISTS = Waiter(DEFINITION, name="TableExists")

# In seconds. The means of the pauses are about the same.
OURS: Any = {"max_wait": 120, "min_delay": 0.02, "max_delay": 0.2}
BOTOCORE = {"Delay": 0.1, "MaxAttempts": 1200}

# Of the client, in seconds: some requests are never answered.
TIMEOUTS = {"connect_timeout": 1, "read_timeout": 1}

REVOKED = [(400, "UnrecognizedClientException"), (403, "InvalidSignatureException")]

# A port on which nothing listens.
REFUSED = "http://127.0.0.1:1"


def tables(*, retries: bool) -> list[str]:
    """Return the tables to wait for: half of them with the client's own retries."""
    return [f"table-{number}" for number in range(WAITS) if (number % 2 == 0) == retries]


def report(services: Services, lost: list[BaseException], **run: Any) -> None:
    """Write what came of a run, and how many requests it took."""
    if REPORTS is None:
        return
    found = {"waits": len(tables(retries=run["retries"])), "lost": len(lost), "calls": services.count(), **run}
    name = f"{run['client']}-{run['waiter']}-{run['retries']}.json"
    Path(REPORTS, name).write_text(json.dumps(found), encoding="utf-8")


def revoked(status: int, code: str) -> dict[str, Any]:
    """Return the answer to a request that is signed with a key that is revoked."""
    return {"status": status, "body": {"__type": f"com.amazon.coral.service#{code}", "message": "invalid"}}
