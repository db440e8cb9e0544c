"""Failures in a process pool: a stand-in replaces errors that cannot be pickled, and the pool keeps working."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from threading import Lock
from typing import Any

import pytest
from samples import BROKEN, TABLE_NOT_EXISTS, ClientError, script, table_exists

from smithy_waiters import ErrorOutcome, ErrorStandIn, Verdict, Waiter, WaiterError, WaiterFailed
from smithy_waiters.retry import FailureInfo, RetryInfo, RetryTimeout, retry
from smithy_waiters.testing import FakeClock


def missing() -> Exception:
    """Return an error of a class that is created at run time, like those of clients."""
    made = type("TableNotFoundException", (ClientError,), {})
    error: Exception = made("TableNotFoundException")
    return error


class PickyError(Exception):
    """An error that can be pickled but not unpickled: it passes fewer arguments to its base class than it requires."""

    def __init__(self, code: str, place: str) -> None:
        super().__init__(f"{code} at {place}")
        self.code = code
        self.place = place


class Locked(Exception):
    """An error with a member that cannot be pickled."""

    def __init__(self) -> None:
        super().__init__("locked")
        self.lock = Lock()


ERRORS = {"made": missing, "picky": lambda: PickyError("E7", "the gate"), "locked": Locked}

WAITER = Waiter(TABLE_NOT_EXISTS)


def fails(name: str) -> None:
    table_exists().wait(script(ERRORS[name]()), max_wait=60, clock=FakeClock())


def fails_with_a_response() -> None:
    table_exists().wait(script(BROKEN | {"Lock": Lock(), "Stamp": b"x"}), max_wait=60)


def fails_in_retries() -> None:
    clock = FakeClock()
    retry(
        script(PickyError("E7", "the gate")),
        max_time=9,
        clock=clock,
        classify=lambda _: FailureInfo(retry=RetryInfo("yes")),
        on_failure=lambda _: clock.advance(9),
    )


def succeeds_by(name: str) -> Any:
    anything: Any = {"acceptors": [{"state": "success", "matcher": {"success": False}}]}
    return Waiter(anything).wait(script(ERRORS[name]()), max_wait=60)


def verdict_on(name: str) -> Any:
    return table_exists().check(script(ERRORS[name]()))


@pytest.fixture(scope="module")
def pool() -> Any:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool


@pytest.mark.parametrize(
    ("name", "kind", "message", "code"),
    [
        ("made", "TableNotFoundException", "no such table", "TableNotFoundException"),
        ("picky", "PickyError", "E7 at the gate", "E7"),
        ("locked", "Locked", "locked", None),
    ],
)
def test_unpicklable_values(pool: ProcessPoolExecutor, name: str, kind: str, message: str, code: str | None) -> None:
    failure = pool.submit(fails, name).exception()
    assert isinstance(failure, WaiterFailed)
    assert (failure.code, failure.attempts) == ("unmatched_error", 1)
    error: Any = failure.error
    assert isinstance(error, ErrorStandIn)
    assert error is failure.__cause__ or "Remote" in type(failure.__cause__).__name__
    assert (error.name, error.code) == (kind, code)
    assert message in error.message
    assert failure.to_dict()["error"]["name"] == kind
    assert failure.explain() == caught(name).explain()
    assert pickle.loads(pickle.dumps(failure)).to_dict() == failure.to_dict()  # noqa: S301

    outcome = pool.submit(succeeds_by, name).result()
    assert isinstance(outcome, ErrorOutcome)
    assert isinstance(outcome.error, ErrorStandIn)
    assert outcome.acceptor == 0

    verdict = pool.submit(verdict_on, name).result()
    assert isinstance(verdict, Verdict)
    assert verdict.reasons == table_exists().check(script(ERRORS[name]())).reasons


def caught(name: str) -> WaiterError:
    with pytest.raises(WaiterError) as caught:
        fails(name)
    return caught.value


def test_its_members_read_the_same() -> None:
    error: Any = pickle.loads(pickle.dumps(caught("made"))).error  # noqa: S301
    assert error.response["Error"]["Message"] == "no such table"
    verdict = Waiter(TABLE_NOT_EXISTS).evaluate(error=error)
    assert verdict.state == Waiter(TABLE_NOT_EXISTS).evaluate(error=missing()).state
    assert pickle.loads(pickle.dumps(caught("picky"))).error.place == "the gate"  # noqa: S301


def test_a_response_that_cannot_come_over_is_plain_data(pool: ProcessPoolExecutor) -> None:
    failure = pool.submit(fails_with_a_response).exception()
    assert isinstance(failure, WaiterFailed)
    assert failure.response["Stamp"] == "eA=="


def test_a_request(pool: ProcessPoolExecutor) -> None:
    failure = pool.submit(fails_in_retries).exception()
    assert isinstance(failure, RetryTimeout)
    assert isinstance(failure.error, ErrorStandIn)
    assert (failure.error.name, failure.error.code) == ("PickyError", "E7")


def test_causes_are_kept() -> None:
    error = PickyError("E7", "the gate")
    failure = RetryTimeout("over", "out_of_time", 1, error=error)
    failure.__cause__ = error
    other = pickle.loads(pickle.dumps(failure))  # noqa: S301
    assert other.error is other.__cause__
    assert (other.error.name, other.args, other.code, other.attempts) == ("PickyError", ("over",), "out_of_time", 1)


def test_a_copy_keeps_the_error_itself() -> None:
    failure = caught("picky")
    assert copy.copy(failure).error is failure.error
