"""Waiters in botocore's format, `waiters-2.json`: those of an installed botocore, or of a file.

`Waiter.from_botocore` and `Waiter.names` read them. See `smithy_waiters.boto3` for waiters of a client.
"""

# botocore is only partly typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import os
import re
from functools import lru_cache

from . import _engine
from .errors import DefinitionError
from .json_text import waiters_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from typing import Any


def read(source: Any) -> str:
    """Return the JSON text of the waiters of a client, a service, a file, or a parsed file.

    Raises:
        DefinitionError: There is no such service, or it has no waiters.
        ModuleNotFoundError: The source is a service or a client, and botocore is not installed.
        OSError: The file cannot be read.

    """
    if hasattr(source, "__fspath__"):
        return _file_text(source)
    if isinstance(source, str):
        return waiters_text(installed(source, None))
    service = getattr(getattr(source, "meta", None), "service_model", None)
    if service is not None:
        return waiters_text(installed(service.service_name, service.api_version, loader_of(source)))
    if not hasattr(source, "keys"):
        message = f"`source` must be a client, the name of a service, a path, or a parsed file, got {source!r}"
        raise DefinitionError(message, "wrong_type", "source")
    return waiters_text(source)


def error_names(error: BaseException) -> list[str] | None:
    """Return the names of a service's error that the acceptors of a botocore waiter match; `None` for other errors."""
    response: Any = getattr(error, "response", None)
    if not isinstance(response, dict) or not isinstance(response.get("Error"), dict):
        return None
    facts: dict[str, Any] = response
    status: Any = (facts.get("ResponseMetadata") or {}).get("HTTPStatusCode")
    return _engine._botocore_error_names(str(facts["Error"].get("Code", "")), status)  # noqa: SLF001


def _file_text(path: PathLike[str]) -> str:
    import gzip  # noqa: PLC0415 - expensive to import.

    with open(path, "rb") as file:  # noqa: PTH123 - `pathlib` is expensive to import.
        data = file.read()
    # botocore compresses its own files.
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError) as error:
            message = f"`{path}`: the file is damaged: {error}"
            raise DefinitionError(message, "invalid_json") from error
    return waiters_text(data)


def snake_case(name: str) -> str:
    """Return the name of a waiter as botocore's clients write it: `db_instance_available`."""
    words = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z0-9])([A-Z])", r"\1_\2", words).lower()


def loader_of(client: Any) -> Any:
    """Return the loader of a client, which caches files; `None` if this botocore has another attribute for it."""
    return getattr(client, "_loader", None)


@lru_cache(maxsize=1)
def _default_loader(_data_path: str | None) -> Any:
    """Return botocore's loader. A session searches all folders of services, which takes 10 ms."""
    from botocore.session import Session  # noqa: PLC0415

    return Session().get_component("data_loader")


def pagination(client: Any, operation: str) -> dict[str, str] | None:
    """Return the `paginated` trait of an operation in botocore's files, or `None` if it has no pages."""
    from botocore.exceptions import DataNotFoundError, UnknownServiceError  # noqa: PLC0415

    service = client.meta.service_model
    loader = loader_of(client) or _default_loader(os.environ.get("AWS_DATA_PATH"))
    try:
        file = loader.load_service_model(service.service_name, "paginators-1", service.api_version)
    except (DataNotFoundError, UnknownServiceError):
        return None
    rule = file["pagination"].get(operation)
    return rule and {"inputToken": rule["input_token"], "outputToken": rule["output_token"]}


def installed(service: str, api_version: str | None, loader: Any = None) -> Mapping[str, Any]:
    """Return the waiters of a service in botocore's files, which a loader caches: do not change the result.

    Raises:
        DefinitionError: There is no such service, or it has no waiters.
        ModuleNotFoundError: botocore is not installed.

    """
    try:
        from botocore.exceptions import DataNotFoundError, UnknownServiceError  # noqa: PLC0415
    except ModuleNotFoundError as error:
        message = "waiters of a service need botocore: pip install 'smithy-waiters[boto3]'"
        raise ModuleNotFoundError(message, name="botocore") from error
    loader = loader or _default_loader(os.environ.get("AWS_DATA_PATH"))
    try:
        waiters: Mapping[str, Any] = loader.load_service_model(service, "waiters-2", api_version)
    except (DataNotFoundError, UnknownServiceError):
        known = loader.list_available_services("waiters-2")
    else:
        return waiters
    if service in loader.list_available_services("service-2"):
        raise DefinitionError(f"the service `{service}` has no waiters", "unknown_service", "source")
    from difflib import get_close_matches  # noqa: PLC0415 - expensive to import.

    similar: list[str] = get_close_matches(service, known, 1)
    near = "".join(f"; did you mean `{name}`?" for name in similar)
    raise DefinitionError(f"botocore has no service `{service}`{near}", "unknown_service", "source")
