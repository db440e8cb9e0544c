//! Changes of texts that mend what events are about.

use std::ops::Range;

use logos::Logos as _;

use crate::event::{Culprit, Event, Fix};
use crate::idl::TokenKind;
use crate::source::{At, Sources};

/// A change of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit<'s> {
    /// The name that the text was added with.
    pub file: &'s str,
    /// What is replaced, in bytes of the text.
    pub range: Range<usize>,
    /// What stands there instead.
    pub replacement: String,
}

impl Sources {
    /// The change that mends what an event is about, where that takes no judgement.
    #[must_use]
    pub fn edit(&self, event: &Event) -> Option<Edit<'_>> {
        match event.fix.as_ref()? {
            Fix::Remove(at) => self.removal(*at),
            Fix::Replace(culprit, text) => self.replacement(*culprit, text),
            Fix::Use(id) => self.addition(event.at, id),
        }
    }

    fn replacement(&self, culprit: Culprit, text: &str) -> Option<Edit<'_>> {
        let is_plain = text
            .chars()
            .all(|char| !char.is_control() && !matches!(char, '"' | '\\'));
        let span = self.culprit_span(culprit).filter(|_| is_plain)?;
        let written = span.text.get(span.range.clone())?;
        let replacement = if written.starts_with('"') {
            format!("\"{text}\"")
        } else {
            text.to_owned()
        };
        Some(Edit {
            file: span.file,
            range: span.range,
            replacement,
        })
    }

    fn addition(&self, at: At, id: &str) -> Option<Edit<'_>> {
        let (file, _) = self.find(at).filter(|(file, _)| file.is_idl())?;
        let place = place_of_uses(file.text())?;
        let is_crlf = file.text().get(..place)?.ends_with("\r\n");
        let end = if is_crlf { "\r\n" } else { "\n" };
        Some(Edit {
            file: file.name(),
            range: place..place,
            replacement: format!("use {id}{end}"),
        })
    }

    /// An element with the comma that comes with it, and its line if nothing else is on it.
    fn removal(&self, at: At) -> Option<Edit<'_>> {
        let (file, start) = self.find(at)?;
        let text = file.text();
        let mut start = start;
        let mut end = end_of_value(text, start)?;
        let (before, after) = (text.get(..start)?, text.get(end..)?);
        let follows = after.trim_start();
        if follows.starts_with(',') {
            end = text.len().saturating_sub(follows.len()).saturating_add(1);
        } else if before.trim_end().ends_with(',') {
            start = before.trim_end().len().saturating_sub(1);
        }
        let before = text.get(..start)?;
        let indentation = before
            .len()
            .saturating_sub(before.trim_end_matches([' ', '\t']).len());
        let line_start = start.saturating_sub(indentation);
        let after = text.get(end..)?.trim_start_matches([' ', '\t']);
        if before.trim_end_matches([' ', '\t']).ends_with('\n') && after.starts_with('\n') {
            start = line_start;
            end = text.len().saturating_sub(after.len()).saturating_add(1);
        }
        Some(Edit {
            file: file.name(),
            range: start..end,
            replacement: String::new(),
        })
    }
}

/// Where a line with a `use` can begin: after those that are there, or after the namespace.
fn place_of_uses(text: &str) -> Option<usize> {
    let mut place = None;
    let mut end = 0_usize;
    for line in text.split_inclusive('\n') {
        end = end.saturating_add(line.len());
        let is_blank = line.trim().is_empty() || line.trim_start().starts_with("//");
        if line.starts_with("namespace ") || place.is_some() && line.starts_with("use ") {
            place = line.ends_with('\n').then_some(end);
        } else if place.is_some() && !is_blank {
            break;
        }
    }
    place
}

/// Where the object or array that begins at an offset ends. JSON has the tokens of IDL, and no others.
fn end_of_value(text: &str, start: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (token, span) in TokenKind::lexer(text.get(start..)?).spanned() {
        match token.ok()? {
            TokenKind::LeftBrace | TokenKind::LeftBracket => depth = depth.saturating_add(1),
            TokenKind::RightBrace | TokenKind::RightBracket => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(start.saturating_add(span.end));
        }
    }
    None
}
