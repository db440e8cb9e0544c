"""Pickles of errors and responses, with substitutes for values that cannot be pickled."""

from __future__ import annotations

from ._engine import _plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ErrorStandIn(Exception):
    """Substitute for an exception that cannot be pickled or unpickled.

    Examples are the exceptions of boto3, whose classes are created at run time. The substitute has the text of the
    exception, a class of the same name, and its public attributes as plain data. An `errorType` that matches the
    exception also matches the substitute.
    """

    @property
    def name(self) -> str:
        """The name of the exception's class."""
        return type(self).__name__

    @property
    def message(self) -> str:
        """The text of the exception."""
        return str(self)

    @property
    def code(self) -> str | None:
        """The service's code, or the attribute `code` of the exception; `None` without a code."""
        attributes: Any = self.__dict__
        try:
            return str(attributes["response"]["Error"]["Code"])
        except (KeyError, TypeError):
            code = attributes.get("code")
            return None if code is None else str(code)

    def __reduce__(self) -> tuple[Any, ...]:
        return stand_in, (_plain(self),)


def stand_in(data: dict[str, Any]) -> ErrorStandIn:
    """Return the substitute for an exception, from its plain data."""
    error: ErrorStandIn = type(data["name"], (ErrorStandIn,), {})(data["message"])
    facts = {name: fact for name, fact in data.items() if name not in ("name", "message", "cause")}
    error.__dict__.update(facts)
    cause: Any = data.get("cause")
    # In plain data, a text replaces a circular cause.
    error.__cause__ = None if cause is None or isinstance(cause, str) else stand_in(cause)
    return error


def pickle_argument(value: Any) -> Any:
    """Return a value as an argument of a pickle or a copy."""
    return value if value is None or isinstance(value, str | int) else PickleArgument(value)


def argument_value(argument: Any) -> Any:
    """Return the value of an argument of a pickle or a copy."""
    return argument.value if isinstance(argument, PickleArgument) else argument


class PickleArgument:
    """An error or a response as an argument, which is copied unchanged and pickled with a substitute if necessary."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value: Any = value

    def __deepcopy__(self, memo: dict[int, Any]) -> PickleArgument:
        from copy import deepcopy  # noqa: PLC0415

        return PickleArgument(deepcopy(self.value, memo))

    def __reduce__(self) -> tuple[Any, ...]:
        return PickleArgument, (picklable(self.value),)


def picklable(value: Any) -> Any:
    """Return the value, or its substitute if it cannot be pickled or unpickled."""
    import pickle  # noqa: PLC0415 - expensive to import.

    try:
        pickle.loads(pickle.dumps(value))  # noqa: S301 - pickled in the same expression.
    except Exception:  # noqa: BLE001 - pickling runs code of any class.
        data = _plain(value)
        return stand_in(data) if isinstance(value, BaseException) else data
    return value
