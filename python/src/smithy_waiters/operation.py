"""Behavior traits of an operation: idempotency, its tokens, and the compression of requests.

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
from ._engine import _must_be
from .drivers.call import check_functions
from .json_text import ModelText

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    from typing_extensions import Self

__all__ = ["Operation"]


class Operation(_engine.Operation):
    """The behavior traits of an operation of a Smithy model. Create one by `from_model`.

    An operation is immutable, and can be shared between threads, copied and pickled.
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
        """Create an operation from a Smithy model.

        >>> create = Operation.from_model(Path("ec2.json"), "CreateVolume")

        Args:
            model: The JSON AST of the model: parsed, as text, or as a path. A `str` is text, never a path.
            operation: The absolute or relative shape ID of the operation.
            service: The shape ID of the service, if several services have an operation of this name.

        Raises:
            DefinitionError: The model has no such operation or several, or a trait is invalid.
            OSError: The file cannot be read.

        """
        with ModelText(model) as text:
            return super().__new__(cls, text, str(operation), None if service is None else str(service))

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_json, (type(self), self._to_json())

    def with_token(
        self, input: Mapping[str, Any] | None = None, *, source: Callable[[], str] | None = None
    ) -> dict[str, Any]:
        """Return a copy of an input, with a fresh idempotency token if one is required and missing.

        Call this once, before the first attempt, so that every retry sends the same token. An empty token in the input
        is preserved. See the `specification <https://smithy.io/2.0/spec/behavior-traits.html#idempotencytoken-trait>`_.

        Args:
            input: The operation's input, which is not changed.
            source: A function that returns the token, instead of a random UUID of version 4.

        Raises:
            OptionsError: The input is not a mapping, or the source does not return a string.

        """
        members: dict[str, Any] = _members(input)
        missing = self.missing_token(members)
        return members if missing is None else {**members, missing: _draw(source)}


def _from_json(cls: type[Operation], text: str) -> Operation:
    """Return the operation of a pickle or a copy."""
    return _engine.Operation.__new__(cls, text)


def _draw(source: Any) -> str:
    check_functions(source=source)
    token = str(uuid4()) if source is None else source()
    if not isinstance(token, str):
        raise _must_be("source", "source", token)
    return token


def _members(value: Any) -> dict[str, Any]:
    if value is None:
        return {}
    if not issubclass(type(value), Mapping):
        raise _must_be("input", "a mapping", value)
    return dict(value)
