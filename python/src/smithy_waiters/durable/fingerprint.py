"""The fingerprint of values, which is the same in every process."""

from __future__ import annotations

import json
from copyreg import dispatch_table
from hashlib import blake2b
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Iterable


def fingerprint(values: object) -> str:
    """Return 16 digits that are equal for equal values: whatever the order of sets and of the keys of mappings.

    Raises:
        TypeError: A value cannot be pickled, or contains itself.

    """
    try:
        facts = json.dumps(_parts(values))
    except RecursionError:
        raise TypeError("the arguments and the input must not be nested so deeply") from None
    return blake2b(facts.encode(), digest_size=8).hexdigest()


def _parts(value: Any) -> object:
    """Return the parts of a value, from which a pickle restores it, as data for JSON."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) in (list, tuple):
        return [_parts(item) for item in value]
    if type(value) in (bytes, bytearray):
        return {"bytes": value.hex()}
    if type(value) is dict:
        return {"dict": _sorted(cast("dict[object, object]", value).items())}
    if isinstance(value, set | frozenset):
        return {"set": _sorted(cast("Iterable[object]", value))}
    return _reduced(value)


def _reduced(value: object) -> object:
    """Return the parts of a class, a function or an object, as the protocol of pickles defines them."""
    if isinstance(value, type | FunctionType):
        return {"name": _name(value)}
    reduce = dispatch_table.get(type(value))
    try:
        reduced: Any = value.__reduce_ex__(2) if reduce is None else reduce(value)
    except Exception as error:
        raise _refusal(value) from error
    if isinstance(reduced, str):
        return {"name": f"{value.__module__}.{reduced}"}
    call, arguments, state, items, members = (*reduced, None, None, None)[:5]
    parts = [_parts(part) for part in (call, arguments, state, [*(items or ())])]
    return {"object": [*parts, _sorted(members or ())]}


def _sorted(values: Iterable[object]) -> list[str]:
    # Sorted as texts, because values of different types cannot be compared.
    return sorted(json.dumps(_parts(value)) for value in values)


def _name(value: Any) -> str:
    """Return the name by which a pickle refers to a class or a function."""
    name = f"{value.__module__}.{value.__qualname__}"
    # A lambda or a local function, such as `f.<locals>.g`: another process could not find it.
    if "<" in name:
        raise _refusal(value)
    return name


def _refusal(value: object) -> TypeError:
    rule = "the arguments and the input must be values that can be pickled"
    return TypeError(f"{rule}, got {type(value).__name__}: {value!r:.200}")
