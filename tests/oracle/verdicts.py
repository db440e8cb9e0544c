"""Compute verdicts on random responses and errors of AWS's services with third-party interpreters.

`verdicts.py RANDOM MODELS BOTOCORE OUT` writes a file for each model. It contains the definition of each waiter, and
responses and errors with the verdicts that the specification requires. jmespath.py evaluates the paths. The program
also evaluates each response with botocore's waiter, and fails if the states differ, which checks the conversion of
botocore's definitions.

`cargo xtask test` runs it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jmespath
from botocore.waiter import SingleWaiterConfig
from jmespath.exceptions import JMESPathError

SEED = 7
RESPONSES = 100

# The status of a modeled error without a status.
BAD_REQUEST = 400

WAITABLE = "smithy.waiters#waitable"


def main(program: str, models: Path, botocore: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    folders = {identity(folder): folder for folder in botocore.iterdir()}
    differing = []
    states = verdicts = 0
    for path in sorted(models.glob("*.json")):
        shapes = json.loads(path.read_text("utf-8"))["shapes"]
        acceptors = json.loads((folders[path.stem] / "waiters-2.json").read_text("utf-8"))["waiters"]
        command = [program, str(path), str(RESPONSES), str(SEED)]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        random = {line["waiter"]: line["cases"] for line in map(json.loads, printed.splitlines())}
        written = []
        for operation, name, definition in waiters(shapes):
            errors = errors_of(shapes, operation, definition)
            cases = [*random[name], *({"input": {}, "error": code} for code in errors)]
            theirs = SingleWaiterConfig(acceptors[name]).acceptors
            for case in cases:
                case["expected"] = verdict(definition, case)
                verdicts += 1
                state = botocore_state(theirs, case, errors)
                if state is not None:
                    states += 1
                    if state != case["expected"]["state"]:
                        differing.append((path.stem, name, state, case))
            written.append({"operation": operation, "waiter": name, "definition": definition, "cases": cases})
        (out / path.name).write_text(json.dumps(written), "utf-8")
    for one in differing[:10]:
        print(one, file=sys.stderr)
    print(f"{verdicts} verdicts; botocore's state is the same on {states - len(differing)} of {states}")
    sys.exit(bool(differing))


def identity(folder: Path) -> str:
    """Return the name of a service's model."""
    metadata = json.loads((folder / "service-2.json").read_text("utf-8"))["metadata"]
    return str(metadata["serviceId"]).lower().replace(" ", "-")


def waiters(shapes: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (operation, name, definition)
        for operation, shape in shapes.items()
        for name, definition in shape.get("traits", {}).get(WAITABLE, {}).items()
    ]


def errors_of(shapes: dict[str, Any], operation: str, definition: dict[str, Any]) -> dict[str, int]:
    """Return the codes and statuses of the errors in the definition and the model, and of another error."""
    found = {"SomethingElse": BAD_REQUEST}
    for acceptor in definition["acceptors"]:
        code = acceptor["matcher"].get("errorType")
        if code is not None:
            found[code] = 404 if code == "NotFound" else int(code) if code.isdecimal() else BAD_REQUEST
    for reference in shapes[operation].get("errors", []):
        traits = shapes[reference["target"]]["traits"]
        code = traits.get("aws.protocols#awsQueryError", {}).get("code", reference["target"].rpartition("#")[2])
        found[code] = traits.get("smithy.api#httpError", BAD_REQUEST)
    return found


def verdict(definition: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    for index, acceptor in enumerate(definition["acceptors"]):
        if matches(acceptor["matcher"], case):
            return {"state": acceptor["state"], "acceptor": index}
    return {"state": "failure" if "error" in case else "retry", "acceptor": None}


def matches(matcher: dict[str, Any], case: dict[str, Any]) -> bool:
    ((kind, value),) = matcher.items()
    if kind == "success":
        return value is ("error" not in case)
    if kind == "errorType":
        return case.get("error") == value
    if "error" in case:
        return False
    given = case["output"] if kind == "output" else {"input": case["input"], "output": case["output"]}
    try:
        found = jmespath.search(value["path"], given)
    except JMESPathError:
        return False
    return compare(value["comparator"], value["expected"], found)


def compare(comparator: str, expected: str, found: object) -> bool:
    if comparator == "stringEquals":
        return isinstance(found, str) and found == expected
    if comparator == "booleanEquals":
        return isinstance(found, bool) and found is (expected == "true")
    if not isinstance(found, list) or not found:
        return False
    same = [isinstance(item, str) and item == expected for item in found]
    return all(same) if comparator == "allStringEquals" else any(same)


def botocore_state(acceptors: list[Any], case: dict[str, Any], errors: dict[str, int]) -> str | None:
    """Return the state of botocore's waiter, or `None` if it does not decide."""
    if "error" in case:
        code = case["error"]
        response = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": errors[code]}}
    elif isinstance(case["output"], dict) and "Error" not in case["output"]:
        response = {**case["output"], "ResponseMetadata": {"HTTPStatusCode": 200}}
    else:
        return None
    for acceptor in acceptors:
        try:
            if acceptor.matcher_func(response):
                return str(acceptor.state)
        except JMESPathError:
            return None
    return "failure" if "error" in case else "retry"


if __name__ == "__main__":
    main(sys.argv[1], *map(Path, sys.argv[2:]))
