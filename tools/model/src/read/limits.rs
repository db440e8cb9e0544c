//! Limits for texts.

/// The maximum number of findings about the syntax of one text.
pub(crate) const MAX_SYNTAX_ERRORS: usize = 100;

/// The maximum depth of values in JSON and IDL. It bounds every recursion over values.
pub(crate) const MAX_NESTING: usize = 250;
