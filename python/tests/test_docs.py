"""What `help()` shows."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys

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


def test_importing_loads_nothing_dear() -> None:
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "import smithy_waiters\n"
        "dear = {'asyncio', 'collections', 'dataclasses', 'enum', 'inspect', 'json', 're', 'threading', 'typing'}\n"
        "assert not dear & (set(sys.modules) - before), dear & set(sys.modules)\n"
        "assert all(hasattr(smithy_waiters, name) for name in smithy_waiters.__all__)\n"
        "assert smithy_waiters.Outcome.__name__ in dir(smithy_waiters)\n"
        "assert not hasattr(smithy_waiters, 'missing')\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
