"""The words that the engine answers with, as types."""

from typing import Literal, TypeAlias

from ._engine import Call, Done, Sleep

# Unions of one word each: stubtest takes an alias of several words for something else than it is.

State: TypeAlias = Literal["success"] | Literal["failure"] | Literal["retry"]
"""What a verdict says."""

FailureCode: TypeAlias = (
    Literal["failure_state"]
    | Literal["unmatched_error"]
    | Literal["timed_out"]
    | Literal["too_many_attempts"]
    | Literal["cancelled"]
)
"""Why a wait did not succeed."""

AttemptResult: TypeAlias = (
    Literal["response"] | Literal["error"] | Literal["cut"] | Literal["late"] | Literal["cancelled"]
)
"""What came of a call."""

Step: TypeAlias = Call | Sleep | Done
"""What a wait is to do next."""
