//! Verdicts of a waiter on a response or an error.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::definition::{Observed, Owner};
use crate::pickle;
use crate::repr::Repr;

/// The result of evaluating the acceptors on one response or error.
///
/// A verdict holds the response or the error, and evaluates it again when `reasons` is read.
#[pyclass(frozen, generic, module = "smithy_waiters._engine")]
pub(crate) struct Verdict {
    verdict: smithy_waiters::Verdict,
    owner: Owner,
    input: Option<Py<PyAny>>,
    observed: Observed,
}

impl Verdict {
    pub(crate) const fn new(
        verdict: smithy_waiters::Verdict,
        owner: Owner,
        input: Option<Py<PyAny>>,
        observed: Observed,
    ) -> Self {
        Self {
            verdict,
            owner,
            input,
            observed,
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
    /// `None` if no acceptor matched: an error is then a failure, and a response is retried.
    #[getter]
    fn acceptor(&self) -> Option<usize> {
        self.verdict.acceptor()
    }

    /// The reasons why each evaluated acceptor did or did not match, in order.
    #[getter]
    fn reasons<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(
            py,
            self.owner
                .definition
                .reasons(py, self.input.as_ref(), &self.observed, self.verdict)?
                .into_iter()
                .map(Reason::from),
        )
    }

    /// The evaluated response; `None` if an error was evaluated.
    #[getter]
    fn response(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        match &self.observed {
            Observed::Response(response) => Some(response.clone_ref(py)),
            Observed::Error(_) => None,
        }
    }

    /// The evaluated error; `None` if a response was evaluated.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        match &self.observed {
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
        let (failed, observed) = match &self.observed {
            Observed::Response(response) => (false, response.bind(py).clone()),
            Observed::Error(error) => (true, pickle::pickle_argument(error.bind(py))?),
        };
        let parts = (
            &self.owner.waiter,
            pickle::json(&self.verdict)?,
            failed,
            observed,
            self.input.as_ref(),
        );
        pickle::reduce_with_function(py, "_verdict", parts)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let repr = Repr::new(py, "Verdict")
            .field("state", self.state())?
            .field("acceptor", self.acceptor())?;
        let repr = match &self.observed {
            Observed::Response(response) => repr.field("response", response)?,
            Observed::Error(error) => repr.field("error", error)?,
        };
        Ok(repr.end())
    }

    // The traceback of an error references frames, which often reference the verdict: a cycle.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let (Observed::Response(observed) | Observed::Error(observed)) = &self.observed;
        visit.call(observed)?;
        visit.call(&self.input)?;
        visit.call(&self.owner.waiter)
    }
}

/// The reason why an acceptor did or did not match.
///
/// Raises:
///     StateError: `code` is not the code of a reason (`damaged_state`).
#[pyclass(frozen, eq, hash, get_all, module = "smithy_waiters._engine")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Reason {
    /// The index of the acceptor; `None` if no acceptor was evaluated.
    acceptor: Option<usize>,
    /// `True` if the acceptor matched.
    matched: bool,
    /// The machine-readable reason: `matched`, `not_equal`, `null`, …
    code: &'static str,
    /// The reason as text: `Table.TableStatus gave "CREATING", expected "ACTIVE"`.
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
        let code = pickle::reason_code(code)?;
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
        let repr = Repr::new(py, "Reason");
        Ok(repr
            .field("acceptor", self.acceptor)?
            .field("code", self.code)?
            .field("text", &self.text)?
            .end())
    }
}
