//! The ids of events about reading a model.

/// The id of errors in text that cannot be read at all.
pub(crate) const SYNTAX: &str = "SmithyWaiters.Syntax";

/// The id of errors in models that cannot be assembled.
pub(crate) const MODEL: &str = "SmithyWaiters.Model";

/// The id of notes about shapes that several texts define identically.
pub(crate) const DUPLICATE: &str = "SmithyWaiters.Model.DuplicateDefinition";

/// The id of warnings about duplicate keys of a JSON object.
pub(crate) const DUPLICATE_KEY: &str = "SmithyWaiters.Model.DuplicateKey";
