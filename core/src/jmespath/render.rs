//! Values as text, for reasons that people read: JSON, cut where it gets long.

use std::ops::ControlFlow;

use super::Item;
use crate::value::{Kind, ReadError, Value, display_number};

/// How deep a value is shown; what is deeper, or goes in circles, is cut.
const MAX_DEPTH: usize = 32;

/// The value as JSON, cut at `limit` code points; nothing past the cut is looked at.
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

/// A string in quotes, as JSON writes it.
pub(crate) fn quote(text: &str) -> String {
    // A text always serialises.
    serde_json::to_string(text).unwrap_or_default()
}

/// What would control a terminal, begin a line or turn the direction of what is written is a space.
pub(crate) fn escape_control_char(char: char) -> char {
    match char {
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => ' ',
        char if char.is_control() => ' ',
        char => char,
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
        let (mut first, mut shown) = (true, Ok(self.push("[")));
        item.items(&mut |item| {
            shown = match self.separator(&mut first) {
                ControlFlow::Continue(()) => self.item(&item, depth.saturating_add(1)),
                cut => Ok(cut),
            };
            shown.clone().unwrap_or(ControlFlow::Break(()))
        })?;
        Ok(if shown?.is_break() {
            ControlFlow::Break(())
        } else {
            self.push("]")
        })
    }

    /// Members in the order of their names: hosts keep them in different orders, people read the same text.
    fn object<V: Value>(
        &mut self,
        item: &Item<'_, V>,
        depth: usize,
    ) -> Result<ControlFlow<()>, ReadError> {
        let members = item.first_members()?;
        let (mut first, mut shown) = (true, self.push("{"));
        for (name, member) in &members {
            if shown.is_break()
                || self.separator(&mut first).is_break()
                || self.string(name).is_break()
            {
                return Ok(ControlFlow::Break(()));
            }
            shown = if self.push(":").is_break() {
                ControlFlow::Break(())
            } else {
                self.item(member, depth.saturating_add(1))?
            };
        }
        Ok(if shown.is_break() {
            shown
        } else {
            self.push("}")
        })
    }

    fn separator(&mut self, first: &mut bool) -> ControlFlow<()> {
        self.push(if std::mem::take(first) { "" } else { "," })
    }

    /// A long string is cut before it is quoted, so that its length costs nothing.
    fn string(&mut self, text: &str) -> ControlFlow<()> {
        let shown: String = text.chars().take(self.room.saturating_add(1)).collect();
        self.push(&quote(&shown))
    }

    /// Breaks where the room is used up; the cut shows as an ellipsis.
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
