//! The published packages: for npm, for PyPI, and of the command.

pub(crate) mod command;
pub(crate) mod component;
pub(crate) mod licences;
pub(crate) mod supply;
pub(crate) mod wasm;
pub(crate) mod wheel;
