//! The text output of the demo: the title, headings, paragraphs and results.

use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use textwrap::{Options, WordSplitter};

/// The indentation of the text below a heading.
pub(crate) const INDENT: &str = "  ";

/// The maximum width of text, in columns.
const MAX_WIDTH: usize = 80;

/// The width of a terminal on which the names of errors fit in tables, in columns.
const WIDE: usize = 92;

pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const ODD: Style = AnsiColor::Yellow.on_default();
pub(crate) const FAINT: Style = Style::new().dimmed();
const STRONG: Style = Style::new().bold();
const HEADING: Style = AnsiColor::Cyan.on_default().bold();

/// Prints the title.
pub(crate) fn title(text: &str) {
    anstream::println!("\n{}", paint(STRONG, text));
}

/// Prints a heading with an explanation.
pub(crate) fn heading(text: &str, explanation: &str) {
    anstream::println!("\n{}", paint(HEADING, text));
    paragraph(explanation);
    anstream::println!();
}

/// Prints wrapped text.
pub(crate) fn paragraph(text: &str) {
    anstream::println!("{}", textwrap::fill(text, column_style(INDENT, INDENT)));
}

/// Prints dimmed text. Lines are wrapped separately.
pub(crate) fn quote(text: &str) {
    for line in text.lines() {
        let depth = line.len().saturating_sub(line.trim_start().len());
        let indent = format!("{INDENT}{}", " ".repeat(depth));
        let hanging = format!("{indent}  ");
        let folded = textwrap::fill(line.trim_start(), column_style(&indent, &hanging));
        anstream::println!("{}", paint(FAINT, &folded));
    }
}

/// Returns the options for wrapping, which do not break words at hyphens.
fn column_style<'i>(first: &'i str, further: &'i str) -> Options<'i> {
    Options::new(width())
        .initial_indent(first)
        .subsequent_indent(further)
        .word_splitter(WordSplitter::NoHyphenation)
}

/// Prints the final success.
pub(crate) fn success(text: &str) {
    anstream::println!("\n{} {}", paint(GOOD, "✔"), paint(STRONG, text));
}

/// Prints a success under a heading.
pub(crate) fn agreement(text: &str) {
    anstream::println!("{INDENT}{} {text}", paint(GOOD, "✔"));
}

/// Prints a difference under a heading.
pub(crate) fn difference(text: &str) {
    anstream::println!("{INDENT}{} {text}", paint(BAD, "✘"));
}

/// Prints an empty line.
pub(crate) fn blank() {
    anstream::println!();
}

/// Prints a line under a heading.
pub(crate) fn line(text: &str) {
    anstream::println!("{INDENT}{text}");
}

/// Adds a style to a text, if the output supports styles.
pub(crate) fn paint(style: Style, text: &str) -> String {
    if AutoStream::choice(&io::stdout()) == ColorChoice::Never {
        return text.to_owned();
    }
    format!("{style}{text}{style:#}")
}

fn terminal_width() -> usize {
    if io::stdout().is_terminal() {
        return textwrap::termwidth();
    }
    MAX_WIDTH
}

/// Returns the width of text, in columns.
fn width() -> usize {
    terminal_width().min(MAX_WIDTH)
}

/// Returns `true` if the names of errors must be split in tables.
pub(crate) fn is_narrow() -> bool {
    terminal_width() < WIDE
}

/// Formats milliseconds as seconds.
pub(crate) fn seconds(millis: u64) -> String {
    format!("{:.3} s", millis as f64 / 1_000.0)
}
