"""Compression of request bodies."""

from __future__ import annotations

import array
import gzip
import io
import math
import mmap
import os
import tempfile
from typing import TYPE_CHECKING, Any

import pytest
from libraries import EACH, Library

from smithy_waiters import OptionsError
from smithy_waiters.compression import CompressionSettings, RequestCompression, compress

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

GZIP = RequestCompression(["GZip"])
BODY = b"0123456789" * 2_000


@pytest.mark.parametrize("body", [BODY, bytearray(BODY), memoryview(BODY)])
def test_a_whole_body(body: Any) -> None:
    headers = {"content-encoding": "br", "Content-Length": str(len(BODY)), "Host": "h"}
    compressed = compress(GZIP, body, headers)
    assert gzip.decompress(compressed.body) == BODY
    assert compressed.encoding == "gzip"
    assert compressed.headers == {
        "content-encoding": "br, gzip",
        "Content-Length": str(len(compressed.body)),
        "Host": "h",
    }
    assert headers["content-encoding"] == "br"
    assert compress(GZIP, body).headers == {"Content-Encoding": "gzip"}


def test_streams() -> None:
    whole = [b"a", b"", BODY]
    for body in (iter(whole), whole, io.BytesIO(b"a" + BODY)):
        compressed = compress(GZIP, body, {"Content-Length": "20001"})
        assert compressed.headers == {"Content-Encoding": "gzip"}
        assert gzip.decompress(b"".join(compressed.body)) == b"a" + BODY
    with tempfile.TemporaryFile() as file:
        file.write(BODY)
        file.seek(10)
        assert gzip.decompress(b"".join(compress(GZIP, file).body)) == BODY[10:]
    stream = io.BytesIO(BODY)
    assert compress(GZIP, stream, requires_length=True).body is stream
    assert compress(GZIP, iter([b""])).encoding == "gzip"


def test_a_file_is_held_against_the_least_size() -> None:
    small = io.BytesIO(b"read" + BODY[:10_239])
    small.seek(4)
    assert compress(GZIP, small).body is small
    assert small.tell() == 4
    small.seek(3)
    assert gzip.decompress(b"".join(compress(GZIP, small).body)) == b"d" + BODY[:10_239]
    small.seek(4)
    assert compress(RequestCompression(["gzip"], streaming=True), small).encoding == "gzip"
    assert compress(GZIP, io.BytesIO(), {"Content-Length": "0"}).headers == {"Content-Length": "0"}
    # The position of a pipe is unknown.
    reading, writing = os.pipe()
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        assert compress(GZIP, pipe).encoding == "gzip"


def test_a_file_that_has_nothing_yet() -> None:
    class Waiting(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, _: object) -> None:
            return None

    with pytest.raises(BlockingIOError, match=r"^`read` of the body returned no data"):
        b"".join(compress(GZIP, Waiting()).body)


@EACH
async def test_streams_that_are_awaited(library: Library) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(3):
            await library.sleep(1)
            yield BODY

    compressed = compress(GZIP, chunks())
    assert gzip.decompress(b"".join([chunk async for chunk in compressed.body])) == BODY * 3


def test_a_request_without_a_body_stays_without_one() -> None:
    settings = CompressionSettings(request_min_compression_size_bytes=0)
    compressed = compress(GZIP, None, {"Content-Encoding": "br"}, settings=settings)
    assert (compressed.body, compressed.headers, compressed.encoding) == (None, {"Content-Encoding": "br"}, None)


def test_buffers_are_whole_bodies() -> None:
    with tempfile.TemporaryFile() as file:
        file.write(BODY)
        file.flush()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            compressed = compress(GZIP, mapped)
            assert gzip.decompress(compressed.body) == BODY
    numbers = array.array("I", range(5_000))
    assert gzip.decompress(compress(GZIP, numbers).body) == numbers.tobytes()
    strided = memoryview(BODY * 2)[::2]
    assert gzip.decompress(compress(GZIP, strided).body) == strided.tobytes()
    small = array.array("B", b"small")
    assert compress(GZIP, small).body is small


@pytest.mark.parametrize("option", ["settings", "client_settings"])
def test_invalid_settings(option: str) -> None:
    settings: list[Any] = [{}, True]
    for given in settings:
        options: Any = {option: given}
        with pytest.raises(OptionsError, match=f"^`{option}` must be a `CompressionSettings`, got .") as caught:
            compress(GZIP, BODY, **options)
        assert caught.value.option == option


@pytest.mark.parametrize("body", ["text", {"a": 1}, 5])
def test_invalid_bodies(body: Any) -> None:
    with pytest.raises(TypeError, match=r"^`body` must be bytes, a file or an iterable of bytes, got ."):
        compress(GZIP, body)


def test_a_compression_of_another_type() -> None:
    compression: Any = 5
    with pytest.raises(OptionsError, match=r"^`compression` must be a `RequestCompression`, got 5$") as caught:
        compress(compression, b"")
    assert caught.value.option == "compression"


@pytest.mark.parametrize(
    ("encodings", "message"),
    [
        ("gzip", "`encodings` must be a list of strings, got `str`"),
        (None, "`encodings` must be a list of strings, got None"),
        (5, "`encodings` must be a list of strings, got 5"),
        (["gzip", 1], r"`encodings\[1\]` must be a string, got 1"),
    ],
)
def test_encodings_are_a_list(encodings: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"^{message}$"):
        RequestCompression(encodings)


@pytest.mark.parametrize("size", [-1, "5000000", 20000.5, math.nan, True])
def test_invalid_sizes_of_bodies(size: Any) -> None:
    with pytest.raises(OptionsError, match=r"`size` must be an integer from 0 to 2\^53 - 1, got ."):
        RequestCompression(["gzip"]).encoding(size)


def test_settings_are_shown() -> None:
    settings = CompressionSettings(disable_request_compression=True)
    least = CompressionSettings(request_min_compression_size_bytes=0)
    assert repr(settings) == "CompressionSettings(disable_request_compression=True)"
    assert repr(least) == "CompressionSettings(request_min_compression_size_bytes=0)"
    assert eval(repr(settings.over(least))) == settings.over(least)  # noqa: S307
    assert repr(CompressionSettings()) == "CompressionSettings()"
    for option, words in (("disableRequestCompression", ", did you mean `disable_request_compression`?"), ("x", "")):
        with pytest.raises(OptionsError) as caught:
            CompressionSettings(**{option: True})
        assert caught.value.message == f"`{option}` is not an option{words}"
