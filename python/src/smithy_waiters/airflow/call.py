"""The calls of a wait: functions and hooks that Airflow's processes import."""

# Type checkers run without Airflow, which pins other versions of their packages.
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Collection, Mapping
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from inspect import iscoroutinefunction, signature
from numbers import Number
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, TypeAlias

from asgiref.sync import sync_to_async

from smithy_waiters.drivers.call import reject_awaitable
from smithy_waiters.durable.stored import run_in_thread
from smithy_waiters.errors import OptionsError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable
    from concurrent.futures import Future

    # A call of the operation, which receives the number of the attempt.
    Call: TypeAlias = Callable[[int], Awaitable[object]]


@dataclass(frozen=True)
class HookCall:
    """A call of a hook: one of its methods, or an operation of its client.

    >>> HookCall(
    ...     "airflow.providers.amazon.aws.hooks.rds.RdsHook",
    ...     "describe_db_instances",
    ...     {"aws_conn_id": "aws_default", "region_name": "eu-central-1"},
    ... )

    If the hook has no method of this name, its client must have one. A deferred wait opens the client of the hook's
    `get_async_conn` once, as the hooks of Amazon have it. A wait in a worker uses `get_conn`.

    Raises:
        OptionsError: The class cannot be imported or does not have the method, or the arguments do not fit.

    """

    hook: str
    """The dotted path of the hook's class."""
    method: str
    """The name of the method, which receives the `arguments` of the wait."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    """The arguments of the class, such as the ID of the connection."""

    def __str__(self) -> str:
        """Return the name for messages."""
        return f"{self.hook.rpartition('.')[2]}.{self.method}"

    def check(self, option: str, arguments: object) -> None:  # noqa: ARG002 - hooks rarely have a signature.
        """Check that the hook exists. `option` is the option of the operator that has the call."""
        cls = import_name(self.hook, f"{option}.hook")
        _check_arguments(cls, self.hook, self.arguments, f"{option}.arguments")
        if not any(hasattr(cls, name) for name in (self.method, "get_async_conn", "get_conn")):
            message = f"`{option}.method` must be a method of `{self.hook}` or of its client, got {self.method!r}"
            raise OptionsError(message, "invalid_option", option)

    @asynccontextmanager
    async def open(self, arguments: Mapping[str, Any], *, deferred: bool) -> AsyncGenerator[Call, None]:
        """Return the call of a wait. The client stays open until the wait ends."""
        hook: Any = resolve_name(self.hook)(**self.arguments)
        if hasattr(hook, self.method):
            yield _awaited(getattr(hook, self.method), arguments)
        elif deferred and hasattr(hook, "get_async_conn"):
            async with await hook.get_async_conn() as client:
                operation = getattr(client, self.method)
                yield lambda _: operation(**arguments)
        else:
            client = await in_thread(hook.get_conn)()
            yield _awaited(getattr(client, self.method), arguments)


@dataclass(frozen=True)
class FunctionCall:
    """A call of a function."""

    path: str

    def __str__(self) -> str:
        """Return the name for messages."""
        return self.path

    def check(self, option: str, arguments: object) -> None:
        """Check that the function exists and accepts the arguments, unless a task returns them."""
        function = import_name(self.path, option)
        if not callable(function):
            message = f"`{option}` must be the dotted path of a function, got {self.path!r}, which is {function!r}"
            raise OptionsError(message, "invalid_option", option)
        if isinstance(arguments, Mapping):
            _check_arguments(function, self.path, arguments, "arguments")
        elif isinstance(arguments, Collection | Number):
            message = f"`arguments` must be a dict of keyword arguments, got {arguments!r}"
            raise OptionsError(message, "invalid_option", "arguments")

    @asynccontextmanager
    async def open(self, arguments: Mapping[str, Any], *, deferred: bool) -> AsyncGenerator[Call, None]:  # noqa: ARG002
        """Return the call of a wait."""
        yield _awaited(resolve_name(self.path), arguments)


def read_call(value: Any) -> HookCall | FunctionCall:
    """Return the call of an option, or of the stored arguments of a trigger."""
    if isinstance(value, Mapping):
        return HookCall(**value)
    return value if isinstance(value, HookCall) else FunctionCall(value)


def plain_call(value: Any) -> Any:
    """Return a call as plain data."""
    return {**vars(value)} if isinstance(value, HookCall) else value


class _Threads(Executor):
    """Makes each call in a thread of its own."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        return run_in_thread(partial(fn, *args, **kwargs))


def in_thread(function: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
    """Return an asynchronous function that makes a blocking call in a thread.

    Before Airflow 3.3, threads of a triggerer can only read connections if `asgiref` has started them.
    """
    wrapped: Callable[..., Awaitable[Any]] = sync_to_async(function, thread_sensitive=False, executor=_Threads())
    return wrapped


def import_name(path: Any, option: str) -> Any:
    """Return what a dotted path names.

    Raises:
        OptionsError: It cannot be imported.

    """
    if not isinstance(path, str):
        hint = f": pass '{path.__module__}.{path.__qualname__}'" if hasattr(path, "__qualname__") else ""
        message = f"`{option}` must be a dotted path, which the triggerer can import, got {path!r}{hint}"
        raise OptionsError(message, "invalid_option", option.partition(".")[0])
    try:
        return resolve_name(path)
    except (AttributeError, ImportError, ValueError) as error:
        message = f"`{option}` must be a dotted path that can be imported, got {path!r}: {error}"
        raise OptionsError(message, "invalid_option", option.partition(".")[0]) from error


def _check_arguments(function: Callable[..., object], path: str, arguments: Mapping[str, Any], option: str) -> None:
    attempt = {"attempt": 1} if _takes_attempt(function, arguments) else {}
    try:
        signature(function).bind(**attempt, **arguments)
    except ValueError:
        # Some functions written in C do not have a signature.
        return
    except TypeError as error:
        message = f"`{option}` must be the keyword arguments of `{path}`: {error}"
        raise OptionsError(message, "invalid_option", "arguments") from error


def _takes_attempt(function: Callable[..., object], arguments: Mapping[str, Any]) -> bool:
    try:
        return "attempt" in signature(function).parameters and "attempt" not in arguments
    except ValueError:
        return False


def _awaited(function: Callable[..., Any], arguments: Mapping[str, Any]) -> Call:
    """Return an asynchronous call of a function, which may be blocking."""
    takes_attempt, is_async = _takes_attempt(function, arguments), iscoroutinefunction(function)
    awaited = function if is_async else in_thread(partial(_blocking, function))

    def call(attempt: int) -> Awaitable[object]:
        return awaited(**arguments, **({"attempt": attempt} if takes_attempt else {}))

    return call


def _blocking(function: Callable[..., object], **arguments: Any) -> object:
    response = function(**arguments)
    reject_awaitable(response, "async def", "`poll`")
    return response
