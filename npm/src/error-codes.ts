/**
 * The stable codes of what a caller can do wrong. (Those of waits that do not succeed are the outcome's.) A later release
 * may add to them.
 *
 * @module
 */

/** Why an expression is refused. */
type ParseCode =
  | "expression_too_deep"
  | "expression_too_long"
  | "invalid_arity"
  | "invalid_expression"
  | "invalid_type"
  | "unknown_function";

/** Why an expression is refused, or cannot be evaluated on a value. */
export type ExpressionErrorCode = ParseCode | "evaluation_error" | "limit_exceeded";

/** Why a definition or a model is refused. */
export type DefinitionErrorCode =
  | ParseCode
  | "ambiguous_matcher"
  | "ambiguous_operation"
  | "ambiguous_waiter"
  | "conflicting_values"
  | "invalid_delay"
  | "invalid_encodings"
  | "invalid_error_type"
  | "invalid_expected"
  | "invalid_json"
  | "invalid_model"
  | "invalid_name"
  | "invalid_path"
  | "invalid_redact"
  | "misplaced_message"
  | "misplaced_unexpected"
  | "missing_member"
  | "no_acceptors"
  | "no_condition"
  | "no_matcher"
  | "no_state_path"
  | "no_success_acceptor"
  | "not_paginated"
  | "predicate"
  | "unknown_comparator"
  | "unknown_matcher"
  | "unknown_member"
  | "unknown_operation"
  | "unknown_service"
  | "unknown_state"
  | "unknown_waiter"
  | "wrong_target"
  | "wrong_type";

/** Why an option is refused. */
export type OptionsErrorCode = "conflicting_options" | "invalid_option" | "missing_option" | "unknown_option";

/** Why a step or a saved wait is refused. */
export type StateErrorCode =
  | "before_deadline"
  | "busy"
  | "damaged_state"
  | "freed"
  | "invalid_time"
  | "invalid_verdict"
  | "newer_version"
  | "not_in_flight"
  | "other_definition"
  | "predicate";
