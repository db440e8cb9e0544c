//! Removes an acceptor from its list.

use logos::Logos as _;

use super::edit::Edit;
use crate::event::Event;
use crate::read::idl::lex::TokenKind;
use crate::shapes::{Model, Node, id};
use crate::source::{At, File, Sources};

const COMMENT: &str = "the change would delete or misplace a comment";
const UNREADABLE: &str = "the text around the acceptor cannot be parsed";

/// Checks that no suppression refers to the acceptor or a later one. Removing an acceptor changes the numbers of later
/// ones.
pub(super) fn check_suppressions(model: &Model<'_>, event: &Event) -> Result<(), &'static str> {
    let mut parts = event.id.rsplit('.');
    let number = parts.next().and_then(|number| number.parse::<usize>().ok());
    let (Some(number), Some(waiter)) = (number, parts.next()) else {
        return Err(UNREADABLE);
    };
    let names_it = |id: &str| {
        let mut parts = id.split('.').skip_while(|part| *part != waiter).skip(1);
        let named = parts.next().and_then(|part| part.parse::<usize>().ok());
        named.is_some_and(|named| named >= number)
    };
    if suppressed_ids(model, event).any(names_it) {
        return Err("a suppression refers to this acceptor or a later one by its number");
    }
    Ok(())
}

/// Returns the ids in the suppressions and overrides that can apply to the shape of an event.
fn suppressed_ids<'m>(model: &'m Model<'_>, event: &Event) -> impl Iterator<Item = &'m str> {
    let shape = event.shape.as_deref().map(id::shape);
    let shape = shape.and_then(|shape| model.shape(shape));
    let by_trait = shape.and_then(|shape| shape.find_trait("smithy.api#suppress"));
    let by_trait = by_trait.map_or(&[][..], |applied| applied.value.elements());
    let keys = ["suppressions", "severityOverrides"];
    let metadata = model
        .metadata()
        .iter()
        .filter(move |entry| keys.contains(&entry.key));
    let rules = metadata.flat_map(|entry| entry.value.elements());
    let rules = rules.filter_map(|rule| rule.member("id"));
    let ids = by_trait.iter().copied().chain(rules);
    let of_others = model.rules().iter().map(|rule| &*rule.id);
    ids.filter_map(|node| Node::as_str(&node)).chain(of_others)
}

impl Sources {
    /// Returns an edit that removes an element with its comma. It removes whole lines if nothing else is on them.
    pub(super) fn removal(&self, at: At) -> Result<Edit<'_>, &'static str> {
        let (file, start) = self.find(at).ok_or(UNREADABLE)?;
        let element = Element::at(file, start).ok_or(UNREADABLE)?;
        if element.has_comments() {
            return Err(COMMENT);
        }
        let (start, end) = element.range(file.is_idl());
        Ok(Edit {
            file: file.name(),
            start,
            end,
            replacement: String::new(),
        })
    }
}

/// An element of an array.
struct Element<'s> {
    text: &'s str,
    start: usize,
    end: usize,
    /// The end of the token before the element, and the start of the token after it.
    around: (usize, usize),
    /// `true` if a documentation comment is in the element or directly before it.
    has_docs: bool,
}

impl<'s> Element<'s> {
    /// Finds the object that starts at an offset. The tokens of JSON are also tokens of IDL.
    fn at(file: &'s File, start: usize) -> Option<Self> {
        let text = file.text();
        let mut before = None;
        let mut depth = 0_usize;
        let mut end = None;
        let mut has_docs = false;
        for (token, span) in TokenKind::lexer(text).spanned() {
            if span.start < start {
                before = Some((token, span.end));
                continue;
            }
            if let Some(end) = end {
                let (token, before) = before?;
                let has_docs = has_docs || token == Ok(TokenKind::Doc);
                return Some(Self {
                    text,
                    start,
                    end,
                    around: (before, span.start),
                    has_docs,
                });
            }
            match token.ok()? {
                TokenKind::LeftBrace | TokenKind::LeftBracket => depth = depth.saturating_add(1),
                TokenKind::RightBrace | TokenKind::RightBracket => depth = depth.checked_sub(1)?,
                TokenKind::Doc => has_docs = true,
                _ => {}
            }
            if depth == 0 {
                end = Some(span.end);
            }
        }
        None
    }

    fn before(&self) -> &'s str {
        self.text.get(self.around.0..self.start).unwrap_or_default()
    }

    fn after(&self) -> &'s str {
        self.text.get(self.end..self.around.1).unwrap_or_default()
    }

    /// Returns `true` if a comment is in the element, on the lines above it, or behind it. Removing the element would
    /// delete the comment or leave it at another element.
    fn has_comments(&self) -> bool {
        let above = self.before().split_once('\n');
        let behind = self.after().lines().next().unwrap_or_default();
        self.has_docs
            || above.is_some_and(|(_, above)| above.contains("//"))
            || behind.contains("//")
            || self.is_commented()
    }

    /// Returns `true` if the element contains a `//` outside of strings.
    fn is_commented(&self) -> bool {
        let inner = self.text.get(self.start..self.end).unwrap_or_default();
        let mut end = 0;
        TokenKind::lexer(inner).spanned().any(|(_, span)| {
            let gap = inner.get(end..span.start).unwrap_or_default();
            end = span.end;
            gap.contains("//")
        })
    }

    /// Returns the range to remove. It includes the comma after the element, or the one before the last element.
    fn range(&self, is_idl: bool) -> (usize, usize) {
        let (mut start, mut end) = (self.start, self.end);
        let comma = self.after().find(|char: char| !char.is_whitespace());
        let is_comma = |at: &usize| {
            self.text
                .get(end.saturating_add(*at)..)
                .is_some_and(|rest| rest.starts_with(','))
        };
        if let Some(at) = comma.filter(is_comma) {
            end = end.saturating_add(at).saturating_add(1);
        } else if !is_idl && self.before().contains(',') {
            return (self.around.0, end);
        }
        let before = self
            .text
            .get(..start)
            .unwrap_or_default()
            .trim_end_matches([' ', '\t']);
        let after = self.text.get(end..).unwrap_or_default();
        let rest = after.trim_start_matches([' ', '\t']);
        let line_end = ["\r\n", "\n"].into_iter().find(|end| rest.starts_with(end));
        if let (true, Some(line_end)) = (before.ends_with('\n'), line_end) {
            start = before.len();
            end = self
                .text
                .len()
                .saturating_sub(rest.len())
                .saturating_add(line_end.len());
        } else if rest.starts_with(']') || line_end.is_some() {
            start = self.trimmed_start(before.len());
        } else {
            end = self.text.len().saturating_sub(rest.len());
        }
        (start, end)
    }

    /// Returns the start of the white space before the element, unless it is indentation or follows a bracket.
    fn trimmed_start(&self, trimmed: usize) -> usize {
        let before = self.text.get(..trimmed).unwrap_or_default();
        let is_kept = before.ends_with(['\n', '[']);
        if is_kept { self.start } else { trimmed }
    }
}
