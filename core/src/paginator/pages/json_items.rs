//! The items of pages that are JSON.

use std::vec;

use serde_json::{Map, Value as Json, map};

use crate::paginator::Paginator;
use crate::value::Name;

/// The items of a page, taken out of it.
///
/// # Example: a limit on items
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::paginator::{JsonItems, Paginator};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T", "items": "Rows"}"#)?;
/// let items: JsonItems = paginator.json_items(json!({"Rows": [{"Id": 1}, {"Id": 2}, {"Id": 3}]}));
/// assert_eq!(items.take(2).count(), 2);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Debug, Default)]
pub struct JsonItems(Kind);

#[derive(Debug, Default)]
enum Kind {
    List(vec::IntoIter<Json>),
    Map(map::IntoIter),
    #[default]
    Nothing,
}

/// One item of a page.
///
/// # Example: of a map
///
/// ```
/// use serde_json::json;
/// use smithy_waiters::paginator::{Entry, Paginator};
///
/// let paginator = Paginator::from_json(r#"{"inputToken": "T", "outputToken": "T", "items": "Tags"}"#)?;
/// let mut items = paginator.json_items(json!({"Tags": {"a": 1}}));
/// assert_eq!(items.next(), Some(Entry { key: Some("a".to_owned()), value: json!(1) }));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "an item has no more than these")]
pub struct Entry {
    /// Its key, where the items are a map.
    pub key: Option<String>,
    /// The item.
    pub value: Json,
}

impl Paginator {
    /// The items of a page that is JSON, moved out of it; none where the trait names none, or the page has none.
    #[must_use]
    pub fn json_items(&self, mut page: Json) -> JsonItems {
        let path = self.items.iter().flatten().map(Name::as_str);
        let mut named = false;
        let mut found = Some(&mut page);
        for name in path {
            named = true;
            found = found.and_then(|value| value.get_mut(name));
        }
        JsonItems(match found.filter(|_| named).map(Json::take) {
            Some(Json::Array(items)) => Kind::List(items.into_iter()),
            Some(Json::Object(items)) => Kind::Map(Map::into_iter(items)),
            _ => Kind::Nothing,
        })
    }
}

impl Iterator for JsonItems {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        match &mut self.0 {
            Kind::List(items) => items.next().map(|value| Entry { key: None, value }),
            Kind::Map(items) => items.next().map(|(key, value)| Entry {
                key: Some(key),
                value,
            }),
            Kind::Nothing => None,
        }
    }
}
