//! What a waiter says of one response or error.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::definition::{Observed, Owner};
use crate::pickle;
use crate::repr::Repr;

/// The verdict on one response or error.
///
/// It keeps the response or the error, and evaluates that again when its `reasons` are read.
#[pyclass(frozen, generic, module = "smithy_waiters._engine")]
pub(crate) struct Verdict {
    verdict: smithy_waiters::Verdict,
    owner: Owner,
    input: Option<Py<PyAny>>,
    seen: Observed,
}

impl Verdict {
    pub(crate) const fn new(
        verdict: smithy_waiters::Verdict,
        owner: Owner,
        input: Option<Py<PyAny>>,
        seen: Observed,
    ) -> Self {
        Self {
            verdict,
            owner,
            input,
            seen,
        }
    }
}

#[pymethods]
impl Verdict {
    /// The state: `"success"`, `"failure"` or `"retry"`.
    #[getter]
    fn state(&self) -> &'static str {
        self.verdict.state().as_str()
    }

    /// The index of the acceptor that matched.
    ///
    /// `None` where none did: an error is then a failure, a response a retry.
    #[getter]
    fn acceptor(&self) -> Option<usize> {
        self.verdict.acceptor()
    }

    /// Why each acceptor that was looked at did or did not match, in order.
    #[getter]
    fn reasons<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(
            py,
            self.owner
                .definition
                .reasons(py, self.input.as_ref(), &self.seen, self.verdict)?
                .into_iter()
                .map(Reason::from),
        )
    }

    /// The response that it was given for; `None` where it was an error.
    #[getter]
    fn response(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        match &self.seen {
            Observed::Response(response) => Some(response.clone_ref(py)),
            Observed::Error(_) => None,
        }
    }

    /// The error that it was given for; `None` where it was a response.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        match &self.seen {
            Observed::Response(_) => None,
            Observed::Error(error) => Some(error.clone_ref(py)),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| self.verdict == other.get().verdict)
    }

    fn __hash__(&self) -> u64 {
        self.verdict
            .acceptor()
            .map_or(0, |acceptor| (acceptor as u64).wrapping_add(1))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let (failed, seen) = match &self.seen {
            Observed::Response(response) => (false, response.bind(py).clone()),
            Observed::Error(error) => (true, pickle::portable(error.bind(py))?),
        };
        let parts = (
            &self.owner.waiter,
            pickle::json(&self.verdict)?,
            failed,
            seen,
            self.input.as_ref(),
        );
        pickle::reduce_with_function(py, "_verdict", parts)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = Repr::new(py, "Verdict")
            .with("state", self.state())?
            .with("acceptor", self.acceptor())?;
        let shown = match &self.seen {
            Observed::Response(response) => shown.with("response", response)?,
            Observed::Error(error) => shown.with("error", error)?,
        };
        Ok(shown.end())
    }

    // An error holds the frames it passed, and one of those most often the verdict on it: a cycle.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let (Observed::Response(seen) | Observed::Error(seen)) = &self.seen;
        visit.call(seen)?;
        visit.call(&self.input)?;
        visit.call(&self.owner.waiter)
    }
}

/// Why an acceptor did or did not match.
#[pyclass(frozen, eq, hash, get_all, module = "smithy_waiters._engine")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Reason {
    /// The index of the acceptor; `None` if no acceptor was evaluated.
    acceptor: Option<usize>,
    /// Whether it matched.
    matched: bool,
    /// Why, for programs: `matched`, `not_equal`, `null`, …
    code: &'static str,
    /// Why, for people: `Table.TableStatus gave "CREATING", expected "ACTIVE"`.
    text: String,
}

impl From<smithy_waiters::Reason> for Reason {
    fn from(reason: smithy_waiters::Reason) -> Self {
        Self {
            acceptor: reason.acceptor,
            matched: reason.code.is_match(),
            code: reason.code.as_str(),
            text: reason.text,
        }
    }
}

#[pymethods]
impl Reason {
    #[new]
    fn new(acceptor: Option<usize>, code: &str, text: String) -> PyResult<Self> {
        let code = pickle::code_of(code)?;
        Ok(Self {
            acceptor,
            matched: code.is_match(),
            code: code.as_str(),
            text,
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let reason = slf.get();
        let parts = (reason.acceptor, reason.code, &reason.text);
        pickle::reduce_with_class(slf.get_type(), parts)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shown = Repr::new(py, "Reason");
        Ok(shown
            .with("acceptor", self.acceptor)?
            .with("code", self.code)?
            .with("text", &self.text)?
            .end())
    }
}
