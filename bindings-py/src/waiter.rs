//! A waiter, and the verdicts it gives.

use std::sync::Arc;

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smithy_waiters::internal::{FromHost, seed};
use smithy_waiters::{Extension, Snapshot, Until, WaitOptions};

use crate::argument::{Given, Text};
use crate::definition::{Definition, Observed, Owner};
use crate::error;
use crate::failure::{Naming, check_error};
use crate::millis::{Millis, wall_clock};
use crate::options;
use crate::predicate::Predicate;
use crate::verdict::Verdict;
use crate::wait::Wait;

/// The engine's part of a waiter: verdicts on responses and errors, and the start of a wait.
#[pyclass(frozen, subclass, weakref, module = "smithy_waiters._engine")]
pub(crate) struct Waiter(Arc<Definition>);

/// The forms of a text that is not a definition: a model, with its service, and a short form, with its predicate.
const MODEL: &str = "model";
const SHORT_FORM: &str = "short_form";

/// What a wait takes beside the engine's options.
const OPTIONS_OF_HOST: [&str; 6] = ["cancel", "clock", "input", "matcher", "on_attempt", "sleep"];

#[pymethods]
impl Waiter {
    #[new]
    #[pyo3(signature = (text, name=None, *, source=None, error_names=None, service_errors_only=None))]
    fn new(
        py: Python<'_>,
        text: &str,
        name: Option<Text>,
        source: Option<(String, Option<Bound<'_, PyAny>>)>,
        error_names: Option<Bound<'_, PyAny>>,
        service_errors_only: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let name = name.as_deref();
        let (form, with) = source.unwrap_or_default();
        let mut predicate = None;
        let waiter = match (&*form, name) {
            (SHORT_FORM, _) => {
                predicate = with.map(|function| Predicate {
                    function: function.unbind(),
                    short_form: text.to_owned(),
                });
                Until::from_json(text)
                    .and_then(|until| name.into_iter().fold(until, Until::name).build())
                    .map_err(error::definition)
            }
            (MODEL, Some(name)) => {
                let service: Option<Text> = with.map(|service| service.extract()).transpose()?;
                smithy_waiters::Waiter::from_model(text, name, service.as_deref())
                    .map_err(error::definition)
            }
            (_, Some(name)) => smithy_waiters::Waiter::named(name, text).map_err(error::definition),
            (_, None) => smithy_waiters::Waiter::from_json(text).map_err(error::definition),
        }?;
        let naming = Naming::new(error_names, service_errors_only)?;
        let definition = Definition::new(py, waiter, naming, predicate);
        Ok(Self(Arc::new(definition)))
    }

    /// The keyword arguments that make an equal waiter.
    fn _arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arguments = PyDict::new(py);
        match self.0.predicate() {
            Some(predicate) => {
                arguments.set_item("text", &predicate.short_form)?;
                arguments.set_item("source", (SHORT_FORM, &predicate.function))?;
            }
            None => arguments.set_item("text", self._definition()?)?,
        }
        arguments.set_item("name", self.name())?;
        arguments.set_item("error_names", self.error_names(py))?;
        arguments.set_item("service_errors_only", self.service_errors_only())?;
        Ok(arguments)
    }

    /// The definition as JSON text. Raises `DefinitionError` if the waiter has a predicate.
    fn _definition(&self) -> PyResult<String> {
        let definition = self.0.engine().checked_definition();
        Ok(definition.map_err(error::definition)?.to_string())
    }

    /// The definition with further acceptors, both as JSON text.
    fn _extended(&self, text: &str) -> PyResult<String> {
        let extended =
            Extension::from_json(text).and_then(|extension| self.0.engine().extend(&extension));
        Ok(extended
            .map_err(error::definition)?
            .definition()
            .to_string())
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

    /// The function that decides in the place of an expression, if the waiter has one.
    #[getter]
    fn predicate(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        let predicate = self.0.predicate();
        predicate.map(|predicate| predicate.function.clone_ref(py))
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
        self.0.naming().traverse(&visit)?;
        self.0
            .predicate()
            .map_or(Ok(()), |predicate| predicate.traverse(&visit))
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
