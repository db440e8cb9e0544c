//! The paginator: which page comes next. Pages and tokens stay in their slots.

use std::rc::Rc;

use smithy_waiters::json::object;
use smithy_waiters::paginator::{NextPage, PaginationError, Paginator, Paging, RepeatedToken};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::error::Refusal;
use crate::value::{Handle, Table};

/// A paginator, and its names as the kernel has interned them.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EnginePaginator {
    paginator: Paginator,
    table: Rc<Table>,
}

#[wasm_bindgen]
impl EnginePaginator {
    /// A paginator from the JSON text of a `paginated` trait. Throws the JSON text of a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(definition: &str) -> Result<Self, JsValue> {
        let paginator = Paginator::from_json(definition);
        Ok(Self::of(paginator.map_err(Refusal::from)?))
    }

    /// The paginator of an operation of a model. Throws the JSON text of a refusal.
    #[wasm_bindgen(js_name = fromModel)]
    pub fn from_model(
        model: &str,
        operation: &str,
        service: Option<String>,
    ) -> Result<Self, JsValue> {
        let paginator = Paginator::from_model(model, operation, service.as_deref());
        Ok(Self::of(paginator.map_err(Refusal::from)?))
    }

    /// The input members that it fills, as JSON text.
    pub fn describe(&self) -> String {
        object(&[
            ("inputToken", self.paginator.input_token().into()),
            ("pageSize", self.paginator.page_size().into()),
            ("hasItems", self.paginator.has_items().into()),
        ])
    }

    /// How pages are walked, by the options in a slot, as a number for `next`. Throws the JSON text of a refusal.
    pub fn paging(&self, options: u32) -> Result<u32, JsValue> {
        let paging = Paging::from_host(Handle::of(options)).map_err(Refusal::from)?;
        let found = (0..WAYS).find(|way| way_of(*way) == paging);
        Ok(found.unwrap_or_default())
    }

    /// The slot of the next page's token, plus 1; 0 where the page in a slot is the last. Throws the JSON text of a refusal.
    pub fn next(
        &self,
        page: u32,
        token: u32,
        has_token: bool,
        paging: u32,
    ) -> Result<u32, JsValue> {
        let token = has_token.then(|| self.table.value(token));
        let next = self
            .paginator
            .next(self.table.value(page), token, &way_of(paging));
        Ok(match next.map_err(Refusal::from)? {
            NextPage::Done => 0,
            NextPage::Token(token) => token.slot().saturating_add(1),
        })
    }

    /// The slot of a page's items, plus 1; 0 where it has none. Throws the JSON text of a refusal.
    pub fn items(&self, page: u32) -> Result<u32, JsValue> {
        let items = self.paginator.items(self.table.value(page));
        let items = items.map_err(|error| Refusal::from(PaginationError::from(error)))?;
        Ok(items.map_or(0, |items| items.slot().saturating_add(1)))
    }
}

impl EnginePaginator {
    fn of(paginator: Paginator) -> Self {
        let table = Table::new(paginator.names().iter().map(|name| &**name));
        Self { paginator, table }
    }
}

/// Three ways with a token that comes back, times three with `IsTruncated`.
const WAYS: u32 = 9;

fn way_of(number: u32) -> Paging {
    let repeated = match number % 3 {
        0 => RepeatedToken::Error,
        1 => RepeatedToken::Stop,
        _ => RepeatedToken::Continue,
    };
    let paging = Paging::default().repeated_token(repeated);
    match number / 3 {
        0 => paging,
        1 => paging.stop_when_not_truncated(true),
        _ => paging.stop_when_not_truncated(false),
    }
}
