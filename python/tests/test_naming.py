"""Names of errors, from the caller or the service: docs/rules.md#error-names."""

from __future__ import annotations

from typing import Any

import pytest
from samples import TABLE_NOT_EXISTS, ClientError
from virtual import Clock

from smithy_waiters import OptionsError, Waiter, WaiterFailed
from smithy_waiters.events import Error

NAME = "ResourceNotFoundException"


class Gone(Exception):
    """An error of a client with custom codes."""

    def __init__(self, *codes: str) -> None:
        super().__init__("it is gone")
        self.codes = codes


class ResourceNotFoundException(Exception):
    """An error that is matched by its class."""


def codes(error: Any) -> list[str] | None:
    return list(error.codes) if isinstance(error, Gone) else None


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Gone(NAME), "matched"),
        (Gone("Other", f"com.example#{NAME}"), "matched"),
        (Gone("Other"), "not_equal"),
        (Gone(), "null"),
        (ClientError(NAME), "matched"),
        (ResourceNotFoundException(), "matched_by_class"),
        (NAME, "matched"),
    ],
)
def test_names_by_a_function(error: Any, code: str) -> None:
    verdict = Waiter(TABLE_NOT_EXISTS, error_names=codes).evaluate(error=error)
    assert verdict.reasons[0].code == code


def test_names_may_be_of_any_iterable() -> None:
    waiter = Waiter(TABLE_NOT_EXISTS, error_names=lambda error: (name for name in error.codes))
    assert waiter.evaluate(error=Gone("Other", NAME)).state == "success"


def test_the_functions_exception_is_the_callers() -> None:
    def broken(_: Any) -> list[str]:
        raise KeyError("bug")

    waiter = Waiter(TABLE_NOT_EXISTS, error_names=broken)
    with pytest.raises(KeyError, match="bug"):
        waiter.evaluate(error=Gone())
    wait = waiter.start(max_wait=60)
    wait.poll(0)
    with pytest.raises(KeyError, match="bug"):
        wait.handle(Error(Gone()), 1)
    assert wait.handle(Error(NAME), 2).type == "done"
    clock = Clock()

    def call() -> None:
        raise Gone

    with pytest.raises(KeyError, match="bug"):
        waiter.wait(call, max_wait=60, clock=clock, sleep=clock.sleep)


@pytest.mark.parametrize(
    ("given", "got"),
    [
        ("text", "`str`"),
        (5, "5"),
        ([b"a"], "`bytes` at index 0"),
        ([NAME, None], "None at index 1"),
        (object(), "`object`"),
    ],
)
def test_invalid_results_of_error_names(given: Any, got: str) -> None:
    waiter = Waiter(TABLE_NOT_EXISTS, error_names=lambda _: given)
    with pytest.raises(TypeError, match=f"`error_names` must return a list of strings or `None`, got {got}$"):
        waiter.evaluate(error=Gone())


@pytest.mark.parametrize(
    ("error", "code"),
    [(ResourceNotFoundException(), "null"), (ClientError(NAME), "matched"), (NAME, "matched"), (Gone(NAME), "matched")],
)
def test_service_errors_only(error: Any, code: str) -> None:
    waiter = Waiter(TABLE_NOT_EXISTS, error_names=codes, service_errors_only=True)
    assert waiter.evaluate(error=error).reasons[0].code == code


def test_the_message_names_a_class_that_is_not_matched() -> None:
    clock = Clock()

    def call() -> None:
        raise ResourceNotFoundException("no such table")

    waiter = Waiter(TABLE_NOT_EXISTS, service_errors_only=True)
    with pytest.raises(WaiterFailed, match="ResourceNotFoundException: no such table") as caught:
        waiter.wait(call, max_wait=60, clock=clock, sleep=clock.sleep)
    assert caught.value.code == "unmatched_error"


def test_names_that_are_no_function_are_refused_at_once() -> None:
    with pytest.raises(OptionsError, match=r"`error_names` must be a function, got 5$") as refused:
        Waiter(TABLE_NOT_EXISTS, error_names=5)  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.option) == ("invalid_option", "error_names")
