"""Compression of request bodies, as configured by the `requestCompression` trait.

>>> from smithy_waiters.compression import RequestCompression, compress
>>> compression = RequestCompression(["gzip"])
>>> compressed = compress(compression, b"a" * 20_000, {"Content-Encoding": "br", "Content-Length": "20000"})
>>> compressed.headers["Content-Encoding"], len(compressed.body) < 1000
('br, gzip', True)

Compress a body before the request is signed. A stream is compressed while it is read, so it can be sent only once.

See the `specification <https://smithy.io/2.0/spec/behavior-traits.html#compression>`_.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import AsyncIterable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypedDict

from ._engine import CompressionSettings, RequestCompression, _display_input, _must_be, content_encoding

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from typing import TypeGuard

    from typing_extensions import TypeVar

    T = TypeVar("T", default=Any)
else:
    from typing import TypeVar

    T = TypeVar("T")

__all__ = [
    "Compressed",
    "CompressionOptions",
    "CompressionSettings",
    "RequestCompression",
    "compress",
    "content_encoding",
]

# The number of bytes to read from a file at once.
_CHUNK = 65_536

# The `wbits` of zlib for the gzip format.
_GZIP = 31


class CompressionOptions(TypedDict, total=False):
    """The keyword arguments of `CompressionSettings`. `None` is the same as an absent option."""

    disable_request_compression: bool | None
    """`True` to compress nothing; `False` by default."""
    request_min_compression_size_bytes: int | None
    """The minimum size of a compressed body, from 0 to 10485760 bytes; 10240 by default."""


@dataclass(frozen=True)
class Compressed(Generic[T]):
    """A body that is ready to be sent, with its headers."""

    body: T
    """The compressed body; the caller's own body if it is not compressed."""
    headers: dict[str, str]
    """The headers of the request."""
    encoding: str | None
    """The encoding of the body; `None` if it is not compressed."""


def compress(
    compression: RequestCompression | None,
    body: Any,
    headers: Mapping[str, str] | None = None,
    *,
    settings: CompressionSettings | None = None,
    client_settings: CompressionSettings | None = None,
    requires_length: bool = False,
) -> Compressed:
    """Compress a body if the operation and the settings allow it, and return it with its headers.

    Bytes and other buffers (`memoryview`, `array.array`, `mmap`) are compressed as a whole if they have the minimum
    size of the settings, or if the operation's input has a `streaming` member. The same rule applies to a file that
    reports its remaining size. Other files and iterables of bytes are streams, and are compressed regardless of their
    size. The compressed body of a file or an iterable is an iterator, and that of an async iterable is an async
    iterator.

    Args:
        compression: The compression of the operation, `Operation.compression`; `None` if it does not support any.
        body: The body: bytes, a file, or an iterable of bytes; `None` if the request has no body.
        headers: The headers of the request, which are not changed. In the returned headers, `Content-Encoding` has
            the encoding appended and `Content-Length` is that of the compressed body. A stream has no `Content-Length`.
        settings: The settings of the request.
        client_settings: The settings of the client, for settings that the request does not have.
        requires_length: `True` if the length of a stream must be known before it is sent. Such a stream is not
            compressed.

    Raises:
        OptionsError: `compression` is not a `RequestCompression`, or `settings` or `client_settings` is not a
            `CompressionSettings`.
        TypeError: The body is of an unsupported type.
        BlockingIOError: Raised while the compressed body is read, if the file is non-blocking and has no data yet.

    """
    _check_compression(compression)
    effective = _settings("settings", settings).over(_settings("client_settings", client_settings))
    whole = _whole(body)
    encoding = None
    if compression is not None and body is not None:
        size = _size_left(body, requires_length=requires_length) if whole is None else whole.nbytes
        encoding = compression.encoding(size, requires_length=requires_length, settings=effective)
    all_headers = dict(headers or {})
    if encoding is None:
        return Compressed(body, all_headers, None)
    smaller = _stream_of(body) if whole is None else _compress_whole(whole)
    return Compressed(smaller, _headers(all_headers, encoding, smaller), encoding)


def _check_compression(compression: Any) -> None:
    if compression is not None and not isinstance(compression, RequestCompression):
        raise _must_be("compression", "compression", compression)


def _settings(option: str, settings: Any) -> CompressionSettings:
    if settings is None:
        return CompressionSettings()
    if not isinstance(settings, CompressionSettings):
        raise _must_be(option, "settings", settings)
    return settings


def _whole(body: Any) -> memoryview | None:
    try:
        return memoryview(body)
    except TypeError:
        return None


def _size_left(body: Any, *, requires_length: bool) -> int | None:
    """Return the remaining size of a file. `None` for a stream, and if the length of the body must be known."""
    if requires_length or _is_async_iterable(body):
        return None
    try:
        start = body.tell()
        body.seek(0, os.SEEK_END)
        end = body.tell()
        body.seek(start)
    except (AttributeError, OSError):
        return None
    return max(0, int(end - start))


def _compress_whole(whole: memoryview) -> bytes:
    gzip = zlib.compressobj(wbits=_GZIP)
    return gzip.compress(whole if whole.c_contiguous else whole.tobytes()) + gzip.flush()


def _stream_of(body: Any) -> Any:
    if _is_async_iterable(body):
        return _stream_async(body)
    read: Any = getattr(body, "read", None)
    if read is not None:
        return _stream(_chunks(read))
    if _is_iterable(body):
        return _stream(body)
    raise TypeError(f"`body` must be bytes, a file or an iterable of bytes, got {_display_input(body)}")


def _is_async_iterable(body: object) -> TypeGuard[AsyncIterable[bytes]]:
    return isinstance(body, AsyncIterable)


def _is_iterable(body: object) -> TypeGuard[Iterable[bytes]]:
    return isinstance(body, Iterable) and not isinstance(body, str | Mapping)


def _chunks(read: Callable[[int], bytes | None]) -> Iterator[bytes]:
    while chunk := read(_CHUNK):
        yield chunk
    if chunk is None:
        raise BlockingIOError("`read` of the body returned no data: a non-blocking file is not supported")


def _stream(chunks: Iterable[bytes]) -> Iterator[bytes]:
    gzip = zlib.compressobj(wbits=_GZIP)
    for chunk in chunks:
        if smaller := gzip.compress(chunk):
            yield smaller
    yield gzip.flush()


async def _stream_async(chunks: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    gzip = zlib.compressobj(wbits=_GZIP)
    async for chunk in chunks:
        if smaller := gzip.compress(chunk):
            yield smaller
    yield gzip.flush()


def _headers(headers: dict[str, str], encoding: str, body: object) -> dict[str, str]:
    names = {name.lower(): name for name in headers}
    name = names.get("content-encoding", "Content-Encoding")
    headers = {**headers, name: content_encoding(headers.get(name), encoding)}
    length = names.get("content-length")
    if length is not None:
        if isinstance(body, bytes):
            headers[length] = str(len(body))
        else:
            del headers[length]
    return headers
