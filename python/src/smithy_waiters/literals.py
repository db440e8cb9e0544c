"""The words that the engine answers with, as types.

- `State`, what a verdict says: `"success"`, `"failure"`, `"retry"`
- `FailureCode`, why a wait did not succeed: `"failure_state"`, `"unexpected_state"`, `"unmatched_error"`,
  `"unreachable"`, `"timed_out"`, `"too_many_attempts"`, `"cancelled"`
- `AttemptResult`, what came of a call: `"response"`, `"error"`, `"cut"`, `"late"`, `"cancelled"`
- `RetrySafety`, whether an attempt may be made again: `"yes"`, `"no"`, `"maybe"`
- `ErrorFault`, whose fault an error is: `"client"`, `"server"`, `"other"`
- `DefinitionErrorCode`, `ExpressionErrorCode`, `OptionsErrorCode`, `StateErrorCode`, what a caller did wrong

Annotate with them what you do with these words, and a type checker knows if one is misspelt::

    def colour(state: State) -> str: ...
"""

from typing import Literal, TypeAlias

# Unions of one word each: stubtest takes an alias of several words for something else than it is.

State: TypeAlias = Literal["success"] | Literal["failure"] | Literal["retry"]
"""What a verdict says.

- `"success"`: the wanted state is there
- `"failure"`: it never will be
- `"retry"`: it is not there yet
"""

FailureCode: TypeAlias = (
    Literal["failure_state"]
    | Literal["unexpected_state"]
    | Literal["unmatched_error"]
    | Literal["unreachable"]
    | Literal["timed_out"]
    | Literal["too_many_attempts"]
    | Literal["cancelled"]
)
"""Why a wait did not succeed.

- `"failure_state"`: an acceptor said failure
- `"unexpected_state"`: the resource is in a state that the definition does not list
- `"unmatched_error"`: the call failed, no acceptor matches its error, and waiting does not cure it
- `"unreachable"`: the service has not answered for longer than the `transient_window`
- `"timed_out"`: the time is up, or no further poll fits into it
- `"too_many_attempts"`: `max_attempts` calls were made
- `"cancelled"`: the caller's event was set
"""

AttemptResult: TypeAlias = (
    Literal["response"] | Literal["error"] | Literal["cut"] | Literal["late"] | Literal["cancelled"]
)
"""What came of a call.

- `"response"`, `"error"`: it gave the one or raised the other, in time
- `"cut"`: it was cancelled at the deadline
- `"late"`: it ended after the deadline, and what it gave was not looked at
- `"cancelled"`: the caller cancelled while it ran
"""

RetrySafety: TypeAlias = Literal["yes"] | Literal["no"] | Literal["maybe"]
"""Whether an attempt may be made again; `"maybe"` where not enough is known."""

ErrorFault: TypeAlias = Literal["client"] | Literal["server"] | Literal["other"]
"""Whose fault an error is."""

PageSizeKind: TypeAlias = Literal["integer"] | Literal["string"]
"""The type of an input member that bounds the size of a page."""

# What a caller can do wrong; a later release may add to these.

ExpressionErrorCode: TypeAlias = (
    Literal["evaluation_error"]
    | Literal["expression_too_deep"]
    | Literal["expression_too_long"]
    | Literal["invalid_arity"]
    | Literal["invalid_expression"]
    | Literal["invalid_type"]
    | Literal["limit_exceeded"]
    | Literal["unknown_function"]
)
"""Why an expression is refused, or cannot be evaluated on a value."""

DefinitionErrorCode: TypeAlias = (
    Literal["ambiguous_matcher"]
    | Literal["ambiguous_operation"]
    | Literal["ambiguous_waiter"]
    | Literal["conflicting_values"]
    | Literal["expression_too_deep"]
    | Literal["expression_too_long"]
    | Literal["invalid_arity"]
    | Literal["invalid_delay"]
    | Literal["invalid_encodings"]
    | Literal["invalid_error_type"]
    | Literal["invalid_expected"]
    | Literal["invalid_expression"]
    | Literal["invalid_json"]
    | Literal["invalid_model"]
    | Literal["invalid_name"]
    | Literal["invalid_path"]
    | Literal["invalid_redact"]
    | Literal["invalid_type"]
    | Literal["misplaced_message"]
    | Literal["misplaced_unexpected"]
    | Literal["missing_member"]
    | Literal["no_acceptors"]
    | Literal["no_condition"]
    | Literal["no_matcher"]
    | Literal["no_state_path"]
    | Literal["no_success_acceptor"]
    | Literal["not_paginated"]
    | Literal["predicate"]
    | Literal["unknown_comparator"]
    | Literal["unknown_function"]
    | Literal["unknown_matcher"]
    | Literal["unknown_member"]
    | Literal["unknown_operation"]
    | Literal["unknown_service"]
    | Literal["unknown_state"]
    | Literal["unknown_waiter"]
    | Literal["wrong_target"]
    | Literal["wrong_type"]
)
"""Why a definition or a model is refused."""

OptionsErrorCode: TypeAlias = (
    Literal["conflicting_options"] | Literal["invalid_option"] | Literal["missing_option"] | Literal["unknown_option"]
)
"""Why an option is refused."""

StateErrorCode: TypeAlias = (
    Literal["before_deadline"]
    | Literal["busy"]
    | Literal["damaged_state"]
    | Literal["invalid_time"]
    | Literal["invalid_verdict"]
    | Literal["newer_version"]
    | Literal["not_in_flight"]
    | Literal["other_definition"]
    | Literal["predicate"]
)
"""Why a step is refused, or a wait that was saved."""
