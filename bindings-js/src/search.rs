//! The function `search`.

use js_sys::{Array, Object};
use smithy_waiters::internal::View;
use smithy_waiters::{CompiledExpression, ExpressionError, SearchResult};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::Refusal;
use crate::host_imports;
use crate::value::{Handle, Table};

/// Evaluates an expression on the value in a slot and returns the result. Throws a refusal.
#[wasm_bindgen]
pub fn search(expression: &str, value: u32) -> Result<JsValue, JsValue> {
    let search = || -> Result<_, ExpressionError> {
        let expression = CompiledExpression::new(expression)?;
        let table = Table::new(expression.names().iter().map(|name| &**name));
        let result = expression.search(View::Item(table.value(value)))?;
        Ok(value_of(&result))
    };
    Ok(search().map_err(Refusal::from)?)
}

/// Returns the host's value if the expression selected one, or a new JavaScript value.
fn value_of(result: &SearchResult<View<'_, Handle<'_>>>) -> JsValue {
    match result {
        SearchResult::Array(items) => items.iter().map(value_of).collect::<Array>().into(),
        SearchResult::Boolean(value) => JsValue::from_bool(*value),
        SearchResult::Host(View::Item(value)) if value.is_null() => JsValue::NULL,
        SearchResult::Host(View::Item(value)) => host_imports::value_at(value.slot()),
        SearchResult::Number(number) => JsValue::from_f64(*number),
        SearchResult::Object(members) => {
            let pairs = members.iter().map(|(name, value)| {
                let name = JsValue::from_str(name);
                Array::of2(&name, &value_of(value))
            });
            let pairs: Array = pairs.collect();
            // The conversion of a list of pairs cannot fail.
            Object::from_entries(&pairs).map_or(JsValue::NULL, Into::into)
        }
        SearchResult::String(text) => JsValue::from_str(text),
        _ => JsValue::NULL,
    }
}
