//! Shows proposals as text.

use std::fmt::Write as _;

use smithy_waiters::State;
use smithy_waiters_model::id;
use smithy_waiters_model::suggest::{Class, Matcher, Proposal};

/// The width of a line.
const WIDTH: usize = 80;

/// The width of the labels.
const LABEL: usize = 11;

/// A reason for the missing delay.
const DELAY: &str = "The drafts have no `minDelay`, because a model does not contain the time that a resource needs. \
    Choose a tenth of the usual time; without it, waiters start with 2 seconds.";

/// Renders proposals, the most confident first.
pub(super) fn render(proposals: &[&Proposal]) -> String {
    let mut out = String::new();
    for proposal in proposals {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}", heading(proposal));
        if let Some(path) = &proposal.path {
            line(&mut out, "path", path);
        }
        for state in [State::Success, State::Failure, State::Retry] {
            let own = proposal.acceptors.iter();
            let own = own.filter(|acceptor| acceptor.state == state);
            let own: Vec<String> = own.map(|acceptor| condition(&acceptor.matcher)).collect();
            if !own.is_empty() {
                line(&mut out, state.as_str(), &own.join(", "));
            }
        }
        if !proposal.values.is_empty() {
            line(&mut out, "values", &values(proposal));
        }
        for reason in &proposal.evidence {
            line(&mut out, "because", reason);
        }
        for question in &proposal.questions {
            let label = if question.ends_with('?') {
                "ask"
            } else {
                "check"
            };
            line(&mut out, label, question);
        }
        out.push('\n');
    }
    if !proposals.is_empty() {
        out.push_str(&textwrap::fill(DELAY, WIDTH));
        out.push('\n');
    }
    out
}

fn heading(proposal: &Proposal) -> String {
    let kind = if proposal.is_likely() {
        "likely"
    } else {
        "guess"
    };
    let operation = id::name(&proposal.operation);
    format!(
        "{} ({operation}, {kind} {:.2})",
        proposal.waiter, proposal.confidence
    )
}

/// Returns the values of each class, in the order in which the classes appear.
fn values(proposal: &Proposal) -> String {
    let mut classes: Vec<(Class, Vec<&str>)> = Vec::new();
    for (value, class) in &proposal.values {
        match classes.iter_mut().find(|(known, _)| known == class) {
            Some((_, values)) => values.push(value),
            None => classes.push((*class, vec![value])),
        }
    }
    let classes = classes
        .into_iter()
        .map(|(class, values)| format!("{} {}", self::class(class), values.join(" ")));
    classes.collect::<Vec<_>>().join("; ")
}

/// Returns the name of a class.
pub(super) const fn class(class: Class) -> &'static str {
    match class {
        Class::Transitional => "transitional",
        Class::Ready => "ready",
        Class::Created => "created",
        Class::Done => "done",
        Class::Failed => "failed",
        Class::Cancelled => "cancelled",
        Class::Partial => "partial",
        Class::Rest => "at rest",
        Class::Gone => "gone",
        Class::Impaired => "impaired",
        _ => "not classified",
    }
}

fn condition(matcher: &Matcher) -> String {
    match matcher {
        Matcher::Output {
            expected,
            comparator,
            ..
        } => match comparator.as_str() {
            "allStringEquals" => format!("all `{expected}`"),
            "anyStringEquals" => format!("any `{expected}`"),
            _ => format!("`{expected}`"),
        },
        Matcher::ErrorType(code) => format!("the error `{code}`"),
        _ => "any response".to_owned(),
    }
}

fn line(out: &mut String, label: &str, text: &str) {
    let start = format!("  {label:<width$}", width = LABEL.saturating_sub(2));
    let indent = " ".repeat(LABEL);
    let options = textwrap::Options::new(WIDTH)
        .initial_indent(&start)
        .subsequent_indent(&indent)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .break_words(false);
    out.push_str(&textwrap::fill(text, options));
    out.push('\n');
}
