//! Functions of any value: what it is, its text, the first that is one.

use super::{Call, json};
use crate::expression::evaluate::EvaluationError;
use crate::expression::item::Item;
use crate::value::{Kind, Value};

impl<'e, V: Value> Call<'_, 'e, V> {
    /// The first argument that is not null.
    ///
    /// All of them are evaluated: the specification's order is applicative, and an error in a later one is an error.
    pub(super) fn not_null(&self) -> Result<Item<'e, V>, EvaluationError> {
        let mut first = Item::Null;
        for place in 0..self.arguments.len() {
            let value = self.value(place)?;
            if first.is_null()? {
                first = value;
            }
        }
        Ok(first)
    }

    /// The text of a string, anything else as compact JSON.
    pub(super) fn to_string(&self) -> Result<Item<'e, V>, EvaluationError> {
        let value = self.value(0)?;
        if value.kind()? != Kind::String {
            let text = json::write(self, &value)?;
            return Ok(Item::String(text.into()));
        }
        // SPEC: D8. A host's own may be bytes, an enum's member, or have half a pair: what it gives is how they read.
        if let Item::Host(_) = &value {
            let text = self.text(&value)?;
            self.spend_text(&text)?;
            return Ok(Item::String((*text).into()));
        }
        Ok(value)
    }

    pub(super) fn type_(&self) -> Result<Item<'e, V>, EvaluationError> {
        Ok(Item::String(self.value(0)?.kind()?.as_str().into()))
    }
}
