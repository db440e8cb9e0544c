"""The types of a waiter's definition, for type checkers and editors.

>>> from smithy_waiters import Waiter, WaiterDefinition
>>> bucket_exists: WaiterDefinition = {"acceptors": [{"state": "success", "matcher": {"success": True}}]}
>>> Waiter(bucket_exists, name="BucketExists").min_delay
2.0
"""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 - `typing.get_type_hints` needs it at run time.
from typing import Literal, TypeAlias, TypedDict


class PathMatcherDefinition(TypedDict):
    """A `PathMatcher structure <https://smithy.io/2.0/additional-specs/waiters.html#pathmatcher-structure>`_."""

    path: str
    """A JMESPath expression."""
    expected: str
    """The expected result of the expression; `"true"` or `"false"` with `booleanEquals`."""
    comparator: Literal["stringEquals", "booleanEquals", "allStringEquals", "anyStringEquals"]
    """The comparison of the result with `expected`."""


class OutputMatcher(TypedDict):
    """Matcher of responses by the result of a JMESPath expression."""

    output: PathMatcherDefinition
    """The matcher of the operation's output."""


class InputOutputMatcher(TypedDict):
    """Matcher of responses by a JMESPath expression on an object with the operation's `input` and `output`."""

    inputOutput: PathMatcherDefinition
    """The matcher of the object."""


class SuccessMatcher(TypedDict):
    """Matcher of every response or of every error."""

    success: bool
    """`True` to match every response, `False` to match every error."""


class ErrorTypeMatcher(TypedDict):
    """Matcher of errors by name."""

    errorType: str
    """The name of the error; a namespace before `#` and a suffix after `:` are ignored."""


class _GoalPath(TypedDict):
    path: str
    """A JMESPath expression on the response. Without `expected` and `present`, it must be a condition."""


class Goal(_GoalPath, total=False):
    """What a path of the response must give, for `Waiter.until`. See docs/rules.md#goals."""

    expected: str | bool | Sequence[str] | None
    """The expected value, or several of which the path must give one."""
    any: bool
    """`True` if one item of a list is enough. Failures always need only one."""
    present: bool
    """`True` if any value other than `None`, `False`, and an empty text, list or dict reaches the goal."""


MatcherDefinition: TypeAlias = OutputMatcher | InputOutputMatcher | SuccessMatcher | ErrorTypeMatcher
"""A `Matcher union <https://smithy.io/2.0/additional-specs/waiters.html#matcher-union>`_: exactly one member is set."""


class _Acceptor(TypedDict):
    state: Literal["success", "failure", "retry"]
    """The state after a match."""
    matcher: MatcherDefinition
    """The condition of the match."""


class AcceptorDefinition(_Acceptor, total=False):
    """An `Acceptor structure <https://smithy.io/2.0/additional-specs/waiters.html#acceptor-structure>`_."""

    message: str
    """On a `failure`: a JMESPath expression on the output that returns the failure's message."""
    unexpected: bool
    """On a `failure`: `True` reports a match as a state that the definition does not list, with code
    `unexpected_state`.

    This member is an extension of the specification. See docs/rules.md#unexpected-states.
    """


class _Waiter(TypedDict):
    acceptors: Sequence[AcceptorDefinition]
    """The acceptors, in the order of their evaluation."""


class WaiterDefinition(_Waiter, total=False):
    """A `Waiter structure <https://smithy.io/2.0/additional-specs/waiters.html#waiter-structure>`_.

    Unknown members are ignored. However, an unknown member that resembles an absent one, such as `minDealy`, raises a
    `DefinitionError`.
    """

    documentation: str
    """The documentation of the waiter, in CommonMark."""
    minDelay: int
    """The minimum delay between two attempts, in whole seconds; 2 by default."""
    maxDelay: int
    """The maximum delay between two attempts, in whole seconds; 120 by default."""
    deprecated: bool
    """`True` if the waiter should no longer be used."""
    tags: Sequence[str]
    """Tags for grouping."""
    redact: Sequence[str]
    """Paths of members whose values are hidden in reasons, messages and reports, such as `Credentials.SecretKey`.

    This member is an extension of the specification. See docs/rules.md#redaction.
    """
