//! Pagination: the continuation tokens and the end of a paginated operation.
//!
//! Specification: [Pagination](https://smithy.io/2.0/spec/behavior-traits.html#pagination).

mod canonical;
mod definition;
mod model;
#[cfg(feature = "response")]
mod pages;
mod size;
mod walk;

#[cfg(feature = "stream")]
pub use futures_core::Stream;
#[cfg(feature = "stream")]
pub use pages::unfold;
#[cfg(feature = "response")]
pub use pages::{Entry, Items, PageError, Pages, Tokens};
use serde::Serialize;
pub use size::PageSize;
pub use walk::{Walk, WalkStep};

use crate::error::{DefinitionError, OptionsError};
use crate::jmespath::Names;
use crate::options::{FromHost, RawOptions};
use crate::value::{Kind, Name, ReadError, Value, describe};

/// The optional output member that indicates whether more pages follow.
const IS_TRUNCATED: &str = "IsTruncated";

/// A `paginated` trait, merged with the trait of its service. It finds the continuation token and the items of a page.
///
/// # Example: three pages
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::paginator::{Paginator, Paging, WalkStep};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "Marker", "outputToken": "Result.Marker", "items": "Result.Keys"}"#)?;
/// let pages = [
///     json!({"Result": {"Marker": "a", "Keys": [1, 2]}}),
///     json!({"Result": {"Marker": "b", "Keys": [3]}}),
///     json!({"Result": {"Keys": [4]}}),
/// ];
/// let mut walk = paginator.walk(Paging::default());
/// let mut step = walk.begin(None, None)?;
/// for page in &pages {
///     assert!(matches!(step, WalkStep::Call { .. }));
///     step = walk.handle(page)?;
/// }
/// assert_eq!(step, WalkStep::Done);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Paginator {
    input_member: Name,
    output_token: Box<[Name]>,
    items: Option<Box<[Name]>>,
    page_size: Option<Box<str>>,
    page_size_kind: Option<PageSizeKind>,
    is_truncated: Name,
    /// Whether the output has a boolean `IsTruncated`. `None` without a model.
    truncates: Option<bool>,
    names: Names,
}

/// The type of the input member that limits the size of a page.
///
/// # Example: without a model, the type is unknown
///
/// ```
/// use smithy_waiters::paginator::{PageSizeKind, Paginator};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T", "pageSize": "MaxItems"}"#)?;
/// assert_eq!(paginator.page_size_kind(), None);
/// let paginator = paginator.with_model(None, Some(PageSizeKind::String));
/// assert_eq!(paginator.page_size_kind(), Some(PageSizeKind::String));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "models have no others")]
pub enum PageSizeKind {
    /// An integer.
    Integer,
    /// A string of digits, as in Route 53's model. [`Paginator::size`] converts the caller's integer.
    /// See [docs/rules.md#page-size-type](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#page-size-type).
    String,
}

/// The options of a walk over pages.
///
/// # Example: an operation whose token repeats
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::paginator::{Paginator, Paging, RepeatedToken, WalkStep};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "After", "outputToken": "Newest"}"#)?;
/// let mut tail = paginator.walk(Paging::default().repeated_token(RepeatedToken::Continue));
/// let page = json!({"Newest": "7"});
/// tail.begin(Some(&page["Newest"]), None)?;
/// assert_eq!(tail.handle(&page)?, WalkStep::Call { page: 2, token: Some(&page["Newest"]) });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paging {
    repeated_token: RepeatedToken,
    stop_when_not_truncated: Option<bool>,
}

#[doc(hidden)]
impl FromHost for Paging {
    const NAMES: &'static [&'static str] = &["repeatedToken", "stopWhenNotTruncated"];

    /// Reads options from an object of a host language: `repeatedToken` as `"error"`, `"stop"` or `"continue"`, and
    /// `stopWhenNotTruncated` as a boolean. Null values count as absent.
    ///
    /// # Errors
    ///
    /// Returns `unknown_option` for any other name and `invalid_option` for any other value.
    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let raw = RawOptions::read(object, Self::NAMES)?;
        let words = [
            ("continue", RepeatedToken::Continue),
            ("error", RepeatedToken::Error),
            ("stop", RepeatedToken::Stop),
        ];
        let rule = "must be `error`, `stop` or `continue`";
        let repeated_token = raw.word("repeatedToken", &words, rule)?;
        Ok(Self {
            repeated_token: repeated_token.unwrap_or(RepeatedToken::Error),
            stop_when_not_truncated: raw.boolean("stopWhenNotTruncated")?,
        })
    }
}

impl Paging {
    /// Sets the behavior for a repeated token. By default it is an error.
    #[must_use]
    pub const fn repeated_token(mut self, repeated_token: RepeatedToken) -> Self {
        self.repeated_token = repeated_token;
        self
    }

    /// Sets whether the walk ends at a page whose top-level boolean `IsTruncated` is false, even if the page has a
    /// token. By default it does, if the output has such a member. See [docs/rules.md#truncated-pages](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#truncated-pages).
    #[must_use]
    pub const fn stop_when_not_truncated(mut self, stop: bool) -> Self {
        self.stop_when_not_truncated = Some(stop);
        self
    }

    /// Returns `true` if a page's flag ends the walk. `truncates` is the value of [`Paginator::truncates`].
    fn is_over(&self, is_truncated: Option<bool>, truncates: Option<bool>) -> bool {
        // Without a model, the member's presence decides. Rule: docs/rules.md#truncated-pages
        let looks = self.stop_when_not_truncated.or(truncates).unwrap_or(true);
        looks && is_truncated == Some(false)
    }

    /// Returns `true` if a page that has a token is followed by another page.
    fn continues(
        &self,
        is_repeated: bool,
        repeated: impl FnOnce() -> PaginationError,
    ) -> Result<bool, PaginationError> {
        match self.repeated_token {
            RepeatedToken::Error if is_repeated => Err(repeated()),
            RepeatedToken::Stop if is_repeated => Ok(false),
            _ => Ok(true),
        }
    }
}

/// The behavior if a page has the same token that it was requested with.
///
/// Specification: step 4 of [Client behavior](https://smithy.io/2.0/spec/behavior-traits.html#client-behavior).
/// See [docs/rules.md#repeated-tokens](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#repeated-tokens).
///
/// # Example: ending the walk
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::paginator::{Paginator, Paging, RepeatedToken, WalkStep};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "After", "outputToken": "Newest"}"#)?;
/// let mut walk = paginator.walk(Paging::default().repeated_token(RepeatedToken::Stop));
/// let page = json!({"Newest": "7"});
/// walk.begin(Some(&page["Newest"]), None)?;
/// assert_eq!(walk.handle(&page)?, WalkStep::Done);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "hosts that offer the choice offer all of it"
)]
pub enum RepeatedToken {
    /// The walk fails, because it would never end.
    #[default]
    Error,
    /// The walk ends.
    Stop,
    /// The walk continues, for operations that return new items each time for the same token.
    Continue,
}

/// Error returned when a walk cannot continue from a page. Earlier pages remain valid.
///
/// # Example: a repeated token
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::paginator::{Paginator, Paging};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "After", "outputToken": "Next"}"#)?;
/// let page = json!({"Next": "a"});
/// let mut walk = paginator.walk(Paging::default());
/// walk.begin(Some(&page["Next"]), None)?;
/// let error = walk.handle(&page).unwrap_err();
/// assert_eq!(error.code(), "repeated_token");
/// assert_eq!(error.to_string(), "the continuation token `Next` repeats the token of the request");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PaginationError {
    /// The continuation token is neither a string nor a map.
    #[error("the continuation token `{path}` must be a string or a map, got {got}")]
    InvalidToken {
        /// The path of the token in the output.
        path: String,
        /// A description of the value.
        got: String,
    },
    /// The continuation token is too long to be compared with the next one.
    #[error("the continuation token `{path}` is longer than 64 KiB")]
    LongToken {
        /// The path of the token in the output.
        path: String,
    },
    /// The page is not an object, or the host cannot read it.
    #[error("the page cannot be read: {0}")]
    Read(#[from] ReadError),
    /// The page has the same token that it was requested with.
    #[error("the continuation token `{path}` repeats the token of the request")]
    RepeatedToken {
        /// The path of the token in the output.
        path: String,
    },
}

impl PaginationError {
    /// Returns the stable code, for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::InvalidToken { .. } | Self::LongToken { .. } => "invalid_token",
            Self::Read(_) => "unreadable_page",
            Self::RepeatedToken { .. } => "repeated_token",
        }
    }
}

impl Paginator {
    /// Returns the name of the input member for the token.
    #[must_use]
    pub const fn input_token(&self) -> &str {
        self.input_member.as_str()
    }

    /// Returns the name of the input member that limits the size of a page, if the trait has one.
    #[must_use]
    pub fn page_size(&self) -> Option<&str> {
        self.page_size.as_deref()
    }

    /// Returns the type of the [`page_size`](Self::page_size) member, if the paginator was created from a model.
    #[must_use]
    pub const fn page_size_kind(&self) -> Option<PageSizeKind> {
        self.page_size_kind
    }

    /// Sets the properties of a model that the trait lacks, as returned by [`truncates`](Self::truncates) and
    /// [`page_size_kind`](Self::page_size_kind).
    #[must_use]
    pub const fn with_model(
        mut self,
        truncates: Option<bool>,
        page_size_kind: Option<PageSizeKind>,
    ) -> Self {
        self.truncates = truncates;
        self.page_size_kind = page_size_kind;
        self
    }

    /// Returns the trait as JSON text. Together with [`truncates`](Self::truncates) and
    /// [`page_size_kind`](Self::page_size_kind), it is sufficient to create an equal paginator.
    #[must_use]
    pub fn to_json(&self) -> String {
        let definition = PaginatedTrait {
            input_token: self.input_token(),
            output_token: &self.path(),
            items: self.items.as_deref().map(dotted),
            page_size: self.page_size(),
        };
        // Serializing strings never fails.
        serde_json::to_string(&definition).unwrap_or_default()
    }

    /// Returns whether the output has a boolean `IsTruncated`, or `None` if the paginator was created without a model.
    #[must_use]
    pub const fn truncates(&self) -> Option<bool> {
        self.truncates
    }

    /// Returns the member names that the paginator reads, by [`Name::index`](crate::internal::Name::index).
    #[doc(hidden)]
    #[must_use]
    pub fn names(&self) -> &[Box<str>] {
        self.names.texts()
    }

    /// Returns the token of the next page, for a host that stores it and continues later. Returns `None` for the last
    /// page.
    ///
    /// The specification's client behavior, step 3, continues while there is a token. By default, a false `IsTruncated`
    /// also ends the walk. S3's ListParts has a token on its last page and would start over from it.
    /// See [docs/rules.md#truncated-pages](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#truncated-pages).
    ///
    /// # Errors
    ///
    /// Returns [`PaginationError::Read`] for a page that is not an object or that the host cannot read, and
    /// [`PaginationError::InvalidToken`] for a token that is neither a string nor a map.
    pub fn next_token<V: Value>(
        &self,
        page: &V,
        paging: &Paging,
    ) -> Result<Option<V>, PaginationError> {
        let kind = page.kind()?;
        // A call that returns nothing is a bug, and not the last page. Rule: docs/rules.md#page-tokens
        if kind != Kind::Object {
            Err(ReadError::new(format!(
                "it must be an object, got {}",
                describe(kind)
            )))?;
        }
        let flag = page
            .member_at(std::slice::from_ref(&self.is_truncated))?
            .map(|flag| flag.kind());
        let is_truncated = match flag.transpose()? {
            // A member of this name with another type has another meaning.
            Some(Kind::Boolean(is_truncated)) => Some(is_truncated),
            _ => None,
        };
        // Before the token: the last page of S3's `ListParts` has one. Rule: docs/rules.md#truncated-pages
        if paging.is_over(is_truncated, self.truncates) {
            return Ok(None);
        }
        self.token(page)
    }

    /// Returns `true` if the trait contains the path of the items.
    #[must_use]
    pub const fn has_items(&self) -> bool {
        self.items.is_some()
    }

    /// Checks that the trait contains the path of the items.
    ///
    /// # Errors
    ///
    /// Returns `missing_member` if it doesn't.
    pub fn check_items(&self) -> Result<(), DefinitionError> {
        if self.has_items() {
            return Ok(());
        }
        let message = "the definition has no path for the items";
        Err(DefinitionError::new("missing_member", "items", message))
    }

    /// Returns the list or map of a page's items, or `None` if the trait has no path for them or the page lacks them.
    ///
    /// # Errors
    ///
    /// Returns [`ReadError`] if the host cannot read the page.
    pub fn items<V: Value>(&self, page: V) -> Result<Option<V>, ReadError> {
        let items = match &self.items {
            Some(path) => page.member_at(path)?,
            None => None,
        };
        match items {
            Some(items) if items.kind()? != Kind::Null => Ok(Some(items)),
            _ => Ok(None),
        }
    }

    /// Returns the caller's start token, or `None` for an empty token.
    fn start_token<V: Value>(&self, token: V) -> Result<Option<V>, OptionsError> {
        match read_token(token) {
            Ok(Ok(token)) => Ok(token),
            Ok(Err(got)) => {
                let rule = "must be a string or a map";
                Err(OptionsError::invalid("startToken", rule, &got))
            }
            Err(error) => Err(OptionsError::from_cause("startToken", &error)),
        }
    }

    /// Returns the page's token, or `None` for an empty token.
    fn token<V: Value>(&self, page: &V) -> Result<Option<V>, PaginationError> {
        let Some(token) = page.member_at(&self.output_token)? else {
            return Ok(None);
        };
        read_token(token)?.map_err(|got| PaginationError::InvalidToken {
            path: self.path(),
            got,
        })
    }

    fn path(&self) -> String {
        dotted(&self.output_token)
    }
}

/// The JSON form of the trait.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PaginatedTrait<'p> {
    input_token: &'p str,
    output_token: &'p str,
    items: Option<String>,
    page_size: Option<&'p str>,
}

/// Returns the token unless it is empty, or a description of a value that is not a token.
fn read_token<V: Value>(token: V) -> Result<Result<Option<V>, String>, ReadError> {
    Ok(match token.kind()? {
        Kind::Null => Ok(None),
        // A token can be long, and only its emptiness matters here.
        Kind::String => Ok((!token.text_start(1)?.is_empty()).then_some(token)),
        // An empty array counts as empty although a token cannot be one. Rule: docs/rules.md#page-tokens
        Kind::Array | Kind::Object if token.is_empty()? => Ok(None),
        Kind::Object => Ok(Some(token)),
        other => Err(describe(other)),
    })
}

fn dotted(path: &[Name]) -> String {
    let names: Vec<&str> = path.iter().map(Name::as_str).collect();
    names.join(".")
}
