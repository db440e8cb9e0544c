//! A canonical text for continuation tokens. Equal tokens have equal texts, regardless of their host types and the
//! order of their members.

use std::ops::ControlFlow;

use crate::text::quote;
use crate::value::{Kind, ReadError, Value, display_number};

/// The maximum length of a token's text, in bytes.
const MAX_BYTES: usize = 64 * 1024;

/// The maximum nesting depth of a token. DynamoDB's tokens have a depth of two.
const MAX_DEPTH: usize = 128;

/// The reason why a token has no canonical text.
pub(super) enum Failure {
    TooLong,
    Read(ReadError),
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

/// Returns the token as JSON with sorted members.
pub(super) fn canonical<V: Value>(token: &V) -> Result<String, Failure> {
    let mut text = String::new();
    write(&mut text, token, 0)?;
    Ok(text)
}

fn write<V: Value>(text: &mut String, value: &V, depth: usize) -> Result<(), Failure> {
    // A token of a host can contain itself.
    if depth > MAX_DEPTH {
        let message = format!("the token is nested deeper than {MAX_DEPTH} levels");
        Err(ReadError::new(message))?;
    }
    match (value.identity()?, value.kind()?) {
        // Two large integers can be equal as doubles and differ as tokens.
        (Some(exact), _) => text.push_str(&exact),
        (None, Kind::Null) => text.push_str("null"),
        (None, Kind::Boolean(value)) => text.push_str(if value { "true" } else { "false" }),
        (None, Kind::Number(number)) => text.push_str(&display_number(number)),
        (None, Kind::String) => text.push_str(&quote(&value.text_start(MAX_BYTES)?)),
        (None, Kind::Array) => {
            let mut result = Ok(());
            text.push('[');
            value.items(&mut |item| {
                result = write(text, &item, depth.saturating_add(1));
                text.push(',');
                continue_if(result.is_ok())
            })?;
            result?;
            close(text, ']');
        }
        (None, Kind::Object) => {
            let mut members = Vec::new();
            text.push('{');
            value.members(&mut |name, member| {
                members.push((name.to_owned(), member));
                // The names alone may exceed the limit.
                continue_if(members.len() <= MAX_BYTES)
            })?;
            // Tokens are equal whatever the order of their members. Rule: docs/rules.md#repeated-tokens
            members.sort_by(|(one, _), (other, _)| one.cmp(other));
            for (name, member) in members {
                text.push_str(&quote(&name));
                text.push(':');
                write(text, &member, depth.saturating_add(1))?;
                text.push(',');
            }
            close(text, '}');
        }
    }
    // Checked after each part, so that a huge token is not read to its end.
    if text.len() > MAX_BYTES {
        return Err(Failure::TooLong);
    }
    Ok(())
}

const fn continue_if(condition: bool) -> ControlFlow<()> {
    if condition {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}

/// Ends an array or an object whose items are each followed by a comma.
fn close(text: &mut String, bracket: char) {
    if text.ends_with(',') {
        text.pop();
    }
    text.push(bracket);
}
