//! `search()`: an expression without a waiter.

use smithy_waiters::json::{Json, array, object};
use smithy_waiters::{CompiledExpression, ExpressionError, Found};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::Refusal;
use crate::kernel;
use crate::value::{Handle, Table};

/// What an expression gives for the value in a slot, as JSON text in which `{"slot": n}` is a value of the host's or a number, and
/// `{"array": …}` and `{"object": …}` were made. Throws the JSON text of a refusal.
#[wasm_bindgen]
pub fn search(expression: &str, value: u32) -> Result<String, JsValue> {
    let search = || -> Result<_, ExpressionError> {
        let expression = CompiledExpression::new(expression)?;
        let table = Table::new(expression.names().iter().map(|name| &**name));
        let found = expression.search(table.value(value))?;
        Ok(json(&found).to_text())
    };
    Ok(search().map_err(Refusal::from)?)
}

/// The tagged form of what was found.
fn json<'f>(found: &'f Found<Handle<'_>>) -> Json<'f> {
    match found {
        Found::Array(items) => tagged("array", Json::Text(array(&mut items.iter().map(json)))),
        Found::Boolean(value) => (*value).into(),
        Found::Host(value) if value.is_null() => Json::Null,
        Found::Host(value) => tagged("slot", u64::from(value.slot()).into()),
        Found::Number(number) => tagged("slot", u64::from(kernel::hold_number(*number)).into()),
        Found::Object(members) => {
            let mut pairs = members.iter().map(|(name, value)| {
                let pair = [(&**name).into(), json(value)];
                Json::Text(array(&mut pair.into_iter()))
            });
            tagged("object", Json::Text(array(&mut pairs)))
        }
        Found::String(text) => (&**text).into(),
        _ => Json::Null,
    }
}

fn tagged<'a>(tag: &str, content: Json<'_>) -> Json<'a> {
    Json::Text(object(&[(tag, content)]))
}
