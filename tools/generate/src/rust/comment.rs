//! Doc comments.

use proc_macro2::TokenStream;
use quote::quote;

use super::escape::in_comment;

/// Returns a doc comment for plain text that may contain code in backticks.
pub(super) fn comment(text: &str) -> TokenStream {
    let text = in_comment(text);
    let parts: Vec<&str> = text.split('`').collect();
    // An odd number of backticks cannot be paired.
    let (tick, is_paired) = if parts.len() % 2 == 1 {
        ("`", true)
    } else {
        ("\\`", false)
    };
    let parts = parts.iter().enumerate().map(|(at, part)| {
        let is_code = is_paired && at % 2 == 1;
        if is_code {
            (*part).to_owned()
        } else {
            escape_markup(part)
        }
    });
    let text = format!(" {}", parts.collect::<Vec<_>>().join(tick));
    quote!(#[doc = #text])
}

/// Formats a text as a code span, with a fence longer than its backticks. JMESPath literals contain backticks.
pub(super) fn code_span(text: &str) -> String {
    let text = in_comment(text);
    let runs = text.split(|char| char != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or_default().saturating_add(1));
    let space = if fence.len() > 1 { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Escapes the characters that rustdoc reads as links and tags, and turns URLs into links.
fn escape_markup(text: &str) -> String {
    const ENDS: [char; 5] = ['.', ',', ';', ':', ')'];
    const READ: [char; 4] = ['[', ']', '<', '>'];
    let words = text.split(' ').map(|word| {
        let address = word.trim_end_matches(ENDS);
        match word.strip_prefix(address) {
            Some(rest)
                if ["http://", "https://"]
                    .iter()
                    .any(|start| address.starts_with(start)) =>
            {
                format!("<{address}>{rest}")
            }
            _ => READ.iter().fold(word.to_owned(), |word, char| {
                word.replace(*char, &format!("\\{char}"))
            }),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}
