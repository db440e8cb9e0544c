//! Limits on an expression's text, checked before the parser sees it.
//!
//! The parser is recursive and its tree is dropped recursively: deep nesting or a very long chain would overflow the
//! stack, which ends the process and, in wasm, the instance for good. The real waiters of AWS stay below 250 bytes, 40
//! tokens and 4 levels.

use std::mem;

use super::error::error_at;
use crate::error::ExpressionError;

/// The longest text: no hand-written path comes near it.
const MAX_BYTES: usize = 16 * 1024;
/// The most tokens: they bound the length of the parser's left-leaning chains.
const MAX_TOKENS: usize = 1_024;
/// The deepest nesting of `( [ { ! &`, and of the JSON in a literal: it bounds the parsers' recursion.
const MAX_NESTING: usize = 64;
/// The most projections that nest: each holds the rest of the expression, up to the next `,` or closing bracket. As many
/// as in the official suite's longest expression.
const MAX_PROJECTIONS: usize = 104;
/// The most of both, and of the operators between them, each of which nests what binds tighter: with an optimised parser,
/// a level takes up to 2 KiB of the stack.
const MAX_LEVELS: usize = 168;

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
        let next = chars.peek().map(|(_, next)| *next);
        scan.take(char, next);
        scan.within_limits()
            .map_err(|(code, what)| error_at(code, text, at, &what))?;
    }
    Ok(())
}

/// Counts what is open at each character: never less than the parser's recursion there.
#[derive(Default)]
struct Scan {
    tokens: usize,
    /// The quote that is open, and whether the next character is escaped in it.
    quote: Option<char>,
    escaped: bool,
    literal: Literal,
    /// Whether the next character is the second one of an operator.
    second: bool,
    outermost: Scope,
    /// What each open bracket holds.
    scopes: Vec<Scope>,
}

/// The JSON of a literal that is open.
#[derive(Default)]
struct Literal {
    nesting: usize,
    string: bool,
}

const AND: u8 = 1;
const COMPARISON: u8 = 2;
const OR: u8 = 4;
const PIPE: u8 = 8;

/// What is open between a bracket, or a `,`, and here.
#[derive(Clone, Copy, Default)]
struct Scope {
    bracket: char,
    /// `!` and `&`, with what stood before a `&`; also those that have their operand: nobody writes many.
    prefixes: usize,
    projections: usize,
    /// The kinds of operators, a bit for each.
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

    /// A reference takes the rest of its scope, and every operator can nest in it again.
    fn reference(&mut self) {
        let scope = self.scope();
        let nested = mem::take(&mut scope.operators).count_ones() as usize;
        scope.prefixes = scope.prefixes.saturating_add(nested).saturating_add(1);
    }

    /// Counts a projection: where `[*]`, `[1:]`, `[?…]` or `[]` makes it, it goes on after the bracket.
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
