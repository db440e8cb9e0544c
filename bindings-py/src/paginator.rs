//! Pages of a paginated operation: tokens and items.

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use smithy_waiters::paginator::{self, PageSize, PageSizeKind, Paging, WalkStep};
use smithy_waiters::value::{Kind, ReadError, Value as _};

use crate::argument::Text;
use crate::context::Context;
use crate::error;
use crate::handle::Handle;
use crate::machine::Machine;
use crate::options;

/// The base class of `smithy_waiters.pagination.Paginator`, implemented by the engine: it reads tokens and items.
///
/// Raises:
///     DefinitionError: The trait or the model is invalid, or the model does not have the operation.
#[pyclass(frozen, subclass, weakref, module = "smithy_waiters._engine")]
pub(crate) struct Paginator {
    paginator: paginator::Paginator,
    /// The interned strings of all names in the paths.
    names: Box<[Py<PyString>]>,
}

/// A walk over the pages of an operation. It returns the page number and the token of each request, and `None` after
/// the last page.
///
/// Args:
///     paginator: The paginator of the operation.
///     repeated_token: The action if a page repeats the token of its request: `"error"` (the default), `"stop"`
///         or `"continue"`.
///     stop_when_not_truncated: `False` ignores the member `IsTruncated` of a page. By default the walk ends if it
///         is false.
///
/// Raises:
///     OptionsError: An option is invalid.
#[pyclass(frozen, module = "smithy_waiters._engine")]
pub(crate) struct Walk {
    paginator: Py<Paginator>,
    machine: Machine<paginator::Walk>,
}

/// The number of a page, and the token for its request.
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

    /// The name of the input member for the token.
    #[getter]
    const fn input_token(&self) -> &str {
        self.paginator.input_token()
    }

    /// The name of the input member that limits the size of a page, if the definition has one.
    #[getter]
    fn page_size(&self) -> Option<&str> {
        self.paginator.page_size()
    }

    /// The type of the input member `page_size`: `"integer"` or `"string"`; `None` without a model.
    #[getter]
    fn page_size_kind(&self) -> Option<&'static str> {
        self.paginator.page_size_kind().map(name)
    }

    /// `True` if the output has a boolean member `IsTruncated`; `None` without a model.
    #[getter]
    const fn truncates(&self) -> Option<bool> {
        self.paginator.truncates()
    }

    /// Return the definition as JSON text.
    fn to_json(&self) -> String {
        self.paginator.to_json()
    }

    /// `True` if the definition has the path of the items.
    #[getter]
    const fn has_items(&self) -> bool {
        self.paginator.has_items()
    }

    /// Check that the definition has the path of the items.
    ///
    /// Raises:
    ///     DefinitionError: The definition does not have the path.
    fn check_items(&self) -> PyResult<()> {
        self.paginator.check_items().map_err(error::definition)
    }

    /// Return the token of the next page, or `None` after the last page. The token can start a later walk.
    ///
    /// See the `specification <https://smithy.io/2.0/spec/behavior-traits.html#pagination>`_.
    ///
    /// Args:
    ///     page: A response of the operation.
    ///     stop_when_not_truncated: `False` ignores the member `IsTruncated`.
    ///
    /// Raises:
    ///     PaginationError: The token is neither a string nor a map, or the page cannot be read.
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

    /// Return the size of a page in the type of the input member, or `None` for `None`.
    ///
    /// Raises:
    ///     OptionsError: The size is invalid, or the definition does not have `pageSize`.
    fn size_of<'py>(&self, size: Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = size.py();
        let context = self.context();
        let size = self.paginator.size(Handle::new(size, &context));
        context.finish()?;
        let size = size.map_err(error::options)?.map(|size| match size {
            PageSize::Integer(size) => size.into_bound_py_any(py),
            PageSize::String(size) => size.into_bound_py_any(py),
        });
        size.transpose()
    }

    /// Return the list or map of items in a page, or `None` if the page or the definition has none.
    ///
    /// Raises:
    ///     PaginationError: The page cannot be read.
    fn items_of<'py>(&self, page: Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let context = self.context();
        let items = self.paginator.items(Handle::new(page, &context));
        let items = items.and_then(only_items);
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

fn kind(text: &str) -> Option<PageSizeKind> {
    let kinds = [PageSizeKind::Integer, PageSizeKind::String];
    kinds.into_iter().find(|kind| name(*kind) == text)
}

/// Returns a list or a map, and `None` for other values. Strings have no items.
fn only_items<'a, 'py>(
    items: Option<Handle<'a, 'py>>,
) -> Result<Option<Handle<'a, 'py>>, ReadError> {
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
        let paging: Paging = options::of(paginator.py(), options)?;
        Ok(Self {
            paginator: paginator.clone().unbind(),
            machine: Machine::new(paginator.get().paginator.walk(paging)),
        })
    }

    /// Return the page number and token of the first request. An empty `start_token` is ignored.
    ///
    /// Raises:
    ///     OptionsError: The start token is neither a string nor a map, or is too long.
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

    /// Handle a requested page, and return the page number and token of the next request.
    ///
    /// Raises:
    ///     PaginationError: The walk cannot continue after this page, and has ended.
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
