//! Owned copies of response values.

use std::ops::ControlFlow;

use serde_json::{Map, Number, Value as Json};

use super::view::View;
use crate::value::{Kind, ReadError, Value};

/// The maximum depth of a copy, which bounds the recursion.
const MAX_DEPTH: usize = 128;

/// Copies a value, with the exact digits of its numbers.
///
/// # Errors
///
/// Returns an error if a value cannot be read, is too deep, or has an integer that JSON cannot represent.
pub(crate) fn owned(view: &View<'_>) -> Result<Json, ReadError> {
    copy(view, 0)
}

fn copy(view: &View<'_>, depth: usize) -> Result<Json, ReadError> {
    if depth > MAX_DEPTH {
        let message = format!("the value is deeper than {MAX_DEPTH} levels");
        return Err(ReadError::new(message));
    }
    Ok(match (view, view.kind()?) {
        (View::Json(json), _) => (*json).clone(),
        (View::Integer(number), _) => Json::Number(integer(*number)?),
        (_, Kind::Null) => Json::Null,
        (_, Kind::Boolean(value)) => Json::Bool(value),
        (_, Kind::Number(number)) => number_of(number),
        (_, Kind::String) => Json::String(view.text()?.into_owned()),
        (_, Kind::Array) => Json::Array(items(view, depth)?),
        (_, Kind::Object) => Json::Object(members(view, depth)?),
    })
}

fn items(array: &View<'_>, depth: usize) -> Result<Vec<Json>, ReadError> {
    let (mut items, mut failed) = (Vec::new(), Ok(()));
    array.items(&mut |item| match copy(&item, depth.saturating_add(1)) {
        Ok(item) => {
            items.push(item);
            ControlFlow::Continue(())
        }
        Err(error) => {
            failed = Err(error);
            ControlFlow::Break(())
        }
    })?;
    failed.map(|()| items)
}

fn members(object: &View<'_>, depth: usize) -> Result<Map<String, Json>, ReadError> {
    let (mut members, mut failed) = (Map::new(), Ok(()));
    object.members(
        &mut |name, member| match copy(&member, depth.saturating_add(1)) {
            Ok(member) => {
                members.insert(name.to_owned(), member);
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Err(error);
                ControlFlow::Break(())
            }
        },
    )?;
    failed.map(|()| members)
}

fn integer(number: i128) -> Result<Number, ReadError> {
    Number::from_i128(number)
        .ok_or_else(|| ReadError::new(format!("the integer {number} is too large for JSON")))
}

/// Returns an integer if the number is integral.
fn number_of(number: f64) -> Json {
    let integer = number as i64;
    // The cast saturates at `i64::MAX`, which no double represents exactly.
    if integer as f64 == number && integer < i64::MAX {
        return integer.into();
    }
    number.into()
}
