//! A waiter, and the verdicts it gives.

use std::sync::Arc;

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smithy_waiters::internal::{FromHost, seed};
use smithy_waiters::{Snapshot, WaitOptions};

use crate::argument::{Given, Text};
use crate::definition::{Definition, Observed, Owner};
use crate::error;
use crate::failure::{Naming, check_error};
use crate::millis::{Millis, wall_clock};
use crate::options;
use crate::verdict::Verdict;
use crate::wait::Wait;

/// The engine's part of a waiter: verdicts on responses and errors, and the start of a wait.
#[pyclass(frozen, subclass, weakref, module = "smithy_waiters._engine")]
pub(crate) struct Waiter(Arc<Definition>);

/// What a wait takes beside the engine's options.
const OPTIONS_OF_HOST: [&str; 6] = ["cancel", "clock", "input", "matcher", "on_attempt", "sleep"];

#[pymethods]
impl Waiter {
    #[new]
    #[pyo3(signature = (text, name=None, *, of_model=false, service=None, error_names=None, service_errors_only=None))]
    fn new(
        py: Python<'_>,
        text: &str,
        name: Option<Text>,
        of_model: bool,
        service: Option<Text>,
        error_names: Option<Bound<'_, PyAny>>,
        service_errors_only: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let waiter = match name {
            Some(Text(name)) if of_model => {
                let service = service.as_ref().map(|Text(service)| &**service);
                smithy_waiters::Waiter::from_model(text, &name, service)
            }
            Some(Text(name)) => smithy_waiters::Waiter::named(&name, text),
            None => smithy_waiters::Waiter::from_json(text),
        }
        .map_err(error::definition)?;
        let naming = Naming::new(error_names, service_errors_only)?;
        Ok(Self(Arc::new(Definition::new(py, waiter, naming))))
    }

    /// The name it was made with.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.0.engine().name()
    }

    /// The definition's `documentation`.
    #[getter]
    fn documentation(&self) -> Option<&str> {
        self.0.engine().documentation()
    }

    /// Whether the definition says that the waiter is deprecated.
    #[getter]
    fn deprecated(&self) -> bool {
        self.0.engine().deprecated()
    }

    /// The definition's `tags`.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.engine().tags())
    }

    /// The paths of the members that reasons, messages and reports do not show.
    ///
    /// Those of the definition, and of the members that its acceptors read and that are `@sensitive` in its model.
    #[getter]
    fn redact<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.engine().redact())
    }

    /// The least delay between two attempts, in seconds: the definition's, 2 where it has none.
    #[getter]
    fn min_delay(&self) -> f64 {
        self.0.engine().min_delay().as_secs_f64()
    }

    /// The greatest delay between two attempts, in seconds: the definition's, 120 where it has none.
    #[getter]
    fn max_delay(&self) -> f64 {
        self.0.engine().max_delay().as_secs_f64()
    }

    /// The acceptors as the definition has them, as compact JSON, in order.
    #[getter]
    fn acceptors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.engine().acceptors())
    }

    /// The function that names errors, where its caller gave one.
    #[getter]
    fn error_names(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.0.naming().names().map(|names| names.clone_ref(py))
    }

    /// Whether only errors that carry a service's code, or names by `error_names`, are matched by `errorType`.
    #[getter]
    fn service_errors_only(&self) -> bool {
        self.0.naming().service_errors_only()
    }

    /// Says what follows from a response or an error.
    ///
    /// Give exactly one of the two; `None` is a response like any other. `error` is the exception that a call
    /// raised, or the name of an error. `input` is the operation's input, which `inputOutput` matchers look at.
    ///
    /// >>> waiter.evaluate(response={"Table": {"TableStatus": "ACTIVE"}}).state
    /// 'success'
    /// >>> waiter.evaluate(error="ResourceNotFoundException").state
    /// 'retry'
    #[pyo3(signature = (*, response=Given::NOTHING, error=Given::NOTHING, input=None))]
    fn evaluate<'py>(
        slf: &Bound<'py, Self>,
        response: Given<'_, 'py>,
        error: Given<'_, 'py>,
        input: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, Verdict>> {
        let seen = match (response.value(), error.value()) {
            (Some(response), None) => Observed::Response(response.to_owned().unbind()),
            (None, Some(error)) => {
                check_error(error)?;
                Observed::Error(error.to_owned().unbind())
            }
            (response, _) => return Err(one_of_two(response.is_some())),
        };
        let verdict = slf.get().0.evaluate(slf.py(), input.as_ref(), &seen)?;
        Bound::new(slf.py(), Verdict::new(verdict, owner(slf), input, seen))
    }

    /// Starts a wait that is driven by hand, step by step; the options are those of `Waiter.wait`.
    #[pyo3(signature = (*, input=None, **options))]
    fn start(
        slf: &Bound<'_, Self>,
        input: Option<Py<PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Wait> {
        let names = (WaitOptions::NAMES, &OPTIONS_OF_HOST[..]);
        let options = options::read(slf.py(), options, names, |given| {
            WaitOptions::from_host(given)
        })?;
        let seed = seed(&options).map_err(error::options)?;
        let wait = slf.get().0.engine().start(&options, seed);
        let wait = wait.map_err(error::options)?;
        Ok(Wait::start(slf.py(), owner(slf), input, wait))
    }

    /// Resumes a wait that was saved by `Wait.to_json`.
    ///
    /// `elapsed_ms` is the time since the wait started, in milliseconds. Without it the time away counts by the
    /// wall clock.
    #[pyo3(signature = (json, *, input=None, elapsed_ms=None))]
    fn resume(
        slf: &Bound<'_, Self>,
        json: &str,
        input: Option<Py<PyAny>>,
        elapsed_ms: Option<Millis>,
    ) -> PyResult<Wait> {
        let elapsed_ms = |saved: &Snapshot| match elapsed_ms {
            Some(Millis(elapsed)) => elapsed,
            None => saved.elapsed_ms(wall_clock(slf.py())),
        };
        Wait::resume(owner(slf), input, json, elapsed_ms).map_err(error::state)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.naming().traverse(&visit)
    }
}

/// The waiter that a verdict or a wait belongs to.
pub(crate) fn owner(waiter: &Bound<'_, Waiter>) -> Owner {
    Owner {
        waiter: waiter.clone().into_any().unbind(),
        definition: Arc::clone(&waiter.get().0),
    }
}

fn one_of_two(both: bool) -> PyErr {
    if both {
        let message = "`response` and `error` exclude each other";
        error::option_error("conflicting_options", "error", message)
    } else {
        let message = "`response` or `error` is missing";
        error::option_error("missing_option", "response", message)
    }
}
