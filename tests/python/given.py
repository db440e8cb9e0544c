"""What vectors give: JSON with three markers for what JSON cannot say (`tests/README.md`)."""

from __future__ import annotations

from typing import Any

NUMBERS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def resolve(value: Any) -> Any:
    """Give the value with its markers resolved."""
    if isinstance(value, list):
        return [resolve(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$text" in value:
        return "".join(part if isinstance(part, str) else part[0] * part[1] for part in value["$text"])
    if "$number" in value:
        return NUMBERS[value["$number"]]
    if "$absent" in value:
        return None
    return {name: resolve(member) for name, member in value.items()}


def error_of(error: dict[str, Any]) -> object:
    """Give the error that `{code | name | class, message?}` or `{none}` stands for."""
    message = error.get("message", "")
    if "code" in error:
        return ServiceError(error["code"], message)
    if "class" in error:
        return type(error["class"], (Exception,), {})(message)
    return error.get("name")


def message_of(error: BaseException | None) -> str | None:
    return None if error is None else str(error)


class ServiceError(Exception):
    """An error like those of botocore."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.response = {"Error": {"Code": code, "Message": message}}
