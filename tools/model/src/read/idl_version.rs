//! Versions of Smithy.

/// A version of Smithy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum IdlVersion {
    /// The version of a text that doesn't declare one.
    #[default]
    One,
    Two,
}

impl IdlVersion {
    /// Parses a version, such as `2` or `2.0`.
    pub(crate) fn parse(version: &str) -> Option<Self> {
        match version {
            "1" | "1.0" => Some(Self::One),
            "2" | "2.0" => Some(Self::Two),
            _ => None,
        }
    }
}
