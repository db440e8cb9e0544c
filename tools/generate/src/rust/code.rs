//! Expressions of Rust with their precedence, which determines the parentheses.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// An expression of Rust.
#[derive(Clone, Debug)]
pub(super) struct Code {
    tokens: TokenStream,
    level: Level,
    /// The negation, if it has a shorter form than `!`.
    negation: Option<(Level, TokenStream)>,
    /// The place that the expression is a reference to.
    place: Option<TokenStream>,
}

/// The precedence of an expression, from the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// `if`, `match`, and closures.
    Statement,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==` and the other comparisons.
    Compare,
    /// `as`
    Cast,
    /// `!` and `&`
    Prefix,
    /// Names, calls, literals.
    Atom,
}

impl Code {
    pub(super) const fn new(level: Level, tokens: TokenStream) -> Self {
        Self {
            tokens,
            level,
            negation: None,
            place: None,
        }
    }

    /// Creates a reference to a place. The `&` is left out if a field or method follows.
    pub(super) fn from_reference(place: &Self) -> Self {
        let place = place.receiver();
        Self {
            place: Some(place.clone()),
            ..Self::new(Level::Prefix, quote!(&#place))
        }
    }

    pub(super) const fn atom(tokens: TokenStream) -> Self {
        Self::new(Level::Atom, tokens)
    }

    /// Returns the expression, in parentheses if its precedence is below `level`.
    pub(super) fn at(&self, level: Level) -> TokenStream {
        let tokens = &self.tokens;
        if self.level < level {
            quote!((#tokens))
        } else {
            tokens.clone()
        }
    }

    /// Returns the expression as the receiver of a method, a field access or a `?`.
    pub(super) fn receiver(&self) -> TokenStream {
        self.place.clone().unwrap_or_else(|| self.at(Level::Atom))
    }

    /// Returns the expression as a side of a comparison.
    pub(super) fn side(&self) -> TokenStream {
        self.at(Level::Cast)
    }

    /// Sets the negation.
    pub(super) fn with_negation(mut self, negation: &Self) -> Self {
        self.negation = Some((negation.level, negation.tokens.clone()));
        self
    }

    pub(super) fn not(&self) -> Self {
        let negation = self.negation.clone();
        let negated = negation.map_or_else(
            || {
                let inner = self.at(Level::Prefix);
                Self::new(Level::Prefix, quote!(!#inner))
            },
            |(level, tokens)| Self::new(level, tokens),
        );
        negated.with_negation(self)
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        let (left, right) = (self.at(Level::And), other.at(Level::And));
        Self::new(Level::And, quote!(#left && #right))
    }

    pub(super) fn or(&self, other: &Self) -> Self {
        let (left, right) = (self.at(Level::And), other.at(Level::And));
        Self::new(Level::Or, quote!(#left || #right))
    }

    pub(super) fn compare(&self, sign: &TokenStream, other: &Self) -> Self {
        // After `as f64`, the parser would read `<` as the start of generic arguments.
        let left = if sign.to_string() == "<" {
            self.at(Level::Prefix)
        } else {
            self.side()
        };
        let right = other.side();
        Self::new(Level::Compare, quote!(#left #sign #right))
    }

    /// Returns the value of a boolean literal.
    pub(super) fn truth_literal(&self) -> Option<bool> {
        match &*self.tokens.to_string() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// Returns a condition that an iterator has an item.
    pub(super) fn has_items(&self) -> Self {
        let Some((source, condition)) = self.trailing_filter() else {
            let negation = self.then(&quote!(.next().is_none()));
            return self
                .then(&quote!(.next().is_some()))
                .with_negation(&negation);
        };
        // `filter` passes a reference to its closure, and `any` passes the item, so one `&` of the pattern is removed.
        let mut condition: Vec<TokenTree> = condition.into_iter().collect();
        condition.retain({
            let mut position = 0_usize;
            move |token| {
                position = position.saturating_add(1);
                !(position == 2 && is_sign(token, '&'))
            }
        });
        Self::atom(quote!(#source any(#(#condition)*)))
    }

    /// Returns the first item of an iterator.
    pub(super) fn first(&self) -> Self {
        match self.trailing_filter() {
            Some((source, condition)) => Self::atom(quote!(#source find(#condition))),
            None => self.then(&quote!(.next())),
        }
    }

    /// Returns the last item of an iterator. Iteration begins at the end if the iterator is double-ended.
    pub(super) fn last(&self) -> Self {
        const FORWARDS: [&str; 5] = ["keys", "skip", "step_by", "take", "values"];
        if FORWARDS.iter().any(|name| names(&self.tokens, name)) {
            return self.then(&quote!(.last()));
        }
        match self.trailing_filter() {
            Some((source, condition)) => Self::atom(quote!(#source rfind(#condition))),
            None => self.then(&quote!(.next_back())),
        }
    }

    /// Splits off a `filter` at the end: the code up to its dot, and the condition.
    fn trailing_filter(&self) -> Option<(TokenStream, TokenStream)> {
        let tokens: Vec<TokenTree> = self.tokens.clone().into_iter().collect();
        match &tokens[..] {
            [
                source @ ..,
                TokenTree::Ident(name),
                TokenTree::Group(condition),
            ] if name == "filter" => Some((quote!(#(#source)*), condition.stream())),
            _ => None,
        }
    }

    /// Returns `true` if the code contains a `?`.
    pub(super) fn contains_try(&self) -> bool {
        self.tokens.to_string().contains('?')
    }

    /// Returns the code as the condition of an `if`, and a statement to place before the `if`. A condition with a block
    /// gets a variable.
    pub(super) fn condition(&self) -> (TokenStream, TokenStream) {
        let tokens = &self.tokens;
        if tokens.to_string().contains('{') {
            (quote!(let is_met = #tokens;), quote!(is_met))
        } else {
            (TokenStream::new(), tokens.clone())
        }
    }

    /// Appends tokens: `.len()`, `?`.
    pub(super) fn then(&self, rest: &TokenStream) -> Self {
        let receiver = self.receiver();
        Self::atom(quote!(#receiver #rest))
    }
}

impl ToTokens for Code {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.tokens.to_tokens(tokens);
    }
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punctuation) if punctuation.as_char() == sign)
}

/// Returns `true` if the code contains the identifier.
pub(super) fn names(code: &TokenStream, name: &str) -> bool {
    code.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => names(&group.stream(), name),
        _ => false,
    })
}

/// Returns the imports whose names the code contains.
pub(super) fn imports_of(code: &TokenStream, imports: &[(&str, TokenStream)]) -> TokenStream {
    let named = imports.iter().filter(|(name, _)| names(code, name));
    named.map(|(_, import)| import.clone()).collect()
}
