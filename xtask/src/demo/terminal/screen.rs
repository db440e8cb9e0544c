//! How the demo looks: title, headings, paragraphs, marks.

use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use textwrap::{Options, WordSplitter};

/// What stands under a heading begins here.
pub(crate) const INDENT: &str = "  ";

/// Longer lines are tiring to read.
const WIDEST: usize = 100;

/// Tables need so many columns to have no cell folded.
const ROOMY: usize = 92;

pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const ODD: Style = AnsiColor::Yellow.on_default();
pub(crate) const FAINT: Style = Style::new().dimmed();
const STRONG: Style = Style::new().bold();
const HEADING: Style = AnsiColor::Cyan.on_default().bold();

/// The first line.
pub(crate) fn title(text: &str) {
    anstream::println!("\n{}", paint(STRONG, text));
}

/// What is going to be seen.
pub(crate) fn heading(text: &str, explanation: &str) {
    anstream::println!("\n{}", paint(HEADING, text));
    paragraph(explanation);
    anstream::println!();
}

/// Text, as wide as people like to read it.
pub(crate) fn paragraph(text: &str) {
    anstream::println!("{}", textwrap::fill(text, column_style(INDENT, INDENT)));
}

/// Text that is quoted line by line, less important than what stands around it.
pub(crate) fn quote(text: &str) {
    for line in text.lines() {
        let depth = line.len().saturating_sub(line.trim_start().len());
        let indent = format!("{INDENT}{}", " ".repeat(depth));
        let hanging = format!("{indent}  ");
        let folded = textwrap::fill(line.trim_start(), column_style(&indent, &hanging));
        anstream::println!("{}", paint(FAINT, &folded));
    }
}

/// Names with hyphens stay whole.
fn column_style<'i>(first: &'i str, further: &'i str) -> Options<'i> {
    Options::new(width())
        .initial_indent(first)
        .subsequent_indent(further)
        .word_splitter(WordSplitter::NoHyphenation)
}

/// Something went as it should.
pub(crate) fn success(text: &str) {
    anstream::println!("\n{} {}", paint(GOOD, "✔"), paint(STRONG, text));
}

/// A smaller success, under a heading.
pub(crate) fn agreement(text: &str) {
    anstream::println!("{INDENT}{} {text}", paint(GOOD, "✔"));
}

/// Something that should be the same is not.
pub(crate) fn difference(text: &str) {
    anstream::println!("{INDENT}{} {text}", paint(BAD, "✘"));
}

/// An empty line.
pub(crate) fn blank() {
    anstream::println!();
}

/// A line under a heading.
pub(crate) fn line(text: &str) {
    anstream::println!("{INDENT}{text}");
}

/// The text in a style, where the output shows styles.
pub(crate) fn paint(style: Style, text: &str) -> String {
    if AutoStream::choice(&io::stdout()) == ColorChoice::Never {
        return text.to_owned();
    }
    format!("{style}{text}{style:#}")
}

/// How many columns there are.
pub(crate) fn width() -> usize {
    if io::stdout().is_terminal() {
        return textwrap::termwidth().min(WIDEST);
    }
    WIDEST
}

/// Whether long names must be folded.
pub(crate) fn is_narrow() -> bool {
    width() < ROOMY
}

/// Milliseconds as people read them.
pub(crate) fn seconds(millis: u64) -> String {
    format!("{:.3} s", millis as f64 / 1_000.0)
}
