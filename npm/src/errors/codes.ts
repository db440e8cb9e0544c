/**
 * The stable codes of errors that a caller causes. The codes of failed waits are in `report/outcome.ts`. A later release may add
 * codes.
 *
 * @module
 */

/** The codes of expressions that do not parse. */
type ParseCode =
  | "expression_too_deep"
  | "expression_too_long"
  | "invalid_arity"
  | "invalid_expression"
  | "invalid_type"
  | "unknown_function";

/** The code of an expression that does not parse, or that cannot be evaluated on a value. */
export type ExpressionErrorCode = ParseCode | "evaluation_error" | "limit_exceeded";

/** The code of an invalid definition or model. */
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
  | "unknown_preset"
  | "unknown_service"
  | "unknown_state"
  | "unknown_waiter"
  | "wrong_target"
  | "wrong_type";

/** The code of an invalid option. */
export type OptionsErrorCode = "conflicting_options" | "invalid_option" | "missing_option" | "unknown_option";

/** The code of a step out of order or of a saved wait that cannot be resumed. */
export type StateErrorCode =
  | "before_deadline"
  | "busy"
  | "damaged_state"
  | "freed"
  | "invalid_answer"
  | "invalid_time"
  | "invalid_verdict"
  | "newer_version"
  | "not_in_flight"
  | "other_definition"
  | "other_step"
  | "predicate";
