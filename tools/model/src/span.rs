//! The part of a text that an event is about, for underlining.

use std::ops::Range;

use crate::event::{Culprit, Event};
use crate::read::idl::literal;
use crate::source::{File, Position, Sources};

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Span<'s> {
    /// The name of the text.
    pub file: &'s str,
    /// The whole text.
    pub text: &'s str,
    /// The byte range of the part in the text.
    pub range: Range<usize>,
}

impl Sources {
    /// Returns the part of a text that an event is about: its culprit, or the token at its position.
    ///
    /// Returns `None` if the event has no position in these texts.
    #[must_use]
    pub fn span(&self, event: &Event) -> Option<Span<'_>> {
        let culprit = event.culprit.unwrap_or(Culprit::whole(event.at));
        self.culprit_span(culprit)
    }

    /// Returns the start and the end of the part of a text that an event is about.
    ///
    /// Returns `None` if the event has no position in these texts.
    #[must_use]
    pub fn place(&self, event: &Event) -> Option<(Position<'_>, Position<'_>)> {
        let range = self.span(event)?.range;
        let culprit = event.culprit.map_or(event.at, |culprit| culprit.value);
        let (file, _) = self.find(culprit)?;
        Some((file.position(range.start), file.position(range.end)))
    }

    pub(crate) fn culprit_span(&self, culprit: Culprit) -> Option<Span<'_>> {
        let (file, offset) = self.find(culprit.value)?;
        let part = within_string(file, offset, &culprit);
        let range = part.unwrap_or_else(|| offset..token_end(file.text(), offset));
        Some(Span {
            file: file.name(),
            text: file.text(),
            range,
        })
    }
}

/// Returns the byte range in the text of a part of a decoded string.
fn within_string(file: &File, offset: usize, culprit: &Culprit) -> Option<Range<usize>> {
    if culprit.start == culprit.end {
        return None;
    }
    let literal = literal::first(file.text().get(offset..)?)?;
    let part = literal::source_range(literal, &(culprit.start..culprit.end))?;
    Some(offset.saturating_add(part.start)..offset.saturating_add(part.end))
}

/// Returns the end of the token at an offset. A token ends at the end of its line at the latest.
fn token_end(text: &str, offset: usize) -> usize {
    let rest = text.get(offset..).unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default();
    let length = if line.starts_with("\"\"\"") {
        3
    } else if let Some(string) = line.strip_prefix('"') {
        string
            .find('"')
            .map_or(line.len(), |end| end.saturating_add(2))
    } else {
        // A number may be negative.
        let is_part = |char: char| {
            char.is_alphanumeric() || matches!(char, '_' | '@' | '#' | '.' | '$' | '-')
        };
        let end = line.find(|char| !is_part(char)).unwrap_or(line.len());
        end.max(line.chars().next().map_or(0, char::len_utf8))
    };
    offset.saturating_add(length)
}
