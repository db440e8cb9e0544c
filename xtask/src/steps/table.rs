//! The table of results.

use comfy_table::ColumnConstraint::{self, ContentWidth, LowerBoundary};
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{Cell, Color, ContentArrangement, Table, Width};

use super::step::{End, StepResult};

/// The constraints of the columns: on a narrow terminal, only the last column is wrapped.
const WIDTHS: [ColumnConstraint; 5] = [
    ContentWidth,
    ContentWidth,
    ContentWidth,
    ContentWidth,
    LowerBoundary(Width::Fixed(30)),
];

/// Returns a table with a row for each step.
pub(super) fn render(results: &[StepResult]) -> String {
    let mut table = Table::new();
    table
        .load_style(UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(["step", "language", "result", "time", "details"]);
    table.add_rows(results.iter().map(row));
    table.set_constraints(WIDTHS);
    table.to_string()
}

fn row(ran: &StepResult) -> [Cell; 5] {
    let (result, what) = match &ran.end {
        End::Passed(what) => (Cell::new("passed").fg(Color::Green), what.clone()),
        End::Failed(reason) => (Cell::new("FAILED").fg(Color::Red), reason.clone()),
        End::Skipped(what) => (Cell::new("skipped").fg(Color::Yellow), what.clone()),
        End::NotRun(need) => (
            Cell::new("not run").fg(Color::Yellow),
            format!("needs {need}"),
        ),
    };
    let time = format!("{:.1} s", ran.time.as_secs_f64());
    [
        Cell::new(ran.step.name),
        Cell::new(ran.step.language),
        result,
        Cell::new(time),
        Cell::new(what),
    ]
}
