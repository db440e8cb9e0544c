//! Copies of responses as JSON, for logs.

use std::ops::ControlFlow;

use serde_json::{Map, Value as Json};

use super::view::View;
use crate::value::limits::{DEEPEST, MOST_VALUES, TOO_DEEP, TOO_LARGE};
use crate::value::{Kind, ReadError, Value, number_of};

/// Copies a value in the data model: timestamps are epoch seconds, blobs are base64.
///
/// Never fails. A text in angle brackets replaces values that are too deep, too large or unreadable.
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
            return TOO_DEEP.into();
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
                // An unchanged copy, because an integer may have more digits than a double.
                View::Json(json) if !json.is_f64() => (*json).clone(),
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

    /// Breaks if the copy has reached its maximum size. A single text replaces the remaining values.
    fn more(&self) -> ControlFlow<()> {
        if self.values < MOST_VALUES {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(())
    }
}
