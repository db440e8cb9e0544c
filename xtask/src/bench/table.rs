//! The figures as people read them, and whether they reach what was promised.

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, Table};

use super::figures::Figure;

/// The contestant that is ours.
const ENGINE: &str = "engine";

/// What was promised.
struct Target {
    language: &'static str,
    /// The case; every case where it is empty.
    case: &'static str,
    /// The size; every size where it is empty.
    size: &'static str,
    promise: Promise,
}

enum Promise {
    /// The engine takes at most this many times a contestant's time.
    AtMost(&'static str, f64),
    /// The engine takes at most this part of a contestant's time.
    TimesFaster(&'static str, f64),
    /// A figure is at most this.
    Below(&'static str, f64),
    /// The engine takes at most this many nanoseconds.
    Within(f64),
}

use Promise::{AtMost, Below, TimesFaster, Within};

static TARGETS: &[Target] = &[
    target("Rust", "Table.TableStatus", "", AtMost("byHand", 2.5)),
    target(
        "Rust",
        "Table.TableStatus",
        "",
        TimesFaster("jmespathCrate", 150.0),
    ),
    target("Rust", "generated matcher", "", AtMost("byHand", 2.0)),
    target(
        "Rust",
        "generation of all services",
        "",
        Below("ms", 3_000.0),
    ),
    target("Rust", "retry decision", "", Within(100.0)),
    target("Rust", "page", "", Within(1_000.0)),
    target("Model", "lint, processor time", "", Within(1e9)),
    target("Model", "lint", "", TimesFaster("smithyCli", 10.0)),
    target(
        "Model",
        "lint, peak memory",
        "",
        Below("times the largest file", 5.0),
    ),
    target("JavaScript", "", "small", TimesFaster("npmJmespath", 10.0)),
    target("JavaScript", "", "large", TimesFaster("npmJmespath", 1.0)),
    target("JavaScript", "import", "", Below("ms", 20.0)),
    target(
        "JavaScript",
        "retry decision",
        "",
        AtMost("smithyUtilRetry", 1.0),
    ),
    target(
        "JavaScript",
        "generated matcher",
        "",
        AtMost("awsSdk", 1.15),
    ),
    target("JavaScript", "page", "", Within(10_000.0)),
    target("Python", "", "small", TimesFaster("jmespath", 20.0)),
    target("Python", "retry decision", "", AtMost("botocore", 1.0)),
    target("Python", "page", "", Within(10_000.0)),
    target("Python", "import", "", Below("ms", 10.0)),
];

const fn target(
    language: &'static str,
    case: &'static str,
    size: &'static str,
    promise: Promise,
) -> Target {
    Target {
        language,
        case,
        size,
        promise,
    }
}

/// Both tables: the figures, then the promises.
pub(crate) fn of(figures: &[Figure]) -> String {
    format!("{}\n\n{}", measured(figures), promised(figures))
}

fn measured(figures: &[Figure]) -> Table {
    let mut table = empty(&[
        "language",
        "case",
        "size",
        "engine",
        "the others, and how many times the engine's time they take",
    ]);
    for figure in figures {
        table.add_row([
            figure.language.to_owned(),
            figure.case.clone(),
            figure.size.clone(),
            figure.value(ENGINE).map_or_else(String::new, nanoseconds),
            others(figure),
        ]);
    }
    if let Some(column) = table.column_mut(3) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn others(figure: &Figure) -> String {
    let other = |(name, value): &(String, f64)| match figure.engine_over(name) {
        Some(ratio) => format!("{name} {} ({:.1}×)", nanoseconds(*value), ratio.recip()),
        None => format!("{value:.1} {name}"),
    };
    let others = figure.values.iter().filter(|(name, _)| name != ENGINE);
    others.map(other).collect::<Vec<_>>().join(", ")
}

fn promised(figures: &[Figure]) -> Table {
    let mut table = empty(&["promise", "worst measured", ""]);
    for target in TARGETS {
        let concerned = figures.iter().filter(|figure| target.concerns(figure));
        if let Some((worst, kept)) = target.worst(concerned) {
            table.add_row([
                target.words(),
                worst,
                if kept { "kept" } else { "MISSED" }.to_owned(),
            ]);
        }
    }
    table
}

impl Target {
    fn concerns(&self, figure: &Figure) -> bool {
        figure.language == self.language
            && (self.case.is_empty() || figure.case == self.case)
            && (self.size.is_empty() || figure.size == self.size)
    }

    fn words(&self) -> String {
        let what = [self.language, self.case, self.size]
            .into_iter()
            .filter(|part| !part.is_empty());
        let what = what.collect::<Vec<_>>().join(", ");
        match self.promise {
            AtMost(contestant, limit) => format!("{what}: at most {limit}× {contestant}"),
            TimesFaster(contestant, limit) => {
                format!("{what}: at least {limit}× faster than {contestant}")
            }
            Below(unit, limit) => format!("{what}: at most {limit} {unit}"),
            Within(limit) => format!("{what}: at most {}", nanoseconds(limit)),
        }
    }

    /// The figure that is furthest from the promise, and whether even that keeps it.
    fn worst<'f>(&self, figures: impl Iterator<Item = &'f Figure>) -> Option<(String, bool)> {
        match self.promise {
            AtMost(contestant, limit) => {
                let worst = figures
                    .filter_map(|figure| figure.engine_over(contestant))
                    .max_by(f64::total_cmp)?;
                Some((format!("{worst:.2}×"), worst <= limit))
            }
            TimesFaster(contestant, limit) => {
                let faster =
                    figures.filter_map(|figure| figure.engine_over(contestant).map(f64::recip));
                let worst = faster.min_by(f64::total_cmp)?;
                Some((format!("{worst:.1}×"), worst >= limit))
            }
            Below(unit, limit) => {
                let worst = figures
                    .filter_map(|figure| figure.value(unit))
                    .max_by(f64::total_cmp)?;
                Some((format!("{worst:.1} {unit}"), worst <= limit))
            }
            Within(limit) => {
                let worst = figures
                    .filter_map(|figure| figure.value(ENGINE))
                    .max_by(f64::total_cmp)?;
                Some((nanoseconds(worst), worst <= limit))
            }
        }
    }
}

fn nanoseconds(time: f64) -> String {
    match time {
        time if time < 1e3 => format!("{time:.0} ns"),
        time if time < 1e6 => format!("{:.1} µs", time / 1e3),
        time => format!("{:.1} ms", time / 1e6),
    }
}

fn empty(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header(header);
    table
}
