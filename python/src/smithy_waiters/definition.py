"""A definition as the JSON text that the engine reads."""

from __future__ import annotations

import json
from collections.abc import Mapping

from .errors import DefinitionError


def text_of(definition: object) -> str:
    """Give the definition's JSON text; what it says is for the engine to check.

    Raises:
        DefinitionError: The definition cannot be written as JSON.

    """
    try:
        if isinstance(definition, bytes | bytearray | memoryview):
            return bytes(definition).decode()
        if isinstance(definition, str):
            definition.encode()  # A surrogate without its other half is in no JSON text.
            return definition
        return json.dumps(definition, allow_nan=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise DefinitionError(f"the definition is not JSON: {error}", "invalid_json") from error


def _plain(value: object) -> dict[object, object]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no type of JSON")
