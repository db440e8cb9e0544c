//! Writes proposals as Smithy IDL.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use smithy_waiters_model::id;
use smithy_waiters_model::suggest::{Acceptor, Matcher, Proposal};

/// Renders `apply` statements, one for each operation.
///
/// A trait cannot be applied twice, so the waiters for an operation that has some become comments.
pub(super) fn render(proposals: &[&Proposal], is_waitable: impl Fn(&str) -> bool) -> String {
    let mut operations: BTreeMap<&str, Vec<&Proposal>> = BTreeMap::new();
    for proposal in proposals {
        operations
            .entry(&proposal.operation)
            .or_default()
            .push(proposal);
    }
    let Some(first) = operations.keys().next() else {
        return String::new();
    };
    let namespace = id::namespace(first);
    let mut out =
        format!("$version: \"2\"\n\nnamespace {namespace}\n\nuse smithy.waiters#waitable\n");
    for (operation, proposals) in &operations {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = statement(&mut text, operation, proposals);
        out.push('\n');
        if is_waitable(operation) {
            let name = id::name(operation);
            out.push_str(&format!(
                "// `{name}` has waiters already: add these to them.\n"
            ));
            for line in text.lines() {
                out.push_str(format!("// {line}").trim_end());
                out.push('\n');
            }
        } else {
            out.push_str(&text);
        }
    }
    out
}

fn statement(out: &mut String, operation: &str, proposals: &[&Proposal]) -> fmt::Result {
    if proposals
        .iter()
        .any(|proposal| proposal.error_shape.is_some())
    {
        writeln!(
            out,
            "// Clients see the error's code, and the validator expects its shape."
        )?;
        writeln!(
            out,
            "apply {operation} @suppress([\"WaitableTraitInvalidErrorType\"])\n"
        )?;
    }
    writeln!(out, "apply {operation} @waitable(")?;
    for proposal in proposals {
        for reason in proposal.evidence.iter().chain(&proposal.questions) {
            writeln!(out, "    // {}", reason.replace(char::is_control, " "))?;
        }
        writeln!(out, "    {}: {{", proposal.waiter)?;
        writeln!(out, "        tags: [\"suggested\"]")?;
        writeln!(out, "        acceptors: [")?;
        for acceptor in &proposal.acceptors {
            writeln!(out, "            {}", self::acceptor(acceptor))?;
        }
        writeln!(out, "        ]\n    }}")?;
    }
    writeln!(out, ")")
}

fn acceptor(acceptor: &Acceptor) -> String {
    let state = acceptor.state;
    let matcher = match &acceptor.matcher {
        Matcher::Output {
            path,
            expected,
            comparator,
        } => format!(
            "output: {{ path: {}, comparator: {comparator:?}, expected: {} }}",
            text(path),
            text(expected)
        ),
        Matcher::ErrorType(code) => format!("errorType: {}", text(code)),
        _ => "success: true".to_owned(),
    };
    format!("{{ state: \"{state}\", matcher: {{ {matcher} }} }}")
}

/// Returns a string literal. Smithy's escapes include those of JSON.
fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
