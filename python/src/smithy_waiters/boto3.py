"""Waiters of boto3 clients.

>>> from smithy_waiters.boto3 import waiter
>>> waiter(client, "bucket_exists").wait(Bucket="logs", max_wait=300)

`patch` replaces the engine of `client.get_waiter`. Install with `pip install "smithy-waiters[boto3]"`.
"""

# botocore is only partly typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import botocore.waiter
from botocore.client import BaseClient

from . import clients
from .clients import waiter_config
from .errors import WaiterError

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from ._engine import RateLimit
    from .fleet import Fleet
    from .outcome import Outcome

__all__ = ["ClientWaiter", "PatchedWaiter", "patch", "waiter", "waiter_config"]

_C = TypeVar("_C")

# The engine subtracts the time since the response from a delay; botocore does not.
_TOLERANCE = 0.05


def waiter(client: Any, waiter_name: str, *, definitions: PathLike[str] | None = None) -> ClientWaiter:
    """Return a waiter of a client.

    >>> waiter(client, "instance_running").wait(InstanceIds=["i-0"], max_wait=600)

    Args:
        client: A client of boto3 or botocore.
        waiter_name: The name, such as `instance_running` or `InstanceRunning`. `Waiter.names(client)` returns all
            names.
        definitions: A folder with files in botocore's format, or one file. Their waiters come before botocore's.

    Raises:
        DefinitionError: The service has no such waiter, or its operation does not exist. The message has the names that
            exist.
        OSError: A file of `definitions` cannot be read.
        TypeError: `client` is not a client of boto3 or botocore.

    """
    clients.check(client, is_async=False)
    return ClientWaiter(client, waiter_name, definitions)


def patch(target: _C, *, transient_errors: Literal["retry", "fail"] = "retry") -> _C:
    """Replace the engine of `get_waiter` of a client, or of all later clients of a session.

    >>> client = patch(boto3.client("s3"))
    >>> client.get_waiter("bucket_exists").wait(Bucket="logs", WaiterConfig={"Delay": 5, "MaxWait": 300})

    Names, arguments, delays and exceptions stay the same. The wait retries transient errors.

    Args:
        target: A client, or a session of boto3 or botocore. It is changed and returned.
        transient_errors: `"fail"` leaves transient errors to the client's own retries, as botocore's waiters do; then
            the wait ends at the first one. By default, the wait retries them, like `waiter`.

    Raises:
        TypeError: `target` is neither a client of boto3 nor a session. `boto3.DEFAULT_SESSION` is `None` before
            `boto3.setup_default_session()`.

    """
    patched: _C = clients.patch(
        target, PatchedWaiter, transient_errors, get_waiter=BaseClient.get_waiter, is_async=False
    )
    return patched


class ClientWaiter(clients.BaseClientWaiter):
    """A waiter of a client, with the options of this package. The function `waiter` creates it.

    Attributes:
        name: The name of the waiter, such as `BucketExists`.
        operation: The name of the operation, such as `HeadBucket`.
        config: The configuration of the waiter in botocore.
        waiter: The `smithy_waiters.Waiter`.

    """

    if TYPE_CHECKING:
        wait: clients.Wait[Outcome[dict[str, Any]]]
    else:

        @clients.describe
        @clients.with_feature("botocore.context")
        def wait(self, *, request: dict[str, Any] | None = None, **arguments: Any) -> Outcome[dict[str, Any]]:  # noqa: D102
            options, members = self.split(arguments, request)
            call = clients.call(self._method, members, self.operation)
            try:
                return self.waiter.wait(call, **options)
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
        sleep: Callable[[float], object] | None = None,
        **parameters: Any,
    ) -> Fleet[dict[str, Any]]:
        """Create a fleet: one call answers for all resources that are waited for. See docs/rules.md#fleets.

        >>> fleet = waiter(client, "volume_available").fleet(rate=5)
        >>> fleet.wait_each(["vol-1", "vol-2"], max_wait=600)

        The operation has a list of identifiers, which the fleet fills. An answer with several pages is read completely.
        Waiters of deletions use a filter of EC2 instead of the list, because it omits deleted resources.

        Args:
            rate: The most calls per second, or a `RateLimit` that fleets share.
            batch: The most identifiers of one call; the limit of the service or 100 by default.
            clock: A monotonic clock in seconds, such as `smithy_waiters.testing.FakeClock`.
            sleep: A function that sleeps a number of seconds.
            **parameters: Other arguments of the operation, which all calls have: `cluster="web"`.

        Returns:
            The fleet. Keep it: its waits share calls. Its failures are no `botocore.exceptions.WaiterError`s.

        Raises:
            OptionsError: The operation answers for one resource, or an argument is unknown or invalid.
            ParamValidationError: An argument of the operation is invalid (`botocore.exceptions`).

        """

        @clients.with_feature("botocore.context")
        def answer(**members: Any) -> Any:
            return clients.call(self._method, members, self.operation)()

        options: dict[str, Any] = {"batch": batch, "rate": rate, "clock": clock, "sleep": sleep}
        return self._fleet(answer, parameters, is_async=False, **options)


class PatchedWaiter(botocore.waiter.Waiter):
    """A waiter with botocore's interface and the engine of this package."""

    config: Any
    _operation_method: Any
    transient_errors: Literal["retry", "fail"] = "retry"

    @clients.with_feature("botocore.context")
    def wait(self, **kwargs: Any) -> Outcome[dict[str, Any]]:  # type: ignore[override]
        """Wait until the resource is in the desired state.

        Only errors of the service are results: all other exceptions are propagated unchanged, except transient ones,
        which the wait retries.

        Args:
            **kwargs: The arguments of the operation, and `WaiterConfig`: a dict with `Delay`, `MaxAttempts` and
                `MaxWait`, the maximum duration of the wait in seconds.

        Raises:
            botocore.exceptions.WaiterError: The wait failed. The exception is also a `smithy_waiters.WaiterError`.
            OptionsError: `WaiterConfig` is invalid.

        """
        waiter, options, members = clients.patched_waiter(self, kwargs)
        call = clients.call(self._operation_method, members, self.config.operation)
        try:
            return waiter.wait(call, sleep=partial(_sleep, options["min_delay"]), **options)
        except WaiterError as failure:
            problem = clients.patched_problem(failure, self.config)
        try:
            raise problem
        finally:
            # The traceback references this frame: avoid a reference cycle.
            del problem


def _sleep(delay: float, seconds: float) -> None:
    """Sleep for the whole delay of the waiter, unless the wait ends before."""
    time.sleep(delay if 0 <= delay - seconds < _TOLERANCE else seconds)
