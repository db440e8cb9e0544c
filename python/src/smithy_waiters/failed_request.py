"""Reader of exceptions of boto3, smithy-python, requests, httpx, aiohttp, urllib and Python, without importing them."""

from __future__ import annotations

import errno
import math
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeGuard

# The first base class of an error in this table determines its kind. `tls` is decided by the causes of the error, and
# `name` (a failed name resolution) by its number.
_NO_ANSWER = {
    "aiohttp.client_exceptions.ServerTimeoutError": "timeout",
    "aiohttp.client_exceptions.ClientSSLError": "tls",
    "aiohttp.client_exceptions.ClientConnectionError": "connection",
    "aiohttp.client_exceptions.ClientPayloadError": "connection",
    "asyncio.exceptions.TimeoutError": "timeout",
    "botocore.exceptions.ConnectTimeoutError": "timeout",
    "botocore.exceptions.ReadTimeoutError": "timeout",
    "botocore.exceptions.SSLError": "tls",
    "botocore.exceptions.ConnectionClosedError": "connection",
    "botocore.exceptions.ConnectionError": "connection",
    "botocore.exceptions.HTTPClientError": "connection",
    "botocore.exceptions.ResponseStreamingError": "connection",
    "builtins.ConnectionError": "connection",
    "builtins.TimeoutError": "timeout",
    "concurrent.futures._base.TimeoutError": "timeout",
    "http.client.IncompleteRead": "connection",
    "httpx.NetworkError": "connection",
    "httpx.ProxyError": "connection",
    "httpx.RemoteProtocolError": "connection",
    "httpx.TimeoutException": "timeout",
    "requests.exceptions.ChunkedEncodingError": "connection",
    "requests.exceptions.ConnectTimeout": "timeout",
    "requests.exceptions.SSLError": "tls",
    "requests.exceptions.Timeout": "timeout",
    "requests.exceptions.ConnectionError": "connection",
    "socket.gaierror": "name",
    "ssl.SSLEOFError": "connection",
    "ssl.SSLError": "tls",
    "ssl.SSLZeroReturnError": "connection",
    "trio.TooSlowError": "timeout",
    "urllib3.exceptions.NewConnectionError": "connection",
    "urllib3.exceptions.ProtocolError": "connection",
    "urllib3.exceptions.ProxyError": "connection",
    "urllib3.exceptions.SSLError": "tls",
    "urllib3.exceptions.TimeoutError": "timeout",
}

# Cache of lookups by class, because a lookup is expensive.
_TRANSPORTS: WeakKeyDictionary[type[BaseException], str | None] = WeakKeyDictionary()

_HEADERS = {"retry-after": "retry_after", "x-amz-retry-after": "amz_retry_after"}

# The maximum number of causes to inspect in a connection error.
_MOST_REASONS = 20

_CONNECTION_KINDS = {"connection", "name", "tls"}

# http.client raises a plain `OSError` if a proxy refuses a tunnel.
_REFUSED_BY_A_PROXY = "Tunnel connection failed:"

_STATUSES = range(100, 600)

_FAULTS = {"client", "server", "other"}

_ABSENT = object()


def facts(error: BaseException, *, now: float) -> dict[str, Any]:
    """Return the facts of an error and its causes, as the engine's classification reads them."""
    # A waiter of a client marks the errors of a client that cannot renew its credentials.
    is_static = _get(error, "static_credentials") is True
    return {"now": now, "chain": map(_parts, _chain(error)), "static_credentials": is_static}


def _parts(error: BaseException) -> dict[str, Any]:
    name = type(error).__name__
    parts = {"name": name, **_transport_facts(error), **_response_facts(error), **_model_facts(error)}
    if parts.get("transport") in _CONNECTION_KINDS:
        parts["transport"] = _connection(error) if _is_lost(error) else "permanent"
    return parts


def _is_lost(error: BaseException) -> bool:
    """Return whether the connection itself failed, and not a certificate or a version of TLS.

    All clients get the same rule: some report both kinds as connection errors, and others as TLS errors.
    """
    causes = [_transport_kind(type(one)) for one in _causes(error) if _is_of_tls(one)]
    return "connection" in causes or (not causes and _transport_kind(type(error)) != "tls")


def _connection(error: BaseException) -> str:
    """Return the kind of a connection failure. An unknown host name is a permanent error."""
    for one in _causes(error):
        if isinstance(one, OSError) and _transport_kind(type(one)) == "name":
            from socket import EAI_AGAIN  # noqa: PLC0415 - already loaded: the error is from this module.

            return "connection" if one.errno == EAI_AGAIN else "host_not_found"
    return "connection"


def _is_of_tls(error: BaseException) -> bool:
    return any(cls.__module__ == "ssl" for cls in type(error).__mro__)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error and all errors that it was caused by, in the representation of each client."""
    errors: list[Any] = [error]
    # The list grows during the iteration.
    for one in islice(errors, _MOST_REASONS):
        yield one
        errors += [reason for reason in (*_reasons(one), *one.args) if isinstance(reason, BaseException)]


def _chain(error: BaseException) -> Iterator[BaseException]:
    one: Any = error
    while one is not None:
        yield one
        one = next((reason for reason in _reasons(one) if isinstance(reason, BaseException)), None)


def _reasons(error: BaseException) -> tuple[Any, ...]:
    """Return the possible causes of an error: `__cause__`, and the attributes of urllib3 and botocore."""
    about = _get(error, "kwargs")
    return error.__cause__, _get(error, "reason"), about.get("error") if _is_mapping(about) else None


def _response_facts(error: BaseException) -> dict[str, Any]:
    response = _get(error, "response")
    if _is_mapping(response):
        return _botocore_facts(response)
    # Errors of aiohttp and urllib have the status and the headers as their own attributes.
    holder = error if response is None else response
    headers = _get(holder, "headers")
    # Without headers, the attribute `code` is often unrelated to HTTP.
    names = ("status_code", "status") if headers is None else ("status_code", "status", "code")
    for name in names:
        if status := _status_facts(_get(holder, name)):
            return status | _header_facts(headers)
    return {}


def _botocore_facts(response: Mapping[str, Any]) -> dict[str, Any]:
    about, meta = response.get("Error"), response.get("ResponseMetadata")
    parts: dict[str, Any] = {}
    if _is_mapping(about) and isinstance(about.get("Code"), str):
        parts["code"] = about["Code"]
    if _is_mapping(meta):
        parts |= _status_facts(meta.get("HTTPStatusCode")) | _header_facts(meta.get("HTTPHeaders"))
    return parts


def _status_facts(status: object) -> dict[str, Any]:
    return {"status": status} if isinstance(status, int) and status in _STATUSES else {}


def _header_facts(headers: Any) -> dict[str, Any]:
    """Read the headers for a retry. An attribute of this name may have any type and raise any exception."""
    parts: dict[str, Any] = {}
    with suppress(Exception):
        for name, value in headers.items():
            fact = _HEADERS.get(name.lower()) if isinstance(name, str) else None
            if fact is not None and isinstance(value, str | int):
                # Repeated header lines form a list. The engine uses the first value: docs/rules.md#retry-after-lists
                parts.setdefault(fact, str(value))
    return parts


def _model_facts(error: BaseException) -> dict[str, Any]:
    """Read the attributes that clients generated from a model have on their errors."""
    parts: dict[str, Any] = {}
    fault = _get(error, "fault")
    if isinstance(fault, str) and fault in _FAULTS:
        parts["fault"] = fault
    safe, after = _get(error, "is_retry_safe", _ABSENT), _get(error, "retry_after")
    if not parts and safe is _ABSENT:
        return {}
    if isinstance(safe, bool):
        parts["safe"] = safe
    if _get(error, "is_throttling_error") is True:
        parts["throttle"] = True
    if _get(error, "is_timeout_error") is True:
        parts["transport"] = "timeout"
    if isinstance(after, int | float) and not isinstance(after, bool) and 0 <= after < math.inf:
        # Rounded up, after removing floating-point noise.
        parts["amz_retry_after"] = str(math.ceil(round(after * 1000, 6)))
    return parts | _status_facts(_get(_get(error, "response_metadata"), "http_status_code"))


def _transport_facts(error: BaseException) -> dict[str, Any]:
    transport = _transport_kind(type(error))
    if type(error) is OSError and str(error).startswith(_REFUSED_BY_A_PROXY):
        transport = "connection"
    # TLS and resolver errors have numbers that are unrelated to `errno`.
    is_unrelated = transport == "name" or _is_of_tls(error)
    code = errno.errorcode.get(error.errno or 0) if isinstance(error, OSError) and not is_unrelated else None
    # requests wraps the error of urllib3. A timeout while a body is read is reported as a connection error.
    inner = error.args[0] if transport == "connection" and error.args else None
    if isinstance(inner, Exception) and _transport_kind(type(inner)) == "timeout":
        transport = "timeout"
    parts = {"code": code, "transport": transport}
    return {name: fact for name, fact in parts.items() if fact is not None}


def _transport_kind(error: Any) -> str | None:
    if error not in _TRANSPORTS:
        names = (f"{cls.__module__}.{cls.__qualname__}" for cls in error.__mro__)
        _TRANSPORTS[error] = next((_NO_ANSWER[name] for name in names if name in _NO_ANSWER), None)
    return _TRANSPORTS[error]


def _is_mapping(value: object) -> TypeGuard[Mapping[str, Any]]:
    # The check against the abstract class is expensive, so the usual class comes first.
    return type(value) is dict or isinstance(value, Mapping)


def _get(thing: object, name: str, default: object = None) -> Any:
    """Return an attribute, or `default` if it cannot be read."""
    try:
        return getattr(thing, name, default)
    except Exception:  # noqa: BLE001 - errors of clients have properties that raise.
        return default
