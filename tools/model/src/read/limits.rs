//! Limits for texts.

/// The maximum depth of values in JSON and IDL. It bounds every recursion over values.
pub(crate) const MAX_NESTING: usize = 250;
