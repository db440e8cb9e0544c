//! Characters that nobody sees, or that turn the text around them: compilers refuse some of them, readers are misled by others.

use std::borrow::Cow;

/// Whether a character has no shape of its own, or turns the text around it.
pub(crate) fn is_unseen(char: char) -> bool {
    (char.is_control() && !char.is_ascii_whitespace())
        || matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// JSON that says the same without them: outside of its strings it has none.
pub(crate) fn in_json(json: &str) -> Cow<'_, str> {
    escaped(json, is_unseen, |char| {
        format!("\\u{:04x}", u32::from(char))
    })
}

/// Text with some characters written in another way.
pub(crate) fn escaped(
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
