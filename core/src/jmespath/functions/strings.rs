//! Functions of strings, some of which also accept arrays and objects. Characters are code points.

use std::ops::ControlFlow;
use std::rc::Rc;

use super::{Call, number};
use crate::jmespath::evaluate::EvaluationError;
use crate::jmespath::item::Item;
use crate::value::{Kind, Value, describe};

impl<'e, V: Value> Call<'_, 'e, V> {
    /// Returns `true` if an array contains an item or a string contains a substring. The result is `false` if a string
    /// is searched for a non-string.
    pub(super) fn contains(&self) -> Result<Item<'e, V>, EvaluationError> {
        let search = self.value(1)?;
        // If the projection calls functions, all items are evaluated, so that an error does not depend on the position
        // of the item.
        let exhaustive = self.node(0)?.is_projection() && self.node(0)?.calls_functions();
        let mut found = false;
        let other = self.each_or(0, &mut |item| {
            found = found || self.evaluator.equal(&item, &search)?;
            Ok(if found && !exhaustive {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        })?;
        let Some(subject) = other else {
            return Ok(found.into());
        };
        match subject.kind()? {
            Kind::String => Ok((search.kind()? == Kind::String
                && self.text(&subject)?.contains(&*self.text(&search)?))
            .into()),
            kind => Err(self.type_error("an array or a string", 0, kind)),
        }
    }

    pub(super) fn ends_with(&self) -> Result<Item<'e, V>, EvaluationError> {
        let (text, end) = (self.string(0)?, self.string(1)?);
        Ok(self.text(&text)?.ends_with(&*self.text(&end)?).into())
    }

    pub(super) fn join(&self) -> Result<Item<'e, V>, EvaluationError> {
        const TAKES: &str = "an array of strings";
        let glue = self.string(0)?;
        let (glue, mut first, mut joined) = (self.text(&glue)?, true, String::new());
        self.each(1, TAKES, &mut |item| {
            let kind = item.kind()?;
            if kind != Kind::String {
                return Err(self.argument_error(
                    TAKES,
                    1,
                    &format!("an array with {}", describe(kind)),
                ));
            }
            if !std::mem::take(&mut first) {
                self.evaluator.spend_text(glue.len())?;
                joined.push_str(&glue);
            }
            joined.push_str(&self.text(&item)?);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(Item::String(joined.into()))
    }

    /// Returns the number of code points, items or members. The items of an array are not read.
    pub(super) fn length(&self) -> Result<Item<'e, V>, EvaluationError> {
        if self.node(0)?.is_projection() {
            return self.count();
        }
        let value = self.value(0)?;
        match value.kind()? {
            Kind::Array => Ok(size(value.len()?)),
            // A host may have to visit the members to count them.
            Kind::Object => {
                let members = value.len()?;
                self.evaluator.spend(members as u64)?;
                Ok(size(members))
            }
            Kind::String => Ok(size(self.text(&value)?.chars().count())),
            kind => Err(self.type_error(MEASURED, 0, kind)),
        }
    }

    pub(super) fn reverse(&self) -> Result<Item<'e, V>, EvaluationError> {
        let mut items = Vec::new();
        let other = self.each_or(0, &mut |item| {
            items.push(item);
            Ok(ControlFlow::Continue(()))
        })?;
        let Some(value) = other else {
            items.reverse();
            return Ok(Item::Array(Rc::new(items)));
        };
        match value.kind()? {
            Kind::String => {
                let text = self.text(&value)?;
                let mut reversed = String::with_capacity(text.len());
                reversed.extend(text.chars().rev());
                Ok(Item::String(reversed.into()))
            }
            kind => Err(self.type_error("an array or a string", 0, kind)),
        }
    }

    pub(super) fn starts_with(&self) -> Result<Item<'e, V>, EvaluationError> {
        let (text, start) = (self.string(0)?, self.string(1)?);
        let start = self.text(&start)?;
        let beginning = text.text_start(start.chars().count())?;
        Ok(beginning.starts_with(&*start).into())
    }

    fn count(&self) -> Result<Item<'e, V>, EvaluationError> {
        let mut count = 0_usize;
        self.each(0, MEASURED, &mut |_| {
            count = count.saturating_add(1);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(size(count))
    }
}

/// The types that `length` accepts, for messages.
const MEASURED: &str = "a string, array or object";

fn size<'e, V>(count: usize) -> Item<'e, V> {
    // The conversion is exact, because no value has 2^53 items.
    number(count as f64)
}
