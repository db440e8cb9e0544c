//! Limits on an expression's text, checked before the parser sees it.
//!
//! The parser is recursive and its tree is dropped recursively: deep nesting or a very long chain would overflow the
//! stack, which ends the process and, in wasm, the instance for good. The real waiters of AWS stay below 250 bytes, 40
//! tokens and 4 levels.

use crate::error::ExpressionError;

/// The longest text: no hand-written path comes near it.
const MAX_BYTES: usize = 16 * 1024;
/// The most tokens: they bound the length of the parser's left-leaning chains.
const MAX_TOKENS: usize = 1_024;
/// The deepest nesting of `( [ { ! &`: it bounds the parser's recursion.
const MAX_NESTING: usize = 64;
/// The most projections: each one nests the rest of the expression inside it.
const MAX_PROJECTIONS: usize = 64;
/// How much of an expression a message shows, in code points.
const EXCERPT: usize = 80;

/// Refuses what the parser must not see. Linear in the text, no recursion.
pub(super) fn check(text: &str) -> Result<(), ExpressionError> {
    if text.len() > MAX_BYTES {
        let message = format!(
            "the expression is {} bytes long, more than {MAX_BYTES}",
            text.len()
        );
        return Err(ExpressionError::new("expression_too_long", None, message));
    }
    let mut scan = Scan::default();
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        if scan.quoted(char) {
            continue;
        }
        let word = is_word(char) && chars.peek().is_some_and(|(_, next)| is_word(*next));
        scan.token(char, word);
        scan.within_limits().map_err(|(code, what)| {
            let column = column(text, at);
            ExpressionError::new(
                code,
                Some(column),
                format!("`{}` {what} at column {column}", excerpt(text)),
            )
        })?;
    }
    Ok(())
}

/// The column of a byte offset, in code points from 1.
pub(super) fn column(text: &str, offset: usize) -> usize {
    text.char_indices()
        .take_while(|(at, _)| *at < offset)
        .count()
        .saturating_add(1)
}

/// The start of an expression, for a message.
pub(super) fn excerpt(text: &str) -> String {
    let mut excerpt: String = text.chars().take(EXCERPT).collect();
    if excerpt.len() < text.len() {
        excerpt.push('…');
    }
    excerpt
}

#[derive(Default)]
struct Scan {
    tokens: usize,
    nesting: usize,
    /// Prefix operators since the last operand: each nests the next one.
    prefixes: usize,
    projections: usize,
    quote: Option<char>,
    escaped: bool,
}

impl Scan {
    /// Takes a character of a quoted string or name. The JSON inside of a literal counts like the rest.
    fn quoted(&mut self, char: char) -> bool {
        if std::mem::take(&mut self.escaped) {
            return true;
        }
        match self.quote {
            Some(_) if char == '\\' => self.escaped = true,
            Some('`') if char == '`' => self.quote = None,
            Some('`') => return false,
            Some(quote) if char == quote => self.quote = None,
            Some(_) => {}
            None if matches!(char, '"' | '\'' | '`') => {
                self.quote = Some(char);
                self.tokens = self.tokens.saturating_add(1);
            }
            None => return false,
        }
        true
    }

    /// Takes a character outside of quotes; `inside_word` where the next one goes on with the same word.
    fn token(&mut self, char: char, inside_word: bool) {
        match char {
            '(' | '[' | '{' => self.nesting = self.nesting.saturating_add(1),
            ')' | ']' | '}' => self.nesting = self.nesting.saturating_sub(1),
            '!' | '&' => self.prefixes = self.prefixes.saturating_add(1),
            _ => {}
        }
        if is_word(char) {
            self.prefixes = 0;
        }
        if matches!(char, '*' | '?') {
            self.projections = self.projections.saturating_add(1);
        }
        if !char.is_whitespace() && !inside_word {
            self.tokens = self.tokens.saturating_add(1);
        }
    }

    fn within_limits(&self) -> Result<(), (&'static str, String)> {
        if self.nesting.saturating_add(self.prefixes) > MAX_NESTING {
            return Err((
                "expression_too_deep",
                format!("nests more than {MAX_NESTING} levels"),
            ));
        }
        if self.projections > MAX_PROJECTIONS {
            return Err((
                "expression_too_deep",
                format!("has more than {MAX_PROJECTIONS} projections"),
            ));
        }
        if self.tokens > MAX_TOKENS {
            return Err((
                "expression_too_long",
                format!("has more than {MAX_TOKENS} tokens"),
            ));
        }
        Ok(())
    }
}

const fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}
