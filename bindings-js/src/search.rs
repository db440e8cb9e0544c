//! `search()`: an expression without a waiter.

use js_sys::{Array, Object};
use smithy_waiters::{CompiledExpression, ExpressionError, SearchResult};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::Refusal;
use crate::host_imports;
use crate::value::{Handle, Table};

/// What an expression gives for the value in a slot. Throws a refusal.
#[wasm_bindgen]
pub fn search(expression: &str, value: u32) -> Result<JsValue, JsValue> {
    let search = || -> Result<_, ExpressionError> {
        let expression = CompiledExpression::new(expression)?;
        let table = Table::new(expression.names().iter().map(|name| &**name));
        let found = expression.search(table.value(value))?;
        Ok(value_of(&found))
    };
    Ok(search().map_err(Refusal::from)?)
}

/// The host's own value if the expression found one, else the value that was made.
fn value_of(found: &SearchResult<Handle<'_>>) -> JsValue {
    match found {
        SearchResult::Array(items) => items.iter().map(value_of).collect::<Array>().into(),
        SearchResult::Boolean(value) => JsValue::from_bool(*value),
        SearchResult::Host(value) if value.is_null() => JsValue::NULL,
        SearchResult::Host(value) => host_imports::value_at(value.slot()),
        SearchResult::Number(number) => JsValue::from_f64(*number),
        SearchResult::Object(members) => {
            let pairs = members.iter().map(|(name, value)| {
                let name = JsValue::from_str(name);
                Array::of2(&name, &value_of(value))
            });
            let pairs: Array = pairs.collect();
            // A list of pairs always makes an object.
            Object::from_entries(&pairs).map_or(JsValue::NULL, Into::into)
        }
        SearchResult::String(text) => JsValue::from_str(text),
        _ => JsValue::NULL,
    }
}
