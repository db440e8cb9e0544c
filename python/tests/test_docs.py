"""What `help()` shows."""

from __future__ import annotations

import doctest
import inspect

import pytest

import smithy_waiters


def test_the_packages_example_runs() -> None:
    found = doctest.testmod(smithy_waiters)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("name", [name for name in smithy_waiters.__all__ if name[0].isupper()])
def test_everything_public_says_what_it_is(name: str) -> None:
    thing = getattr(smithy_waiters, name)
    if inspect.isclass(thing):
        assert thing.__doc__
        assert thing.__module__.startswith("smithy_waiters")


@pytest.mark.parametrize("name", ["evaluate", "start", "check", "check_async", "wait", "wait_async"])
def test_every_method_has_a_signature_and_words(name: str) -> None:
    method = getattr(smithy_waiters.Waiter, name)
    assert "self" in inspect.signature(method).parameters
    assert method.__doc__
