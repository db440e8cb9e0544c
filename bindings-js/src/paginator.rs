//! Paginators and walks. Pages and tokens stay in their slots.

use std::cell::{Cell, RefCell, RefMut};
use std::rc::Rc;

use serde::Serialize;
use smithy_waiters::StateError;
use smithy_waiters::internal::FromHost;
use smithy_waiters::paginator::{
    PageSize, PageSizeKind, PaginationError, Paginator, Paging, Walk, WalkStep,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::constants::{CALL, DONE};
use crate::error::Refusal;
use crate::object::object;
use crate::value::{Handle, Table};

/// A paginator and the table of its names.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EnginePaginator {
    paginator: Paginator,
    table: Rc<Table>,
}

#[wasm_bindgen]
impl EnginePaginator {
    /// Creates a paginator from the JSON text of a `paginated` trait. Throws a refusal.
    #[wasm_bindgen(constructor)]
    pub fn new(definition: &str) -> Result<Self, JsValue> {
        let paginator = Paginator::from_json(definition);
        Ok(Self::from_paginator(paginator.map_err(Refusal::from)?))
    }

    /// Creates the paginator of an operation in a model. Throws a refusal.
    #[wasm_bindgen(js_name = fromModel)]
    pub fn from_model(
        model: &str,
        operation: &str,
        service: Option<String>,
    ) -> Result<Self, JsValue> {
        let paginator = Paginator::from_model(model, operation, service.as_deref());
        Ok(Self::from_paginator(paginator.map_err(Refusal::from)?))
    }

    /// Returns the names and types of the input members that a walk sets.
    pub fn describe(&self) -> JsValue {
        let page_size_type = self.paginator.page_size_kind().map(|kind| match kind {
            PageSizeKind::Integer => "integer",
            PageSizeKind::String => "string",
        });
        object(&Description {
            input_token: self.paginator.input_token(),
            page_size: self.paginator.page_size(),
            page_size_type,
            has_items: self.paginator.has_items(),
        })
    }

    /// Returns the size of a page in a slot as a number or a string; `undefined` for null. Throws a refusal.
    pub fn size(&self, size: u32) -> Result<JsValue, JsValue> {
        let size = self.paginator.size(Handle::from_slot(size));
        Ok(match size.map_err(Refusal::from)? {
            None => JsValue::UNDEFINED,
            Some(PageSize::Integer(size)) => (size as f64).into(),
            Some(PageSize::String(size)) => size.into(),
        })
    }

    /// Creates a walk with the options in a slot. Throws a refusal.
    pub fn walk(&self, options: u32) -> Result<EngineWalk, JsValue> {
        let paging = Paging::from_host(Handle::from_slot(options)).map_err(Refusal::from)?;
        Ok(EngineWalk {
            walk: RefCell::new(self.paginator.walk(paging)),
            table: Rc::clone(&self.table),
            page: Cell::new(0),
            token: Cell::new(0),
        })
    }

    /// Returns the slot of a page's items plus 1, or 0 if the page does not have items. Throws a refusal.
    pub fn items(&self, page: u32) -> Result<u32, JsValue> {
        let items = self.paginator.items(self.table.value(page));
        let items = items.map_err(|error| Refusal::from(PaginationError::from(error)))?;
        Ok(items.map_or(0, |items| items.slot().saturating_add(1)))
    }
}

impl EnginePaginator {
    fn from_paginator(paginator: Paginator) -> Self {
        let table = Table::new(paginator.names().iter().map(|name| &**name));
        Self { paginator, table }
    }
}

/// The description of a paginator for the host.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Description<'p> {
    input_token: &'p str,
    page_size: Option<&'p str>,
    page_size_type: Option<&'static str>,
    has_items: bool,
}

/// A walk over pages. Its steps are numbers; the page and the token of a call are getters.
#[wasm_bindgen]
#[derive(Debug)]
pub struct EngineWalk {
    /// Borrowed during a step. A getter of the page may start another step, which is then rejected as busy.
    walk: RefCell<Walk>,
    table: Rc<Table>,
    page: Cell<u64>,
    token: Cell<u32>,
}

#[wasm_bindgen]
impl EngineWalk {
    /// Starts with the token in a slot, or else with the token of the input in a slot, and returns the first step.
    /// Throws a refusal.
    pub fn begin(&self, start_token: u32, input: u32) -> Result<u32, JsValue> {
        let start_token = self.table.value(start_token);
        let input = self.table.value(input);
        let step = self.borrow_walk()?.begin(Some(start_token), Some(input));
        Ok(self.number(step.map_err(Refusal::from)?))
    }

    /// Handles the page in a slot and returns the next step. Throws a refusal.
    pub fn handle(&self, page: u32) -> Result<u32, JsValue> {
        let page = self.table.value(page);
        let step = self.borrow_walk()?.handle(page);
        Ok(self.number(step.map_err(Refusal::from)?))
    }

    /// The number of the page to request, from 1.
    #[wasm_bindgen(getter)]
    pub fn page(&self) -> f64 {
        self.page.get() as f64
    }

    /// The slot of the page's token plus 1; 0 to leave the input unchanged.
    #[wasm_bindgen(getter)]
    pub fn token(&self) -> u32 {
        self.token.get()
    }
}

impl EngineWalk {
    fn borrow_walk(&self) -> Result<RefMut<'_, Walk>, JsValue> {
        let busy = |_| Refusal::from(StateError::Busy).into();
        self.walk.try_borrow_mut().map_err(busy)
    }

    fn number(&self, step: WalkStep<Handle>) -> u32 {
        let WalkStep::Call { page, token } = step else {
            return DONE;
        };
        self.page.set(page);
        self.token
            .set(token.map_or(0, |token| token.slot().saturating_add(1)));
        CALL
    }
}
