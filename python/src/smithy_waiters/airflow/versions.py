"""Names that Airflow has moved between its versions 3.0 and 3.3."""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

from airflow.triggers.base import BaseTrigger

CALLS_ON_KILL: bool = hasattr(BaseTrigger, "on_kill")
"""`True` if the triggerer calls `on_kill` of a trigger, as it does since Airflow 3.3."""


def _moved(name: str) -> Any:
    try:
        return resolve_name(f"airflow.sdk.{name}")
    except (AttributeError, ImportError):
        return resolve_name(f"airflow.{name}")


AirflowException: Any = _moved("exceptions:AirflowException")
AirflowSensorTimeout: Any = _moved("exceptions:AirflowSensorTimeout")
AirflowTaskTimeout: Any = _moved("exceptions:AirflowTaskTimeout")
conf: Any = _moved("configuration:conf")
