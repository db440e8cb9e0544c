//! Pieces of Rust, with how tightly they hold together: parentheses come where they are needed.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};

/// An expression of Rust.
#[derive(Clone, Debug)]
pub(super) struct Code {
    tokens: TokenStream,
    level: Level,
    /// How the opposite is said, if better than with `!`.
    opposite: Option<(Level, TokenStream)>,
    /// What it is a reference to.
    place: Option<TokenStream>,
}

/// How tightly an expression holds together, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// `if`, `match`, and closures.
    Statement,
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==` and the like.
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
            opposite: None,
            place: None,
        }
    }

    /// A reference to a place, which is not needed where something is done with it.
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

    /// The expression where nothing looser than a level may stand.
    pub(super) fn at(&self, level: Level) -> TokenStream {
        let tokens = &self.tokens;
        if self.level < level {
            quote!((#tokens))
        } else {
            tokens.clone()
        }
    }

    /// Where a method or a field of it follows, or a `?`.
    pub(super) fn receiver(&self) -> TokenStream {
        self.place.clone().unwrap_or_else(|| self.at(Level::Atom))
    }

    /// On a side of a comparison.
    pub(super) fn side(&self) -> TokenStream {
        self.at(Level::Cast)
    }

    /// With the code of its opposite.
    pub(super) fn or_else(mut self, opposite: &Self) -> Self {
        self.opposite = Some((opposite.level, opposite.tokens.clone()));
        self
    }

    pub(super) fn not(&self) -> Self {
        let opposite = self.opposite.clone();
        let negated = opposite.map_or_else(
            || {
                let inner = self.at(Level::Prefix);
                Self::new(Level::Prefix, quote!(!#inner))
            },
            |(level, tokens)| Self::new(level, tokens),
        );
        negated.or_else(self)
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
        // After a type, `<` would begin its arguments.
        let left = if sign.to_string() == "<" {
            self.at(Level::Prefix)
        } else {
            self.side()
        };
        let right = other.side();
        Self::new(Level::Compare, quote!(#left #sign #right))
    }

    /// The truth value that it is, where it is a literal.
    pub(super) fn truth_literal(&self) -> Option<bool> {
        match &*self.tokens.to_string() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// Whether an iterator has an item.
    pub(super) fn has_items(&self) -> Self {
        let Some((source, condition)) = self.trailing_filter() else {
            let opposite = self.then(&quote!(.next().is_none()));
            return self.then(&quote!(.next().is_some())).or_else(&opposite);
        };
        // `filter` borrows an item, `any` takes it.
        let mut condition: Vec<TokenTree> = condition.into_iter().collect();
        condition.retain({
            let mut seen = 0_usize;
            move |token| {
                seen = seen.saturating_add(1);
                !(seen == 2 && is_sign(token, '&'))
            }
        });
        Self::atom(quote!(#source any(#(#condition)*)))
    }

    /// The first item of an iterator.
    pub(super) fn first(&self) -> Self {
        match self.trailing_filter() {
            Some((source, condition)) => Self::atom(quote!(#source find(#condition))),
            None => self.then(&quote!(.next())),
        }
    }

    /// The last item of an iterator, from the end where that is known to be one that can.
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

    /// What is before a `filter` at the end, with the dot, and its condition.
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

    /// As the condition of an `if`, with what stands before that: people name what a block gives.
    pub(super) fn condition(&self) -> (TokenStream, TokenStream) {
        let tokens = &self.tokens;
        if tokens.to_string().contains('{') {
            (quote!(let is_met = #tokens;), quote!(is_met))
        } else {
            (TokenStream::new(), tokens.clone())
        }
    }

    /// What follows it directly: `.len()`, `?`.
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
    matches!(token, TokenTree::Punct(found) if found.as_char() == sign)
}

/// Whether code names something.
pub(super) fn names(code: &TokenStream, name: &str) -> bool {
    code.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => names(&group.stream(), name),
        _ => false,
    })
}

/// What is imported of those names that code names.
pub(super) fn imports_of(code: &TokenStream, imports: &[(&str, TokenStream)]) -> TokenStream {
    let named = imports.iter().filter(|(name, _)| names(code, name));
    named.map(|(_, import)| import.clone()).collect()
}
