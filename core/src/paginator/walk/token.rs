//! A continuation token that outlives its page.

use std::ops::ControlFlow;

use serde_json::{Map, Value as Json};

use crate::value::{Kind, ReadError, Value};

/// How deep a token may be: DynamoDB's are two levels.
const MAX_DEPTH: usize = 128;

/// A copy of the token; its page goes to the caller.
pub(super) fn owned<V: Value>(token: &V) -> Result<Json, ReadError> {
    copied(token, 0)
}

fn copied<V: Value>(value: &V, depth: usize) -> Result<Json, ReadError> {
    if depth > MAX_DEPTH {
        let message = format!("the continuation token goes deeper than {MAX_DEPTH} levels");
        return Err(ReadError::new(message));
    }
    Ok(match value.kind()? {
        Kind::Null => Json::Null,
        Kind::Boolean(value) => Json::Bool(value),
        Kind::Number(number) => number_of(number),
        Kind::String => Json::String(value.text()?.into_owned()),
        Kind::Array => Json::Array(items(value, depth)?),
        Kind::Object => Json::Object(members(value, depth)?),
    })
}

fn items<V: Value>(array: &V, depth: usize) -> Result<Vec<Json>, ReadError> {
    let (mut items, mut failed) = (Vec::new(), Ok(()));
    array.items(&mut |item| match copied(&item, depth.saturating_add(1)) {
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

fn members<V: Value>(object: &V, depth: usize) -> Result<Map<String, Json>, ReadError> {
    let (mut members, mut failed) = (Map::new(), Ok(()));
    object.members(
        &mut |name, member| match copied(&member, depth.saturating_add(1)) {
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

/// An integer where it is one.
fn number_of(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        return (number as i64).into();
    }
    number.into()
}
