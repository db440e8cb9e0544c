"""What the engine reads as JSON text, from what callers have."""

from __future__ import annotations

from .errors import DefinitionError, StateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def of_definition(definition: object) -> str:
    """Give the definition's JSON text; what it says is for the engine to check.

    Raises:
        DefinitionError: The definition cannot be written as JSON.

    """
    return _definition_text(definition, "definition")


class ModelText:
    """The JSON text of a model, from its file if it is a path, which an error of reading the text names.

    Raises:
        DefinitionError: The model cannot be written as JSON.
        OSError: The file cannot be read.

    """

    def __init__(self, model: Any) -> None:
        self._model = model

    def __enter__(self) -> str:
        model = self._model
        if hasattr(model, "__fspath__"):
            with open(model, "rb") as file:  # noqa: PTH123 - `pathlib` is dear to import.
                model = file.read()
        try:
            return _definition_text(model, "model")
        except DefinitionError as error:
            self.__exit__(type(error), error, None)
            raise

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, DefinitionError) and error.code == "invalid_json" and hasattr(self._model, "__fspath__"):
            raise DefinitionError(f"`{self._model}`: {error.message}", error.code) from error.__cause__


def of_state(state: object) -> str:
    """Give a saved wait's JSON text.

    Raises:
        StateError: It cannot be written as JSON.

    """
    try:
        return _text(state)
    except (TypeError, ValueError, RecursionError) as error:
        raise StateError(f"the saved wait is damaged: {error}", "damaged_state") from error


def of_arguments(arguments: object, noun: str) -> str:
    """Give the JSON text of arguments by which the engine makes a waiter.

    Raises:
        DefinitionError: They cannot be written as JSON.

    """
    return _definition_text(arguments, noun)


def _definition_text(value: object, noun: str) -> str:
    try:
        return _text(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise DefinitionError(f"the {noun} is not JSON: {error}", "invalid_json") from error


def _text(value: Any) -> str:
    if isinstance(value, bytes | bytearray):
        return value.decode()
    if isinstance(value, str):
        value.encode()  # A surrogate without its other half is in no JSON text.
        return value
    import json  # noqa: PLC0415 - dear to import, and not needed for text.

    return json.dumps(value, allow_nan=False, default=_plain)


def _plain(value: Any) -> dict[object, object]:
    from collections.abc import Mapping  # noqa: PLC0415

    if issubclass(type(value), Mapping):
        return dict(value)
    hint = ": read the file, or give a model's path to `from_model`" if hasattr(value, "__fspath__") else ""
    raise TypeError(f"{type(value).__name__} is not a type of JSON{hint}")
