//! The items of all pages.

use std::future::Future;
use std::vec;

use serde_json::Value as Json;

use super::{PageError, Pages, Paginator};
use crate::error::DefinitionError;

/// The items of all JSON pages, as an iterator and as asynchronous calls. A page is requested when the previous one has
/// no more items and the limit is not reached.
///
/// # Example: three items on two pages
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::ErrorMetadata;
/// use smithy_waiters::paginator::{Entry, Pages, Paginator};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T", "items": "Rows"}"#)?;
/// let mut calls = 0;
/// let list = |_: Option<Value>| {
///     calls += 1;
///     Ok::<_, ErrorMetadata>(json!({"T": format!("page {calls}"), "Rows": [1, 2]}))
/// };
/// let items = Pages::new(&paginator, list).items()?.max_items(3);
/// let items: Vec<Entry> = items.collect::<Result<_, _>>()?;
/// assert_eq!(items.len(), 3);
/// assert_eq!(calls, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Items<'p, C> {
    pages: Pages<'p, C>,
    page: vec::IntoIter<Entry>,
    left: u64,
}

/// An item of a page.
///
/// # Example: an item of a map
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::paginator::{Entry, Paginator};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T", "items": "Tags"}"#)?;
/// let items = paginator.json_items(json!({"Tags": {"a": 1}}));
/// assert_eq!(items, [Entry { key: Some("a".to_owned()), value: json!(1) }]);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "an item has only a key and a value"
)]
pub struct Entry {
    /// The key of the item if the items are a map.
    pub key: Option<String>,
    /// The item.
    pub value: Json,
}

impl Paginator {
    /// Moves the items out of a JSON page. The result is empty if the trait has no path for them or the page lacks
    /// them.
    #[must_use]
    pub fn json_items(&self, mut page: Json) -> Vec<Entry> {
        let items = self.items.as_ref().and_then(|path| {
            let mut names = path.iter();
            names.try_fold(&mut page, |value, name| value.get_mut(name.as_str()))
        });
        let entry = |key, value| Entry { key, value };
        match items.map(Json::take) {
            Some(Json::Array(items)) => items.into_iter().map(|item| entry(None, item)).collect(),
            Some(Json::Object(items)) => {
                let items = items.into_iter();
                items.map(|(key, item)| entry(Some(key), item)).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl<'p, C> Pages<'p, C> {
    /// Returns the items of all pages.
    ///
    /// # Errors
    ///
    /// Returns `missing_member` if the definition doesn't contain the path of the items.
    pub fn items(self) -> Result<Items<'p, C>, DefinitionError> {
        self.paginator.check_items()?;
        Ok(Items {
            pages: self,
            page: vec::IntoIter::default(),
            left: u64::MAX,
        })
    }
}

impl<C> Items<'_, C> {
    /// Sets the maximum number of items. The default is unlimited.
    #[must_use]
    pub const fn max_items(mut self, max_items: u64) -> Self {
        self.left = max_items;
        self
    }

    /// Returns the next item and awaits a page if necessary. Returns `None` after the last item.
    ///
    /// # Errors
    ///
    /// Returns [`PageError`]. After a failed call, the next call requests the same page again.
    pub async fn next_item<F, E>(&mut self) -> Option<Result<Entry, PageError<E>>>
    where
        C: FnMut(Option<Json>) -> F,
        F: Future<Output = Result<Json, E>>,
    {
        // Before the next call, so that no page is requested whose items would not be returned.
        while self.left > 0 {
            if let Some(item) = self.next_of_page() {
                return Some(Ok(item));
            }
            match self.pages.next_page().await? {
                Ok(page) => self.page = self.pages.paginator.json_items(page).into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }

    fn next_of_page(&mut self) -> Option<Entry> {
        let item = self.page.next()?;
        self.left = self.left.saturating_sub(1);
        Some(item)
    }
}

impl<C, E> Iterator for Items<'_, C>
where
    C: FnMut(Option<Json>) -> Result<Json, E>,
{
    type Item = Result<Entry, PageError<E>>;

    fn next(&mut self) -> Option<Self::Item> {
        // Before the next call, so that no page is requested whose items would not be returned.
        while self.left > 0 {
            if let Some(item) = self.next_of_page() {
                return Some(Ok(item));
            }
            match self.pages.next()? {
                Ok(page) => self.page = self.pages.paginator.json_items(page).into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
        None
    }
}
