"""Failed requests that vectors give, as exceptions like those of clients."""

from __future__ import annotations

from typing import Any

from given import NoError, raised

from smithy_waiters.operation import Operation

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
    exception: Exception = error
    return exception


def operation_with(failures: list[JsonObject]) -> Operation | None:
    """Give an operation whose model has these failures, as far as they are modeled."""
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
    """Give the exception that an entry of a script stands for."""
    if "failure" in entry:
        return failure_of(entry["failure"])
    return raised(entry["error"]) if "error" in entry else None
