"""The string values of the engine, as types.

- `State`: the state of a verdict
- `FailureCode`: the reason why a wait failed
- `AttemptResult`: the result of an attempt
- `HintCode`: the code of a hint
- `RetrySafety`: the safety of a retry
- `ErrorFault`: the side that caused an error
- `PageSizeKind`: the type of an input member for the page size
- `DefinitionErrorCode`, `ExpressionErrorCode`, `OptionsErrorCode`, `StateErrorCode`: the codes of the caller's errors

Use them in annotations, so that a type checker finds misspelled values::

    def colour(state: State) -> str: ...
"""

from typing import Literal, TypeAlias

# Unions of one value each, because stubtest does not support an alias of a `Literal` with several values.

State: TypeAlias = Literal["success"] | Literal["failure"] | Literal["retry"]
"""The state of a verdict.

- `"success"`: the resource is in the desired state
- `"failure"`: the resource cannot reach the desired state
- `"retry"`: the resource is not in the desired state yet
"""

FailedCode: TypeAlias = (
    Literal["failure_state"]
    | Literal["gone"]
    | Literal["never_found"]
    | Literal["never_left"]
    | Literal["never_seen"]
    | Literal["replaced"]
    | Literal["unexpected_state"]
    | Literal["unmatched_error"]
    | Literal["unreachable"]
)
"""The codes of `WaiterFailed`, which `FailureCode` explains."""

FailureCode: TypeAlias = FailedCode | Literal["timed_out"] | Literal["too_many_attempts"] | Literal["cancelled"]
"""The reason why a wait failed.

- `"failure_state"`: an acceptor led to failure
- `"unexpected_state"`: the resource is in a state that the definition does not list
- `"unmatched_error"`: the call failed with a permanent error that no acceptor matches
- `"unreachable"`: the service has not answered for longer than the `transient_window`
- `"never_found"`: the resource was not found in the time of `not_found_for`
- `"gone"`: the resource was there and no longer exists, with `not_found_for`
- `"never_left"`: the value of `left` was not left in time: the change may not have started
- `"never_seen"`: the value of `same` was not seen in time
- `"replaced"`: another value took the place of the value of `same`
- `"timed_out"`: the time is up, or no further attempt fits before the deadline
- `"too_many_attempts"`: `max_attempts` attempts were made
- `"cancelled"`: the caller's event was set
"""

AttemptResult: TypeAlias = (
    Literal["response"] | Literal["error"] | Literal["cut"] | Literal["late"] | Literal["cancelled"]
)
"""The result of an attempt.

- `"response"`, `"error"`: the call returned or raised in time
- `"cut"`: the call was aborted at its deadline
- `"late"`: the call ended after its deadline, and its result was discarded
- `"cancelled"`: the caller cancelled during the call
"""

HintCode: TypeAlias = (
    Literal["error_suffix"]
    | Literal["letter_case"]
    | Literal["long_wait"]
    | Literal["missing_quotes"]
    | Literal["near_name"]
    | Literal["never_matches"]
    | Literal["no_response"]
)
"""The code of a hint.

- `"error_suffix"`: an error has the name of an acceptor's error except for its case or a suffix such as `Exception`
- `"letter_case"`: a value differs from the expected one only in case
- `"long_wait"`: `max_wait` exceeds a day
- `"missing_quotes"`: a condition compares with a member that does not exist, instead of with a text
- `"near_name"`: a member of a path does not exist, beside a member with a similar name
- `"never_matches"`: the comparator or the path never fits the type of the value
- `"no_response"`: the call returned nothing
"""

RetrySafety: TypeAlias = Literal["yes"] | Literal["no"] | Literal["maybe"]
"""The safety of a retry; `"maybe"` if the error does not determine it."""

ErrorFault: TypeAlias = Literal["client"] | Literal["server"] | Literal["other"]
"""The side that caused an error."""

PageSizeKind: TypeAlias = Literal["integer"] | Literal["string"]
"""The type of an input member that limits the size of a page."""

# The codes of the caller's errors. Later releases may add codes.

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
"""The reason why an expression is rejected or cannot be evaluated on a value."""

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
    | Literal["unknown_preset"]
    | Literal["unknown_service"]
    | Literal["unknown_state"]
    | Literal["unknown_waiter"]
    | Literal["wrong_target"]
    | Literal["wrong_type"]
)
"""The reason why a definition or a model is rejected."""

OptionsErrorCode: TypeAlias = (
    Literal["conflicting_options"] | Literal["invalid_option"] | Literal["missing_option"] | Literal["unknown_option"]
)
"""The reason why an option is rejected."""

StateErrorCode: TypeAlias = (
    Literal["before_deadline"]
    | Literal["busy"]
    | Literal["damaged_state"]
    | Literal["invalid_answer"]
    | Literal["invalid_time"]
    | Literal["invalid_verdict"]
    | Literal["newer_version"]
    | Literal["not_in_flight"]
    | Literal["other_definition"]
    | Literal["other_step"]
    | Literal["predicate"]
)
"""The reason why a step or a saved wait is rejected."""
