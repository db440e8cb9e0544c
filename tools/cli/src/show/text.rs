//! A waiter as plain text.

use std::fmt::Write as _;

use super::diagram::Diagram;

/// Returns a line for each transition in the order of evaluation, and for each acceptor that is never reached.
pub(super) fn render(diagram: &Diagram<'_>) -> String {
    let mut out = format!("{} ({})\n", diagram.name, diagram.operation);
    out.push_str("  after each call, the first match decides:\n");
    for transition in diagram.transitions() {
        let number = transition.number.map(|number| number.to_string());
        let number = number.unwrap_or_else(|| "-".to_owned());
        let (state, condition) = (transition.state, transition.condition);
        let sign = match state {
            "retry" => "↻",
            "success" => "✔",
            _ => "✘",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {number:>3}  {sign} {state:<8} {condition}");
    }
    for (number, condition) in diagram.unreachable() {
        let _ = writeln!(out, "  {number:>3}  - never    {condition}");
    }
    let _ = writeln!(out, "  between calls: {}", diagram.delays());
    out
}
