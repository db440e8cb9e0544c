//! Limits of an expression's text, which are checked before it is parsed. See docs/rules.md#parse-limits.
//!
//! The parser recurses, and so does the destructor of its tree. Deep nesting or a very long chain would overflow the
//! stack and abort the process or the wasm instance. The expressions of AWS's waiters have at most 250 bytes, 40 tokens
//! and 4 levels.

use std::mem;

use super::error::error_at;
use crate::error::ExpressionError;

/// The maximum length of the text in bytes.
const MAX_BYTES: usize = 16 * 1024;
/// The maximum number of tokens, which bounds the length of the parser's left-leaning chains.
const MAX_TOKENS: usize = 1_024;
/// The maximum nesting of `( [ { ! &`, and of the JSON in a literal, which bounds the recursion of both parsers.
const MAX_NESTING: usize = 64;
/// The maximum number of nested projections. A projection contains the rest of the expression, up to the next `,` or
/// closing bracket. The longest expression of the official test suite has this number.
const MAX_PROJECTIONS: usize = 104;
/// The maximum number of nested brackets, prefixes, projections and kinds of operators. An operator contains the
/// operands that bind tighter. A level takes up to 2 KiB of the stack in an optimized build.
const MAX_LEVELS: usize = 168;

/// Rejects a text that exceeds a limit. Takes linear time and doesn't recurse.
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
        let next = chars.peek().map(|(_, next)| *next);
        scan.take(char, next);
        // After each character, so that the scan of a hostile text stays short and `scopes` small.
        scan.within_limits()
            .map_err(|(code, what)| error_at(code, text, at, &what))?;
    }
    Ok(())
}

/// The state of the scan at a character. Its counts are an upper bound of the parser's recursion at that position.
#[derive(Default)]
struct Scan {
    tokens: usize,
    /// The open quote.
    quote: Option<char>,
    /// `true` if the next character in the quote is escaped.
    escaped: bool,
    literal: Literal,
    /// `true` if the next character is the second one of an operator.
    second: bool,
    outermost: Scope,
    /// The scopes of the open brackets.
    scopes: Vec<Scope>,
}

/// The JSON of an open literal.
#[derive(Default)]
struct Literal {
    nesting: usize,
    string: bool,
}

const AND: u8 = 1;
const COMPARISON: u8 = 2;
const OR: u8 = 4;
const PIPE: u8 = 8;

/// The counts since the last opening bracket or `,`.
#[derive(Clone, Copy, Default)]
struct Scope {
    bracket: char,
    /// The number of `!` and `&`, and of the kinds of operators before a `&`. Completed operands are not subtracted,
    /// which simplifies the scan and rejects only unusual expressions.
    prefixes: usize,
    projections: usize,
    /// The kinds of operators, as bits.
    operators: u8,
}

impl Scan {
    fn take(&mut self, char: char, next: Option<char>) {
        match self.quote {
            _ if mem::take(&mut self.escaped) || mem::take(&mut self.second) => {}
            None => self.expression(char, next),
            Some(_) if char == '\\' => self.escaped = true,
            Some(quote) if char == quote => self.quote = None,
            Some('`') => self.json(char, next),
            Some(_) => {}
        }
    }

    fn expression(&mut self, char: char, next: Option<char>) {
        self.token(char, next);
        match (char, next) {
            ('"' | '\'' | '`', _) => (self.quote, self.literal) = (Some(char), Literal::default()),
            ('&', Some('&')) => self.operator(AND),
            ('|', Some('|')) => self.operator(OR),
            ('=' | '!' | '<' | '>', Some('=')) => self.operator(COMPARISON),
            ('<' | '>', _) => self.scope().operators |= COMPARISON,
            ('|', _) => self.scope().operators |= PIPE,
            ('!', _) => add_one(&mut self.scope().prefixes),
            ('&', _) => self.reference(),
            ('(' | '[' | '{', _) => self.scopes.push(Scope {
                bracket: char,
                ..Scope::default()
            }),
            (')' | ']' | '}', _) => drop(self.scopes.pop()),
            (',', _) => {
                // A comma ends the operands and projections before it: the next element starts at the level of the
                // bracket.
                *self.scope() = Scope {
                    bracket: self.scope().bracket,
                    ..Scope::default()
                }
            }
            ('*' | ':' | '?', _) => self.project(char),
            _ => {}
        }
        if (char, next) == ('[', Some(']')) {
            self.project(char);
        }
    }

    fn operator(&mut self, kind: u8) {
        self.second = true;
        self.scope().operators |= kind;
    }

    /// Counts a reference. It contains the rest of its scope, in which every kind of operator can nest again.
    fn reference(&mut self) {
        let scope = self.scope();
        let nested = mem::take(&mut scope.operators).count_ones() as usize;
        scope.prefixes = scope.prefixes.saturating_add(nested).saturating_add(1);
    }

    /// Counts a projection. A projection by `[*]`, `[1:]`, `[?…]` or `[]` continues after the bracket, so that it
    /// belongs to the outer scope.
    fn project(&mut self, char: char) {
        let scope = match self.scopes.as_mut_slice() {
            [.., outer, inner] if inner.bracket == '[' => outer,
            [inner] if inner.bracket == '[' => &mut self.outermost,
            [.., inner] if inner.bracket == '{' && char == ':' => return,
            [.., inner] => inner,
            [] => &mut self.outermost,
        };
        add_one(&mut scope.projections);
    }

    fn json(&mut self, char: char, next: Option<char>) {
        match char {
            '"' => self.literal.string = !self.literal.string,
            _ if self.literal.string => return,
            '[' | '{' => add_one(&mut self.literal.nesting),
            ']' | '}' => self.literal.nesting = self.literal.nesting.saturating_sub(1),
            _ => {}
        }
        self.token(char, next);
    }

    fn token(&mut self, char: char, next: Option<char>) {
        let inside_word = is_word(char) && next.is_some_and(is_word);
        if !char.is_whitespace() && !inside_word {
            add_one(&mut self.tokens);
        }
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().unwrap_or(&mut self.outermost)
    }

    fn within_limits(&self) -> Result<(), (&'static str, String)> {
        let open = || self.scopes.iter().chain([&self.outermost]);
        let prefixes: usize = open().map(|scope| scope.prefixes).sum();
        let projections: usize = open().map(|scope| scope.projections).sum();
        let operators: usize = open()
            .map(|scope| scope.operators.count_ones() as usize)
            .sum();
        let nesting = self.scopes.len().saturating_add(prefixes);
        let levels = nesting
            .saturating_add(projections)
            .saturating_add(operators);
        // Not the sum: literals are parsed with the tokens, before the expression.
        if nesting.max(self.literal.nesting) > MAX_NESTING {
            return Err((
                "expression_too_deep",
                format!("nests more than {MAX_NESTING} levels"),
            ));
        }
        if projections > MAX_PROJECTIONS {
            return Err((
                "expression_too_deep",
                format!("has more than {MAX_PROJECTIONS} projections"),
            ));
        }
        if levels > MAX_LEVELS {
            return Err((
                "expression_too_deep",
                format!("nests more than {MAX_LEVELS} operations"),
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

const fn add_one(count: &mut usize) {
    *count = count.saturating_add(1);
}

const fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}
