"""The ends of waits on Airflow."""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUntypedBaseClass=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from smithy_waiters.durable.stored import ended
from smithy_waiters.errors import WaiterAttemptsExceeded, WaiterError, WaiterFailed, WaiterTimeout

from .versions import AirflowException, AirflowSensorTimeout

if TYPE_CHECKING:
    from collections.abc import Mapping


class SensorFailed(WaiterFailed, AirflowException):  # type: ignore[misc]
    """A failure state, or an error that no acceptor matches. Airflow retries the task if it has `retries`."""


class SensorTimeout(WaiterTimeout, AirflowSensorTimeout):  # type: ignore[misc]
    """The time is up. Airflow does not retry the task."""


class SensorAttemptsExceeded(WaiterAttemptsExceeded, AirflowSensorTimeout):  # type: ignore[misc]
    """The maximum number of attempts was made. Airflow does not retry the task."""


_CLASSES: dict[type[WaiterError], type[WaiterError]] = {
    WaiterAttemptsExceeded: SensorAttemptsExceeded,
    WaiterFailed: SensorFailed,
    WaiterTimeout: SensorTimeout,
}


def outcome(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return the outcome of a wait as plain data, from the payload of the event of a `WaitTrigger`.

    It has the members of `Outcome.to_dict`.

    Raises:
        SensorFailed: The wait failed.
        SensorTimeout: The time was up.
        SensorAttemptsExceeded: The maximum number of attempts was made.

    """
    end = ended({**event})
    if isinstance(end, WaiterError):
        failure = _CLASSES[type(end)](end._report, response=end.response, error=end.error)  # noqa: SLF001
        raise failure from end.__cause__
    if isinstance(end, Exception):
        raise end
    members: dict[str, Any] = end.to_dict()
    return members
