//! Creates minimal edits that fix events.

pub(crate) mod autofix;
pub(crate) mod edit;
mod equivalence;
mod removal;
mod uses;

use crate::event::{Culprit, Event, Fix};
use crate::read::idl::literal;
use crate::shapes::Model;
use crate::source::{At, Sources};
use edit::Edit;

impl Sources {
    /// Returns the texts after non-overlapping edits in ascending order.
    pub(crate) fn with_edits(&self, edits: &[&Edit<'_>]) -> Option<Self> {
        let mut edited = self.without_texts();
        for (name, text) in self.texts() {
            let mut text = text.to_owned();
            // From the end, so that the offsets of the remaining edits stay valid.
            for edit in edits.iter().rev().filter(|edit| edit.file == name) {
                text.replace_range(edit.start..edit.end, &edit.replacement);
            }
            edited.add(name, text).then_some(())?;
        }
        Some(edited)
    }

    /// Returns the edit that fixes an event, or `None` if the event has no automatic fix.
    ///
    /// # Errors
    ///
    /// Returns the reason that the fix cannot be applied: it would delete a comment, a suppression would refer to
    /// another acceptor, or the source has an unsupported form.
    pub fn edit<'s>(
        &'s self,
        model: &Model<'_>,
        event: &Event,
    ) -> Result<Option<Edit<'s>>, &'static str> {
        let Some(fix) = &event.fix else {
            return Ok(None);
        };
        match fix {
            Fix::Remove(at) => {
                removal::check_suppressions(model, event)?;
                self.removal(*at)
            }
            Fix::Replace(culprit, text) => self.replacement(*culprit, text),
            Fix::Use(id) => self.addition(event.at, id),
        }
        .map(Some)
    }

    /// Returns an edit that changes only the case of letters in a string.
    pub(crate) fn replacement(
        &self,
        culprit: Culprit,
        text: &str,
    ) -> Result<Edit<'_>, &'static str> {
        let change = || {
            let (file, offset) = self.find(culprit.value)?;
            let literal = literal::first(file.text().get(offset..)?)?;
            let part = if culprit.start == culprit.end {
                literal::source_range(literal, &(0..text.len()))?
            } else {
                literal::source_range(literal, &(culprit.start..culprit.end))?
            };
            let (part, start) = (
                literal.get(part.clone())?,
                offset.saturating_add(part.start),
            );
            let name = part.trim_matches(['\\', '"']);
            let start = start.saturating_add(part.find(name)?);
            name.eq_ignore_ascii_case(text).then(|| Edit {
                file: file.name(),
                start,
                end: start.saturating_add(name.len()),
                replacement: text.to_owned(),
            })
        };
        change().ok_or("the string is written in a form that cannot be edited")
    }

    fn addition(&self, at: At, id: &str) -> Result<Edit<'_>, &'static str> {
        const NOWHERE: &str = "there is no position for a `use`";
        let (file, _) = self.find(at).ok_or(NOWHERE)?;
        let place = uses::place(file).ok_or(NOWHERE)?;
        let is_crlf = file
            .text()
            .get(..place)
            .is_some_and(|before| before.ends_with("\r\n"));
        let end = if is_crlf { "\r\n" } else { "\n" };
        Ok(Edit {
            file: file.name(),
            start: place,
            end: place,
            replacement: format!("use {id}{end}"),
        })
    }
}
