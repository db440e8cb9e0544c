"""Values whose code never ends, lies or raises: each causes a recorded evaluation error or exceeds a limit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NoReturn

import pytest
from samples import output

from smithy_waiters import ExpressionError, search

ENDLESS = 2**62


def counting() -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"k{number}"


class EndlessMapping(Mapping[str, int]):
    def __getitem__(self, key: str) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        return counting()

    def __len__(self) -> int:
        return 2


class EndlessCollection(Collection[str]):
    def __contains__(self, item: object) -> bool:
        return True

    def __iter__(self) -> Iterator[str]:
        return counting()

    def __len__(self) -> int:
        return 2


class HugeCollection(EndlessCollection):
    def __len__(self) -> int:
        return ENDLESS


class EndlessSet(set[str]):
    def __iter__(self) -> Iterator[str]:
        return counting()


class EndlessDict(dict[str, int]):
    def keys(self) -> Any:
        return counting()


class RaisingMapping(EndlessMapping):
    def __iter__(self) -> NoReturn:
        raise ValueError("no names")

    def __len__(self) -> NoReturn:
        raise ValueError("no length")


class RaisingCollection(EndlessCollection):
    def __iter__(self) -> NoReturn:
        raise ValueError("no items")

    def __len__(self) -> NoReturn:
        raise ValueError("no length")


class NegativeCollection(EndlessCollection):
    def __len__(self) -> int:
        return -1  # noqa: PLE0303 - the lie


HOSTILE = [
    EndlessMapping,
    EndlessCollection,
    HugeCollection,
    EndlessSet,
    EndlessDict,
    RaisingMapping,
    RaisingCollection,
    NegativeCollection,
]
PATHS = [
    "a == b",
    "a != c",
    "a[-1] == 'x'",
    "to_string(a)",
    "a[*].b",
    "keys(a)",
    "contains(a, 'x')",
    "a",
    "length(a[*])",
    "values(a)",
]


def reason_of(response: object, path: str) -> Any:
    (reason,) = output(path, "true", "booleanEquals").evaluate(response=response).reasons
    return reason


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("path", PATHS)
def test_the_evaluation_of_a_hostile_object_ends(hostile: type, path: str) -> None:
    reason = reason_of({"a": hostile(), "b": hostile(), "c": ["k1", "k2"]}, path)
    assert not reason.matched or path == "a != c"


@pytest.mark.parametrize(
    "hostile", [EndlessMapping, EndlessDict, RaisingMapping, RaisingCollection, NegativeCollection]
)
def test_a_length_that_cannot_be_read_is_recorded(hostile: type) -> None:
    reason = reason_of({"a": hostile()}, "length(a) > `0`")
    assert reason.code in {"evaluation_error", "limit_exceeded"}
    with pytest.raises(ExpressionError):
        search("length(a)", {"a": hostile()})


@pytest.mark.parametrize(
    "hostile", [EndlessMapping, EndlessCollection, HugeCollection, EndlessSet, EndlessDict, RaisingMapping]
)
def test_a_comparison_that_cannot_end_is_recorded(hostile: type) -> None:
    reason = reason_of({"a": hostile(), "b": hostile()}, "a == b")
    assert reason.code in {"evaluation_error", "limit_exceeded"}


class Nested:
    """An object that evaluates itself when it is read."""

    @property
    def a(self) -> object:
        return output("a", "true", "booleanEquals").evaluate(response=self).state


def test_evaluations_inside_one_another_end() -> None:
    for _ in range(20):
        assert reason_of(Nested(), "a").code in {"evaluation_error", "wrong_type"}


def test_a_large_blob_is_read_as_far_as_needed() -> None:
    blob = bytes(50_000_000)
    assert search("length(a)", {"a": blob}) == 66_666_668
    assert reason_of({"a": blob}, "a").code == "wrong_type"
    assert reason_of({"a": memoryview(blob)}, "a == 'AAAA'").code == "not_equal"
    assert reason_of({"a": bytearray(blob)}, "a && `true`").code == "matched"
    assert reason_of({"a": blob}, "contains(a, 'B')").code == "not_equal"
    assert reason_of({"a": bytes(150_000_000)}, "contains(a, 'B')").code == "limit_exceeded"


def test_shared_structures_are_shown_in_part() -> None:
    shared: Any = {"x": 1}
    for _ in range(60):
        shared = {"a": shared, "b": shared}
    assert reason_of({"a": shared}, "a").code == "wrong_type"
    assert reason_of({"a": [shared] * 20}, "a").code == "wrong_type"
