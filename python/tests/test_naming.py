"""Names of errors, from the caller or the service: docs/rules.md#error-names."""

from __future__ import annotations

from typing import Any

import pytest
from samples import TABLE_NOT_EXISTS
from virtual import Clock

from smithy_waiters import OptionsError, Waiter
from smithy_waiters.events import Error

NAME = "ResourceNotFoundException"


class Gone(Exception):
    """An error of a client with custom codes."""

    def __init__(self, *codes: str) -> None:
        super().__init__("it is gone")
        self.codes = codes


def test_a_text_is_a_name_of_the_service() -> None:
    waiter = Waiter(TABLE_NOT_EXISTS, service_errors_only=True)
    assert waiter.evaluate(error=NAME).reasons[0].code == "matched"


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


def test_names_that_are_no_function_are_refused_at_once() -> None:
    with pytest.raises(OptionsError, match=r"`error_names` must be a function, got 5$") as refused:
        Waiter(TABLE_NOT_EXISTS, error_names=5)  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.option) == ("invalid_option", "error_names")
