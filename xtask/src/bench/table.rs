//! The table of figures, with the ratios and their budgets.

use super::figures::Figure;
use crate::report;

/// A limit: the language, the case or its beginning up to a comma, the size, the other library, and the limit of the
/// ratio.
///
/// Instead of a library there can be the unit of another measurement, or an empty text for a limit of our time in
/// nanoseconds.
type Budget = (&'static str, &'static str, &'static str, &'static str, f64);

/// The budgets. The first one that applies is used, and empty texts apply to everything. A limit below 1 requires the
/// engine to be faster.
static BUDGETS: &[Budget] = &[
    ("", "handle", "", "evaluate", 2.0),
    ("", "poll of a member of a fleet", "", "", 20e3),
    ("Rust", "poll", "", "smithy-rs", 1.0),
    ("Python", "poll", "", "botocore", 1.0),
    ("JavaScript", "poll", "small", "@smithy/util-waiter", 3.0),
    ("JavaScript", "poll", "", "@smithy/util-waiter", 2.0),
    ("JavaScript", "", "small", "npmJmespath", 1.0 / 10.0),
    ("JavaScript", "", "large", "npmJmespath", 1.0),
    ("Python", "", "", "jmespath", 1.0 / 20.0),
    ("JavaScript", "import and a first verdict", "", "", 12e6),
    (
        "JavaScript",
        "import and a first verdict",
        "",
        "its bytes alone",
        1.5,
    ),
    ("Python", "import", "", "", 5e6),
    ("Rust", "Table.TableStatus", "", "byHand", 2.5),
    (
        "Rust",
        "Table.TableStatus",
        "",
        "jmespathCrate",
        1.0 / 150.0,
    ),
    ("Rust", "generated matcher", "", "byHand", 2.0),
    ("Rust", "generation of all services", "", "ms", 3_000.0),
    ("JavaScript", "retry decision", "", "smithyUtilRetry", 1.0),
    ("Python", "retry decision", "", "botocore", 1.0),
    (
        "Waits",
        "proportional to a tenth",
        "",
        "% of the time waited, p95, after ten min delays",
        10.0,
    ),
    (
        "Waits",
        "proportional to a tenth",
        "",
        "calls for each of boto3's",
        1.0,
    ),
    (
        "Fleets",
        "a fleet, in proportion",
        "",
        "of the calls of separate waits",
        1.0 / 50.0,
    ),
    (
        "Fleets",
        "a fleet, in proportion",
        "",
        "% of the calls throttled",
        2.0,
    ),
    (
        "Fleets",
        "a fleet, in proportion",
        "",
        "% of the time waited late, p95",
        10.0,
    ),
    ("Fleets", "a fleet", "", "wrong ends", 0.0),
    ("Fleets", "our waiter", "", "wrong ends", 0.0),
    ("Fleets", "", "", "ms for an answer, median", 5.0),
    ("Component", "", "", "native", 3.0),
    ("Shell", "start to the first call", "", "ms", 15.0),
    ("Shell", "peak memory", "small", "MB", 20.0),
    ("Shell", "the program", "", "MB", 12.0),
    ("Shell", "past the deadline", "", "ms", 1_000.0),
    ("Model", "lint", "", "smithyCli", 1.0 / 10.0),
    ("Model", "lint", "", "times the largest file", 5.0),
];

/// Returns a table with a row for each other library or measurement.
pub(crate) fn build(figures: &[Figure]) -> String {
    let header = [
        "language",
        "case",
        "size",
        "bare call",
        "ours",
        "beside",
        "its time",
        "ours is",
        "budget",
        "",
    ];
    let mut table = vec![header.map(str::to_owned)];
    table.extend(figures.iter().flat_map(rows));
    report::table(&table)
}

fn rows(figure: &Figure) -> Vec<[String; 10]> {
    let bare = figure.bare().map(time).unwrap_or_default();
    let row = |ours: String,
               beside: &str,
               its: String,
               ratio: String,
               value,
               words: fn(f64) -> String| {
        let limit = limit(figure, beside);
        let met = limit.map_or("", |limit| if value <= limit { "ok" } else { "missed" });
        let (language, case, size) = (figure.language, &*figure.case, &*figure.size);
        let budget = limit.map(words).unwrap_or_default();
        [
            language, case, size, &bare, &ours, beside, &its, &ratio, &budget, met,
        ]
        .map(ToOwned::to_owned)
    };
    let Some(ours) = figure.ours() else {
        let fact = |(unit, value)| {
            row(
                plain(value),
                unit,
                String::new(),
                String::new(),
                value,
                plain,
            )
        };
        return figure.others().map(fact).collect();
    };
    let beside = |(name, its)| {
        let ratio = ours / its;
        row(time(ours), name, time(its), times(ratio), ratio, times)
    };
    let mut rows: Vec<_> = figure.others().map(beside).collect();
    if rows.is_empty() || limit(figure, "").is_some() {
        rows.push(row(
            time(ours),
            "",
            String::new(),
            String::new(),
            ours,
            time,
        ));
    }
    rows
}

/// Returns the budget of a library or a unit in a figure.
pub(super) fn limit(figure: &Figure, beside: &str) -> Option<f64> {
    let applies = |&&(language, start, size, other, _): &&Budget| {
        let case = figure.case.strip_prefix(start);
        other == beside
            && [figure.language, ""].contains(&language)
            && [&*figure.size, ""].contains(&size)
            && (start.is_empty()
                || case.is_some_and(|rest| rest.is_empty() || rest.starts_with(',')))
    };
    let (.., limit) = BUDGETS.iter().find(applies)?;
    Some(*limit)
}

fn times(ratio: f64) -> String {
    match ratio {
        ratio if ratio < 1.0 => format!("{}× faster", plain(ratio.recip())),
        ratio => format!("{}×", plain(ratio)),
    }
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        time if time < 1e3 => format!("{} ns", plain(time)),
        time if time < 1e6 => format!("{} µs", plain(time / 1e3)),
        time => format!("{} ms", plain(time / 1e6)),
    }
}

/// Formats a number with three digits, or as an integer if it is large.
fn plain(number: f64) -> String {
    match number {
        number if number < 10.0 => format!("{number:.2}"),
        number if number < 100.0 => format!("{number:.1}"),
        number => format!("{number:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{rows, times};
    use crate::bench::figures;

    #[test]
    fn rows_contain_ratio_and_budget() {
        let line = r#"{"case":"poll, default clock","size":"small","bare":1.0,"engine":11.0,"smithy-rs":3.0}"#;
        let figures = figures::read("Rust", line).unwrap();
        let rows = rows(&figures[0]);
        let end = ["smithy-rs", "2.00 ns", "5.00×", "1.00×", "missed"];
        assert!(rows.len() == 1 && rows[0].ends_with(&end.map(String::from)));
        assert_eq!(times(0.05), "20.0× faster");
    }
}
