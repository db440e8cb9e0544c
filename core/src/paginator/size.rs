//! The size of a page in the type of its input member.

use super::{PageSizeKind, Paginator};
use crate::error::{OptionsError, option};
use crate::options::{GREATEST_SEED, whole_number};
use crate::value::{Kind, ReadError, Value, describe};

const PAGE_SIZE: &str = "pageSize";

/// The size of a page in the type of its input member.
///
/// # Example: a member of an unknown type
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::paginator::{PageSize, Paginator};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T", "pageSize": "Max"}"#)?;
/// assert_eq!(paginator.size(&json!(10))?, Some(PageSize::Integer(10)));
/// assert_eq!(paginator.size(&json!("10"))?, Some(PageSize::String("10".to_owned())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "hosts must send both types")]
pub enum PageSize {
    /// An integer from 1 to 2^53 - 1.
    Integer(u64),
    /// A string that is not empty.
    String(String),
}

impl Paginator {
    /// Returns the caller's size of a page as the value of the [`page_size`](Self::page_size) member. An integer for a
    /// string member is converted. Returns `None` for null, which leaves the input unchanged.
    /// See [docs/rules.md#page-size-type](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#page-size-type).
    ///
    /// # Errors
    ///
    /// Returns `invalid_option` if the trait has no `pageSize`, for an integer out of range, for an empty string, for a
    /// string if the member is an integer, and for any other type.
    pub fn size<V: Value>(&self, size: V) -> Result<Option<PageSize>, OptionsError> {
        let unreadable = |error: ReadError| OptionsError::from_cause(PAGE_SIZE, &error);
        let kind = size.kind().map_err(unreadable)?;
        if kind == Kind::Null {
            return Ok(None);
        }
        if self.page_size.is_none() {
            let parts = [
                option(PAGE_SIZE),
                " requires a trait with `pageSize`".into(),
            ];
            return Err(OptionsError::new("invalid_option", PAGE_SIZE, parts));
        }
        let accepts_strings = self.page_size_kind != Some(PageSizeKind::Integer);
        if let Some(number) = whole_number(kind, 1..=GREATEST_SEED) {
            return Ok(Some(self.of_integer(number)));
        }
        let got = match kind {
            Kind::String if accepts_strings => {
                let text = size.text().map_err(unreadable)?;
                if !text.is_empty() {
                    return Ok(Some(PageSize::String(text.into_owned())));
                }
                "an empty string".to_owned()
            }
            other => describe(other),
        };
        let rule = if accepts_strings {
            "must be an integer from 1 to 2^53 - 1 or a string of at least 1 character"
        } else {
            "must be an integer from 1 to 2^53 - 1"
        };
        Err(OptionsError::invalid(PAGE_SIZE, rule, &got))
    }

    fn of_integer(&self, size: u64) -> PageSize {
        match self.page_size_kind {
            Some(PageSizeKind::String) => PageSize::String(size.to_string()),
            Some(PageSizeKind::Integer) | None => PageSize::Integer(size),
        }
    }
}
