//! A waiter's acceptors as lines, as a Mermaid diagram and as a picture.

use std::fmt::Write as _;

use smithy_waiters_model::{Entry, Node};

/// What a waiter does.
#[derive(Debug)]
pub(super) struct Diagram<'a> {
    name: &'a str,
    operation: &'a str,
    min_delay: f64,
    max_delay: f64,
    /// What each acceptor matches, and the state that it leads to.
    acceptors: Vec<(String, &'a str)>,
}

/// What happens where no acceptor matches.
const IMPLICIT: [(&str, &str); 2] = [
    ("any other error", "failure"),
    ("any other response", "retry"),
];

impl<'a> Diagram<'a> {
    pub(super) fn of(operation: &'a str, waiter: &Entry<'a>) -> Self {
        let delay = |name, default: f64| {
            let delay = waiter.value.member(name);
            delay.and_then(|delay| delay.as_f64()).unwrap_or(default)
        };
        let acceptors = waiter.value.member("acceptors");
        let acceptors = acceptors.map_or(&[][..], |acceptors| acceptors.elements());
        Self {
            name: waiter.key,
            operation,
            min_delay: delay("minDelay", 2.0),
            max_delay: delay("maxDelay", 120.0),
            acceptors: acceptors
                .iter()
                .map(|acceptor| (condition(acceptor), state(acceptor)))
                .collect(),
        }
    }

    fn transitions(&self) -> impl Iterator<Item = (&str, &str)> {
        let own = self
            .acceptors
            .iter()
            .map(|(condition, state)| (condition.as_str(), *state));
        own.chain(IMPLICIT)
    }

    pub(super) fn text(&self) -> String {
        let mut out = format!("{} ({})\n", self.name, self.operation);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  call, then the first that matches:");
        for (number, (condition, state)) in self.transitions().enumerate() {
            let number = if number < self.acceptors.len() {
                number.to_string()
            } else {
                "-".to_owned()
            };
            let arrow = match state {
                "retry" => "↻",
                "success" => "✔",
                _ => "✘",
            };
            let _ = writeln!(out, "  {number:>3}  {arrow} {state:<8} {condition}");
        }
        let _ = writeln!(
            out,
            "  between calls: {} s to {} s",
            self.min_delay, self.max_delay
        );
        out
    }

    pub(super) fn mermaid(&self) -> String {
        let mut out = String::from("stateDiagram-v2\n");
        let _ = writeln!(out, "    [*] --> call");
        let _ = writeln!(out, "    call: {}", label(self.operation));
        for (condition, state) in self.transitions() {
            let target = if state == "retry" { "wait" } else { state };
            let _ = writeln!(out, "    call --> {target}: {}", label(condition));
        }
        let _ = writeln!(
            out,
            "    wait: wait {} s to {} s",
            self.min_delay, self.max_delay
        );
        out.push_str("    wait --> call\n    success --> [*]\n    failure --> [*]\n");
        out
    }

    /// A column of rows, each an arrow to its state, in that state's colour.
    pub(super) fn svg(&self) -> String {
        let rows: Vec<(&str, &str)> = self.transitions().collect();
        let widest = rows
            .iter()
            .map(|(condition, _)| condition.chars().count())
            .max()
            .unwrap_or_default();
        let (width, height) = (
            widest.saturating_mul(8).saturating_add(260),
            rows.len().saturating_mul(34).saturating_add(70),
        );
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"monospace\" font-size=\"13\">\n"
        );
        let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>");
        let _ = writeln!(
            out,
            "<text x=\"20\" y=\"30\" font-weight=\"bold\">{} · {}</text>",
            escaped(self.name),
            escaped(self.operation)
        );
        for (row, (condition, state)) in rows.iter().enumerate() {
            let y = row.saturating_mul(34).saturating_add(62);
            let colour = match *state {
                "retry" => "#b07d00",
                "success" => "#1a7f37",
                _ => "#cf222e",
            };
            let _ = writeln!(
                out,
                "<rect x=\"20\" y=\"{}\" width=\"96\" height=\"24\" rx=\"5\" fill=\"{colour}\"/><text x=\"68\" y=\"{y}\" fill=\"white\" text-anchor=\"middle\">{state}</text><text x=\"130\" y=\"{y}\">← {}</text>",
                y.saturating_sub(17),
                escaped(condition)
            );
        }
        out.push_str("</svg>\n");
        out
    }
}

fn state<'a>(acceptor: &Node<'a>) -> &'a str {
    let state = acceptor.member("state").and_then(|state| state.as_str());
    state.unwrap_or("unknown")
}

/// What an acceptor matches, in words.
fn condition(acceptor: &Node<'_>) -> String {
    let matcher = acceptor.member("matcher");
    let entry = matcher.and_then(|matcher| matcher.entries().first());
    let Some(entry) = entry else {
        return "nothing".to_owned();
    };
    let text = |name| {
        let member = entry.value.member(name);
        member
            .and_then(|member| member.as_str())
            .unwrap_or_default()
    };
    match entry.key {
        "errorType" => format!("error {}", entry.value.as_str().unwrap_or_default()),
        "success" if entry.value.as_bool() == Some(true) => "any response".to_owned(),
        "success" => "any error".to_owned(),
        key => {
            let of = if key == "inputOutput" {
                " (of input and output)"
            } else {
                ""
            };
            let relation = match text("comparator") {
                "allStringEquals" => "are all",
                "anyStringEquals" => "has",
                _ => "is",
            };
            format!("{} {relation} {}{of}", text("path"), text("expected"))
        }
    }
}

/// A label of Mermaid: its own signs are entities.
fn label(text: &str) -> String {
    let sign = |char| match char {
        '#' | ':' | ';' => format!("#{};", u32::from(char)),
        char => char.to_string(),
    };
    text.chars().map(sign).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
