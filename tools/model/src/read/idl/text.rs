//! Decodes strings, text blocks and documentation comments.
//!
//! Clauses: [string values](https://smithy.io/2.0/spec/idl.html#string-values), [text
//! blocks](https://smithy.io/2.0/spec/idl.html#text-blocks).

use std::borrow::Cow;

use bumpalo::Bump;

/// Decodes a quoted string. Returns a message for an invalid escape sequence.
pub(crate) fn string<'a>(source: &'a str, arena: &'a Bump) -> Result<&'a str, String> {
    let inner = without_quotes(source, "\"");
    unescape(normalize(inner), arena)
}

/// Decodes a text block and removes the indentation that its lines share.
pub(crate) fn text_block<'a>(source: &'a str, arena: &'a Bump) -> Result<&'a str, String> {
    let inner = normalize(without_quotes(source, "\"\"\""));
    let Some(lines) = inner.strip_prefix('\n') else {
        return Err("a text block must start on the line after its opening quotes".to_owned());
    };
    unescape(Cow::Owned(without_indentation(lines)), arena)
}

/// Joins documentation comments, one per line.
pub(crate) fn documentation<'a>(lines: &[&str], arena: &'a Bump) -> &'a str {
    let content = |line: &&str| {
        let text = line
            .strip_prefix("///")
            .unwrap_or(line)
            .trim_end_matches('\r');
        text.strip_prefix(' ').unwrap_or(text).to_owned()
    };
    let lines: Vec<String> = lines.iter().map(content).collect();
    arena.alloc_str(&lines.join("\n"))
}

fn without_quotes<'a>(source: &'a str, quotes: &str) -> &'a str {
    let inner = source.strip_prefix(quotes);
    inner
        .and_then(|inner| inner.strip_suffix(quotes))
        .unwrap_or_default()
}

/// Returns the text with `\n` as the line break, independent of the platform that wrote the file.
fn normalize(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

fn without_indentation(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let last = lines.len().saturating_sub(1);
    let indented = lines.iter().enumerate().filter_map(|(place, line)| {
        let content = line.trim_start_matches(' ');
        // The last line counts even if it is blank, because the closing quotes set the indentation.
        (!content.is_empty() || place == last).then(|| line.len().saturating_sub(content.len()))
    });
    let indentation = indented.min().unwrap_or(0);
    let trim = |line: &&str| {
        let line = line.get(indentation..).unwrap_or_default();
        line.trim_end_matches(' ').to_owned()
    };
    lines.iter().map(trim).collect::<Vec<_>>().join("\n")
}

fn unescape<'a>(text: Cow<'a, str>, arena: &'a Bump) -> Result<&'a str, String> {
    let text = match text {
        Cow::Borrowed(text) if !text.contains('\\') => return Ok(text),
        text => text,
    };
    let mut decoded = String::with_capacity(text.len());
    let mut units = Vec::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        if char != '\\' {
            flush(&mut units, &mut decoded);
            decoded.push(char);
            continue;
        }
        match chars.next() {
            Some('u') => units.push(code_unit(&mut chars)?),
            escaped => {
                flush(&mut units, &mut decoded);
                decoded.extend(escape(escaped)?);
            }
        }
    }
    flush(&mut units, &mut decoded);
    Ok(arena.alloc_str(&decoded))
}

/// Decodes consecutive `\u` escapes together, because a pair of surrogates is one character.
fn flush(units: &mut Vec<u16>, decoded: &mut String) {
    if !units.is_empty() {
        decoded.push_str(&String::from_utf16_lossy(units));
        units.clear();
    }
}

fn code_unit(chars: &mut std::str::Chars<'_>) -> Result<u16, String> {
    let digits: String = chars.by_ref().take(4).collect();
    u16::from_str_radix(&digits, 16)
        .ok()
        .filter(|_| digits.len() == 4 && digits.chars().all(|digit| digit.is_ascii_hexdigit()))
        .ok_or_else(|| {
            format!("invalid escape sequence `\\u{digits}`: expected four hexadecimal digits")
        })
}

fn escape(escaped: Option<char>) -> Result<Option<char>, String> {
    Ok(Some(match escaped {
        Some(char @ ('"' | '\\' | '/')) => char,
        Some('b') => '\u{8}',
        Some('f') => '\u{c}',
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('\n') => return Ok(None),
        Some(other) => return Err(format!("invalid escape sequence `\\{other}`")),
        None => return Err("a string cannot end in `\\`".to_owned()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        let arena = Bump::new();
        let text = if source.starts_with("\"\"\"") {
            text_block(source, &arena)
        } else {
            string(source, &arena)
        };
        text.map_or_else(|problem| format!("problem: {problem}"), str::to_owned)
    }

    #[test]
    fn strings_are_unescaped() {
        assert_eq!(text(r#""plain""#), "plain");
        assert_eq!(text(r#""a\n\t\"\\\/""#), "a\n\t\"\\/");
        assert_eq!(text(r#""\u00e9 \ud83d\ude00""#), "é 😀");
        assert_eq!(text("\"a\\\nb\r\nc\""), "ab\nc");
        assert_eq!(text(r#""\x""#), r"problem: invalid escape sequence `\x`");
        assert!(text(r#""\u+123""#).starts_with("problem"));
    }

    #[test]
    fn text_blocks_lose_their_indentation() {
        assert_eq!(text("\"\"\"\n    a\n      b\n    \"\"\""), "a\n  b\n");
        assert_eq!(text("\"\"\"\n    a\n  \"\"\""), "  a\n");
        assert_eq!(text("\"\"\"\n    a  \n\n    b\"\"\""), "a\n\nb");
        assert_eq!(
            text("\"\"\"\r\n  \"quoted\" \\\n  more\"\"\""),
            "\"quoted\" more"
        );
        assert!(text("\"\"\"a\"\"\"").starts_with("problem"));
    }

    #[test]
    fn documentation_lines_are_joined() {
        let arena = Bump::new();
        assert_eq!(
            documentation(&["/// a", "///  b", "///"], &arena),
            "a\n b\n"
        );
    }
}
