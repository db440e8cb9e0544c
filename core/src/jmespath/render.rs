//! Formatting of values as truncated JSON, for messages.

use std::ops::ControlFlow;

use super::Item;
use crate::text::{escape_control_char, quote};
use crate::value::{Kind, ReadError, Value, display_number};

/// The maximum depth of displayed values, which also ends cyclic ones.
const MAX_DEPTH: usize = 32;

/// Formats a value as JSON, truncated to `limit` code points. Values after the limit are not read.
pub(crate) fn render<V: Value>(item: &Item<'_, V>, limit: usize) -> String {
    let mut text = Text {
        text: String::new(),
        room: limit,
    };
    match text.item(item, 0) {
        Ok(_) => text.text,
        Err(error) => format!("a value that cannot be read: {error}"),
    }
}

struct Text {
    text: String,
    room: usize,
}

impl Text {
    fn item<V: Value>(
        &mut self,
        item: &Item<'_, V>,
        depth: usize,
    ) -> Result<ControlFlow<()>, ReadError> {
        match item.kind()? {
            Kind::Null => Ok(self.push("null")),
            Kind::Boolean(value) => Ok(self.push(if value { "true" } else { "false" })),
            Kind::Number(number) => Ok(self.push(&display_number(number))),
            Kind::String => {
                let enough = self.room.saturating_add(1);
                Ok(self.string(&item.text_start(enough)?))
            }
            Kind::Array | Kind::Object if depth >= MAX_DEPTH => Ok(self.push("…")),
            Kind::Array => self.array(item, depth),
            Kind::Object => self.object(item, depth),
        }
    }

    fn array<V: Value>(
        &mut self,
        item: &Item<'_, V>,
        depth: usize,
    ) -> Result<ControlFlow<()>, ReadError> {
        if self.push("[").is_break() {
            return Ok(ControlFlow::Break(()));
        }
        let (mut first, mut flow) = (true, Ok(ControlFlow::Continue(())));
        item.items(&mut |item| {
            flow = match self.separator(&mut first) {
                ControlFlow::Continue(()) => self.item(&item, depth.saturating_add(1)),
                cut => Ok(cut),
            };
            flow.clone().unwrap_or(ControlFlow::Break(()))
        })?;
        Ok(if flow?.is_break() {
            ControlFlow::Break(())
        } else {
            self.push("]")
        })
    }

    // Members are sorted, because their order differs between hosts, and messages should not.
    fn object<V: Value>(
        &mut self,
        item: &Item<'_, V>,
        depth: usize,
    ) -> Result<ControlFlow<()>, ReadError> {
        let members = item.first_members()?;
        let (mut first, mut flow) = (true, self.push("{"));
        for (name, member) in &members {
            if flow.is_break()
                || self.separator(&mut first).is_break()
                || self.string(name).is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
            flow = if self.push(":").is_break() {
                ControlFlow::Break(())
            } else {
                self.item(member, depth.saturating_add(1))?
            };
        }
        Ok(if flow.is_break() {
            flow
        } else {
            self.push("}")
        })
    }

    fn separator(&mut self, first: &mut bool) -> ControlFlow<()> {
        self.push(if std::mem::take(first) { "" } else { "," })
    }

    fn string(&mut self, text: &str) -> ControlFlow<()> {
        // Truncated before quoting, to avoid copying a long text.
        let start: String = text.chars().take(self.room.saturating_add(1)).collect();
        self.push(&quote(&start))
    }

    /// Appends a text. Appends an ellipsis and breaks if the text exceeds the remaining room.
    fn push(&mut self, text: &str) -> ControlFlow<()> {
        for char in text.chars() {
            if self.room == 0 {
                self.text.push('…');
                return ControlFlow::Break(());
            }
            self.room = self.room.saturating_sub(1);
            self.text.push(escape_control_char(char));
        }
        ControlFlow::Continue(())
    }
}
