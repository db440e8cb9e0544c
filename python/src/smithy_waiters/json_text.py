"""Conversion of the caller's values to the JSON text that the engine reads."""

from __future__ import annotations

from .errors import DefinitionError, StateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def definition_text(definition: object) -> str:
    """Return the JSON text of a definition. The engine checks its contents.

    Raises:
        DefinitionError: The definition cannot be converted to JSON.

    """
    return _convert(definition, "definition")


def waiters_text(waiters: object) -> str:
    """Return the JSON text of a file in botocore's format. The engine checks its contents.

    Raises:
        DefinitionError: The file cannot be converted to JSON.

    """
    return _convert(waiters, "waiters file")


class ModelText:
    """The JSON text of a model or of a model file. Errors about the text of a file are prefixed with its path.

    Raises:
        DefinitionError: The model cannot be converted to JSON.
        OSError: The file cannot be read.

    """

    def __init__(self, model: Any) -> None:
        self._model = model

    def __enter__(self) -> str:
        model = self._model
        if hasattr(model, "__fspath__"):
            with open(model, "rb") as file:  # noqa: PTH123 - `pathlib` is expensive to import.
                model = file.read()
        try:
            return _convert(model, "model")
        except DefinitionError as error:
            self.__exit__(type(error), error, None)
            raise

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, DefinitionError) and error.code == "invalid_json" and hasattr(self._model, "__fspath__"):
            raise DefinitionError(f"`{self._model}`: {error.message}", error.code) from error.__cause__


def state_text(state: object) -> str:
    """Return the JSON text of a saved wait.

    Raises:
        StateError: The saved wait cannot be converted to JSON.

    """
    try:
        return _text(state)
    except (TypeError, ValueError, RecursionError) as error:
        raise StateError(f"the saved wait is damaged: {error}", "damaged_state") from error


def arguments_text(arguments: object, noun: str) -> str:
    """Return the JSON text of the arguments of a short form or an extension.

    Raises:
        DefinitionError: The arguments cannot be converted to JSON.

    """
    return _convert(arguments, noun)


def _convert(value: object, noun: str) -> str:
    try:
        return _text(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise DefinitionError(f"the {noun} is not JSON: {error}", "invalid_json") from error


def _text(value: Any) -> str:
    if isinstance(value, bytes | bytearray):
        return value.decode()
    if isinstance(value, str):
        value.encode()  # Raises an error for an unpaired surrogate, which JSON text cannot contain.
        return value
    import json  # noqa: PLC0415 - expensive to import, and not needed for text.

    return json.dumps(value, allow_nan=False, default=_plain)


def _plain(value: Any) -> dict[object, object]:
    from collections.abc import Mapping  # noqa: PLC0415

    if issubclass(type(value), Mapping):
        return dict(value)
    hint = ": read the file, or pass the path of a model to `from_model`" if hasattr(value, "__fspath__") else ""
    raise TypeError(f"{type(value).__name__} cannot be converted to JSON{hint}")
