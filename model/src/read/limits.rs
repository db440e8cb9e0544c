//! Limits of texts.

/// The greatest depth of values, in both notations: it bounds all recursion over them.
pub(crate) const MAX_NESTING: usize = 250;
