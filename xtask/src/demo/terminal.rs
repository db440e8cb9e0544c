//! The output on the terminal: text, tables and live lines.

pub(crate) mod screen;
pub(crate) mod tables;
pub(crate) mod view;
