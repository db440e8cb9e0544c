"""The Python client of the demo: `client.py about | wait <job> | replay <job>`. A job is JSON."""

import json
import platform
import sys

import boto3
from control import send, wait_for_start
from replay import replay
from wait import wait


def main(verb: str, text: str = "null") -> None:
    job = json.loads(text)
    if verb == "about":
        about()
    else:
        {"wait": wait, "replay": replay}[verb](job, wait_for_start)


def about() -> None:
    send({"event": "about", "runtime": f"Python {platform.python_version()}", "sdk": f"boto3 {boto3.__version__}"})


if __name__ == "__main__":
    main(*sys.argv[1:])
