"""The output of `help()`."""

from __future__ import annotations

import ast
import doctest
import importlib
import importlib.metadata
import inspect
import subprocess
import sys
import typing
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from typing_extensions import is_protocol

import smithy_waiters
import smithy_waiters.compression
import smithy_waiters.definition
import smithy_waiters.operation
import smithy_waiters.options
import smithy_waiters.pagination
import smithy_waiters.retry.classification
import smithy_waiters.retry.strategy
from smithy_waiters import _engine, testing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType


# The examples of these methods need a file or a service.
NOT_RUN = {"Operation.from_model", "Paginator.from_model", "Paginator.pages"}


@pytest.mark.parametrize(
    "where",
    [
        smithy_waiters,
        smithy_waiters.compression,
        smithy_waiters.definition,
        smithy_waiters.operation,
        smithy_waiters.pagination,
        smithy_waiters.retry,
        smithy_waiters.retry.classification,
        smithy_waiters.retry.strategy,
        testing,
    ],
)
def test_the_examples_run(where: ModuleType) -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for example in doctest.DocTestFinder().find(where):
        if example.name.removeprefix(f"{where.__name__}.") not in NOT_RUN:
            runner.run(example)
    assert (runner.tries > 0, runner.failures) == (True, 0)


@pytest.mark.parametrize("name", [name for name in smithy_waiters.__all__ if name[0].isupper()])
def test_every_public_class_is_documented(name: str) -> None:
    thing = getattr(smithy_waiters, name)
    if inspect.isclass(thing):
        assert thing.__doc__
        assert thing.__module__.startswith("smithy_waiters")


def test_help_shows_everything(capsys: pytest.CaptureFixture[str]) -> None:
    help(smithy_waiters.Waiter)
    help(smithy_waiters.errors)
    help(testing.FakeClock)
    shown = capsys.readouterr().out
    for words in (
        "max_wait: The maximum duration of the wait. Required without `deadline` and `max_attempts`.",
        "Evaluate the acceptors on a response or an error.",
        "from_model(",
        "A wait that ends without success::",
        "Advance the clock by a number of seconds",
    ):
        assert words in shown, words
    assert "Self@" not in shown


@pytest.mark.parametrize("where", [smithy_waiters.definition, smithy_waiters.errors, smithy_waiters.options, testing])
def test_everything_in_a_module_is_documented(where: ModuleType) -> None:
    assert where.__doc__
    classes = [one for one in vars(where).values() if inspect.isclass(one) and one.__module__ == where.__name__]
    assert classes
    for one in classes:
        public = not one.__name__.startswith("_")
        assert inspect.getdoc(one) or not public, one
        for name, member in vars(one).items():
            if public and inspect.isfunction(member) and not name.startswith("_"):
                assert member.__doc__, (one, name)


def test_the_version_is_the_packages() -> None:
    assert smithy_waiters.__version__ == importlib.metadata.version("smithy-waiters")


def test_hints_can_be_asked_for_at_run_time() -> None:
    assert "minDelay" in typing.get_type_hints(smithy_waiters.WaiterDefinition)
    assert smithy_waiters.WaiterDefinition.__required_keys__ == {"acceptors"}
    assert "max_wait" in typing.get_type_hints(smithy_waiters.WaitOptions)
    # One of `max_wait` and `max_attempts` is required, which types cannot express.
    assert smithy_waiters.WaitOptions.__required_keys__ == frozenset()


@pytest.mark.parametrize("name", ["evaluate", "extend", "start", "check", "check_async", "wait", "wait_async"])
def test_every_method_has_a_signature_and_documentation(name: str) -> None:
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
        "assert smithy_waiters.ErrorOutcome.__name__ in dir(smithy_waiters)\n"
        "assert not hasattr(smithy_waiters, 'missing')\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def documented(stub: ast.Module | ast.ClassDef, owner: object) -> Iterator[tuple[str, str | None, str | None]]:
    """Yield the docstrings of the stub and of the extension for all public items."""
    for one in stub.body:
        if not isinstance(one, ast.ClassDef | ast.FunctionDef) or one.name.startswith("_"):
            continue
        thing = vars(owner)[one.name]
        yield one.name, ast.get_docstring(one), inspect.getdoc(thing)
        if isinstance(one, ast.ClassDef):
            yield from documented(one, thing)


def test_the_stub_has_the_docstrings_of_the_extension() -> None:
    stub = Path(smithy_waiters.__file__).with_name("_engine.pyi").read_text("utf-8")
    found = list(documented(ast.parse(stub), _engine))
    assert len(found) > 50
    assert [name for name, shown, _ in found if not shown] == []
    for name, shown, told in found:
        # `type` is a class attribute of the extension. It is a `str`, which does not have a docstring.
        assert shown == told or name == "type", name


# The public callables that raise nothing for arguments of their types.
RAISE_NOTHING = {
    "_engine.Call",
    "_engine.CompressionSettings.over",
    "_engine.Delay",
    "_engine.Done.explain",
    "_engine.Done.to_json",
    "_engine.Hint",
    "_engine.Operation.error",
    "_engine.Paginator.to_json",
    "_engine.PathValue",
    "_engine.Sleep",
    "_engine.StandardRetryStrategy.acquire_initial_token",
    "_engine.Tally.count",
    "_engine.content_encoding",
    "compression.Compressed",
    "errors.WaiterError.explain",
    "errors.WaiterError.to_dict",
    "errors.WaiterError.to_json",
    "clients.waiter_config",
    "events.Cancelled",
    "events.DeadlineReached",
    "fleet.Fleet",
    "fleet.FleetProgress",
    "outcome.Attempt",
    "outcome.ErrorOutcome",
    "outcome.Progress",
    "outcome.ResponseOutcome",
    "pace.every",
    "pace.proportional",
    "retry.classification.RetryNote",
    "retry.request.RetryProgress",
    "testing.FakeClock",
}


def public_callables(module: ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the functions, the classes with constructors, and the methods of a module.

    Exceptions and typed dictionaries only store their arguments, and protocols are not called.
    """
    for name in module.__all__:
        thing = getattr(module, name)
        if name.startswith("_") or not getattr(thing, "__module__", "").startswith("smithy_waiters"):
            continue
        path = f"{thing.__module__}.{thing.__qualname__}".removeprefix("smithy_waiters.")
        if inspect.isroutine(thing):
            yield path, thing
        elif isinstance(thing, type):
            is_created = "__new__" in vars(thing) or "__init__" in vars(thing)
            if is_created and not issubclass(thing, BaseException | dict) and not is_protocol(thing):
                yield path, thing
            members = [(member, getattr(thing, member)) for member in vars(thing) if not member.startswith("_")]
            yield from ((f"{path}.{member}", method) for member, method in members if inspect.isroutine(method))


def test_everything_that_raises_says_so() -> None:
    names = ["aiobotocore", "boto3", "compression", "events", "operation", "pagination", "retry", "testing"]
    modules = [smithy_waiters, _engine]
    for name in names:
        # The package of the client may not be installed.
        with suppress(ModuleNotFoundError):
            modules.append(importlib.import_module(f"smithy_waiters.{name}"))
    found = {name: one for module in modules for name, one in public_callables(module)}
    assert len(found) > 60
    assert {name for name, one in found.items() if "Raises:" not in (inspect.getdoc(one) or "")} == RAISE_NOTHING
