"""Values in vectors: JSON with markers for host values and values that JSON cannot represent (`tests/README.md`)."""

from __future__ import annotations

from base64 import b64decode
from datetime import datetime, timezone
from decimal import Decimal
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

CYCLE = {"$cycle": True}


def resolve(value: Any) -> Any:
    """Return the value with its markers resolved."""
    return Resolver().resolve(value)


class Resolver:
    """Resolves the markers of a value, which may become cyclic."""

    def __init__(self) -> None:
        self._cycles: list[tuple[dict[str, Any], str]] = []

    def resolve(self, value: Any) -> Any:
        root = self._part(value)
        for members, name in self._cycles:
            members[name] = root
        return root

    def _part(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._part(item) for item in value]
        if not isinstance(value, dict):
            return value
        [marker] = value if len(value) == 1 else [""]
        if marker in MARKERS:
            return MARKERS[marker](self, value[marker])
        return self._members(value)

    def _members(self, value: dict[str, Any]) -> dict[str, Any]:
        members: dict[str, Any] = {}
        for name, member in value.items():
            members[name] = None
            if member == CYCLE:
                self._cycles.append((members, name))
            else:
                members[name] = self._part(member)
        return members

    def map(self, entries: list[Any]) -> MappingProxyType[Any, Any]:
        """Return a mapping that is not a dict."""
        return MappingProxyType({key: self._part(value) for key, value in entries})

    def object(self, members: dict[str, Any]) -> object:
        """Return an object of a new class with attributes."""
        structure = type("Structure", (), {})()
        vars(structure).update(self._members(members))
        return structure

    def parts(self, parts: list[Any]) -> list[Any]:
        """Return a list from pairs of a value and the number of its repetitions."""
        return [item for value, times in parts for item in [self._part(value)] * times]

    def set(self, items: list[Any]) -> set[Any]:
        return {self._part(item) for item in items}


def text(parts: list[Any]) -> str:
    return "".join(part if isinstance(part, str) else part[0] * part[1] for part in parts)


def units(codes: list[int]) -> str:
    """Return the text for UTF-16 code units, which may include lone surrogates."""
    return b"".join(code.to_bytes(2, "little") for code in codes).decode("utf-16-le", "surrogatepass")


def choice(value: Any) -> Enum:
    class Choice(Enum):
        CHOSEN = value

    return Choice.CHOSEN


MARKERS: dict[str, Callable[[Resolver, Any], Any]] = {
    "$absent": lambda *_: None,
    "$bigint": lambda _, digits: int(digits),
    "$bytes": lambda _, base64: b64decode(base64),
    "$date": lambda _, seconds: datetime.fromtimestamp(seconds, timezone.utc),
    "$decimal": lambda _, digits: Decimal(digits),
    "$enum": lambda _, value: choice(value),
    "$function": lambda *_: text,
    "$list": Resolver.parts,
    "$map": Resolver.map,
    "$number": lambda _, name: float(name),
    "$object": Resolver.object,
    "$set": Resolver.set,
    "$text": lambda _, parts: text(parts),
    "$units": lambda _, codes: units(codes),
}


def error_of(error: dict[str, Any]) -> object:
    """Return the error for `{code | name | class, message?, status?}`, `{thrown}` or `{none}`."""
    message = error.get("message", "")
    if "code" in error:
        return ServiceError(error["code"], message, error.get("status"))
    if "class" in error:
        status = {"status": error["status"]} if "status" in error else {}
        return type(error["class"], (Exception,), status)(message)
    if "thrown" in error:
        return NoError(str(error["thrown"]))
    return error.get("name")


def raised(error: dict[str, Any]) -> Exception:
    """Return the error for a description as an exception."""
    given = error_of(error)
    return given if isinstance(given, Exception) else NoError("")


def message_of(error: BaseException | None) -> str | None:
    return None if error is None else str(error)


class ServiceError(Exception):
    """An error with the attributes of botocore's errors."""

    def __init__(self, code: str, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.response = {"Error": {"Code": code, "Message": message}, "ResponseMetadata": {"HTTPStatusCode": status}}


class NoError(Exception):
    """A thrown value that is not an error in other languages: an exception without a name in Python."""
