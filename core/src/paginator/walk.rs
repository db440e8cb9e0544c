//! The state machine of one walk over the pages of an operation.

use super::canonical::{Failure, canonical};
use super::{PaginationError, Paginator, Paging};
use crate::error::OptionsError;
use crate::value::Value;

/// The next action of a walk.
///
/// # Example: the loop of a host
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::paginator::{Paginator, Paging, WalkStep};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T"}"#)?;
/// let pages = [json!({"T": "a"}), json!({"T": "b"}), json!({})];
/// let mut walk = paginator.walk(Paging::default());
/// let mut step = walk.begin(None, None)?;
/// let mut tokens = Vec::new();
/// while let WalkStep::Call { page, token } = step {
///     tokens.push(token);
///     step = walk.handle(&pages[page as usize - 1])?;
/// }
/// assert_eq!(tokens, [None, Some(&json!("a")), Some(&json!("b"))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts must handle every step")]
pub enum WalkStep<V> {
    /// Request a page, then [`handle`](Walk::handle) it.
    Call {
        /// The number of the page, from 1.
        page: u64,
        /// The token for the [input token](Paginator::input_token) of the request. `None` leaves the input unchanged.
        token: Option<V>,
    },
    /// There are no further pages.
    Done,
}

/// A walk in progress.
///
/// It stores no page and no host value. To detect a repeated token, it stores a canonical copy of the last token, at
/// most 64 KiB.
///
/// Specification: [Client behavior](https://smithy.io/2.0/spec/behavior-traits.html#client-behavior).
///
/// # Example: a host that writes the token into its input
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::paginator::{Paginator, Paging, WalkStep};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "After", "outputToken": "Next"}"#)?;
/// let mut input = json!({"After": "a", "Max": 10});
/// let mut walk = paginator.walk(Paging::default());
/// assert_eq!(walk.begin(None, Some(&input))?, WalkStep::Call { page: 1, token: None });
///
/// let page = json!({"Next": "b"});
/// if let WalkStep::Call { token: Some(token), .. } = walk.handle(&page)? {
///     input[paginator.input_token()] = token.clone();
/// }
/// assert_eq!(input, json!({"After": "b", "Max": 10}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Walk {
    paginator: Paginator,
    paging: Paging,
    /// The number of the requested page; 0 after the last one.
    page: u64,
    /// The canonical text of the token in that request.
    token: Option<String>,
}

impl Paginator {
    /// Creates a walk over the operation's pages.
    #[must_use]
    pub fn walk(&self, paging: Paging) -> Walk {
        Walk::new(self.clone(), paging)
    }
}

impl Walk {
    pub(super) const fn new(paginator: Paginator, paging: Paging) -> Self {
        Self {
            paginator,
            paging,
            page: 1,
            token: None,
        }
    }

    /// Changes the options of the walk, starting with the next page.
    #[cfg(feature = "response")]
    pub(super) const fn set_paging(&mut self, paging: Paging) {
        self.paging = paging;
    }

    /// Returns the first step, with `start_token` unless that is empty. Without a start token, the first request has
    /// the token of the caller's `input`, if it contains one.
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` for a start token that is neither a string nor a map, and for a token longer than 64
    /// KiB.
    pub fn begin<V: Value>(
        &mut self,
        start_token: Option<V>,
        input: Option<V>,
    ) -> Result<WalkStep<V>, OptionsError> {
        let reject =
            |option| move |error: PaginationError| OptionsError::from_cause(option, &error);
        let token = start_token.map(|token| self.paginator.start_token(token));
        let token = token.transpose()?.flatten();
        self.page = 1;
        self.token = match (&token, &input) {
            (Some(token), _) => Some(self.canonical_text(token).map_err(reject("startToken"))?),
            // The first page may repeat the token of its request. Rule: docs/rules.md#repeated-tokens
            (None, Some(input)) => self.token_of(input).map_err(reject("input"))?,
            (None, None) => None,
        };
        Ok(WalkStep::Call { page: 1, token })
    }

    /// Handles the requested page and returns the next step. The page itself is valid even if the walk fails.
    ///
    /// # Errors
    ///
    /// Returns [`PaginationError`] if the walk cannot continue from this page. Every further call returns
    /// [`WalkStep::Done`].
    pub fn handle<V: Value>(&mut self, page: V) -> Result<WalkStep<V>, PaginationError> {
        if self.page == 0 {
            return Ok(WalkStep::Done);
        }
        // Over until a next page is certain, so that an error ends the walk, too.
        let number = std::mem::take(&mut self.page);
        let Some(token) = self.paginator.next_token(&page, &self.paging)? else {
            return Ok(WalkStep::Done);
        };
        let text = self.canonical_text(&token)?;
        let repeated = || PaginationError::RepeatedToken {
            path: self.paginator.path(),
        };
        let is_repeated = self.token.as_ref() == Some(&text);
        if !self.paging.continues(is_repeated, repeated)? {
            return Ok(WalkStep::Done);
        }
        self.page = number.saturating_add(1);
        self.token = Some(text);
        Ok(WalkStep::Call {
            page: self.page,
            token: Some(token),
        })
    }

    /// Returns the canonical text of the token in the caller's input.
    fn token_of<V: Value>(&self, input: &V) -> Result<Option<String>, PaginationError> {
        let token = input.member_at(std::slice::from_ref(&self.paginator.input_member))?;
        token.map(|token| self.canonical_text(&token)).transpose()
    }

    fn canonical_text<V: Value>(&self, token: &V) -> Result<String, PaginationError> {
        canonical(token).map_err(|failure| match failure {
            Failure::TooLong => PaginationError::LongToken {
                path: self.paginator.path(),
            },
            Failure::Read(error) => error.into(),
        })
    }
}
