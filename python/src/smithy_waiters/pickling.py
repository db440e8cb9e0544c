"""Errors and responses on their way to another process: something stands for those that cannot be pickled."""

from __future__ import annotations

from ._engine import _plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ErrorStandIn(Exception):
    """Stands for an exception that cannot be pickled, or not read back: a class that is made by a function, as boto3's.

    Its class has the exception's name, and its attributes are the exception's public ones, as plain data: it reads the
    same and is matched by the same `errorType`.
    """

    @property
    def name(self) -> str:
        """The name of the exception's class."""
        return type(self).__name__

    @property
    def message(self) -> str:
        """What the exception said."""
        return str(self)

    @property
    def code(self) -> str | None:
        """The service's code, or the exception's own, where it has one."""
        attributes: Any = self.__dict__
        try:
            return str(attributes["response"]["Error"]["Code"])
        except (KeyError, TypeError):
            code = attributes.get("code")
            return None if code is None else str(code)

    def __reduce__(self) -> tuple[Any, ...]:
        return _stand_in, (_plain(self),)


def _stand_in(data: dict[str, Any]) -> ErrorStandIn:
    """Give what stands for an exception, of which this is known."""
    stand_in: ErrorStandIn = type(data["name"], (ErrorStandIn,), {})(data["message"])
    facts = {name: fact for name, fact in data.items() if name not in ("name", "message", "cause")}
    stand_in.__dict__.update(facts)
    cause: Any = data.get("cause")
    # In plain data it may be a text, too: of what goes in a circle.
    stand_in.__cause__ = None if cause is None or isinstance(cause, str) else _stand_in(cause)
    return stand_in


def portable(value: Any) -> Any:
    """Return a value as an argument of a copy."""
    return value if value is None or isinstance(value, str | int) else Portable(value)


def original(argument: Any) -> Any:
    """Return the value of an argument of a copy."""
    return argument.value if isinstance(argument, Portable) else argument


class Portable:
    """An error or a response among the arguments of a copy: copied unchanged, pickled as far as it can be."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value: Any = value

    def __deepcopy__(self, memo: dict[int, Any]) -> Portable:
        from copy import deepcopy  # noqa: PLC0415

        return Portable(deepcopy(self.value, memo))

    def __reduce__(self) -> tuple[Any, ...]:
        return Portable, (_picklable(self.value),)


def _picklable(value: Any) -> Any:
    """Return the value, or what stands for it if the other process could not read it."""
    import pickle  # noqa: PLC0415 - expensive to import.

    try:
        pickle.loads(pickle.dumps(value))  # noqa: S301 - of this process's own making.
    except Exception:  # noqa: BLE001 - classes may do anything when they are pickled.
        data = _plain(value)
        return _stand_in(data) if isinstance(value, BaseException) else data
    return value
