"""Print random cases of a machine with what the oracle expects, one JSON object a line.

`cases.py MACHINE SEED COUNT` for `waits`, `retries` or `walks`. A case is a vector whose `expected` has only what the
specification decides: a result may have more members.
"""

from __future__ import annotations

import json
import sys
from random import Random

import retries as oracle_of_retries
import waits as oracle_of_waits
import walks as oracle_of_walks

MACHINES = {"waits": oracle_of_waits, "retries": oracle_of_retries, "walks": oracle_of_walks}


def main(machine: str, seed: int, count: int) -> None:
    oracle, random = MACHINES[machine], Random(seed)
    for number in range(count):
        vector = oracle.case(random)
        vector["id"] = f"{machine}-{seed}-{number}"
        vector["expected"] = oracle.expected(vector)
        print(json.dumps(vector, separators=(",", ":")))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
