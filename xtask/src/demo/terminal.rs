//! Output on the terminal: text, tables, and lines that change while waits run.

pub(crate) mod screen;
pub(crate) mod tables;
pub(crate) mod view;
