"""Compares the definitions in the generated waiters of SDKs with the suites: missing waiters, delays and acceptors.

Usage: drift.py SUITES [--go FOLDER…] [--java JAR…] [--js FOLDER…] [--rust FOLDER…]. The folders and jars are packages;
others are ignored. Writes `results/drift.json`, in which an SDK without packages keeps its part.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import re
import subprocess
import zipfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

RESULT = Path(__file__).parent / "results/drift.json"
NAMES = {
    "go": "AWS SDK for Go v2",
    "java": "AWS SDK for Java 2.x",
    "js": "AWS SDK for JavaScript",
    "rust": "AWS SDK for Rust",
}
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


def of_js(package: Path) -> Iterator[tuple[str, Definition]]:
    """Read a package of the AWS SDK for JavaScript."""
    for file in package.glob("dist-es/waiters/waitFor*.js"):
        text = file.read_text()
        delays = re.search(r"minDelay: (\d+), maxDelay: (\d+)", text)
        # The last state is the one of responses that no acceptor matches.
        found = [state.lower() for state in re.findall(r"state: WaiterState\.(\w+)", text)][:-1]
        if delays:
            yield file.stem.removeprefix("waitFor"), Definition((int(delays[1]), int(delays[2])), states(found))


def of_go(package: Path) -> Iterator[tuple[str, Definition]]:
    """Read a module of the AWS SDK for Go."""
    for file in package.glob("api_op_*.go"):
        text = file.read_text()
        for waiter in re.findall(r"^func New(\w+)Waiter\(", text, re.MULTILINE):
            maker = part(text, f"func New{waiter}Waiter(")
            delays = [int(delay) for delay in re.findall(r"options\.M\w\wDelay = (\d+) \* time\.Second", maker)]
            body = part(text, f"func {waiter[0].lower()}{waiter[1:]}StateRetryable(")
            matched = body.rpartition("\n\tif err != nil {\n")[0]
            returns = re.findall(
                r'\treturn (false, nil|true, nil|false, fmt\.Errorf\("waiter state transitioned)', matched
            )
            kinds = {"false, nil": "success", "true, nil": "retry"}
            if len(delays) == len(DEFAULTS):
                yield waiter, Definition((delays[0], delays[1]), states(kinds.get(one, "failure") for one in returns))


def of_java(package: Path) -> Iterator[tuple[str, Definition]]:
    """Read a jar of the AWS SDK for Java. Its waiters exist only as classes, which `javap` prints."""
    with zipfile.ZipFile(package) as jar:
        names = [name for name in jar.namelist() if re.search(r"/waiters/Default\w+(?<!Async)Waiter\.class$", name)]
    for name in names:
        command = ["javap", "-p", "-c", "-cp", str(package), name.removesuffix(".class").replace("/", ".")]
        code = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603
        # A method ends with an empty line.
        methods = {found[1]: part for part in code.split("\n\n") if (found := re.search(r" (\w+)\([^\n]*\);\n", part))}
        for method, text in methods.items():
            waiter = method.removesuffix("WaiterConfig")
            delay = re.search(r"(?:lconst_|// long )(\d+)[^\n]*\n[^\n]*Duration\.ofSeconds", text)
            if method != waiter and delay:
                # An acceptor of a status has the state as an argument.
                pattern = r"WaiterAcceptor\.([a-z]+)On\w+Acceptor:|WaiterState\.([A-Z]+):"
                acceptors = re.findall(pattern, methods[f"{waiter}WaiterAcceptors"])
                found = [(kind or state).lower().replace("error", "failure") for kind, state in acceptors]
                yield waiter, Definition((int(delay[1]), int(delay[1])), states(found))


def of_rust(package: Path) -> Iterator[tuple[str, Definition]]:
    """Read a crate of the AWS SDK for Rust."""
    for file in package.glob("src/waiters/*.rs"):
        text = file.read_text()
        name = re.search(r"pub struct (\w+)FluentBuilder", text)
        delays = re.findall(r"Duration::from_secs\((\d+)\)", text)
        found = [state.lower() for state in re.findall(r"AcceptorState::(\w+);", text)]
        if name and len(delays) == len(DEFAULTS):
            yield name[1], Definition((int(delays[0]), int(delays[1])), states(x for x in found if x in STATES))


READERS = {"go": of_go, "java": of_java, "js": of_js, "rust": of_rust}


def package_of(sdk: str, packages: list[Path], sdk_id: str) -> Path | None:
    """Return the package of a service."""
    name = sdk_id.lower().replace(" ", "-" if sdk == "js" else "")
    pattern = {
        "go": rf"{name}@.*",
        "java": rf"{name}-\d.*\.jar",
        "js": f"client-{name}",
        "rust": rf"aws-sdk-{name}-\d.*",
    }
    return next((package for package in packages if re.fullmatch(pattern[sdk], package.name)), None)


def part(text: str, start: str) -> str:
    """Return a function of Go."""
    begin = text.find(f"\n{start}")
    return "" if begin < 0 else text[begin : text.index("\n}\n", begin)]


def compare(suites: list[dict[str, Any]], sdk: str, packages: list[Path]) -> dict[str, Any]:
    """Return what differs between the suites and an SDK."""
    result: dict[str, Any] = {"services": 0, "waiters": 0, "missing": [], "more": [], "delays": {}, "acceptors": {}}
    result["date"] = str(dt.datetime.now(tz=dt.timezone.utc).date())
    for suite in suites:
        package = package_of(sdk, packages, suite["service"].get("sdkId") or "")
        theirs = {name.lower(): (name, definition) for name, definition in READERS[sdk](package)} if package else {}
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
            # The delays of Java are fixed, as botocore's are.
            delays = 1 if sdk == "java" else 2
            if expected.delays[:delays] != found.delays[:delays]:
                result["delays"][waiter] = [expected.delays, found.delays]
            if expected.states != found.states:
                result["acceptors"][waiter] = [dict(expected.states), dict(found.states)]
    return result


def main() -> None:
    """Run the program."""
    parser = argparse.ArgumentParser()
    parser.add_argument("suites", type=Path)
    for sdk in NAMES:
        parser.add_argument(f"--{sdk}", type=Path, nargs="*", default=[])
    options = vars(parser.parse_args())
    suites = [json.loads(file.read_text()) for file in sorted(options["suites"].glob("*.json"))]
    drift = json.loads(RESULT.read_text())
    drift |= {NAMES[sdk]: compare(suites, sdk, options[sdk]) for sdk in NAMES if options[sdk]}
    RESULT.write_text(json.dumps(drift, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
