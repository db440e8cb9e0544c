"""Exceptions like those of clients for the failed requests in vectors."""

from __future__ import annotations

import ssl
from typing import Any

from values import NoError, raised

from smithy_waiters.operation import Operation

JsonObject = dict[str, Any]


class Failed(NoError):
    """A failed request, described by its attributes. Without a code, the error does not have a name."""


class FailedService(Exception):
    """An error of a service, with a code."""


class Lost(NoError, ConnectionResetError):
    """A failed connection."""


class Late(NoError, TimeoutError):
    """A timeout."""


class Untrusted(NoError, ssl.SSLCertVerificationError):
    """An invalid certificate."""


def failure_of(given: JsonObject) -> Exception:
    """Return the exception for a vector's `failure`."""
    usual: type[Exception] = FailedService if "code" in given else Failed
    kind = {"connection": Lost, "permanent": Untrusted, "timeout": Late}.get(given.get("transport", ""), usual)
    error: Any = kind(given.get("message", ""))
    headers = {"retry-after": given.get("retryAfter"), "x-amz-retry-after": given.get("amzRetryAfter")}
    error.response = {
        "Error": {"Code": given["code"], "Message": given.get("message", "")} if "code" in given else {},
        "ResponseMetadata": {
            "HTTPStatusCode": given.get("status"),
            "HTTPHeaders": {name: value for name, value in headers.items() if value is not None},
        },
    }
    if "cause" in given:
        error.__cause__ = failure_of(given["cause"])
    exception: Exception = error
    return exception


def operation_with(failures: list[JsonObject]) -> Operation | None:
    """Return an operation whose model defines the modeled errors of these failures."""
    modeled = {given.get("code") or type(failure_of(given)).__name__: given.get("modeled") for given in failures}
    errors = {f"demo#{name}": shape_of(known) for name, known in modeled.items() if known is not None}
    if not errors:
        return None
    operation = {"type": "operation", "errors": [{"target": shape} for shape in errors]}
    return Operation.from_model({"shapes": {"demo#Call": operation, **errors}}, "Call")


def shape_of(modeled: JsonObject) -> JsonObject:
    traits: JsonObject = {"smithy.api#error": modeled["fault"]}
    if modeled.get("retryable"):
        traits["smithy.api#retryable"] = {"throttling": modeled.get("throttling", False)}
    return {"type": "structure", "members": {}, "traits": traits}


def raised_by(entry: JsonObject) -> Exception | None:
    """Return the exception for an entry of a script."""
    if "failure" in entry:
        return failure_of(entry["failure"])
    return raised(entry["error"]) if "error" in entry else None
