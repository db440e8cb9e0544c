"""Print random cases of a machine with what the oracle expects, one JSON object a line.

`cases.py MACHINE SEED COUNT`, where a machine is a module beside this one: `waits`, `fleets`, `retries`, `walks` or
`searches`. A case is a vector whose `expected` has only what the specification decides: a result may have more members.
"""

from __future__ import annotations

import importlib
import json
import sys
from random import Random


def main(machine: str, seed: int, count: int) -> None:
    oracle, random = importlib.import_module(machine), Random(seed)
    for number in range(count):
        vector = oracle.case(random)
        vector["id"] = f"{machine}-{seed}-{number}"
        vector["expected"] = oracle.expected(vector)
        print(json.dumps(vector, separators=(",", ":")))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
