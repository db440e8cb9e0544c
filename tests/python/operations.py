"""Run the vectors for the pages, bodies and tokens of an operation's requests."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import results
from values import resolve
from waiters import snake_case

from smithy_waiters import DefinitionError, OptionsError
from smithy_waiters.compression import CompressionSettings, RequestCompression, content_encoding
from smithy_waiters.operation import Operation
from smithy_waiters.pagination import PaginationError, Paginator

JsonObject = dict[str, Any]

# The members of `paging` that are not options of a walk.
OWN = ("maxItems", "pageSizes", "startToken")


class ScriptOverError(Exception):
    """Raised when the script ends before the walk."""


def model_of(vector: JsonObject, file: JsonObject) -> Any:
    given = vector["model"]
    return resolve(file["models"][given] if isinstance(given, str) else given)


def paginate(vector: JsonObject, file: JsonObject) -> JsonObject:
    try:
        if "operation" in vector:
            operation, service = vector["operation"], vector.get("service")
            paginator = Paginator.from_model(model_of(vector, file), operation, service=service)
        else:
            paginator = Paginator(json.dumps(resolve(vector["paginated"])))
    except DefinitionError as error:
        return results.refusal(error)
    paging = vector.get("paging", {})
    options: Any = {snake_case(name): resolve(value) for name, value in paging.items() if name not in OWN}
    try:
        paginator.pages(dict, **options, start_token=resolve(paging.get("startToken")))
    except OptionsError as error:
        return results.refusal(error)
    if "pages" not in vector:
        return {"valid": {"inputToken": paginator.input_token, "pageSize": paginator.page_size}}
    return walked(paginator, vector, paging, options)


def page_size(vector: JsonObject, file: JsonObject) -> list[JsonObject]:
    """Return the page size of the first request for each size, which the caller passes as a value and as a function."""
    model = "operation" in vector
    paginator = (
        Paginator.from_model(model_of(vector, file), vector["operation"]) if model else Paginator(vector["paginated"])
    )
    sizes = []
    for given in map(resolve, vector["sizes"]):
        result = sent_size(paginator, given)
        # Without a page size, a function is an error whatever it returns.
        if paginator.page_size is not None:
            assert results.text(sent_size(paginator, lambda _, size=given: size)) == results.text(result)
        sizes.append(result)
    return sizes


def sent_size(paginator: Paginator, size: Any) -> JsonObject:
    try:
        sent = next(paginator.pages(lambda **input: input, page_size=size))
    except OptionsError as error:
        return results.refusal(error)
    return {"size": sent.get(paginator.page_size or "")}


def walked(paginator: Paginator, vector: JsonObject, paging: JsonObject, options: Any) -> JsonObject:
    given = resolve(vector.get("input", {}))
    kept = copy.deepcopy(given)
    inputs: list[JsonObject] = []

    def call(**input: Any) -> Any:
        if len(inputs) == len(vector["pages"]):
            raise ScriptOverError
        inputs.append(shown(input))
        return resolve(vector["pages"][len(inputs) - 1])

    if "pageSizes" in paging and paginator.page_size is not None:
        sizes = paging["pageSizes"]
        options["page_size"] = lambda page: sizes[min(page, len(sizes)) - 1]
    pages = paginator.pages(call, given, start_token=resolve(paging.get("startToken")), **options)
    items, end = gathered(paginator, pages, paging.get("maxItems"))
    assert given == kept
    return {"inputs": inputs, "items": items, "end": end}


def shown(value: Any) -> Any:
    """Return JSON that is equal in all languages: numbers that doubles cannot represent become their digits."""
    if isinstance(value, Decimal):
        return {"decimal": str(value)}
    if isinstance(value, int) and value >= 2**53:
        return {"integer": str(value)}
    return {name: shown(member) for name, member in value.items()} if isinstance(value, dict) else value


def gathered(paginator: Paginator, pages: Any, most: int | None) -> tuple[list[Any], Any]:
    items: list[Any] = []
    try:
        for page in pages:
            found = paginator.items_of(page)
            for item in found.items() if isinstance(found, Mapping) else found or ():
                items.append(list(item) if isinstance(item, tuple) else item)
                if len(items) == most:
                    return items, "limit"
    except PaginationError as error:
        return items, {"code": error.code, "message": error.message}
    except ScriptOverError:
        return items, "more"
    return items, "done"


def compress(vector: JsonObject, file: JsonObject) -> JsonObject:
    try:
        compression = (
            RequestCompression(vector["encodings"]) if "encodings" in vector else operation_of(vector, file).compression
        )
        settings = settings_of(vector, "request").over(settings_of(vector, "client"))
    except (DefinitionError, OptionsError) as error:
        return results.refusal(error)
    body, existing = vector["body"], vector.get("contentEncoding")
    size = None if isinstance(body, str) else body
    encoding = None
    if compression is not None:
        known = isinstance(body, str) and body != "streaming"
        supported = vector.get("supported")
        encoding = compression.encoding(size, requires_length=known, settings=settings, supported=supported)
    header = existing if encoding is None else content_encoding(existing, encoding)
    return {"encoding": encoding, "contentEncoding": header}


def settings_of(vector: JsonObject, name: str) -> CompressionSettings:
    given: Any = {snake_case(option): resolve(value) for option, value in vector.get(name, {}).items()}
    return CompressionSettings(**given)


def operation_of(vector: JsonObject, file: JsonObject) -> Operation:
    return Operation.from_model(model_of(vector, file), vector["operation"], service=vector.get("service"))


def operation(vector: JsonObject, file: JsonObject) -> JsonObject:
    try:
        found = operation_of(vector, file)
    except DefinitionError as error:
        return results.refusal(error)
    given = found.with_token(resolve(vector.get("input", {})), source=lambda: vector["token"])
    return {
        "input": given,
        "idempotent": found.is_idempotent(given),
        "member": found.idempotency_token,
        "errors": {name: modeled(found, name) for name in vector.get("errors", [])},
    }


def modeled(found: Operation, name: str) -> JsonObject | None:
    known = found.error(name)
    return None if known is None else dict(zip(("fault", "retryable", "throttling"), known, strict=True))
