"""What a model says of an operation's requests: whether they may be repeated, and which member makes them so.

>>> from smithy_waiters.operation import Operation
>>> create = Operation.from_model(
...     {
...         "shapes": {
...             "demo#Create": {"type": "operation", "input": {"target": "demo#CreateInput"}},
...             "demo#CreateInput": {
...                 "type": "structure",
...                 "members": {
...                     "Token": {"target": "smithy.api#String", "traits": {"smithy.api#idempotencyToken": {}}}
...                 },
...             },
...         }
...     },
...     "Create",
... )
>>> create.is_idempotent({})
False
>>> request = create.with_token({}, source=lambda: "5f0a")
>>> request, create.is_idempotent(request)
({'Token': '5f0a'}, True)

See `the specification <https://smithy.io/2.0/spec/behavior-traits.html#idempotency>`_.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from . import _engine
from .drivers.call import check_functions
from .errors import OptionsError
from .json_text import ModelText

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from typing_extensions import Self

__all__ = ["Operation"]


class Operation(_engine.Operation):
    """The behavior traits of an operation of a Smithy model: make one by `from_model`.

    It is immutable, and may be shared between threads.
    """

    __slots__ = ()

    @classmethod
    def from_model(
        cls,
        model: Mapping[str, Any] | str | bytes | PathLike[str],
        operation: str,
        *,
        service: str | None = None,
    ) -> Self:
        """Give an operation of a Smithy model.

        >>> create = Operation.from_model(Path("ec2.json"), "CreateVolume")

        Args:
            model: The model's JSON AST: parsed, as text, or where to read it. A `str` is text, never a path.
            operation: The operation's shape id, absolute or relative.
            service: The service's shape id, where several have such an operation.

        Raises:
            DefinitionError: There is no such operation, or more than one, or its traits do not hold.
            OSError: The file cannot be read.

        """
        with ModelText(model) as text:
            return super().__new__(cls, text, str(operation), None if service is None else str(service))

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_json, (type(self), self._to_json())

    def with_token(
        self, input: Mapping[str, Any] | None = None, *, source: Callable[[], str] | None = None
    ) -> dict[str, Any]:
        """Give an input with a fresh idempotency token, where it has none and the operation takes one.

        Do so once, before the first attempt: the same token is sent with every retry. An empty token is the caller's.

        Args:
            input: The operation's input, which stays as it is.
            source: Gives the token, instead of a random UUID of version 4.

        Raises:
            OptionsError: The input is no mapping, or the source gives no string.

        """
        members: dict[str, Any] = _members(input)
        missing = self.missing_token(members)
        return members if missing is None else {**members, missing: _draw(source)}


def _from_json(cls: type[Operation], text: str) -> Operation:
    """Return the operation of a pickle."""
    return _engine.Operation.__new__(cls, text)


def _draw(source: Any) -> str:
    check_functions(source=source)
    token = str(uuid4()) if source is None else source()
    if not isinstance(token, str):
        raise OptionsError("`source` must give a string", "invalid_option", "source")
    return token


def _members(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not issubclass(type(value), Mapping):
        raise OptionsError("`input` must be a mapping", "invalid_option", "input")
    return dict(value)
