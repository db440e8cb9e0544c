//! Escapes for invisible characters and for characters that reorder text. Some compilers reject them, and they mislead
//! readers.

use std::borrow::Cow;

/// Returns `true` for characters that are invisible or change the direction of text.
pub(crate) fn is_invisible(char: char) -> bool {
    (char.is_control() && !char.is_ascii_whitespace())
        || matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// Escapes the invisible characters of a JSON text. They occur only within its strings.
pub(crate) fn escape_json(json: &str) -> Cow<'_, str> {
    escape_chars(json, is_invisible, |char| {
        format!("\\u{:04x}", u32::from(char))
    })
}

/// Replaces the characters that `is_escaped` selects.
pub(crate) fn escape_chars(
    text: &str,
    is_escaped: impl Fn(char) -> bool,
    escape: impl Fn(char) -> String,
) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let chars = text.chars().map(|char| {
        if is_escaped(char) {
            escape(char)
        } else {
            char.to_string()
        }
    });
    Cow::Owned(chars.collect())
}
