"""A recorded wait once more: the same answers after the same times, without a service and without waiting."""

from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError
from journal import Journal

from smithy_waiters import Waiter


def replay(job: dict[str, Any], go: Callable[[], None]) -> None:
    """Replays the job's script of answers, once `go` returns."""
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
    recorded = Waiter(job["definition"], name=job["waiter"])
    go()

    journal = Journal(options["maxWait"])
    journal.end(
        lambda: recorded.wait(
            journal.watch(call),
            max_wait=options["maxWait"],
            seed=options["seed"],
            sleep=time.sleep,
            clock=time.clock,
            on_attempt=journal.attempt,
        )
    )


class VirtualTime:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.milliseconds = 0

    def clock(self) -> float:
        return self.milliseconds / 1000

    def sleep(self, seconds: float) -> None:
        self.milliseconds += round(seconds * 1000)
