//! A waiter, and the verdicts it gives.

use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyList, PySet, PyString, PyTuple, PyType};
use smithy_waiters::seed::seed;
use smithy_waiters::{Seen, Snapshot, WaitOptions};

use crate::argument::{Given, Text};
use crate::context::Context;
use crate::error;
use crate::failure::{Detail, Naming};
use crate::handle::Handle;
use crate::millis::{Millis, wall_clock};
use crate::options;
use crate::verdict::{Observed, Verdict, handle_of};
use crate::wait::Wait;

/// The engine's part of a waiter: verdicts on responses and errors, and the start of a wait.
#[pyclass(frozen, subclass, weakref, module = "smithy_waiters._engine")]
pub(crate) struct Waiter {
    waiter: smithy_waiters::Waiter,
    /// Every name that its paths use, made and hashed once.
    names: Box<[Py<PyString>]>,
    naming: Naming,
}

impl Waiter {
    pub(crate) const fn engine(&self) -> &smithy_waiters::Waiter {
        &self.waiter
    }

    /// How its caller wants errors to be named.
    pub(crate) const fn naming(&self) -> &Naming {
        &self.naming
    }

    pub(crate) const fn context(&self) -> Context<'_> {
        Context::new(&self.names)
    }
}

impl Waiter {
    fn verdict(
        &self,
        py: Python<'_>,
        input: Option<&Py<PyAny>>,
        seen: &Observed,
    ) -> PyResult<smithy_waiters::Verdict> {
        let context = self.context();
        let input = handle_of(py, input, &context);
        let verdict = match seen {
            Observed::Response(response) => {
                let response = Handle::new(response.bind(py).clone(), &context);
                self.waiter.evaluate(input, Seen::Response(response))
            }
            Observed::Error(error) => {
                let error = error.bind(py);
                let facts = self.naming.facts(error, Detail::Names, &context)?;
                self.waiter.evaluate(input, Seen::Failure(&facts))
            }
        };
        context.finish()?;
        Ok(verdict)
    }
}

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
        let names = waiter
            .names()
            .map(|name| PyString::intern(py, name).unbind())
            .collect();
        Ok(Self {
            waiter,
            names,
            naming: Naming::new(error_names, service_errors_only)?,
        })
    }

    /// The name it was made with.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.waiter.name()
    }

    /// The definition's `documentation`.
    #[getter]
    fn documentation(&self) -> Option<&str> {
        self.waiter.documentation()
    }

    /// Whether the definition says that the waiter is deprecated.
    #[getter]
    fn deprecated(&self) -> bool {
        self.waiter.deprecated()
    }

    /// The definition's `tags`.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.waiter.tags())
    }

    /// The paths of the members that reasons, messages and reports do not show.
    ///
    /// Those of the definition, and of the members that its acceptors read and that are `@sensitive` in its model.
    #[getter]
    fn redact<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.waiter.redact())
    }

    /// The least delay between two attempts, in seconds: the definition's, 2 where it has none.
    #[getter]
    fn min_delay(&self) -> f64 {
        self.waiter.min_delay().as_secs_f64()
    }

    /// The greatest delay between two attempts, in seconds: the definition's, 120 where it has none.
    #[getter]
    fn max_delay(&self) -> f64 {
        self.waiter.max_delay().as_secs_f64()
    }

    /// The acceptors as the definition has them, as compact JSON, in order.
    #[getter]
    fn acceptors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.waiter.acceptors())
    }

    /// The function that names errors, where its caller gave one.
    #[getter]
    fn error_names(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.naming.names().map(|names| names.clone_ref(py))
    }

    /// Whether only errors that carry a service's code, or names by `error_names`, are matched by `errorType`.
    #[getter]
    const fn service_errors_only(&self) -> bool {
        self.naming.service_errors_only()
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
        let verdict = slf.get().verdict(slf.py(), input.as_ref(), &seen)?;
        Bound::new(
            slf.py(),
            Verdict::new(verdict, slf.clone().unbind(), input, seen),
        )
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
        let seed = seed(options.given_seed()).map_err(error::options)?;
        let wait = slf.get().waiter.start(&options, seed);
        let wait = wait.map_err(error::options)?;
        Ok(Wait::start(slf.py(), slf.clone().unbind(), input, wait))
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
        Wait::resume(slf.clone().unbind(), input, json, elapsed_ms).map_err(error::state)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.naming.traverse(&visit)
    }
}

/// Refuses an object that is given for an error by mistake. `None` is an error without a name, and other
/// objects may be the data of one.
pub(crate) fn check_error(given: Borrowed<'_, '_, PyAny>) -> PyResult<()> {
    let got = if let Ok(class) = given.cast::<PyType>() {
        format!("not its class: `{}()`", class.name()?)
    } else if is_plain_value(given) {
        format!("got {}", given.repr()?)
    } else {
        return Ok(());
    };
    let message = format!("`error` must be an exception or the name of one, {got}");
    Err(error::option_error("invalid_option", "error", message))
}

fn is_plain_value(given: Borrowed<'_, '_, PyAny>) -> bool {
    let is_number = given.is_instance_of::<PyInt>() || given.is_instance_of::<PyFloat>();
    let is_list = given.is_instance_of::<PyList>() || given.is_instance_of::<PyTuple>();
    is_number || is_list || given.is_instance_of::<PyBytes>() || given.is_instance_of::<PySet>()
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
