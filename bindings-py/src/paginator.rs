//! Pages of a paginated operation: which token comes next.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use smithy_waiters::internal::FromHost;
use smithy_waiters::paginator::{self, PageSizeKind, Paging, WalkStep};
use smithy_waiters::value::{Kind, ReadError, Value as _};

use crate::argument::Text;
use crate::context::Context;
use crate::error;
use crate::handle::Handle;
use crate::machine::Machine;
use crate::options;

/// The engine's part of a paginator: it finds the continuation token and the items of a page.
#[pyclass(frozen, subclass, weakref, module = "smithy_waiters._engine")]
pub(crate) struct Paginator {
    paginator: paginator::Paginator,
    /// Every name that its paths use, made and hashed once.
    names: Box<[Py<PyString>]>,
}

/// A walk in progress: returns the next request's page number and token, or `None` after the last page.
///
/// `repeated_token` is `"error"` (the default), `"stop"` or `"continue"`: what happens if a page has the token
/// that it was requested with. `stop_when_not_truncated` is whether the walk ends if a page's `IsTruncated` is
/// false.
#[pyclass(frozen, module = "smithy_waiters._engine")]
pub(crate) struct Walk {
    paginator: Py<Paginator>,
    machine: Machine<paginator::Walk>,
}

/// The number of a page and the token to write into its request.
type Request<'py> = Option<(u64, Option<Bound<'py, PyAny>>)>;

#[pymethods]
impl Paginator {
    #[new]
    #[pyo3(signature = (text, *, operation=None, service=None, truncates=None, page_size_kind=None))]
    fn new(
        py: Python<'_>,
        text: &str,
        operation: Option<Text>,
        service: Option<Text>,
        truncates: Option<bool>,
        page_size_kind: Option<&str>,
    ) -> PyResult<Self> {
        let paginator = match operation {
            Some(operation) => {
                paginator::Paginator::from_model(text, &operation, service.as_deref())
            }
            None => paginator::Paginator::from_json(text)
                .map(|paginator| paginator.with_model(truncates, page_size_kind.and_then(kind))),
        }
        .map_err(error::definition)?;
        let names = paginator.names().iter();
        let names = names
            .map(|name| PyString::intern(py, name).unbind())
            .collect();
        Ok(Self { paginator, names })
    }

    /// The input member that takes the token.
    #[getter]
    const fn input_token(&self) -> &str {
        self.paginator.input_token()
    }

    /// The input member that bounds the size of a page, if there is one.
    #[getter]
    fn page_size(&self) -> Option<&str> {
        self.paginator.page_size()
    }

    /// The type of that member: `"integer"` or `"string"`; `None` without a model.
    #[getter]
    fn page_size_kind(&self) -> Option<&'static str> {
        self.paginator.page_size_kind().map(name)
    }

    /// Whether the output has a boolean `IsTruncated`; `None` without a model.
    #[getter]
    const fn truncates(&self) -> Option<bool> {
        self.paginator.truncates()
    }

    /// Returns the definition as JSON text.
    fn to_json(&self) -> String {
        self.paginator.to_json()
    }

    /// Whether the definition says where a page's items are.
    #[getter]
    const fn has_items(&self) -> bool {
        self.paginator.has_items()
    }

    /// Raises `DefinitionError` if the definition does not say where the items are.
    fn check_items(&self) -> PyResult<()> {
        self.paginator.check_items().map_err(error::definition)
    }

    /// Returns the token of the next page, to start from another time; `None` if the page is the last one.
    ///
    /// Raises `PaginationError` for a token that is neither a string nor a map, and for a page that cannot be read.
    #[pyo3(signature = (page, *, stop_when_not_truncated=None))]
    fn next_token<'py>(
        &self,
        page: Bound<'py, PyAny>,
        stop_when_not_truncated: Option<bool>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let context = self.context();
        let mut paging = Paging::default();
        if let Some(stop) = stop_when_not_truncated {
            paging = paging.stop_when_not_truncated(stop);
        }
        let page = Handle::new(page, &context);
        let token = self.paginator.next_token(&page, &paging);
        context.finish()?;
        let token = token.map_err(error::pagination)?;
        Ok(token.map(Handle::into_object))
    }

    /// Returns the list or map of a page's items; `None` if the definition names none, or the page has none.
    fn items_of<'py>(&self, page: Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let context = self.context();
        let items = self.paginator.items(Handle::new(page, &context));
        let items = items.and_then(listed);
        context.finish()?;
        let items = items.map_err(|problem| error::pagination(problem.into()))?;
        Ok(items.map(Handle::into_object))
    }
}

impl Paginator {
    const fn context(&self) -> Context<'_> {
        Context::new(&self.names)
    }
}

const fn name(kind: PageSizeKind) -> &'static str {
    match kind {
        PageSizeKind::Integer => "integer",
        PageSizeKind::String => "string",
    }
}

fn kind(given: &str) -> Option<PageSizeKind> {
    let kinds = [PageSizeKind::Integer, PageSizeKind::String];
    kinds.into_iter().find(|kind| name(*kind) == given)
}

/// A list or a map; a text has characters, and no items.
fn listed<'a, 'py>(items: Option<Handle<'a, 'py>>) -> Result<Option<Handle<'a, 'py>>, ReadError> {
    match &items {
        Some(found) if !matches!(found.kind()?, Kind::Array | Kind::Object) => Ok(None),
        _ => Ok(items),
    }
}

#[pymethods]
impl Walk {
    #[new]
    #[pyo3(signature = (paginator, **options))]
    fn new(
        paginator: &Bound<'_, Paginator>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let paging = options::read(paginator.py(), options, (Paging::NAMES, &[]), |given| {
            Paging::from_host(given)
        })?;
        Ok(Self {
            paginator: paginator.clone().unbind(),
            machine: Machine::new(paginator.get().paginator.walk(paging)),
        })
    }

    /// Returns the first request, with `start_token` unless that is empty.
    ///
    /// Raises `OptionsError` for a start token that is neither a string nor a map, or too long.
    #[pyo3(signature = (start_token=None, input=None))]
    fn begin<'py>(
        &self,
        start_token: Option<Bound<'py, PyAny>>,
        input: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Request<'py>> {
        let context = self.paginator.get().context();
        let start_token = start_token.map(|token| Handle::new(token, &context));
        let input = input.map(|input| Handle::new(input, &context));
        let step = self.machine.step(|walk| walk.begin(start_token, input))?;
        context.finish()?;
        step.map(request).map_err(error::options)
    }

    /// Takes the page that was requested, and returns the next request.
    ///
    /// Raises `PaginationError`: the walk cannot go on from this page, and has ended.
    fn handle<'py>(&self, page: Bound<'py, PyAny>) -> PyResult<Request<'py>> {
        let context = self.paginator.get().context();
        let page = Handle::new(page, &context);
        let step = self.machine.step(|walk| walk.handle(page))?;
        context.finish()?;
        step.map(request).map_err(error::pagination)
    }
}

fn request<'py>(step: WalkStep<Handle<'_, 'py>>) -> Request<'py> {
    match step {
        WalkStep::Call { page, token } => Some((page, token.map(Handle::into_object))),
        WalkStep::Done => None,
    }
}
