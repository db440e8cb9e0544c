//! Pages of a paginated operation: which token comes next.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use smithy_waiters::paginator::{self, NextPage};
use smithy_waiters::value::{Kind, ReadError, Value as _};

use crate::context::Context;
use crate::error;
use crate::given::Text;
use crate::handle::Handle;
use crate::options;

/// The engine's part of a paginator: it finds the continuation token and the items of a page.
#[pyclass(frozen, subclass, weakref, module = "smithy_waiters._engine")]
pub(crate) struct Paginator {
    paginator: paginator::Paginator,
    /// Every name that its paths use, made and hashed once.
    names: Box<[Py<PyString>]>,
}

/// How pages are walked.
///
/// `repeated_token` is `"error"` (the default), `"stop"` or `"continue"`: what happens where a page has the very token
/// that it was asked for with. `stop_when_not_truncated` is whether the walk ends where a page's `IsTruncated` is
/// false.
#[pyclass(frozen, module = "smithy_waiters._engine")]
pub(crate) struct Paging(paginator::Paging);

#[pymethods]
impl Paginator {
    #[new]
    #[pyo3(signature = (text, *, operation=None, service=None, truncates=None))]
    fn new(
        py: Python<'_>,
        text: &str,
        operation: Option<Text>,
        service: Option<Text>,
        truncates: Option<bool>,
    ) -> PyResult<Self> {
        let paginator = match operation {
            Some(Text(operation)) => {
                let service = service.as_ref().map(|Text(service)| &**service);
                paginator::Paginator::from_model(text, &operation, service)
            }
            None => paginator::Paginator::from_json(text)
                .map(|paginator| paginator.with_truncates(truncates)),
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

    /// The input member that bounds the size of a page, where there is one.
    #[getter]
    fn page_size(&self) -> Option<&str> {
        self.paginator.page_size()
    }

    /// The definition as JSON text, and whether the output has a boolean `IsTruncated`: what it is made of again.
    fn _kept(&self) -> (String, Option<bool>) {
        (self.paginator.to_json(), self.paginator.truncates())
    }

    /// Whether the definition says where a page's items are.
    #[getter]
    const fn has_items(&self) -> bool {
        self.paginator.has_items()
    }

    /// Raises `DefinitionError` where the definition does not say where the items are.
    fn check_items(&self) -> PyResult<()> {
        self.paginator.check_items().map_err(error::definition)
    }

    /// A token to start from; `None` for one that is empty.
    ///
    /// Raises `OptionsError` for what is neither a string nor a map.
    fn start_token<'py>(&self, token: Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let context = Context::new(&self.names);
        let given = self.paginator.start_token(Handle::new(token, &context));
        context.finish()?;
        let given = given.map_err(error::options)?;
        Ok(given.map(Handle::into_object))
    }

    /// The token of the next page, after one that was asked for with `token`; `None` where it was the last one.
    ///
    /// Raises `PaginationError` for a token that came twice in a row, for one that is neither a string nor a map, and
    /// for a page that cannot be read.
    #[pyo3(signature = (page, token=None, paging=None))]
    fn next_token<'py>(
        &self,
        page: Bound<'py, PyAny>,
        token: Option<Bound<'py, PyAny>>,
        paging: Option<&Bound<'py, Paging>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let context = Context::new(&self.names);
        let asked = token.clone().map(|token| Handle::new(token, &context));
        let usual = paginator::Paging::default();
        let paging = paging.map_or(&usual, |paging| &paging.get().0);
        let next = self
            .paginator
            .next(Handle::new(page, &context), asked, paging);
        context.finish()?;
        match next {
            Ok(NextPage::Token(next)) => Ok(Some(next.into_object())),
            Ok(NextPage::Done) => Ok(None),
            Err(problem) => Err(error::pagination(&problem, token)),
        }
    }

    /// The list or map of a page's items; `None` where the definition names none, or the page has none.
    fn items_of<'py>(&self, page: Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let context = Context::new(&self.names);
        let items = self.paginator.items(Handle::new(page, &context));
        let items = items.and_then(listed);
        context.finish()?;
        match items {
            Ok(items) => Ok(items.map(Handle::into_object)),
            Err(problem) => Err(error::pagination(&problem.into(), None)),
        }
    }
}

/// What is a list or a map; a text has characters, and no items.
fn listed<'a, 'py>(items: Option<Handle<'a, 'py>>) -> Result<Option<Handle<'a, 'py>>, ReadError> {
    match &items {
        Some(found) if !matches!(found.kind()?, Kind::Array | Kind::Object) => Ok(None),
        _ => Ok(items),
    }
}

#[pymethods]
impl Paging {
    #[new]
    #[pyo3(
        signature = (**options),
        text_signature = "(*, repeated_token=None, stop_when_not_truncated=None)"
    )]
    fn new(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let given = options::in_engine(py, options)?;
        let context = Context::new(&[]);
        let paging = paginator::Paging::from_host(Handle::new(given.into_any(), &context));
        context.finish()?;
        paging.map(Self).map_err(error::options)
    }
}
