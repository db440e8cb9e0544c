//! Values of a host of which some cannot be read.

use std::borrow::Cow;
use std::ops::ControlFlow;

use serde_json::Value as Json;
use smithy_waiters::value::{Kind, ReadError, Value};

/// JSON as a host's value. The text `!kind` stands for a value that cannot be read, `!text` for a text that cannot be
/// read, and `!gone` for an item that an array lost after its length was read. An array that ends with `!endless` repeats
/// its first item without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Broken<'a>(pub(crate) &'a Json);

impl Broken<'_> {
    fn check(&self, fails: &str) -> Result<(), ReadError> {
        if self.0 == fails {
            return Err(ReadError::new("the getter failed"));
        }
        Ok(())
    }

    fn is_endless(&self) -> bool {
        let last = self.0.as_array().and_then(|items| items.last());
        last.is_some_and(|last| last == "!endless")
    }
}

impl Value for Broken<'_> {
    fn kind(&self) -> Result<Kind, ReadError> {
        self.check("!kind")?;
        (&self.0).kind()
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        self.check("!text")?;
        Ok(self.0.as_str().unwrap_or_default().into())
    }

    fn len(&self) -> Result<usize, ReadError> {
        if self.is_endless() {
            return Ok(usize::MAX);
        }
        (&self.0).len()
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        let index = if self.is_endless() { 0 } else { index };
        let item = self.0.get(index).filter(|item| **item != "!gone");
        Ok(item.map(Self))
    }

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        Ok(self.0.get(name).map(Self))
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        (&self.0).members(&mut |name, member| visit(name, Self(member)))
    }

    fn warning(&self) -> Option<String> {
        let warning = self.0.get("Warning")?.as_str()?;
        Some(warning.to_owned())
    }
}
