//! Texts of messages: one line, without characters that change how a terminal displays it.

use std::borrow::Cow;

/// Returns the first `most` characters of a text, with `…` if there are others.
pub(crate) fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.split_at(end).0).into(),
        None => text.into(),
    }
}

/// Returns a text as a JSON string.
pub(crate) fn quote(text: &str) -> String {
    // Serializing a string never fails.
    serde_json::to_string(text).unwrap_or_default()
}

/// Returns `true` for a name that the specification's `Identifier` allows, such as that of a shape or a member.
///
/// Clause: [shape id](https://smithy.io/2.0/spec/model.html#shape-id).
#[must_use]
pub fn is_identifier(text: &str) -> bool {
    !text.trim_start_matches('_').is_empty()
        && !text.starts_with(|first: char| first.is_ascii_digit())
        && text
            .bytes()
            .all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Replaces control characters, line separators and bidirectional control characters with a space, because they could
/// change how a terminal displays a message.
#[must_use]
pub fn escape_control_char(char: char) -> char {
    match char {
        '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => ' ',
        char if char.is_control() => ' ',
        char => char,
    }
}

/// Replaces line breaks and other control characters, and truncates the text to `room` code points. The message of an
/// error may be a page of HTML, but a reason is a single line.
pub(crate) fn one_line(text: &str, mut room: usize) -> String {
    let mut line = String::new();
    for part in text.split(char::is_control).map(str::trim) {
        if !part.is_empty() && !line.is_empty() {
            line.push(' ');
        }
        for char in part.chars() {
            if room == 0 {
                line.push('…');
                return line;
            }
            line.push(char);
            room = room.saturating_sub(1);
        }
    }
    line
}
