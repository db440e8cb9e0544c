//! Finds the end of a token in an expression, because the tree contains only start offsets.

use crate::event::Culprit;
use crate::source::At;

/// Returns the token at an offset of an expression, as a part of the string that contains the expression.
pub(crate) const fn culprit(value: At, expression: &str, offset: usize) -> Culprit {
    Culprit {
        value,
        start: offset,
        end: end_of(expression, offset),
    }
}

/// Returns the end of the token at an offset. It is at least one byte further, unless the text ends.
pub(crate) const fn end_of(expression: &str, offset: usize) -> usize {
    let bytes = expression.as_bytes();
    let Some(first) = byte(bytes, offset) else {
        return bytes.len();
    };
    match first {
        b'"' | b'\'' | b'`' => quote_end(bytes, offset, first),
        b'-' | b'0'..=b'9' => word_end(bytes, offset, false),
        b'_' | b'a'..=b'z' | b'A'..=b'Z' => word_end(bytes, offset, true),
        _ => offset.saturating_add(operator_length(
            first,
            byte(bytes, offset.saturating_add(1)),
        )),
    }
}

const fn byte(bytes: &[u8], at: usize) -> Option<u8> {
    match bytes.split_at_checked(at) {
        Some((_, [byte, ..])) => Some(*byte),
        _ => None,
    }
}

/// Returns the end of a quoted token, or the end of the text if the closing quote is missing.
const fn quote_end(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start.saturating_add(1);
    while let Some(next) = byte(bytes, at) {
        at = at.saturating_add(if next == b'\\' { 2 } else { 1 });
        if next == quote {
            break;
        }
    }
    if at > bytes.len() { bytes.len() } else { at }
}

/// Returns the end of a run of digits, or of letters and digits.
const fn word_end(bytes: &[u8], start: usize, letters: bool) -> usize {
    let mut at = start.saturating_add(1);
    while let Some(next) = byte(bytes, at) {
        if !(next.is_ascii_digit() || (letters && (next.is_ascii_alphabetic() || next == b'_'))) {
            break;
        }
        at = at.saturating_add(1);
    }
    at
}

/// Returns the length of an operator in bytes.
const fn operator_length(first: u8, second: Option<u8>) -> usize {
    match (first, second) {
        (b'!' | b'<' | b'=' | b'>', Some(b'='))
        | (b'&', Some(b'&'))
        | (b'|', Some(b'|'))
        | (b'[', Some(b']' | b'?')) => 2,
        // The first byte of a non-ASCII character encodes its length.
        (0xc0..=0xdf, _) => 2,
        (0xe0..=0xef, _) => 3,
        (0xf0..=0xff, _) => 4,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed::{Form, Op, analyze};
    use crate::{Sources, read};

    /// Returns the tokens of the nodes of an expression, outermost first.
    fn tokens(expression: &str) -> Vec<&str> {
        let sources = Sources::default();
        let model = read(&sources);
        let root = analyze(&model, expression, &Form::Any.into())
            .unwrap()
            .expression;
        let mut nodes = vec![&root];
        let mut tokens = Vec::new();
        while let Some(node) = nodes.pop() {
            let end = end_of(expression, node.at);
            let token = expression.get(node.at..end).unwrap();
            // A current value that is not written has the position of the operation on it.
            if node.op != Op::Current || token == "@" {
                tokens.push(token);
            }
            nodes.extend(node.children().into_iter().rev());
        }
        tokens
    }

    #[test]
    fn tokens_of_every_kind_of_node_are_whole() {
        assert_eq!(tokens("name_1"), ["name_1"]);
        assert_eq!(tokens("\"quoted \\\" name\""), ["\"quoted \\\" name\""]);
        assert_eq!(tokens("'raw'"), ["'raw'"]);
        assert_eq!(tokens("`[1, 2]`"), ["`[1, 2]`"]);
        assert_eq!(tokens("@"), ["@"]);
        assert_eq!(tokens("one.two"), ["two", "one"]);
        assert_eq!(tokens("one == `2`"), ["one", "one", "`2`"]);
        assert_eq!(
            tokens("one && two || three"),
            ["one", "one", "one", "two", "three"]
        );
        assert_eq!(tokens("length(one)"), ["length", "one"]);
        assert_eq!(tokens("[one, 'two']"), ["[", "one", "'two'"]);
        assert_eq!(tokens("!one"), ["!", "one"]);
        assert_eq!(tokens("one[0]"), ["[", "one"]);
        assert_eq!(tokens("one[1:2]"), ["[", "[", "one"]);
        let not_ascii = "\u{e9} \u{20ac} \u{1f600}";
        let ends = not_ascii
            .char_indices()
            .map(|(at, _)| end_of(not_ascii, at));
        assert_eq!(ends.collect::<Vec<_>>(), [2, 3, 6, 7, 11]);
        assert!(tokens("sort_by(one, &two)").contains(&"two"));
        for expression in [
            "one[]",
            "one[*].two",
            "one[?two].three",
            "one[0]",
            "one[1:2]",
            "one.*",
            "{a: one}",
            "one | two",
        ] {
            assert!(tokens(expression).contains(&"one"), "{expression}");
        }
    }

    #[test]
    fn an_unterminated_token_ends_with_the_text() {
        assert_eq!(end_of("'abc", 0), 4);
        assert_eq!(end_of("'abc\\", 0), 5);
        assert_eq!(end_of("a", 5), 1);
        assert_eq!(end_of("é", 0), 2);
        assert_eq!(
            (end_of("<=", 0), end_of("<a", 0), end_of("[?a]", 0)),
            (2, 1, 2)
        );
    }
}
