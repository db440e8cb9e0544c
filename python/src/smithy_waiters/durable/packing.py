"""The compressed state of a wait, for stores with a limit."""

from __future__ import annotations

from base64 import b64decode, b64encode
from zlib import MAX_WBITS, compressobj, decompress
from zlib import error as zlib_error

from smithy_waiters.errors import StateError


def packed(state: str) -> str:
    """Compress a state, whose history repeats the same reasons: to about a third."""
    deflate = compressobj(9, wbits=-MAX_WBITS)
    return b64encode(deflate.compress(state.encode()) + deflate.flush()).decode()


def unpacked(payload: str) -> str:
    """Return a compressed state.

    Raises:
        StateError: The text is not a compressed state.

    """
    try:
        return decompress(b64decode(payload, validate=True), wbits=-MAX_WBITS).decode()
    except (TypeError, ValueError, zlib_error) as error:
        raise StateError("the checkpoint must be the state of a wait", "damaged_state") from error
