//! The version of the package.

/// Returns Cargo's version in the form of PEP 440: `1.0.0-rc.1` is `1.0.0rc1`.
pub(crate) fn python_version() -> String {
    env!("CARGO_PKG_VERSION")
        .replace("-alpha.", "a")
        .replace("-beta.", "b")
        .replace("-rc.", "rc")
}
