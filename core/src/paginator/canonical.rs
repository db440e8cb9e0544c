//! Continuation tokens as text: equal tokens have equal texts, whatever their types and the order of their members.

use std::ops::ControlFlow;

use crate::expression::quote;
use crate::value::{Kind, ReadError, Value, display_number};

/// The longest text of a token, in bytes.
const MAX_BYTES: usize = 64 * 1024;

/// How deep a token may be nested: DynamoDB's have two levels.
const MAX_DEPTH: usize = 128;

/// Returns the token as JSON with its members in order, or `None` if that is too long.
pub(super) fn canonical<V: Value>(token: &V) -> Result<Option<String>, ReadError> {
    let mut text = String::new();
    let fits = write(&mut text, token, 0)?;
    Ok(fits.is_continue().then_some(text))
}

/// Breaks where the text gets too long.
fn write<V: Value>(
    text: &mut String,
    value: &V,
    depth: usize,
) -> Result<ControlFlow<()>, ReadError> {
    if depth > MAX_DEPTH {
        let message = format!("the token goes deeper than {MAX_DEPTH} levels");
        return Err(ReadError::new(message));
    }
    match (value.exact()?, value.kind()?) {
        (Some(exact), _) => text.push_str(&exact),
        (None, Kind::Null) => text.push_str("null"),
        (None, Kind::Boolean(value)) => text.push_str(if value { "true" } else { "false" }),
        (None, Kind::Number(number)) => text.push_str(&display_number(number)),
        (None, Kind::String) => text.push_str(&quote(&value.text()?)),
        (None, Kind::Array) => {
            let (mut before, mut written) = ('[', Ok(ControlFlow::Continue(())));
            value.items(&mut |item| {
                text.push(std::mem::replace(&mut before, ','));
                written = write(text, &item, depth.saturating_add(1));
                written.clone().unwrap_or(ControlFlow::Break(()))
            })?;
            if before == '[' {
                text.push(before);
            }
            if written?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            text.push(']');
        }
        (None, Kind::Object) => {
            let mut members = Vec::new();
            value.members(&mut |name, member| {
                members.push((name.to_owned(), member));
                // Names alone may be too long.
                if members.len() > MAX_BYTES {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })?;
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            if members.is_empty() {
                text.push('{');
            }
            for (index, (name, member)) in members.into_iter().enumerate() {
                text.push(if index == 0 { '{' } else { ',' });
                text.push_str(&quote(&name));
                text.push(':');
                if write(text, &member, depth.saturating_add(1))?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            text.push('}');
        }
    }
    Ok(if text.len() > MAX_BYTES {
        ControlFlow::Break(())
    } else {
        ControlFlow::Continue(())
    })
}
