//! Numeric functions. Results are IEEE doubles, and null instead of NaN and infinities.

use std::ops::ControlFlow;

use super::{Call, number};
use crate::jmespath::evaluate::EvaluationError;
use crate::jmespath::item::Item;
use crate::value::{Kind, Value, describe};

impl<'e, V: Value> Call<'_, 'e, V> {
    pub(super) fn abs(&self) -> Result<Item<'e, V>, EvaluationError> {
        Ok(number(self.number(0)?.abs()))
    }

    // The average of an empty array is NaN, which becomes null.
    pub(super) fn avg(&self) -> Result<Item<'e, V>, EvaluationError> {
        let (sum, count) = self.total()?;
        Ok(number(sum / count))
    }

    pub(super) fn ceil(&self) -> Result<Item<'e, V>, EvaluationError> {
        Ok(number(self.number(0)?.ceil()))
    }

    pub(super) fn floor(&self) -> Result<Item<'e, V>, EvaluationError> {
        Ok(number(self.number(0)?.floor()))
    }

    pub(super) fn sum(&self) -> Result<Item<'e, V>, EvaluationError> {
        Ok(number(self.total()?.0))
    }

    /// Returns a number unchanged, parses a string, and returns null for anything else.
    pub(super) fn to_number(&self) -> Result<Item<'e, V>, EvaluationError> {
        let value = self.value(0)?;
        Ok(match value.kind()? {
            Kind::Number(_) => value,
            Kind::String => parse(&self.text(&value)?).map_or(Item::Null, number),
            _ => Item::Null,
        })
    }

    /// Returns the sum and the count of an array of numbers. Numbers are added in order.
    fn total(&self) -> Result<(f64, f64), EvaluationError> {
        const TAKES: &str = "an array of numbers";
        let (mut sum, mut count) = (0.0, 0.0);
        self.each(0, TAKES, &mut |item| match item.kind()? {
            Kind::Number(number) => {
                sum += number;
                count += 1.0;
                Ok(ControlFlow::Continue(()))
            }
            kind => {
                Err(self.argument_error(TAKES, 0, &format!("an array with {}", describe(kind))))
            }
        })?;
        Ok((sum, count))
    }
}

/// Parses a JSON number. Surrounding whitespace is not allowed.
fn parse(text: &str) -> Option<f64> {
    let starts = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    let ends = text.ends_with(|last: char| last.is_ascii_digit());
    // The JSON parser would also accept white space around the number.
    if !(starts && ends) {
        return None;
    }
    serde_json::from_str(text).ok()
}
