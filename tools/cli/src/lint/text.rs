//! Events as readable text, in the style of a compiler.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use smithy_waiters_model::{Event, Severity, Sources};

use super::findings::Findings;

/// The number of bytes of a line that are shown after the culprit. A JSON AST can be a single long line.
const MAX_TRAILING: usize = 120;

/// Writes events, each with its line and the culprit underlined.
pub(super) fn write(findings: &Findings<'_>, out: &mut String) {
    let renderer = match terminal_size::terminal_size() {
        // A longer line would wrap, and its underline would not be below the culprit.
        Some((terminal_size::Width(columns), _)) => Renderer::styled().term_width(columns.into()),
        None => Renderer::styled(),
    };
    for event in &findings.events {
        let title = level(event.severity)
            .primary_title(one_line(&event.message))
            .id(one_line(&event.id));
        let excerpt = Excerpt::new(findings.sources, event);
        let group = match &excerpt {
            Some(excerpt) => title.element(excerpt.snippet()),
            None => Group::with_title(title),
        };
        out.push_str(&renderer.render(&[group]));
        out.push_str("\n\n");
    }
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Danger => Level::ERROR.with_name("danger"),
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
        Severity::Suppressed => Level::INFO.with_name("suppressed"),
        _ => Level::ERROR,
    }
}

/// Escapes control characters. A message quotes the model, and problem matchers expect each message in one line.
fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let escape = |character: char| match character {
        control if control.is_control() => control.escape_default().to_string(),
        other => other.to_string(),
    };
    Cow::Owned(text.chars().map(escape).collect())
}

/// The line of a culprit.
struct Excerpt<'s> {
    file: &'s str,
    text: &'s str,
    line: usize,
    culprit: Range<usize>,
}

impl<'s> Excerpt<'s> {
    fn new(sources: &'s Sources, event: &Event) -> Option<Self> {
        let span = sources.span(event)?;
        let (start, _) = sources.place(event)?;
        let (before, after) = span.text.split_at_checked(span.range.start)?;
        let line_start = before
            .rfind(['\r', '\n'])
            .map_or(0, |end| end.saturating_add(1));
        let rest = after.find(['\r', '\n']).unwrap_or(after.len());
        let line_end = before
            .len()
            .saturating_add(rest)
            .max(span.range.end.min(span.text.len()));
        let end = boundary(
            span.text,
            line_end.min(span.range.end.saturating_add(MAX_TRAILING)),
        );
        let inside = |at: usize| at.clamp(line_start, end).saturating_sub(line_start);
        Some(Self {
            file: span.file,
            text: span.text.get(line_start..end)?,
            line: usize::try_from(start.line).ok()?,
            culprit: inside(span.range.start)..inside(span.range.end),
        })
    }

    fn snippet(&self) -> Snippet<'s, annotate_snippets::Annotation<'s>> {
        let annotation = AnnotationKind::Primary.span(self.culprit.clone());
        Snippet::source(self.text)
            .line_start(self.line)
            .path(one_line(self.file))
            .annotation(annotation)
    }
}

/// Returns the first character boundary at or after `at`.
fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at = at.saturating_add(1);
    }
    at
}
