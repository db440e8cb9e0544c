"""Names that Airflow has moved between its versions 3.0 and 3.3."""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnusedImport=false
# pyright: reportUnknownArgumentType=false

from airflow.triggers.base import BaseTrigger

try:
    from airflow.sdk.configuration import conf
except ImportError:
    from airflow.configuration import conf

try:
    from airflow.sdk.exceptions import (
        AirflowException,
        AirflowSensorTimeout,
        AirflowTaskTimeout,
    )
except ImportError:
    from airflow.exceptions import (
        AirflowException,
        AirflowSensorTimeout,
        AirflowTaskTimeout,
    )

__all__ = [
    "CALLS_ON_KILL",
    "AirflowException",
    "AirflowSensorTimeout",
    "AirflowTaskTimeout",
    "conf",
]

CALLS_ON_KILL = hasattr(BaseTrigger, "on_kill")
"""`True` if the triggerer calls `on_kill` of a trigger, as it does since Airflow 3.3."""
