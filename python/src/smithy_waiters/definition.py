"""A waiter's definition, as the specification has it, for type checkers and editors.

>>> from smithy_waiters import Waiter, WaiterDefinition
>>> bucket_exists: WaiterDefinition = {"acceptors": [{"state": "success", "matcher": {"success": True}}]}
>>> Waiter(bucket_exists, name="BucketExists").min_delay
2.0
"""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 - for those who ask for the hints at run time.
from typing import Literal, TypeAlias, TypedDict


class PathMatcherDefinition(TypedDict):
    """One `PathMatcher structure <https://smithy.io/2.0/additional-specs/waiters.html#pathmatcher-structure>`_."""

    path: str
    """A JMESPath expression."""
    expected: str
    """What it should give; `"true"` or `"false"` with `booleanEquals`."""
    comparator: Literal["stringEquals", "booleanEquals", "allStringEquals", "anyStringEquals"]
    """How the two are compared."""


class OutputMatcher(TypedDict):
    """Matches a successful response by what a path gives for it."""

    output: PathMatcherDefinition


class InputOutputMatcher(TypedDict):
    """The same over `input` and `output` of the operation together."""

    inputOutput: PathMatcherDefinition


class SuccessMatcher(TypedDict):
    """Matches any response, or with `False` any error."""

    success: bool


class ErrorTypeMatcher(TypedDict):
    """Matches an error by its name."""

    errorType: str


MatcherDefinition: TypeAlias = OutputMatcher | InputOutputMatcher | SuccessMatcher | ErrorTypeMatcher
"""A `Matcher union <https://smithy.io/2.0/additional-specs/waiters.html#matcher-union>`_: exactly one member is set."""


class _Acceptor(TypedDict):
    state: Literal["success", "failure", "retry"]
    matcher: MatcherDefinition


class AcceptorDefinition(_Acceptor, total=False):
    """One `Acceptor structure <https://smithy.io/2.0/additional-specs/waiters.html#acceptor-structure>`_."""

    message: str
    """On a `failure`: a JMESPath expression over the output that gives the failure's message."""
    unexpected: bool
    """On a `failure`: a match is a state that the definition does not list, code `unexpected_state`.

    Not of the specification.
    """


class _Waiter(TypedDict):
    acceptors: Sequence[AcceptorDefinition]


class WaiterDefinition(_Waiter, total=False):
    """One `Waiter structure <https://smithy.io/2.0/additional-specs/waiters.html#waiter-structure>`_.

    Members that it does not know are ignored, but one that looks like a known one that is missing (`minDealy`) is a
    `DefinitionError`.
    """

    documentation: str
    """What the waiter waits for, in CommonMark."""
    minDelay: int
    """The least delay between two attempts, in whole seconds; 2 by default."""
    maxDelay: int
    """The greatest delay between two attempts, in whole seconds; 120 by default."""
    deprecated: bool
    """Whether the waiter should no longer be used."""
    tags: Sequence[str]
    """Tags, for grouping."""
    redact: Sequence[str]
    """Paths of members whose values reasons, messages and reports do not show, such as `Credentials.SecretKey`.

    Not of the specification.
    """
