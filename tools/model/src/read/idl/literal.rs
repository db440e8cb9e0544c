//! Maps ranges in decoded strings to ranges in the source, accounting for escape sequences, line breaks and
//! indentation.

use std::ops::Range;

use logos::Logos as _;

use crate::read::idl::lex::TokenKind;

/// A character or escape sequence of a string, with its source range.
#[derive(Clone)]
struct Piece {
    source: Range<usize>,
    char: char,
    /// The number of bytes in the decoded string.
    decoded: usize,
}

/// Returns the string or text block at the start of a text, including its quotes.
pub(crate) fn first(text: &str) -> Option<&str> {
    let (token, span) = TokenKind::lexer(text).spanned().next()?;
    let is_literal = matches!(token, Ok(TokenKind::String | TokenKind::TextBlock));
    text.get(span).filter(|_| is_literal)
}

/// Returns the source range of a part of a decoded string, relative to the start of its literal.
pub(crate) fn source_range(literal: &str, decoded: &Range<usize>) -> Option<Range<usize>> {
    let mut at = 0_usize;
    let mut start = None;
    for piece in unescape(&characters(literal)) {
        if at == decoded.start && piece.decoded > 0 {
            start = Some(piece.source.start);
        }
        at = at.saturating_add(piece.decoded);
        if at >= decoded.end {
            return Some(start?..piece.source.end);
        }
    }
    None
}

/// Returns the characters between the quotes, with `\n` as the line break and without the indentation of a text block.
fn characters(literal: &str) -> Vec<Piece> {
    let Some(block) = literal.strip_prefix("\"\"\"") else {
        let inner = literal.strip_prefix('"').unwrap_or_default();
        return pieces(inner.strip_suffix('"').unwrap_or(inner), 1);
    };
    let block = pieces(block.strip_suffix("\"\"\"").unwrap_or(block), 3);
    let mut lines: Vec<&[Piece]> = block.split_inclusive(|piece| piece.char == '\n').collect();
    if block.last().is_some_and(|piece| piece.char == '\n') {
        lines.push(&[]);
    }
    // The first line contains only the opening quotes.
    let lines = lines.get(1..).unwrap_or_default();
    let indentation = indentation(lines);
    lines
        .iter()
        .flat_map(|line| trim(line, indentation))
        .collect()
}

fn pieces(text: &str, start: usize) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (at, char) in text.char_indices() {
        let at = start.saturating_add(at);
        let source = at..at.saturating_add(char.len_utf8());
        match pieces.last_mut() {
            Some(last)
                if char == '\n'
                    && text
                        .get(..at.saturating_sub(start))
                        .is_some_and(|before| before.ends_with('\r')) =>
            {
                last.source.end = source.end;
            }
            _ => pieces.push(Piece::new(if char == '\r' { '\n' } else { char }, source)),
        }
    }
    pieces
}

/// Returns the indentation that all lines of a text block share. The last line counts even if it is blank.
fn indentation(lines: &[&[Piece]]) -> usize {
    let last = lines.len().saturating_sub(1);
    let indented = lines.iter().enumerate().filter_map(|(place, line)| {
        let spaces = line.iter().take_while(|piece| piece.char == ' ').count();
        let is_blank = line.get(spaces).is_none_or(|piece| piece.char == '\n');
        (!is_blank || place == last).then_some(spaces)
    });
    indented.min().unwrap_or(0)
}

/// Returns a line without its indentation and trailing spaces.
fn trim(line: &[Piece], indentation: usize) -> impl Iterator<Item = Piece> {
    let end = line.iter().filter(|piece| piece.char == '\n');
    let content = line.len().saturating_sub(end.clone().count());
    let is_shown = |piece: &Piece| piece.char != ' ';
    let length = line
        .get(..content)
        .and_then(|line| line.iter().rposition(is_shown))
        .map_or(0, |last| last.saturating_add(1));
    let content = line.get(indentation..length).unwrap_or_default();
    content.iter().chain(end).cloned()
}

/// Returns the characters with each escape sequence as one piece.
fn unescape(characters: &[Piece]) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(characters.len());
    let mut rest = characters.iter();
    while let Some(piece) = rest.next() {
        if piece.char != '\\' {
            pieces.push(piece.clone());
            continue;
        }
        let Some(escaped) = rest.next() else { break };
        let (decoded, end) = match escaped.char {
            'u' => unit(&mut rest, escaped.source.end),
            '\n' => (0, escaped.source.end),
            _ => (1, escaped.source.end),
        };
        pieces.push(Piece {
            source: piece.source.start..end,
            decoded,
            ..*piece
        });
    }
    pieces
}

/// Returns the decoded length of a `\u` escape and the end of its source. Each surrogate of a pair counts as two of the
/// four decoded bytes.
fn unit(rest: &mut std::slice::Iter<'_, Piece>, start: usize) -> (usize, usize) {
    let digits: Vec<&Piece> = rest.by_ref().take(4).collect();
    let text: String = digits.iter().map(|piece| piece.char).collect();
    let unit = u32::from_str_radix(&text, 16).unwrap_or_default();
    let end = digits.last().map_or(start, |piece| piece.source.end);
    (char::from_u32(unit).map_or(2, char::len_utf8), end)
}

impl Piece {
    const fn new(char: char, source: Range<usize>) -> Self {
        Self {
            source,
            char,
            decoded: char.len_utf8(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source<'l>(literal: &'l str, decoded: &str, part: &str) -> &'l str {
        let (before, _) = decoded.split_once(part).unwrap();
        let end = before.len().saturating_add(part.len());
        let range = source_range(literal, &(before.len()..end)).unwrap();
        literal.get(range).unwrap()
    }

    #[test]
    fn parts_of_strings_are_found_behind_escapes() {
        assert_eq!(source(r#""a.b""#, "a.b", "b"), "b");
        assert_eq!(source(r#""\"a\".b""#, "\"a\".b", "\"a\""), r#"\"a\""#);
        assert_eq!(source(r#""\u00e9b""#, "éb", "b"), "b");
        assert_eq!(source(r#""\ud83d\ude00b""#, "😀b", "😀"), r"\ud83d\ude00");
        assert_eq!(source("\"a\r\nb\"", "a\nb", "b"), "b");
        assert_eq!(source("\"a\\\nb\"", "ab", "b"), "b");
    }

    #[test]
    fn parts_of_text_blocks_are_found_behind_indentation() {
        let block = "\"\"\"\n    a.b  \n      .c == 'd'\n    \"\"\"";
        let decoded = "a.b\n  .c == 'd'\n";
        for part in ["a", "b", "c", "'d'"] {
            assert_eq!(source(block, decoded, part), part);
        }
        assert_eq!(source(block, decoded, "b\n  .c"), "b  \n      .c");
        let windows = block.replace('\n', "\r\n");
        assert_eq!(source(&windows, decoded, "'d'"), "'d'");
        let open = "\"\"\"\n  a\n\n  \"b\" \\\n  c\"\"\"";
        assert_eq!(source(open, "a\n\n\"b\" c", "\"b\""), "\"b\"");
        assert_eq!(source(open, "a\n\n\"b\" c", "c"), "c");
    }

    #[test]
    fn a_range_outside_of_the_string_has_no_source() {
        assert_eq!(source_range("\"ab\"", &(1..9)), None);
        assert_eq!(source_range("\"\"", &(0..1)), None);
        assert_eq!(first("\"a\" b"), Some("\"a\""));
        assert_eq!(first("\"\"\"\na\"\"\" b"), Some("\"\"\"\na\"\"\""));
        assert_eq!(first("{"), None);
    }
}
