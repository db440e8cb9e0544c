//! A waiter as a Mermaid state diagram.

use std::fmt::Write as _;

use super::diagram::Diagram;

/// Returns the source of the Mermaid diagram.
pub(super) fn render(diagram: &Diagram<'_>) -> String {
    let mut out = String::from("stateDiagram-v2\n    [*] --> call\n");
    // Writing to a string cannot fail.
    let _ = writeln!(out, "    call: {}", label(diagram.operation));
    for transition in diagram.transitions() {
        let target = match transition.state {
            "retry" => "wait",
            state => state,
        };
        let number = transition.number.map(|number| format!("{number} "));
        let number = number.unwrap_or_default();
        let condition = label(transition.condition);
        let _ = writeln!(out, "    call --> {target}: {number}{condition}");
    }
    if diagram.leads_to("retry") {
        let _ = writeln!(out, "    wait: wait {}", diagram.delays());
        out.push_str("    wait --> call\n");
    }
    for state in ["success", "failure"] {
        if diagram.leads_to(state) {
            let _ = writeln!(out, "    {state} --> [*]");
        }
    }
    out
}

/// Escapes a label: characters that could be Mermaid or HTML syntax become entities.
fn label(text: &str) -> String {
    let escape = |char: char| match char {
        char if char.is_alphanumeric() || " .,_-()'=".contains(char) => char.to_string(),
        char if char.is_whitespace() => " ".to_owned(),
        char => format!("#{};", u32::from(char)),
    };
    text.chars().map(escape).collect()
}
