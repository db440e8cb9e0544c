//! The imports of a module.

use std::collections::BTreeSet;

use super::print::WIDTH;
use super::support;

const INDENT: &str = "    ";

/// The parts of a module that need imports.
pub(super) struct ModuleUses<'m> {
    pub(super) waits: bool,
    pub(super) pages: bool,
    pub(super) operations: bool,
    pub(super) deprecated: bool,
    /// The return types of the waits.
    pub(super) outcomes: BTreeSet<&'m str>,
    /// The names that the types of the model use.
    pub(super) types: &'m BTreeSet<&'static str>,
}

/// Returns the import statements of a module.
pub(super) fn of(used: &ModuleUses<'_>) -> String {
    let mut text = String::from("from __future__ import annotations\n\n");
    text.push_str(&used.standard());
    text.push('\n');
    text.push_str(&used.engine());
    if used.deprecated {
        text.push_str(support::DEPRECATED);
    }
    let typed = used.for_types();
    if !typed.is_empty() {
        text.push_str("\nif TYPE_CHECKING:\n");
        text.push_str(&typed);
    }
    text
}

impl ModuleUses<'_> {
    /// Returns the imports from the standard library that are needed at run time.
    fn standard(&self) -> String {
        let mut lines = Vec::new();
        lines.extend(self.deprecated.then_some("import sys"));
        lines.extend(self.deprecated.then_some("import warnings"));
        lines.push("from functools import cache");
        let typing = [
            ("TYPE_CHECKING", self.waits || self.pages),
            ("Any", self.waits || self.pages),
            ("Literal", self.types.contains("Literal")),
            ("TypedDict", self.waits || self.types.contains("TypedDict")),
            ("cast", self.waits),
        ];
        let typing = line("typing", &typing);
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>()
            + &typing
    }

    fn engine(&self) -> String {
        let own = [("Waiter", self.waits)];
        let operation = [("Operation", self.operations)];
        let pages = [("Paginator", self.pages)];
        line("smithy_waiters", &own)
            + &line("smithy_waiters.operation", &operation)
            + &line("smithy_waiters.pagination", &pages)
    }

    /// Returns the imports that only type checkers need.
    fn for_types(&self) -> String {
        let abc = [
            ("AsyncIterator", self.pages),
            ("Callable", self.waits),
            ("Iterator", self.pages),
            ("Mapping", self.waits),
            ("Sequence", self.waits),
        ];
        let datetime = [
            ("datetime", self.waits || self.types.contains("datetime")),
            ("timedelta", self.waits),
        ];
        let literal = [("Literal", self.waits && !self.types.contains("Literal"))];
        let gives = |name: &str| {
            self.outcomes
                .iter()
                .any(|outcome| outcome.starts_with(name))
        };
        let own = [
            ("ErrorOutcome", gives("ErrorOutcome")),
            ("Left", self.waits),
            ("Outcome", gives("Outcome")),
            ("Pace", self.waits),
            ("Progress", self.waits),
            ("RateLimit", self.waits),
            ("ResponseOutcome", gives("ResponseOutcome")),
            ("Same", self.waits),
            ("WaiterError", self.waits),
        ];
        let extensions = [
            ("NotRequired", self.types.contains("NotRequired")),
            ("Unpack", self.waits || self.pages),
        ];
        let standard = [
            line("collections.abc", &abc),
            line("datetime", &datetime),
            line("typing", &literal),
        ];
        let others = [
            line("smithy_waiters", &own),
            line("smithy_waiters.pagination", &[("PageOptions", self.pages)]),
            line("typing_extensions", &extensions),
        ];
        let groups = [standard.concat(), others.concat()].map(|group| indent(&group));
        let groups: Vec<String> = groups
            .into_iter()
            .filter(|group| !group.is_empty())
            .collect();
        groups.join("\n")
    }
}

/// Returns `from module import names` with the names that are in use, or an empty text without any.
fn line(module: &str, names: &[(&str, bool)]) -> String {
    let used = names.iter().filter(|(_, used)| *used);
    let names: Vec<&str> = used.map(|(name, _)| *name).collect();
    if names.is_empty() {
        return String::new();
    }
    let line = format!("from {module} import {}\n", names.join(", "));
    // Types are imported inside of a block.
    if INDENT.len().saturating_add(line.trim_end().len()) <= WIDTH {
        return line;
    }
    let names: String = names
        .iter()
        .map(|name| format!("{INDENT}{name},\n"))
        .collect();
    format!("from {module} import (\n{names})\n")
}

fn indent(text: &str) -> String {
    text.lines()
        .map(|line| format!("{INDENT}{line}\n"))
        .collect()
}
