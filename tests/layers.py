"""Prints the modules and folders of each part from the bottom to the top, and fails if an import goes up.

Run it with `python3 tests/layers.py`; it is the step `layers` of `cargo xtask test`.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# A line: the modules, then what they contain.
CORE = """
sync: the locks of the standard library, or those of tests of threads
text: texts of messages
error, value: errors of callers; the trait that reads a host's values
millis, jmespath: milliseconds; expressions
definition, delay: a waiter's definition; the pause before the next call
evaluation: the verdict on a response or an error
model, options: waiters and operations in a Smithy model; options, and how they are read from a host
compression, rate_limit, seed: compression of requests; the rate of calls; random seeds
operation, response: the traits of an operation; typed responses
paginator, retry, waiter: pages; retried requests; what makes a waiter: a model, the short form, botocore
wait: the state machine of a wait, its report and its saved state
fleet: the state machine of waits that share their calls
driver: loops over the machines, with a clock and a sleep
internal: what bindings and tools use, and users do not
lib: the public names
"""


NPM = """
constants, definition, host.d, pace, timers: numbers shared with Rust; types; the platform's timers
values: what JavaScript's values mean to the engine
engine: the wasm, how it is loaded, and how it reads values
report: attempts, outcomes and reports
errors: the errors of waits, requests and input
done-step, input, testing: the last step; checks of arguments; a fake clock
rate-limit: the rate of calls
delay, operation, options, search, until, verdict: one call of the engine each; operations and their failures
wait: the state machine of a wait
driver: loops over the machines, with a clock and a sleep
fleet: waits that share their calls
waiter: the waiter
several: waits of different kinds under one deadline
client, durable: requests and pages; waits that outlive the process
api, aws-lambda, dbos, temporal: the public names; three durable engines
asset, index, inner, node, temporal-workflow, workerd: the entries
"""

PYTHON = """
_engine, definition, failed_request, literals, pace: the extension; types; the parts of an error
events, option_names, pickling, steps: inputs and steps of the machines; copies of values
errors: the errors of waits, requests and input
outcome: the outcome of a wait
options: the options of a wait
compression, json_text: compression of requests; JSON texts of definitions
botocore: waiters in botocore's format
drivers: loops over the machines, in threads and in event loops
fleet, several: waits that share their calls, and waits under one deadline
operation, pagination, testing, waiter: operations; pages; a fake clock; the waiter
resource_lists: the operations of AWS that answer for many resources
clients, durable, retry: waits of botocore's clients; waits that outlive the process; retried requests
airflow, aiobotocore, aws_lambda, boto3, dbos, temporal: engines and clients
__init__: the public names
__main__: the command
"""


def rust_imports(file: Path, _folder: Path) -> Iterator[str]:
    # Unit tests may use any module, and follow the code.
    code = file.read_text().split("\n#[cfg(test)]\nmod tests", 1)[0]
    code = re.sub(r"^\s*//.*$", "", code, flags=re.MULTILINE)
    yield from re.findall(r"\bcrate::(\w+)", code)


def typescript_imports(file: Path, folder: Path) -> Iterator[str]:
    for path in re.findall(r'^(?:import|export|\} from)\b.*"(\.[^"]+)";$', file.read_text(), flags=re.MULTILINE):
        place = (file.parent / path).resolve().relative_to(folder)
        yield place.parts[0].removesuffix(".js").removesuffix(".wasm")


def python_imports(file: Path, folder: Path) -> Iterator[str]:
    package = [folder.name, *file.relative_to(folder).parent.parts]
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            names = [".".join([*base, *filter(None, [node.module]), alias.name]) for alias in node.names]
        else:
            continue
        for name in names:
            top, _, rest = name.partition(".")
            if top == folder.name:
                module = rest.partition(".")[0]
                # A name of the package itself comes from its `__init__`.
                is_module = any((folder / (module + suffix)).exists() for suffix in ["", ".py", ".pyi"])
                yield module if module and is_module else "__init__"


# Each part: its folder, the suffixes of its files, its order and the reader of a file's imports.
PARTS = [
    ("core/src", ".rs", CORE, rust_imports),
    ("npm/src", ".ts", NPM, typescript_imports),
    ("python/src/smithy_waiters", ".py", PYTHON, python_imports),
]


def check(folder: str, suffix: str, order: str, imports: Callable[[Path, Path], Iterator[str]]) -> list[str]:
    lines = [line.partition(":")[0].split(", ") for line in order.strip().splitlines()]
    rank = {name: number for number, line in enumerate(lines) for name in line}
    faults = []
    for file in sorted((ROOT / folder).rglob("*" + suffix)):
        path = file.relative_to(ROOT / folder)
        module = path.parts[0].removesuffix(suffix)
        for other in [module, *imports(file, ROOT / folder)]:
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
