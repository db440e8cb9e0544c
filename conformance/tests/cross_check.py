"""Compare derived suites with third-party interpreters.

`cross_check.py SUITES BOTOCORE` reads verdict suites and botocore's definitions. For each case it computes

- the verdict on the values, with jmespath.py and the comparators of the specification;
- the state of botocore's own waiter on the HTTP response, read by botocore's own parser.

It prints each class of difference. A difference that is not in `EXPECTED` fails the run.
"""

from __future__ import annotations

import base64
import collections
import gzip
import json
import sys
from pathlib import Path
from typing import Any

import jmespath
from botocore.model import ServiceModel
from botocore.parsers import create_parser
from botocore.waiter import SingleWaiterConfig
from jmespath.exceptions import JMESPathError

# The classes of differences, with the peer. Each has its reason in conformance/README.md.
EXPECTED = {
    "botocore: raises a type error, which the specification leaves open",
    "botocore: compares the code where the definition names the shape of the error",
}

PROTOCOLS = {
    "awsJson1_0": "json",
    "awsJson1_1": "json",
    "restJson1": "rest-json",
    "awsQuery": "query",
    "ec2Query": "ec2",
    "restXml": "rest-xml",
    "rpcv2Cbor": "smithy-rpc-v2-cbor",
}


def main(suites: Path, botocore: Path) -> None:
    found: dict[str, list[str]] = collections.defaultdict(list)
    counts: collections.Counter[str] = collections.Counter()
    for path in sorted(suites.glob("*.json")):
        suite = json.loads(path.read_text("utf-8"))
        if suite["kind"] != "verdicts":
            continue
        for case in suite["cases"]:
            counts["cases"] += 1
            counts[case["basis"]] += 1
            verdict = evaluate(suite["waiters"][case["waiter"]], case)
            if verdict not in accepted(case):
                found["jmespath.py: another verdict"].append(f"{case['id']}: {verdict}")
        name = suite["service"].get("botocore")
        if name is not None:
            compare_botocore(suite, service(botocore / name), found, counts)
    for kind, all_ids in sorted(found.items()):
        # A case has bytes in several protocols.
        ids = sorted(set(all_ids))
        print(f"{kind}: {len(ids)}")
        for one in ids[: 3 if kind in EXPECTED else 20]:
            print(f"  {one}")
    print("conformance: " + ", ".join(f"{number} {name}" for name, number in counts.items()))
    sys.exit(bool(set(found) - EXPECTED))


def accepted(case: dict[str, Any]) -> list[dict[str, Any]]:
    return [case["expect"], *case.get("also", [])]


def evaluate(waiter: dict[str, Any], case: dict[str, Any]) -> dict[str, Any]:
    answer = case["answer"]
    params = case.get("params", waiter["params"])
    for index, acceptor in enumerate(waiter["definition"]["acceptors"]):
        if matches(acceptor["matcher"], answer, params):
            return {"state": acceptor["state"], "acceptor": index}
    return {"state": "failure" if "error" in answer else "retry", "acceptor": None}


def matches(matcher: dict[str, Any], answer: dict[str, Any], params: dict[str, Any]) -> bool:
    ((kind, value),) = matcher.items()
    if kind == "success":
        return value is ("error" not in answer)
    if kind == "errorType":
        error = answer.get("error", {})
        return value.rpartition("#")[2] in (error.get("code"), error.get("shape"))
    if "error" in answer:
        return False
    output = answer["output"]
    try:
        found = jmespath.search(value["path"], output if kind == "output" else {"input": params, "output": output})
    except JMESPathError:
        return False
    expected = value["expected"]
    if value["comparator"] == "stringEquals":
        return isinstance(found, str) and found == expected
    if value["comparator"] == "booleanEquals":
        return isinstance(found, bool) and found is (expected == "true")
    same = [item == expected for item in found] if isinstance(found, list) else []
    return bool(same) and (all(same) if value["comparator"] == "allStringEquals" else any(same))


def service(folder: Path) -> tuple[ServiceModel, dict[str, Any]]:
    """Return the model and the waiters of a service, from `NAME/FILE` or the newest `NAME/VERSION/FILE`."""
    if not (folder / "service-2.json").exists():
        folder = max(path for path in folder.iterdir() if path.is_dir())

    def read(name: str) -> Any:
        if (folder / name).exists():
            return json.loads((folder / name).read_text("utf-8"))
        return json.loads(gzip.decompress((folder / f"{name}.gz").read_bytes()))

    return ServiceModel(read("service-2.json"), folder.name), read("waiters-2.json")["waiters"]


def compare_botocore(
    suite: dict[str, Any],
    theirs: tuple[ServiceModel, dict[str, Any]],
    found: dict[str, list[str]],
    counts: collections.Counter[str],
) -> None:
    model, waiters = theirs
    for case in suite["cases"]:
        answer = case["answer"]
        operation = model.operation_model(suite["waiters"][case["waiter"]]["operation"])
        acceptors = SingleWaiterConfig(waiters[case["waiter"]]).acceptors
        written = {suite["service"]["protocol"]: answer.get("http"), **answer.get("otherProtocols", {})}
        for protocol, http in written.items():
            if http is None:
                found["no bytes"].append(case["id"])
                continue
            counts[protocol] += 1
            try:
                parsed = parse(http, protocol, operation)
            except Exception as error:  # noqa: BLE001
                found["botocore: cannot parse the response"].append(f"{case['id']}: {error!r}")
                continue
            state = botocore_state(acceptors, parsed)
            known = [one["state"] for one in accepted(case)]
            if state == "type error" and case["basis"] == "open":
                found["botocore: raises a type error, which the specification leaves open"].append(case["id"])
            elif state not in known:
                given = answer.get("error", {})
                names_shape = given.get("shape", given.get("code")) != given.get("code")
                kind = (
                    "compares the code where the definition names the shape of the error"
                    if names_shape
                    else "another state"
                )
                found[f"botocore: {kind}"].append(
                    f"{case['id']}: {state}, expected {known}, {json.dumps(parsed)[:300]}"
                )
            if "output" in answer:
                read = json.loads(
                    json.dumps({key: value for key, value in parsed.items() if key != "ResponseMetadata"}, default=str)
                )
                if without_empty(read) != without_empty(answer["output"]):
                    found["botocore: reads other values from the bytes"].append(
                        f"{case['id']}: {read} {answer['output']}"
                    )


def without_empty(value: Any) -> Any:
    """Return a value without empty members: XML has no difference between an empty and an absent one."""
    if isinstance(value, dict):
        members = {key: without_empty(item) for key, item in value.items()}
        return {key: item for key, item in members.items() if item not in (None, {}, [])}
    return [without_empty(item) for item in value] if isinstance(value, list) else value


def parse(http: dict[str, Any], protocol: str, operation: Any) -> Any:
    body = base64.b64decode(http["bodyBase64"]) if "bodyBase64" in http else http.get("body", "").encode()
    response = {"status_code": http["status"], "headers": http["headers"], "body": body}
    return create_parser(PROTOCOLS[protocol]).parse(response, operation.output_shape)


def botocore_state(acceptors: list[Any], response: dict[str, Any]) -> str:
    for acceptor in acceptors:
        try:
            if acceptor.matcher_func(response):
                return str(acceptor.state)
        except JMESPathError:
            return "type error"
    return "failure" if "Error" in response else "retry"


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
