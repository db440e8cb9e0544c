//! Tables that compare the three languages.

use comfy_table::{Cell, CellAlignment, Color, LineStyle, Table, TableStyle};

use crate::demo::clients::ClientRun;
use crate::demo::event::{Attempt, End};
use crate::demo::terminal::screen::{self, INDENT};

/// A style with only a line under the header.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));

/// Prints a table under a heading.
pub(crate) fn print(table: &Table) {
    screen::blank();
    for line in table.lines() {
        anstream::println!("{INDENT}{}", line.trim_end());
    }
    screen::blank();
}

/// Returns a table with the end of each wait.
pub(crate) fn ends_table(runs: &[ClientRun]) -> Table {
    let mut table = table(["language", "verdict", "attempts", "elapsed", "decided by"]);
    for ClientRun { language, end, .. } in runs {
        table.add_row([
            Cell::new(language),
            verdict(&end.code),
            right(end.attempts),
            right(screen::seconds(end.elapsed)),
            Cell::new(decision(end)),
        ]);
    }
    pad_columns(table)
}

/// Returns a table with the start of each attempt in the three languages and the delay after it, in milliseconds.
pub(crate) fn attempts_table(runs: &[ClientRun]) -> Table {
    let languages = runs.iter().map(|run| right(run.language));
    let header = ["#", "seen", "verdict"].map(Cell::new).into_iter();
    let mut table = table(header.chain(languages));
    let attempts = runs.iter().map(|run| run.attempts.len()).max();
    for index in 0..attempts.unwrap_or_default() {
        table.add_row(attempt_row(runs, index));
    }
    pad_columns(table)
}

fn attempt_row(runs: &[ClientRun], index: usize) -> Vec<Cell> {
    let attempts = runs.iter().map(|run| run.attempts.get(index));
    let attempts: Vec<Option<&Attempt>> = attempts.collect();
    let seen = common(&attempts, |attempt| attempt.seen.clone());
    let state = common(&attempts, |attempt| attempt.state.clone());
    let first = [
        right(index.saturating_add(1)),
        Cell::new(cell(&seen)),
        verdict(&state),
    ];
    let times = attempts
        .into_iter()
        .map(|attempt| right(attempt.map_or_else(String::new, times)));
    first.into_iter().chain(times).collect()
}

/// Returns the value of all attempts in a row, or all different values.
fn common(attempts: &[Option<&Attempt>], part: impl Fn(&Attempt) -> Option<String>) -> String {
    let states = attempts.iter().flatten().map(|attempt| part(attempt));
    let mut states: Vec<String> = states.map(Option::unwrap_or_default).collect();
    states.dedup();
    states.join(" / ")
}

fn times(attempt: &Attempt) -> String {
    let delay = attempt.delay.map(|delay| format!("+{delay}"));
    format!("{} {:>7}", attempt.started, delay.unwrap_or_default())
}

/// Splits the name of an error into two lines on a narrow terminal.
fn cell(seen: &str) -> String {
    if screen::is_narrow() {
        return seen.replace("Exception", "\nException");
    }
    seen.to_owned()
}

/// Describes what decided the end of the wait.
fn decision(end: &End) -> String {
    match (end.acceptor, &*end.code) {
        (Some(acceptor), _) => format!("acceptor {acceptor}"),
        (None, "timed_out") => "deadline".to_owned(),
        (None, _) => "no acceptor".to_owned(),
    }
}

fn verdict(code: &str) -> Cell {
    let color = match code {
        "success" => Color::Green,
        "retry" => Color::Reset,
        _ => Color::Yellow,
    };
    Cell::new(code).fg(color)
}

fn right(content: impl ToString) -> Cell {
    Cell::new(content.to_string()).set_alignment(CellAlignment::Right)
}

fn table(header: impl IntoIterator<Item = impl Into<Cell>>) -> Table {
    let mut table = Table::new();
    let header: Vec<Cell> = header.into_iter().map(Into::into).collect();
    table.load_style(STYLE).set_header(header);
    table
}

/// Sets the padding, so that the first column is aligned with the text above.
fn pad_columns(mut table: Table) -> Table {
    table.discover_columns();
    let last = table.column_count().saturating_sub(1);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if index == last { 0 } else { 2 }));
    }
    table
}
