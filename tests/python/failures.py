"""Failed requests that vectors give, as exceptions like those of clients."""

from __future__ import annotations

from typing import Any

from given import NoError, raised

JsonObject = dict[str, Any]


class Failed(NoError):
    """What is known of the request is in its attributes; without a code it has no name."""


class FailedService(Exception):
    """The error of a service, by its code."""


class Lost(NoError, ConnectionResetError):
    """The connection failed."""


class Late(NoError, TimeoutError):
    """No answer came in time."""


def failure_of(given: JsonObject) -> Exception:
    """Give the exception that says what a vector's `failure` does."""
    usual: type[Exception] = FailedService if "code" in given else Failed
    kind = {"connection": Lost, "timeout": Late}.get(given.get("transport", ""), usual)
    error: Any = kind(given.get("message", ""))
    headers = {"retry-after": given.get("retryAfter"), "x-amz-retry-after": given.get("amzRetryAfter")}
    error.response = {
        "Error": {"Code": given["code"], "Message": given.get("message", "")} if "code" in given else {},
        "ResponseMetadata": {
            "HTTPStatusCode": given.get("status"),
            "HTTPHeaders": {name: value for name, value in headers.items() if value is not None},
        },
    }
    if "modeled" in given:
        error.fault = given["modeled"]["fault"]
        error.is_retry_safe = given["modeled"].get("retryable", False)
        error.is_throttling_error = given["modeled"].get("throttling", False)
    exception: Exception = error
    return exception


def raised_by(entry: JsonObject) -> Exception | None:
    """Give the exception that an entry of a script stands for."""
    if "failure" in entry:
        return failure_of(entry["failure"])
    return raised(entry["error"]) if "error" in entry else None
