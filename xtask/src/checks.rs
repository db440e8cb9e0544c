//! Checks of files that are under version control: lists, tables, prose and vectors.

pub(crate) mod dependencies;
pub(crate) mod parity;
pub(crate) mod prose;
pub(crate) mod public_api;
pub(crate) mod rules;
mod vectors;
