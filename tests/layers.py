"""Prints the modules of each part from the bottom to the top, and fails if one imports a module that is not below it.

Run it with `python3 tests/layers.py`; it is the step `layers` of `cargo xtask test`.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# A line: the modules, then what they contain.
CORE = """
error, text, value: errors of callers; texts of messages; the trait that reads a host's values
millis, jmespath: milliseconds; expressions
definition, delay: a waiter's definition; the pause before the next call
evaluation: the verdict on a response or an error
model, options: waiters and operations in a Smithy model; options, and how they are read from a host
compression, seed: compression of requests; random seeds
operation, response: the traits of an operation; typed responses
paginator, retry, waiter: pages; retried requests; what makes a waiter: a model, the short form, botocore
wait: the state machine of a wait, its report and its saved state
driver: loops over the machines, with a clock and a sleep
internal: what bindings and tools use, and users do not
lib: the public names
"""


def core_imports(file: Path) -> list[str]:
    # Unit tests may use any module, and follow the code.
    code = file.read_text().split("\n#[cfg(test)]\nmod tests", 1)[0]
    code = re.sub(r"^\s*//.*$", "", code, flags=re.MULTILINE)
    return re.findall(r"\bcrate::(\w+)", code)


# Each part: its folder, the suffix of its files, its order and the reader of a file's imports.
PARTS = [("core/src", ".rs", CORE, core_imports)]


def check(folder: str, suffix: str, order: str, imports: Callable[[Path], list[str]]) -> list[str]:
    lines = [line.partition(":")[0].split(", ") for line in order.strip().splitlines()]
    rank = {name: number for number, line in enumerate(lines) for name in line}
    faults = []
    for file in sorted((ROOT / folder).rglob("*" + suffix)):
        path = file.relative_to(ROOT / folder)
        module = path.parts[0].removesuffix(suffix)
        for other in [module, *imports(file)]:
            if other not in rank:
                faults.append(f"{folder}/{path}: `{other}` has no place in the order")
            elif other != module and rank[other] >= rank.get(module, -1):
                faults.append(f"{folder}/{path}: `{module}` is not above `{other}`")
    return faults


def main() -> None:
    faults = []
    for folder, suffix, order, imports in PARTS:
        print(f"{folder}, from the bottom to the top:{order}")
        faults += check(folder, suffix, order, imports)
    print("\n".join(sorted(set(faults))) or "no import goes up")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
