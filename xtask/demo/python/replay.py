"""Replay a recorded wait: the same responses with the same durations, in virtual time and without a service."""

from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError
from journal import Journal

from smithy_waiters import Waiter


def replay(job: dict[str, Any], wait_for_start: Callable[[], None]) -> None:
    """Replay the responses of the job after `wait_for_start` returns."""
    time = VirtualTime()
    answers = iter(job["script"])

    def call() -> Any:
        answer = next(answers)
        time.sleep(answer["took"] / 1000)
        if "error" in answer:
            error = answer["error"]
            raise ClientError({"Error": {"Code": error["code"], "Message": error["message"]}}, "DescribeTable")
        return answer["response"]

    options = job["options"]
    table_waiter = Waiter(job["definition"], name=job["waiter"])
    wait_for_start()

    journal = Journal(options["maxWait"])
    journal.end(
        lambda: table_waiter.wait(
            journal.watch(call),
            max_wait=options["maxWait"],
            seed=options["seed"],
            sleep=time.sleep,
            clock=time.clock,
            on_attempt=journal.attempt,
        )
    )


class VirtualTime:
    """A clock that advances only when sleeping."""

    def __init__(self) -> None:
        self.milliseconds = 0

    def clock(self) -> float:
        return self.milliseconds / 1000

    def sleep(self, seconds: float) -> None:
        self.milliseconds += round(seconds * 1000)
