"""Request bodies, compressed as the `requestCompression` trait says.

>>> from smithy_waiters.compression import RequestCompression, compress
>>> compression = RequestCompression(["gzip"])
>>> compressed = compress(compression, b"a" * 20_000, {"Content-Encoding": "br", "Content-Length": "20000"})
>>> compressed.headers["Content-Encoding"], len(compressed.body) < 1000
('br, gzip', True)

Compress before the request is signed. A stream is compressed as it is read, and so can be sent only once.

See `the specification <https://smithy.io/2.0/spec/behavior-traits.html#compression>`_.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import AsyncIterable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypedDict

from ._engine import CompressionSettings, RequestCompression, content_encoding
from .errors import OptionsError

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

# How much of a file is read at once.
_CHUNK = 65_536

# A gzip header and trailer around it, by zlib's default level.
_GZIP = 31


class CompressionOptions(TypedDict, total=False):
    """What `CompressionSettings` may be made of; `None` counts as not given."""

    disable_request_compression: bool | None
    """Whether nothing is compressed; `False` by default."""
    request_min_compression_size_bytes: int | None
    """The least size of a whole body that is compressed, from 0 to 10485760 bytes; 10240 by default."""


@dataclass(frozen=True)
class Compressed(Generic[T]):
    """A body as it is to be sent."""

    body: T
    """The body: the caller's own where it is not compressed."""
    headers: dict[str, str]
    """The headers that go with it."""
    encoding: str | None
    """By what it is compressed; `None` where it is not."""


def compress(
    compression: RequestCompression | None,
    body: Any,
    headers: Mapping[str, str] | None = None,
    *,
    settings: CompressionSettings | None = None,
    client_settings: CompressionSettings | None = None,
    requires_length: bool = False,
) -> Compressed:
    """Compress a body, where it is to be compressed, and give it with its headers.

    What is bytes, or shows its bytes (`memoryview`, `array.array`, `mmap`), is compressed as a whole, from the size on
    that the settings say; whatever its size where the operation's input has a `streaming` member. So is a file that can
    tell how much of it is left. Another file, or another iterable of bytes, is a stream, and compressed whatever its
    size. Files and iterables become an iterator, of an async iterable an async one.

    Args:
        compression: What the operation's model says, `Operation.compression`; `None` where it says nothing.
        body: The body: bytes, a file, or an iterable of bytes; `None` where the request has none.
        headers: The request's headers, which stay as they are. Their `Content-Encoding` gets one more, their
            `Content-Length` is that of the compressed body, and not there for a stream.
        settings: Those of the request.
        client_settings: Those of the client, for what the request's do not say.
        requires_length: Whether the length of a stream has to be known before it is sent: it is not compressed.

    Raises:
        OptionsError: The settings are none.
        TypeError: The body is none.
        BlockingIOError: While the compressed body is read: the file does not block, and has nothing yet.

    """
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


def _settings(option: str, settings: Any) -> CompressionSettings:
    if settings is None:
        return CompressionSettings()
    if not isinstance(settings, CompressionSettings):
        raise OptionsError(f"`{option}` must be `CompressionSettings`", "invalid_option", option)
    return settings


def _whole(body: Any) -> memoryview | None:
    try:
        return memoryview(body)
    except TypeError:
        return None


def _size_left(body: Any, *, requires_length: bool) -> int | None:
    """Give how much of a file is left; `None` where it is a stream, whose length nobody knows or has to be kept."""
    if requires_length or _gives_chunks_async(body):
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
    if _gives_chunks_async(body):
        return _stream_async(body)
    read: Any = getattr(body, "read", None)
    if read is not None:
        return _stream(_chunks(read))
    if _gives_chunks(body):
        return _stream(body)
    raise TypeError(f"the body must be bytes, a file or an iterable of bytes, got {type(body).__name__}")


def _gives_chunks_async(body: object) -> TypeGuard[AsyncIterable[bytes]]:
    return isinstance(body, AsyncIterable)


def _gives_chunks(body: object) -> TypeGuard[Iterable[bytes]]:
    return isinstance(body, Iterable) and not isinstance(body, str | Mapping)


def _chunks(read: Callable[[int], bytes | None]) -> Iterator[bytes]:
    while chunk := read(_CHUNK):
        yield chunk
    if chunk is None:
        raise BlockingIOError("the body's `read` gave nothing yet: a file that does not block is no body")


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
