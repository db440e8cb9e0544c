//! Functions of any type.

use super::{Call, json};
use crate::jmespath::evaluate::EvaluationError;
use crate::jmespath::item::Item;
use crate::value::{Kind, Value};

impl<'e, V: Value> Call<'_, 'e, V> {
    /// Returns the first argument that is not null.
    ///
    /// All arguments are evaluated, because the specification evaluates arguments before the call. An error in a later
    /// argument is therefore an error of the call.
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

    /// Returns a string unchanged, and anything else as compact JSON.
    pub(super) fn to_string(&self) -> Result<Item<'e, V>, EvaluationError> {
        let value = self.value(0)?;
        if value.kind()? != Kind::String {
            let text = json::write(self, &value)?;
            return Ok(Item::String(text.into()));
        }
        // A host's string may be bytes, a member of an enum, or contain a lone surrogate. Reading it returns its text
        // in the data model. Rule: docs/rules.md#host-values
        if let Item::Host(_) = &value {
            return Ok(Item::String(self.text(&value)?.into()));
        }
        Ok(value)
    }

    pub(super) fn type_(&self) -> Result<Item<'e, V>, EvaluationError> {
        Ok(Item::String(self.value(0)?.kind()?.as_str().into()))
    }
}
