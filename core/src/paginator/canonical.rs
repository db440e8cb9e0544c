//! Continuation tokens as text: equal tokens have equal texts, whatever their types and the order of their members.

use std::ops::ControlFlow;

use crate::jmespath::quote;
use crate::value::{Kind, ReadError, Value, display_number};

/// The longest text of a token, in bytes.
const MAX_BYTES: usize = 64 * 1024;

/// How deep a token may be nested: DynamoDB's have two levels.
const MAX_DEPTH: usize = 128;

/// The reason that a token has no text.
pub(super) enum Failure {
    TooLong,
    Read(ReadError),
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

/// Returns the token as JSON with its members in order.
pub(super) fn canonical<V: Value>(token: &V) -> Result<String, Failure> {
    let mut text = String::new();
    write(&mut text, token, 0)?;
    Ok(text)
}

fn write<V: Value>(text: &mut String, value: &V, depth: usize) -> Result<(), Failure> {
    if depth > MAX_DEPTH {
        let message = format!("the token goes deeper than {MAX_DEPTH} levels");
        Err(ReadError::new(message))?;
    }
    match (value.exact()?, value.kind()?) {
        (Some(exact), _) => text.push_str(&exact),
        (None, Kind::Null) => text.push_str("null"),
        (None, Kind::Boolean(value)) => text.push_str(if value { "true" } else { "false" }),
        (None, Kind::Number(number)) => text.push_str(&display_number(number)),
        (None, Kind::String) => text.push_str(&quote(&value.text_start(MAX_BYTES)?)),
        (None, Kind::Array) => {
            let mut written = Ok(());
            text.push('[');
            value.items(&mut |item| {
                written = write(text, &item, depth.saturating_add(1));
                text.push(',');
                go_on_if(written.is_ok())
            })?;
            written?;
            close(text, ']');
        }
        (None, Kind::Object) => {
            let mut members = Vec::new();
            text.push('{');
            value.members(&mut |name, member| {
                members.push((name.to_owned(), member));
                // Names alone may be too long.
                go_on_if(members.len() <= MAX_BYTES)
            })?;
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
    if text.len() > MAX_BYTES {
        return Err(Failure::TooLong);
    }
    Ok(())
}

const fn go_on_if(condition: bool) -> ControlFlow<()> {
    if condition {
        ControlFlow::Continue(())
    } else {
        ControlFlow::Break(())
    }
}

/// Ends an array or an object, each item of which has a comma after it.
fn close(text: &mut String, bracket: char) {
    if text.ends_with(',') {
        text.pop();
    }
    text.push(bracket);
}
