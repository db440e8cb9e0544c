//! The limits of values in reports and stored inputs, and the texts beyond them. Rule: docs/rules.md#json-of-reports

/// The maximum depth of a copy: the number of values that contain a value.
pub const DEEPEST: usize = 32;

/// The maximum number of values of a copy.
pub const MOST_VALUES: usize = 100_000;

/// The text for a value that contains itself, which only the values of some hosts can.
pub const CIRCULAR: &str = "<circular>";

/// The text for a value below the maximum depth.
pub const TOO_DEEP: &str = "<too deep>";

/// The text for all values beyond the maximum number.
pub const TOO_LARGE: &str = "<too large>";
