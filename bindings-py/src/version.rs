//! The release.

/// Cargo's version as Python writes it (PEP 440): `1.0.0-rc.1` is `1.0.0rc1`.
pub(crate) fn of_python() -> String {
    env!("CARGO_PKG_VERSION")
        .replace("-alpha.", "a")
        .replace("-beta.", "b")
        .replace("-rc.", "rc")
}
