"""The Python client of the demo: `client.py about | wait <job> | replay <job>`, a job being JSON."""

import json
import platform
import sys

import boto3
from control import go, say
from replay import replay
from wait import wait


def main(verb: str, text: str = "null") -> None:
    job = json.loads(text)
    if verb == "about":
        about()
    else:
        {"wait": wait, "replay": replay}[verb](job, go)


def about() -> None:
    say({"event": "about", "runtime": f"Python {platform.python_version()}", "sdk": f"boto3 {boto3.__version__}"})


if __name__ == "__main__":
    main(*sys.argv[1:])
