//! A response as JSON, for logs: as a waiter reads it.

use std::ops::ControlFlow;

use serde_json::{Map, Number, Value as Json};

use super::view::View;
use crate::value::{Kind, ReadError, Value};

/// How deep data goes, and how many values of it: beyond, a text stands for the rest.
const DEEPEST: usize = 32;
const MOST_VALUES: usize = 100_000;
const TOO_LARGE: &str = "<too large>";

/// The greatest integer that doubles have all of, and their smaller ones.
const GREATEST_INTEGER: f64 = 9_007_199_254_740_991.0;

/// A value as the engine reads it: timestamps are epoch seconds, blobs base64. Never fails: a text in angle brackets stands
/// for what goes too far or cannot be read.
pub(crate) fn plain(view: &View<'_>) -> Json {
    Copier::default().copy(view)
}

#[derive(Default)]
struct Copier {
    depth: usize,
    values: usize,
}

impl Copier {
    fn copy(&mut self, view: &View<'_>) -> Json {
        if self.depth == DEEPEST {
            return "<too deep>".into();
        }
        if self.more().is_break() {
            return TOO_LARGE.into();
        }
        self.values = self.values.saturating_add(1);
        self.depth = self.depth.saturating_add(1);
        let copy = self.whole(view);
        self.depth = self.depth.saturating_sub(1);
        copy.unwrap_or_else(|error| format!("<unreadable: {error}>").into())
    }

    fn whole(&mut self, view: &View<'_>) -> Result<Json, ReadError> {
        Ok(match view.kind()? {
            Kind::Array => self.items(view)?.into(),
            Kind::Boolean(value) => value.into(),
            Kind::Null => Json::Null,
            Kind::Number(number) => match view {
                // As it is: an integer may have more digits than a double.
                View::Json(json) => (*json).clone(),
                _ => number_of(number),
            },
            Kind::Object => self.members(view)?.into(),
            Kind::String => view.text()?.into(),
        })
    }

    fn items(&mut self, view: &View<'_>) -> Result<Vec<Json>, ReadError> {
        let mut copies = Vec::new();
        view.items(&mut |item| {
            let more = self.more();
            copies.push(self.copy(&item));
            more
        })?;
        Ok(copies)
    }

    fn members(&mut self, view: &View<'_>) -> Result<Map<String, Json>, ReadError> {
        let mut copies = Map::new();
        view.members(&mut |name, member| {
            let more = self.more();
            copies.insert(name.to_owned(), self.copy(&member));
            more
        })?;
        Ok(copies)
    }

    /// Whether to go on after the next: the rest of what is too large is one text.
    fn more(&self) -> ControlFlow<()> {
        if self.values < MOST_VALUES {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(())
    }
}

/// An integral number is an integer, as in the other languages; what is no number of JSON is null.
fn number_of(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() <= GREATEST_INTEGER {
        return Json::from(number as i64);
    }
    Number::from_f64(number).map_or(Json::Null, Json::Number)
}
