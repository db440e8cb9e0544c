"""Compares the definitions in the generated waiters of SDKs with the suites: missing waiters, delays and acceptors.

Usage: drift.py SUITES [--go FOLDER] [--js FOLDER] [--rust FOLDER]. A folder contains the SDK's packages. Prints JSON.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DEFAULTS = {"minDelay": 2, "maxDelay": 120}
STATES = {"success", "failure", "retry"}


class Definition(NamedTuple):
    """The delays in generated code, and the number of acceptors of each state."""

    delays: tuple[float, float]
    states: tuple[tuple[str, int], ...]


def states(found: Any) -> tuple[tuple[str, int], ...]:
    """Count states."""
    return tuple(sorted(Counter(found).items()))


def of_suite(waiter: dict[str, Any]) -> Definition:
    """Return the definition in a suite."""
    definition = {**DEFAULTS, **waiter["definition"]}
    delays = (definition["minDelay"], max(definition["minDelay"], definition["maxDelay"]))
    return Definition(delays, states(acceptor["state"] for acceptor in definition["acceptors"]))


def of_js(folder: Path, sdk_id: str) -> Iterator[tuple[str, Definition]]:
    """Read a package of the AWS SDK for JavaScript."""
    for file in folder.glob(f"client-{sdk_id.lower().replace(' ', '-')}/dist-es/waiters/waitFor*.js"):
        text = file.read_text()
        delays = re.search(r"minDelay: (\d+), maxDelay: (\d+)", text)
        # The last state is the one of responses that no acceptor matches.
        found = [state.lower() for state in re.findall(r"state: WaiterState\.(\w+)", text)][:-1]
        if delays:
            yield file.stem.removeprefix("waitFor"), Definition((int(delays[1]), int(delays[2])), states(found))


def of_go(folder: Path, sdk_id: str) -> Iterator[tuple[str, Definition]]:
    """Read a module of the AWS SDK for Go."""
    for file in folder.glob(f"{sdk_id.lower().replace(' ', '')}@*/api_op_*.go"):
        text = file.read_text()
        for waiter in re.findall(r"^func New(\w+)Waiter\(", text, re.MULTILINE):
            maker = part(text, f"func New{waiter}Waiter(")
            delays = [int(delay) for delay in re.findall(r"options\.M\w\wDelay = (\d+) \* time\.Second", maker)]
            body = part(text, f"func {waiter[0].lower()}{waiter[1:]}StateRetryable(")
            # The first parts of names in capitals are lower case.
            body = body or part(text, f"func {lower_first(waiter)}StateRetryable(")
            matched = body.rpartition("\n\tif err != nil {\n")[0]
            returns = re.findall(
                r'\treturn (false, nil|true, nil|false, fmt\.Errorf\("waiter state transitioned)', matched
            )
            kinds = {"false, nil": "success", "true, nil": "retry"}
            if len(delays) == len(DEFAULTS):
                yield waiter, Definition((delays[0], delays[1]), states(kinds.get(one, "failure") for one in returns))


def lower_first(name: str) -> str:
    """Return a name with its leading capitals in lower case, as in `dBInstance` and `vpcExists`."""
    return name[0].lower() + name[1:]


def of_rust(folder: Path, sdk_id: str) -> Iterator[tuple[str, Definition]]:
    """Read a crate of the AWS SDK for Rust."""
    for file in folder.glob(f"aws-sdk-{sdk_id.lower().replace(' ', '')}-1*/src/waiters/*.rs"):
        text = file.read_text()
        name = re.search(r"pub struct (\w+)FluentBuilder", text)
        delays = re.findall(r"Duration::from_secs\((\d+)\)", text)
        found = [state.lower() for state in re.findall(r"AcceptorState::(\w+);", text)]
        if name and len(delays) == len(DEFAULTS):
            yield name[1], Definition((int(delays[0]), int(delays[1])), states(x for x in found if x in STATES))


def part(text: str, start: str) -> str:
    """Return a function of Go."""
    begin = text.find(f"\n{start}")
    return "" if begin < 0 else text[begin : text.index("\n}\n", begin)]


def compare(suites: list[dict[str, Any]], read: Callable[[str], Iterator[tuple[str, Definition]]]) -> dict[str, Any]:
    """Return what differs between the suites and an SDK."""
    result: dict[str, Any] = {"services": 0, "waiters": 0, "missing": [], "more": [], "delays": {}, "acceptors": {}}
    for suite in suites:
        theirs = {name.lower(): (name, definition) for name, definition in read(suite["service"].get("sdkId") or "")}
        if not theirs:
            continue
        result["services"] += 1
        ours = {name.lower(): name for name in suite["waiters"]}
        result["more"] += [f"{suite['suite']}.{theirs[name][0]}" for name in sorted(theirs.keys() - ours.keys())]
        for key, name in ours.items():
            waiter = f"{suite['suite']}.{name}"
            if key not in theirs:
                result["missing"].append(waiter)
                continue
            result["waiters"] += 1
            expected, found = of_suite(suite["waiters"][name]), theirs[key][1]
            if expected.delays != found.delays:
                result["delays"][waiter] = [expected.delays, found.delays]
            if expected.states != found.states:
                result["acceptors"][waiter] = [dict(expected.states), dict(found.states)]
    return result


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser()
    parser.add_argument("suites", type=Path)
    readers = {"go": of_go, "js": of_js, "rust": of_rust}
    names = {"go": "AWS SDK for Go v2", "js": "AWS SDK for JavaScript", "rust": "AWS SDK for Rust"}
    for option in readers:
        parser.add_argument(f"--{option}", type=Path)
    options = vars(parser.parse_args())
    suites = [json.loads(file.read_text()) for file in sorted(options["suites"].glob("*.json"))]
    drift = {
        names[option]: compare(suites, lambda sdk_id, r=reader, o=option: r(options[o], sdk_id))
        for option, reader in readers.items()
        if options[option]
    }
    print(json.dumps(drift, indent=1, sort_keys=True))


if __name__ == "__main__":
    main()
