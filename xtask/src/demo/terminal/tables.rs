//! The three languages side by side.

use comfy_table::{Cell, CellAlignment, Color, LineStyle, Table, TableStyle};

use crate::demo::act::Story;
use crate::demo::event::{Attempt, End};
use crate::demo::terminal::screen::{self, INDENT};

/// Only a line under the header: the numbers are what is to be seen.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─'));

/// Prints a table under a heading.
pub(crate) fn print(table: &Table) {
    screen::blank();
    for line in table.lines() {
        anstream::println!("{INDENT}{}", line.trim_end());
    }
    screen::blank();
}

/// How each wait ended.
pub(crate) fn of_ends(stories: &[Story]) -> Table {
    let mut table = table(["language", "verdict", "attempts", "elapsed", "decided by"]);
    for Story { language, end, .. } in stories {
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

/// Each attempt in the three languages, in milliseconds: when it started, and the delay that followed.
pub(crate) fn of_attempts(stories: &[Story]) -> Table {
    let languages = stories.iter().map(|story| right(story.language));
    let header = ["#", "seen", "verdict"].map(Cell::new).into_iter();
    let mut table = table(header.chain(languages));
    let attempts = stories.iter().map(|story| story.attempts.len()).max();
    for index in 0..attempts.unwrap_or_default() {
        table.add_row(attempt_row(stories, index));
    }
    pad_columns(table)
}

fn attempt_row(stories: &[Story], index: usize) -> Vec<Cell> {
    let attempts = stories.iter().map(|story| story.attempts.get(index));
    let of_all: Vec<Option<&Attempt>> = attempts.collect();
    let seen = common(&of_all, |attempt| attempt.seen.clone());
    let state = common(&of_all, |attempt| attempt.state.clone());
    let first = [
        right(index.saturating_add(1)),
        Cell::new(cell(&seen)),
        verdict(&state),
    ];
    let times = of_all
        .into_iter()
        .map(|attempt| right(attempt.map_or_else(String::new, times)));
    first.into_iter().chain(times).collect()
}

/// What all attempts of a row have in common; where they differ, everything.
fn common(of_all: &[Option<&Attempt>], part: impl Fn(&Attempt) -> Option<String>) -> String {
    let parts = of_all.iter().flatten().map(|attempt| part(attempt));
    let mut parts: Vec<String> = parts.map(Option::unwrap_or_default).collect();
    parts.dedup();
    parts.join(" / ")
}

fn times(attempt: &Attempt) -> String {
    let delay = attempt.delay.map(|delay| format!("+{delay}"));
    format!("{} {:>7}", attempt.started, delay.unwrap_or_default())
}

/// An error's name in two lines, where there is little room.
fn cell(seen: &str) -> String {
    if screen::is_narrow() {
        return seen.replace("Exception", "\nException");
    }
    seen.to_owned()
}

/// What ended the wait.
fn decision(end: &End) -> String {
    match (end.acceptor, &*end.code) {
        (Some(acceptor), _) => format!("acceptor {acceptor}"),
        (None, "timed_out") => "the deadline".to_owned(),
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

/// Columns that begin where the text above begins, and stand apart.
fn pad_columns(mut table: Table) -> Table {
    table.discover_columns();
    let last = table.column_count().saturating_sub(1);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if index == last { 0 } else { 2 }));
    }
    table
}
