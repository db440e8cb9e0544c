//! Positions in JMESPath expressions.

mod token;

pub(crate) use token::{culprit, end_of};

/// Returns a byte offset as a position for messages: the column in code points from 1, and the line if there are
/// several.
pub(crate) fn describe_position(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    let column = line.chars().count().saturating_add(1);
    if !text.contains('\n') {
        return format!("column {column}");
    }
    let lines = before.split('\n').count();
    format!("line {lines}, column {column}")
}
