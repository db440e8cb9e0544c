"""Waiters of aiobotocore clients.

>>> from smithy_waiters.aiobotocore import waiter
>>> await waiter(client, "bucket_exists").wait(Bucket="logs", max_wait=300)

`patch` replaces the engine of `client.get_waiter`. Install with `pip install "smithy-waiters[aiobotocore]"`.
"""

# botocore is only partly typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import botocore.waiter

from . import clients
from .clients import waiter_config
from .errors import WaiterError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from os import PathLike

    from ._engine import RateLimit
    from .fleet import Fleet
    from .outcome import Outcome

__all__ = ["ClientWaiter", "PatchedWaiter", "patch", "waiter", "waiter_config"]

_C = TypeVar("_C")

# A decorator of the public methods would hide from tools that they are coroutine functions.
_with_feature = clients.with_feature("aiobotocore.context")


def waiter(client: Any, waiter_name: str, *, definitions: PathLike[str] | None = None) -> ClientWaiter:
    """Return a waiter of a client. See `smithy_waiters.boto3.waiter`.

    >>> await waiter(client, "instance_running").wait(InstanceIds=["i-0"], max_wait=600)

    Args:
        client: A client of aiobotocore or aioboto3.
        waiter_name: The name, such as `instance_running` or `InstanceRunning`. `Waiter.names(client)` returns all
            names.
        definitions: A folder with files in botocore's format, or one file. Their waiters come before botocore's.

    Raises:
        DefinitionError: The service has no such waiter, or its operation does not exist. The message has the names that
            exist.
        OSError: A file of `definitions` cannot be read.
        TypeError: `client` is not a client of aiobotocore.

    """
    clients.check(client, is_async=True)
    return ClientWaiter(client, waiter_name, definitions)


def patch(target: _C, *, transient_errors: Literal["retry", "fail"] = "retry") -> _C:
    """Replace the engine of `get_waiter` of a client, or of all later clients of a session.

    >>> patch(client).get_waiter("bucket_exists")

    Args:
        target: A client, or a session of aiobotocore. It is changed and returned.
        transient_errors: `"fail"` leaves transient errors to the client's own retries, as botocore's waiters do; then
            the wait ends at the first one. By default, the wait retries them, like `waiter`.

    Raises:
        TypeError: `target` is neither a client of aiobotocore nor a session.

    """
    # Type checkers and tools import this module without aiobotocore, which requires another botocore than boto3.
    client: Any = import_module("aiobotocore.client")
    get_waiter = client.AioBaseClient.get_waiter
    patched: _C = clients.patch(target, PatchedWaiter, transient_errors, get_waiter=get_waiter, is_async=True)
    return patched


class ClientWaiter(clients.BaseClientWaiter):
    """A waiter of a client, with the options of this package. See `smithy_waiters.boto3.ClientWaiter`."""

    if TYPE_CHECKING:
        wait: clients.Wait[Awaitable[Outcome[dict[str, Any]]]]
    else:

        @clients.describe
        async def wait(  # noqa: D102
            self, *, request: dict[str, Any] | None = None, **arguments: Any
        ) -> Outcome[dict[str, Any]]:
            options, members = self.split(arguments, request)
            call = clients.call_async(self._method, members, self.operation)
            try:
                return await _with_feature(self.waiter.wait_async)(call, **options)
            except WaiterError as failure:
                problem = clients.problem(failure)
            try:
                raise problem
            finally:
                # The traceback references this frame: avoid a reference cycle.
                del problem

    def fleet(
        self,
        *,
        rate: float | RateLimit | None = None,
        batch: int | None = None,
        clock: Callable[[], float] | None = None,
        **parameters: Any,
    ) -> Fleet[dict[str, Any]]:
        """Create an asynchronous fleet. See `smithy_waiters.boto3.ClientWaiter.fleet`.

        >>> fleet = waiter(client, "volume_available").fleet(rate=5)
        >>> await fleet.wait_each_async(["vol-1", "vol-2"], max_wait=600)

        Args:
            rate: The most calls per second, or a `RateLimit` that fleets share.
            batch: The most identifiers of one call; the limit of the service or 100 by default.
            clock: A monotonic clock in seconds, instead of the time of the loop.
            **parameters: Other arguments of the operation, which all calls have: `cluster="web"`.

        Returns:
            The fleet. Keep it: its waits share calls. Its failures are no `botocore.exceptions.WaiterError`s.

        Raises:
            OptionsError: The operation answers for one resource, or an argument is unknown or invalid.
            ParamValidationError: An argument of the operation is invalid (`botocore.exceptions`).

        """

        @_with_feature
        async def answer(**members: Any) -> Any:
            return await clients.call_async(self._method, members, self.operation)()

        return self._fleet(answer, parameters, is_async=True, batch=batch, rate=rate, clock=clock)


class PatchedWaiter(botocore.waiter.Waiter):
    """A waiter with aiobotocore's interface and the engine of this package."""

    config: Any
    _operation_method: Any
    transient_errors: Literal["retry", "fail"] = "retry"

    async def wait(self, **kwargs: Any) -> Outcome[dict[str, Any]]:  # type: ignore[override]
        """Wait until the resource is in the desired state. See `smithy_waiters.boto3.PatchedWaiter.wait`.

        Args:
            **kwargs: The arguments of the operation, and `WaiterConfig`: a dict with `Delay`, `MaxAttempts` and
                `MaxWait`, the maximum duration of the wait in seconds.

        Raises:
            botocore.exceptions.WaiterError: The wait failed. The exception is also a `smithy_waiters.WaiterError`.
            OptionsError: `WaiterConfig` is invalid.

        """
        waiter, options, members = clients.patched_waiter(self, kwargs)
        call = clients.call_async(self._operation_method, members, self.config.operation)
        try:
            return await _with_feature(waiter.wait_async)(call, **options)
        except WaiterError as failure:
            problem = clients.patched_problem(failure, self.config)
        try:
            raise problem
        finally:
            # The traceback references this frame: avoid a reference cycle.
            del problem
