//! Formatting of complete values as compact JSON. Members are in the host's order, and numbers in their shortest form.

use std::ops::ControlFlow;

use super::Call;
use crate::jmespath::evaluate::EvaluationError;
use crate::jmespath::item::Item;
use crate::text::quote;
use crate::value::{Kind, Value, display_number};

/// The maximum depth of a value, which also rejects cyclic ones.
const MAX_DEPTH: usize = 128;

pub(super) fn write<'e, V: Value>(
    call: &Call<'_, 'e, V>,
    item: &Item<'e, V>,
) -> Result<String, EvaluationError> {
    let mut writer = Writer {
        call,
        text: String::new(),
    };
    writer.item(item, 0)?;
    Ok(writer.text)
}

struct Writer<'w, 'c, 'e, V> {
    call: &'w Call<'c, 'e, V>,
    text: String,
}

impl<'e, V: Value> Writer<'_, '_, 'e, V> {
    fn item(&mut self, item: &Item<'e, V>, depth: usize) -> Result<(), EvaluationError> {
        match item.kind()? {
            Kind::Null => self.text.push_str("null"),
            Kind::Boolean(value) => self.text.push_str(if value { "true" } else { "false" }),
            Kind::Number(number) => self.text.push_str(&display_number(number)),
            Kind::String => self.string(&self.call.text(item)?),
            Kind::Array | Kind::Object if depth >= MAX_DEPTH => {
                return Err(EvaluationError::limit(format!(
                    "`to_string` got a value deeper than {MAX_DEPTH} levels"
                )));
            }
            Kind::Array => self.array(item, depth.saturating_add(1))?,
            Kind::Object => self.object(item, depth.saturating_add(1))?,
        }
        Ok(())
    }

    fn array(&mut self, array: &Item<'e, V>, depth: usize) -> Result<(), EvaluationError> {
        let evaluator = self.call.evaluator;
        let mut before = "[";
        evaluator.each_item(array, &mut |item| {
            self.text.push_str(std::mem::replace(&mut before, ","));
            self.item(&item, depth)?;
            Ok(ControlFlow::Continue(()))
        })?;
        self.text.push_str(if before == "[" { "[]" } else { "]" });
        Ok(())
    }

    fn object(&mut self, object: &Item<'e, V>, depth: usize) -> Result<(), EvaluationError> {
        let evaluator = self.call.evaluator;
        let mut before = "{";
        evaluator.each_member(object, &mut |name, value| {
            self.text.push_str(std::mem::replace(&mut before, ","));
            self.string(name);
            self.text.push(':');
            self.item(&value, depth)?;
            Ok(ControlFlow::Continue(()))
        })?;
        self.text.push_str(if before == "{" { "{}" } else { "}" });
        Ok(())
    }

    fn string(&mut self, text: &str) {
        self.text.push_str(&quote(text));
    }
}
