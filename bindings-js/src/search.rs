//! `search()`: an expression without a waiter.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use smithy_waiters::{CompiledExpression, ExpressionError, Found};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::{Refusal, json};
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
        Ok(json(&Text(&found)))
    };
    Ok(search().map_err(Refusal::from)?)
}

/// The tagged form of what was found.
struct Text<'a>(&'a Found<Handle>);

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Found::Array(items) => {
                let items: Vec<_> = items.iter().map(Text).collect();
                tagged(serializer, "array", &items)
            }
            Found::Boolean(value) => serializer.serialize_bool(*value),
            Found::Host(value) => tagged(serializer, "slot", &value.slot()),
            Found::Number(number) => tagged(serializer, "slot", &kernel::hold_number(*number)),
            Found::Object(members) => {
                let members = members.iter().map(|(name, value)| (&**name, Text(value)));
                tagged(serializer, "object", &members.collect::<Vec<_>>())
            }
            Found::String(text) => serializer.serialize_str(text),
            _ => serializer.serialize_unit(),
        }
    }
}

fn tagged<S: Serializer, T: Serialize>(
    serializer: S,
    tag: &'static str,
    content: &T,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(1))?;
    map.serialize_entry(tag, content)?;
    map.end()
}
