//! The ids of events about reading a model.

/// The id of syntax errors.
pub(crate) const SYNTAX: &str = "SmithyWaiters.Syntax";

/// The id of errors in models that cannot be assembled.
pub(crate) const MODEL: &str = "SmithyWaiters.Model";

/// The id of notes about shapes with several identical definitions.
pub(crate) const DUPLICATE: &str = "SmithyWaiters.Model.DuplicateDefinition";

/// The id of warnings about duplicate keys in a JSON object.
pub(crate) const DUPLICATE_KEY: &str = "SmithyWaiters.Model.DuplicateKey";
