"""Compare generated Python with the interpreter on random responses, which do not always have the shape of the model.

The program `RANDOM` creates the responses with the interpreter's verdicts; `ROUNDS` is the number of rounds.
"""

from __future__ import annotations

import importlib
import inspect
import json
import keyword
import os
import subprocess
import sys
from base64 import b64decode
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, os.environ["GENERATED_PYTHON"])

MODELS = [Path(model) for model in os.environ["MODELS"].split(":")]
ROUNDS = int(os.environ.get("ROUNDS", "1"))
# The number of responses for each waiter in a round.
COUNT = 40


def responses(model: Path, seed: int) -> list[Any]:
    program = os.environ["RANDOM"]
    made = subprocess.run(  # noqa: S603 - our own program.
        [program, "responses", str(model), str(COUNT), str(seed)], stdout=subprocess.PIPE, check=True
    )
    return [hosted(json.loads(line)) for line in made.stdout.splitlines()]


def hosted(value: Any) -> Any:
    """Convert a JSON value to a client's value: a string may represent bytes or a time."""
    if isinstance(value, dict):
        return {name: hosted(member) for name, member in value.items()}
    if isinstance(value, list):
        return [hosted(item) for item in value]
    kind, _, told = value.partition(":") if isinstance(value, str) else ("", "", "")
    if kind == "bytes":
        return b64decode(told)
    return datetime.fromtimestamp(int(told), timezone.utc) if kind == "time" else value


def matchers(model: Path) -> dict[str, Any]:
    name = model.stem.replace("-", "_")
    module = importlib.import_module(f"{name}_" if keyword.iskeyword(name) else name)
    functions = {name: function for name, function in vars(module).items() if name.startswith("match_")}
    return {name.removeprefix("match_").replace("_", ""): function for name, function in functions.items()}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.stem)
def test_random_responses_match_what_the_interpreter_says(model: Path) -> None:
    functions = matchers(model)
    for seed in range(ROUNDS):
        for made in responses(model, seed):
            match = functions.get(made["waiter"].lower(), lambda _output: None)
            takes_input = len(inspect.signature(match).parameters) > 1
            for case in made["cases"]:
                rest = [case["input"]] if takes_input else []
                assert match(case["output"], *rest) == case["acceptor"], (made["waiter"], case)
