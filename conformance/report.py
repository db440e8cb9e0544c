"""Writes RESULTS.md from the files in `results`: one for each SDK, and that of `drift.py`.

Usage: report.py [FOLDER]. The folder has a folder for each SDK that was played, with the output of
`smithy-waiters conformance run --out` for each part. They replace the SDK's file in `results`.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import sys
from collections import Counter
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
DRIFT = "drift.json"
CLASSES: list[dict[str, Any]] = json.loads((HERE / "differences/classes.json").read_text())
OTHERS: dict[str, Any] = {"name": "others", "title": "Others", "match": [], "programs": [], "threads": []}
DRIFTS: dict[str, Any] = json.loads((HERE / "results" / DRIFT).read_text())
LONGEST = 120

FORMS = {"match", "with-namespace", "with-uri", "in-body", "shape-name"}

Result = dict[str, Any]

# The parts of a run, and their titles. `core` counts first.
PARTS = {"core": "`core`", "aws": "AWS's waiters", "behaviour": "whole waits"}
# Whole waits are played twice.
TWICE = ("behaviour-1.json", "behaviour-2.json")
EQUAL_DELAYS = "different delays"

HEAD = """# Results

`cargo xtask deep --only conformance-sdks` generates this file from the files in `results`. The same player plays the
tests of this folder over HTTP with each SDK's own waiters, ours included. An SDK that cannot be installed keeps the row
of its last run. Each row has its date.

An SDK is judged by the contract that it declares. The waiters of botocore and of the AWS SDK for Java are not
Smithy's: they have a number of attempts and a fixed delay. Such a difference is not a defect. The tests of AWS's
waiters are derived from botocore's definitions, from which those of the other SDKs [differ](#definitions) in a few
places.

## Verdicts

The cells of the parts have the number of cases that end as expected, and the number of cases that could be played. An
SDK without a number cannot play the part: [`RUNNERS.md`](RUNNERS.md#the-synthetic-service) describes who can play
`core`.

One defect can change many cases, so compare the classes, not the cases.

"""

IMPOSSIBLE = """
Verdicts are not possible if the SDK lacks something. The numbers of cases are in parentheses. When the list of packages
in `runners/js` was written, the registry had no client for some services, and an old one for others.

"""

SERVICES = """
Some runners have a few services, because their clients take long to compile, download or create:

"""

BEHAVIOURS = """
## Delays and deadlines

Most of these are choices, so nothing here is a judgement. Times depend on the load of the machine that runs the tests.
So each wait is played twice, and a cell has what differed both times, with the times of the first; equal delays in one
of the two are enough. An empty cell means: as the test describes it.

"""

DEFINITIONS = """
## Definitions

The definitions in the code of the other SDKs, in the packages that the runners use, compared with botocore's. botocore
has fixed delays, so a longest delay other than 120 s, which is the default of the specification, is one that botocore
does not have. The delays of the AWS SDK for Java are fixed, too.

"""


def table(head: list[str], rows: list[list[object]]) -> str:
    """Return a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(str(cell) for cell in line) + " |\n" for line in lines)


def short(text: str) -> str:
    """Return the start of a text for a cell."""
    text = " ".join(text.split()).replace("|", "or")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def is_of(one: dict[str, Any], case: str, record: dict[str, Any]) -> bool:
    """Return whether a case that failed belongs to a class."""

    def is_match(match: dict[str, str]) -> bool:
        has_got = match.get("got") in {None, record["got"]}
        return fnmatchcase(case, match["id"]) and has_got and match.get("reason", "") in record["reason"]

    return any(is_match(match) for match in one["match"])


def is_other_definition(sdk: str, case: str) -> bool:
    """Return whether a case needs an acceptor, and the SDK has other acceptors for its waiter."""
    parts = re.fullmatch(r"(.+)\.a\d+\.([\w-]+)", case)
    others = DRIFTS.get(sdk, {"acceptors": {}})["acceptors"]
    return parts is not None and parts[1] in others and parts[2] in FORMS


def classify(result: Result) -> dict[str, list[str]]:
    """Return the ids of the cases that differ, by class. Open ones count against nobody, but are worth to see."""
    found: dict[str, list[str]] = {}
    # A difference of definitions explains a case before one of engines does.
    classes = sorted(CLASSES, key=lambda one: not one.get("definition"))
    for case, record in sorted(result["cases"].items()):
        if record["outcome"] != "unsupported":
            names = [one["name"] for one in classes if is_of(one, case, record)]
            names = ["definitions"] if is_other_definition(result["sdk"], case) else names
            found.setdefault(names[0] if names else OTHERS["name"], []).append(case)
    return found


def verdicts(results: list[Result]) -> str:
    """Return the table of SDKs."""
    rows: list[list[object]] = []
    for result in results:
        found = classify(result)
        differing = [case for cases in found.values() for case in cases]
        cells = [ratio(result["counts"].get(part, {})) for part in PARTS]
        totals = sum((Counter(counts) for counts in result["counts"].values()), Counter[str]())
        names = [result["sdk"], result["version"], result["contract"], result["date"]]
        rows.append([*names, *cells, totals["unsupported"], len(found), len(differing), totals["open"]])
    head = ["SDK", "version", "contract", "date", *PARTS.values(), "not possible", "classes", "cases that differ"]
    return table([*head, "of them open"], rows)


def ratio(counts: dict[str, int]) -> str:
    """Return the numbers of cases as expected, and of all that could be played."""
    played = sum(counts.values()) - counts.get("unsupported", 0)
    return f"{counts.get('pass', 0)} of {played}" if played else ""


def impossible(results: list[Result]) -> str:
    """Return the reasons for cases that are not possible, and the services of runners that don't have all."""
    lines = []
    for result in results:
        reasons = ", ".join(f"{reason} ({count})" for reason, count in sorted(result["unsupported"].items()))
        lines += [f"- **{result['sdk']}**: {reasons}\n"] if reasons else []
    services = [
        f"- **{result['sdk']}**: {', '.join(sorted({*result['suites']} - PARTS.keys()))}\n"
        for result in results
        if {*result.get("suites", [])} - PARTS.keys()
    ]
    return IMPOSSIBLE + "".join(lines) + SERVICES + "".join(services)


def differences(results: list[Result]) -> str:
    """Return a section for each class."""
    text = "\n## Classes of difference\n"
    found = {result["sdk"]: classify(result) for result in results}
    for one in [*CLASSES, OTHERS]:
        lines = []
        for result in results:
            cases = found[result["sdk"]].get(one["name"])
            if cases:
                records = [result["cases"][case] for case in cases]
                is_open = all(record["outcome"] == "open" for record in records)
                differs = is_open or result["contract"] != "smithy" or one.get("definition")
                word = "differs" if differs else "deviates"
                reason = short(records[0]["reason"])
                number = "1 case" if len(cases) == 1 else f"{len(cases)} cases"
                what = f"{word} in {number}, such as `{cases[0]}`"
                lines.append(f"- **{result['sdk']}** {what}: {reason}\n")
        if lines:
            text += f"\n### {one['title']}\n\n"
            text += f"{one['rule']} ([text]({one['clause']})).\n\n" if "rule" in one else ""
            text += f"> {one['words']}\n\n" if "words" in one else ""
            text += "".join(lines)
            programs = ", ".join(f"[`{name}`](differences/{name})" for name in one["programs"])
            text += f"\nTo see it without this project: {programs}\n" if programs else ""
            threads = ", ".join(f"<{thread}>" for thread in one["threads"])
            text += f"\nPublic threads: {threads or 'none known'}\n" if "rule" in one else ""
    return text


def behaviours(results: list[Result]) -> str:
    """Return the table of whole waits."""
    suites = [json.loads(file.read_text()) for file in sorted((HERE / "behaviour").glob("*.json"))]

    def cell(result: Result, case: str) -> str:
        record = result["cases"].get(case)
        if record is None:
            return ""
        return "not possible" if record["outcome"] == "unsupported" else short(record["reason"])

    ids = [case["id"] for suite in suites for case in suite["cases"]]
    rows: list[list[object]] = [[name, *(cell(result, name) for result in results)] for name in ids]
    return table(["wait", *(result["sdk"] for result in results)], rows)


def definitions(found: dict[str, Any]) -> str:
    """Return the tables of definitions."""
    parts = ["missing", "delays", "acceptors"]
    sdks: list[list[object]] = [
        [sdk, one["date"], one["services"], one["waiters"], *(len(one[part]) for part in parts)]
        for sdk, one in sorted(found.items())
    ]
    rows: dict[tuple[str, str, str], list[str]] = {}
    for sdk, one in sorted(found.items()):
        name = sdk.removeprefix("AWS SDK for ")
        for waiter, delays in one["delays"].items():
            ours, theirs = (f"{least} s" if least == most else f"{least} to {most} s" for least, most in delays)
            rows.setdefault((waiter, ours, theirs), []).append(name)
        for waiter, counts in one["acceptors"].items():
            ours, theirs = (", ".join(f"{n} {state}" for state, n in states.items()) for states in counts)
            rows.setdefault((waiter, f"acceptors: {ours}", theirs), []).append(name)
        for waiter in one["missing"]:
            rows.setdefault((waiter, "exists", "missing"), []).append(name)
    head = ["SDK", "date", "services", "waiters", "missing", "other delays", "other acceptors"]
    lines: list[list[object]] = [[f"`{key[0]}`", *key[1:], ", ".join(names)] for key, names in sorted(rows.items())]
    return table(head, sdks) + "\n" + table(["waiter", "botocore", "others", "in"], lines)


def merge(folder: Path) -> Result:
    """Return the result of all parts of an SDK's run."""
    runs: dict[str, Result] = {file.name: json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))}
    parts = {name: runs[f"{name}.json"] for name in PARTS if f"{name}.json" in runs}
    parts["behaviour"] = of_both(*(runs[name] for name in TWICE))
    result: Result = {**parts["behaviour"], "date": str(dt.datetime.now(tz=dt.timezone.utc).date())}
    result["counts"] = {name: part["counts"] for name, part in parts.items()}
    result["seconds"] = sum(run["seconds"] for run in runs.values())
    result["unsupported"] = dict(sum((Counter(part["unsupported"]) for part in parts.values()), Counter[str]()))
    cases = {case: record for part in parts.values() for case, record in part["cases"].items()}
    # The kit has the cases themselves.
    result["cases"] = {
        case: {name: value for name, value in record.items() if name != "case"} for case, record in cases.items()
    }
    return result


def of_both(one: Result, other: Result) -> Result:
    """Return what differed in both runs. The rest depends on the load of the machine."""
    cases = {}
    for case in one["cases"] | other["cases"]:
        records = [run["cases"].get(case, {"reason": ""}) for run in (one, other)]
        first, second = (record["reason"].split("; ") for record in records)
        seen = {violation.partition(":")[0] for violation in second}
        common = [violation for violation in first if violation.partition(":")[0] in seen]
        # Load makes equal delays different, and never different ones equal.
        common += [violation for violation in {*first, *second} - {*common} if EQUAL_DELAYS in violation]
        reason = "; ".join(filter(None, common))
        if reason:
            cases[case] = {**max(records, key=len), "reason": reason}
    counts = Counter(record["outcome"] for record in cases.values())
    counts["pass"] = sum(one["counts"].values()) - counts.total()
    return {**one, "cases": cases, "counts": dict(counts)}


def main() -> None:
    """Run the program."""
    for folder in sorted(Path(sys.argv[1]).iterdir()) if sys.argv[1:] else []:
        text = json.dumps(merge(folder), indent=2, ensure_ascii=False)
        (HERE / f"results/{folder.name}.json").write_text(f"{text}\n")
    files = [file for file in sorted((HERE / "results").glob("*.json")) if file.name != DRIFT]
    results = [json.loads(file.read_text()) for file in files]
    results.sort(key=lambda result: result["sdk"].lower())
    text = HEAD + verdicts(results) + impossible(results) + differences(results) + BEHAVIOURS + behaviours(results)
    text += DEFINITIONS + definitions(DRIFTS)
    (HERE / "RESULTS.md").write_text(text)


if __name__ == "__main__":
    main()
