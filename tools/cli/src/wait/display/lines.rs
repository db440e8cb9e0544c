//! The formats that write lines: for people, for programs and for GitHub Actions.

use std::fmt::Display;
use std::io::Write as _;

use smithy_waiters::Level;

use super::View;
use super::event::{Event, explanation, failure, message};

/// Lines for people: one for each change.
pub(super) struct Text;

impl View for Text {
    fn show(&mut self, event: &Event<'_>) -> bool {
        let is_line = is_line(event);
        if is_line {
            write(event.text());
        }
        is_line
    }
}

/// Returns `true` if the event has a line of its own.
fn is_line(event: &Event<'_>) -> bool {
    match event {
        Event::Call { .. } => false,
        Event::Counts { is_news, .. } => *is_news,
        // The end has its own line, and so has silence.
        Event::Attempt {
            progress, is_news, ..
        } => *is_news && progress.level() == Level::Info && progress.attempt.delay_ms.is_some(),
        // A single wait has said it.
        Event::Finish(totals) => totals.waits != 1,
        _ => true,
    }
}

/// One JSON object a line.
pub(super) struct Json;

impl View for Json {
    fn show(&mut self, event: &Event<'_>) -> bool {
        let json = event.json();
        if let Some(json) = &json {
            write(json);
        }
        json.is_some()
    }
}

/// Workflow commands of GitHub Actions: the progress is a group that is folded, and failures and hints are annotations.
#[derive(Default)]
pub(super) struct GitHub {
    is_open: bool,
    /// The lines after the group. A group must not hide them.
    ends: Vec<String>,
}

impl GitHub {
    /// Ends the group, and shows the ends of waits after it.
    fn close(&mut self) {
        if std::mem::take(&mut self.is_open) {
            write("::endgroup::");
        }
        self.ends.drain(..).for_each(write);
    }
}

impl View for GitHub {
    fn show(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(_) => {
                self.is_open = true;
                write(format!("::group::{}", data(&event.text())));
            }
            Event::Hint { label, hint } => write(annotation("warning", label, &message(hint))),
            Event::End { label, result, end } => {
                self.ends.push(match result {
                    Ok(_) => harmless(&event.text()),
                    Err(error) => {
                        let title = failure(label, *end);
                        annotation("error", &title, &explanation(error))
                    }
                });
            }
            Event::Finish(totals) => {
                self.close();
                if totals.waits != 1 {
                    write(event.text());
                }
            }
            Event::Error(error) => {
                self.close();
                let text = format!("{error:#}");
                write(annotation("error", "smithy-waiters wait", &text));
            }
            event if is_line(event) => write(harmless(&event.text())),
            _ => return false,
        }
        true
    }
}

/// Returns a workflow command.
fn annotation(level: &str, title: &str, text: &str) -> String {
    let title = data(title).replace(':', "%3A").replace(',', "%2C");
    format!("::{level} title={title}::{}", data(text))
}

/// Returns a text that a workflow command can contain.
fn data(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// Returns a text that is no workflow command, whatever a service answers.
fn harmless(text: &str) -> String {
    text.replace("::", ": :").replace("##[", "## [")
}

/// Writes a line. A terminal that goes away must not end the wait.
pub(super) fn write(line: impl Display) {
    let mut stderr = anstream::stderr().lock();
    let _ = writeln!(stderr, "{line}");
}

#[cfg(test)]
mod tests {
    use super::{annotation, harmless};

    #[test]
    fn texts_are_no_commands_of_the_runner() {
        let command = annotation("error", "a:b,c", "50%\r\nx");
        assert_eq!(command, "::error title=a%3Ab%2Cc::50%25%0D%0Ax");
        assert_eq!(harmless("::add ##[group]"), ": :add ## [group]");
    }
}
