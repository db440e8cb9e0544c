//! Waiters, which evaluate results and start waits.

use std::sync::Arc;

use pyo3::gc::PyVisit;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use pyo3::{IntoPyObjectExt as _, PyTraverseError};
use serde_json::Value as Json;
use smithy_waiters::internal::{FromHost, MaxWait, ReportLimit, botocore, seed, snake_case};
use smithy_waiters::{Defaults, Extension, StoredOptions, Until, WaitOptions};

use crate::argument::{MaybeUnset, Text};
use crate::definition::{Definition, Observed, Owner};
use crate::error;
use crate::failure::{Naming, check_error};
use crate::fleet::{Fleet, RateLimit};
use crate::millis::{Millis, WallClock, wall_clock};
use crate::options;
use crate::predicate::Predicate;
use crate::verdict::Verdict;
use crate::wait::{Wait, snapshot_of};

/// The base class of `smithy_waiters.Waiter`, implemented by the engine: it evaluates results and starts waits.
///
/// See the `specification <https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow>`_.
///
/// Raises:
///     DefinitionError: The definition is invalid.
///     OptionsError: `error_names` or `service_errors_only` is invalid.
#[pyclass(frozen, subclass, weakref, module = "smithy_waiters._engine")]
pub(crate) struct Waiter(Arc<Definition>);

/// The form of a text that is a model. It comes with the name of the service.
const MODEL: &str = "model";
/// The form of a text that is a short form. It comes with the predicate.
const SHORT_FORM: &str = "short_form";

/// The form of a text that is the name of a preset.
const PRESET: &str = "preset";

/// The form of a text that is a file in botocore's format.
const BOTOCORE: &str = "botocore";

/// The parameters of a wait that the engine does not read.
const HOST_OPTIONS: [&str; 10] = [
    "cancel",
    "cancel_with",
    "clock",
    "input",
    "on_attempt",
    "on_change",
    "on_failure",
    "progress",
    "rate_limit",
    "sleep",
];

#[pymethods]
impl Waiter {
    #[new]
    #[pyo3(signature = (text, name=None, *, source=None, defaults=None, error_names=None, service_errors_only=None))]
    fn new(
        py: Python<'_>,
        text: &str,
        name: Option<Text>,
        source: Option<(String, Option<Bound<'_, PyAny>>)>,
        defaults: Option<Bound<'_, PyAny>>,
        error_names: Option<Bound<'_, PyAny>>,
        service_errors_only: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (form, with) = source.unwrap_or_default();
        let waiter = read(text, name.as_deref(), &form, with.as_ref())?;
        let predicate = with.filter(|_| form == SHORT_FORM);
        let predicate = predicate.map(|function| Predicate {
            function: function.unbind(),
            short_form: text.to_owned(),
        });
        let waiter = match defaults {
            Some(defaults) => {
                let defaults = defaults.cast_into().map_err(|other| {
                    error::must_be("defaults", "an object", &other.into_inner(), "")
                })?;
                waiter.with_defaults(options::of::<Defaults>(py, Some(&defaults))?)
            }
            None => waiter,
        };
        let naming = Naming::new(error_names, service_errors_only)?;
        let definition = Definition::new(py, waiter, naming, predicate);
        Ok(Self(Arc::new(definition)))
    }

    /// Return the keyword arguments that create an equal waiter.
    fn _arguments<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arguments = PyDict::new(py);
        match self.0.predicate() {
            Some(predicate) => {
                arguments.set_item("text", &predicate.short_form)?;
                arguments.set_item("source", (SHORT_FORM, &predicate.function))?;
            }
            None => arguments.set_item("text", self._definition()?)?,
        }
        arguments.set_item("defaults", self.defaults(py)?)?;
        arguments.set_item("name", self.name())?;
        arguments.set_item("error_names", self.error_names(py))?;
        arguments.set_item("service_errors_only", self.service_errors_only())?;
        Ok(arguments)
    }

    /// Return the definition as JSON text.
    ///
    /// Raises:
    ///     DefinitionError: The waiter has a predicate.
    fn _definition(&self) -> PyResult<String> {
        let definition = self.0.engine().checked_definition();
        Ok(definition.map_err(error::definition)?.to_string())
    }

    /// Return the definition with additional acceptors. Both are JSON text.
    fn _extended(&self, text: &str) -> PyResult<String> {
        let extended =
            Extension::from_json(text).and_then(|extension| self.0.engine().extend(&extension));
        Ok(extended
            .map_err(error::definition)?
            .definition()
            .to_string())
    }

    /// The name of the waiter, or `None`.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.0.engine().name()
    }

    /// The member `documentation` of the definition, or `None`.
    #[getter]
    fn documentation(&self) -> Option<&str> {
        self.0.engine().documentation()
    }

    /// `True` if the definition marks the waiter as deprecated.
    #[getter]
    fn deprecated(&self) -> bool {
        self.0.engine().deprecated()
    }

    /// The member `tags` of the definition.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.engine().tags())
    }

    /// The paths of the members whose values are hidden in reasons, messages and reports.
    ///
    /// They are the paths in the definition's `redact`, and the `@sensitive` members of the model that the acceptors
    /// read.
    #[getter]
    fn redact<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.engine().redact())
    }

    /// The defaults for options that a wait does not set, with the names of the options of `wait`.
    ///
    /// They are empty, which means the specification's rules, unless the waiter has the short form, replaces a waiter
    /// of an SDK, or was created with `defaults`. See docs/rules.md#defaults.
    #[getter]
    fn defaults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let defaults = PyDict::new(py);
        for (name, value) in self.0.engine().defaults().to_json() {
            defaults.set_item(snake_case(&name), default_value(py, &value)?)?;
        }
        Ok(defaults)
    }

    /// The minimum delay between two attempts, in seconds: `minDelay` of the definition, 2 by default.
    #[getter]
    fn min_delay(&self) -> f64 {
        self.0.engine().min_delay().as_secs_f64()
    }

    /// The maximum delay between two attempts, in seconds: `maxDelay` of the definition, 120 by default.
    #[getter]
    fn max_delay(&self) -> f64 {
        self.0.engine().max_delay().as_secs_f64()
    }

    /// The acceptors of the definition, in order, each as compact JSON.
    #[getter]
    fn acceptors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.engine().acceptors())
    }

    /// The caller's function that names errors, or `None`.
    #[getter]
    fn error_names(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.0.naming().names().map(|names| names.clone_ref(py))
    }

    /// The function that a waiter of `Waiter.until` calls instead of evaluating an expression, or `None`.
    #[getter]
    fn predicate(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        let predicate = self.0.predicate();
        predicate.map(|predicate| predicate.function.clone_ref(py))
    }

    /// `True` if `errorType` only matches errors with a service's code or with names from `error_names`.
    #[getter]
    fn service_errors_only(&self) -> bool {
        self.0.naming().service_errors_only()
    }

    /// Evaluate the acceptors on a response or an error.
    ///
    /// >>> waiter.evaluate(response={"Table": {"TableStatus": "ACTIVE"}}).state
    /// 'success'
    /// >>> waiter.evaluate(error="ResourceNotFoundException").state
    /// 'retry'
    ///
    /// Args:
    ///     response: The response. `None` is a valid response.
    ///     error: The exception that the call raised, or the name of an error. Pass either this or `response`.
    ///     input: The operation's input, which `inputOutput` matchers read.
    ///
    /// Raises:
    ///     OptionsError: Both or neither of `response` and `error` are passed, or `error` is not an error.
    #[pyo3(signature = (*, response=MaybeUnset::UNSET, error=MaybeUnset::UNSET, input=None))]
    fn evaluate<'py>(
        slf: &Bound<'py, Self>,
        response: MaybeUnset<'_, 'py>,
        error: MaybeUnset<'_, 'py>,
        input: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, Verdict>> {
        let observed = match (response.value(), error.value()) {
            (Some(response), None) => Observed::Response(response.to_owned().unbind()),
            (None, Some(error)) => {
                check_error(error)?;
                Observed::Error(error.to_owned().unbind())
            }
            (response, _) => return Err(response_or_error(response.is_some())),
        };
        let verdict = slf.get().0.evaluate(slf.py(), input.as_ref(), &observed)?;
        Bound::new(slf.py(), Verdict::new(verdict, owner(slf), input, observed))
    }

    /// Start a wait that the caller drives step by step. The options are those of `Waiter.wait`.
    ///
    /// Raises:
    ///     OptionsError: An option is missing, unknown or invalid.
    #[pyo3(signature = (*, input=None, **options))]
    fn start(
        slf: &Bound<'_, Self>,
        input: Option<Py<PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Wait> {
        let py = slf.py();
        let options = wait_options(py, options)?;
        let seed = seed(&options).map_err(error::options)?;
        let wait = slf.get().0.engine().start(&options, seed);
        let wait = wait.map_err(error::options)?;
        let wait = match wall_clock(py) {
            Some(started_at) => wait.started_at(started_at),
            None => wait,
        };
        Ok(Wait::new(owner(slf), input, wait))
    }

    /// Create the fleet of this waiter. The options are those of `Waiter.fleet`.
    ///
    /// Raises:
    ///     OptionsError: An option is missing, unknown or invalid.
    #[pyo3(signature = (limit, **options))]
    fn _fleet(
        slf: &Bound<'_, Self>,
        limit: Py<RateLimit>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Fleet> {
        Fleet::new(slf.py(), owner(slf), limit, options)
    }

    /// Return the fingerprint of the definition.
    ///
    /// Raises:
    ///     StateError: The waiter has a predicate (`predicate`).
    fn _stored_fingerprint(&self) -> PyResult<String> {
        let fingerprint = self.0.engine().stored_fingerprint();
        fingerprint.map_err(error::state)
    }

    /// Start a wait that an engine stores between its attempts. `started_at` is in seconds since 1970,
    /// `deadline_at_ms` in milliseconds, and `input` is JSON text.
    ///
    /// Raises:
    ///     OptionsError: An option is missing, unknown or invalid.
    #[pyo3(signature = (id, input, started_at, deadline_at_ms, report_limit, **options))]
    fn _start_stored(
        slf: &Bound<'_, Self>,
        id: &str,
        input: &str,
        started_at: WallClock,
        deadline_at_ms: Option<f64>,
        report_limit: usize,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Wait> {
        let options = wait_options(slf.py(), options)?;
        let stored =
            StoredOptions::from_host(id, started_at.0, deadline_at_ms, input, report_limit);
        let stored = stored.map_err(error::state)?;
        let wait = slf.get().0.engine().start_stored(&options, stored);
        Ok(Wait::new(owner(slf), None, wait.map_err(error::options)?))
    }

    /// Resume a wait that was saved by `Wait.to_json`.
    ///
    /// Args:
    ///     json: The saved wait.
    ///     input: The operation's input, which is not saved.
    ///     elapsed_ms: The milliseconds since the start of the wait, including the time while it was saved. By default
    ///         that time is measured by the wall clock.
    ///
    /// Raises:
    ///     StateError: The saved wait is damaged, belongs to another definition, or was saved by a later release.
    #[pyo3(signature = (json, *, input=None, elapsed_ms=None))]
    fn resume(
        slf: &Bound<'_, Self>,
        json: &str,
        input: Option<Py<PyAny>>,
        elapsed_ms: Option<Millis>,
    ) -> PyResult<Wait> {
        let snapshot = snapshot_of(json)?;
        let now_ms = match elapsed_ms {
            Some(Millis(elapsed)) => elapsed,
            None => snapshot.elapsed_ms(wall_clock(slf.py())),
        };
        Wait::resume(owner(slf), input, snapshot, now_ms)
    }

    /// Resume a stored wait whose next attempt is due: the clock that scheduled it may be ahead of this one.
    ///
    /// Raises:
    ///     StateError: The saved wait is damaged, belongs to another definition, or was saved by a later release.
    fn _resume_due(slf: &Bound<'_, Self>, json: &str) -> PyResult<Wait> {
        let py = slf.py();
        let snapshot = snapshot_of(json)?;
        let input = snapshot.input().map(|input| {
            let loads = py.import("json")?.getattr("loads")?;
            loads.call1((input.to_string(),)).map(Bound::unbind)
        });
        let now_ms = snapshot.due_elapsed_ms(wall_clock(py));
        Wait::resume(owner(slf), input.transpose()?, snapshot, now_ms)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.0.naming().traverse(&visit)?;
        self.0
            .predicate()
            .map_or(Ok(()), |predicate| predicate.traverse(&visit))
    }
}

/// Reads a waiter from a text of this form. `with` is the service of a model.
fn read(
    text: &str,
    name: Option<&str>,
    form: &str,
    with: Option<&Bound<'_, PyAny>>,
) -> PyResult<smithy_waiters::Waiter> {
    match (form, name) {
        (SHORT_FORM, _) => Until::from_json(text)
            .and_then(|until| name.into_iter().fold(until, Until::name).build()),
        (MODEL, Some(name)) => {
            let service: Option<Text> = with.map(|service| service.extract()).transpose()?;
            smithy_waiters::Waiter::from_model(text, name, service.as_deref())
        }
        (PRESET, _) => smithy_waiters::Waiter::preset(text),
        (BOTOCORE, Some(name)) => botocore::waiter(text, name).map(|found| found.waiter),
        (_, Some(name)) => smithy_waiters::Waiter::named(name, text),
        (_, None) => smithy_waiters::Waiter::from_json(text),
    }
    .map_err(error::definition)
}

/// Reads the options of a wait from keyword arguments.
pub(crate) fn wait_options(
    py: Python<'_>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<WaitOptions> {
    let names = (WaitOptions::NAMES, &HOST_OPTIONS[..]);
    options::read(py, options, names, |options| {
        WaitOptions::from_host(options)
    })
}

/// Return the option `report_limit`, or its default.
///
/// Raises:
///     OptionsError: It is not a positive number of bytes.
#[pyfunction]
#[pyo3(name = "_report_limit", signature = (**option))]
pub(crate) fn report_limit(py: Python<'_>, option: Option<&Bound<'_, PyDict>>) -> PyResult<usize> {
    let ReportLimit(limit) = options::of(py, option)?;
    Ok(limit)
}

/// Return the option `max_wait` of several waits, in seconds.
///
/// Raises:
///     OptionsError: It is missing, or not from 1 ms to ten years.
#[pyfunction]
#[pyo3(name = "_max_wait", signature = (**option))]
pub(crate) fn max_wait(py: Python<'_>, option: Option<&Bound<'_, PyDict>>) -> PyResult<f64> {
    let MaxWait(max_wait) = options::of(py, option)?;
    Ok(max_wait.as_secs_f64())
}

/// Returns a default as Python's value: a word, a number, a list of paths, or the object of a pace or a path.
fn default_value<'py>(py: Python<'py>, value: &Json) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Json::String(word) => word.into_bound_py_any(py),
        Json::Object(members) => {
            let object = PyDict::new(py);
            for (name, value) in members {
                object.set_item(name, default_value(py, value)?)?;
            }
            Ok(object.into_any())
        }
        Json::Array(items) => {
            let items = items.iter().map(|item| default_value(py, item));
            PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_bound_py_any(py)
        }
        _ => match value.as_u64() {
            Some(integer) => integer.into_bound_py_any(py),
            None => value.as_f64().into_bound_py_any(py),
        },
    }
}

/// Return the names of the waiters in a file in botocore's format.
///
/// Raises:
///     DefinitionError: The text is not such a file, or of another version.
#[pyfunction]
#[pyo3(name = "_botocore_names")]
pub(crate) fn botocore_names(text: &str) -> PyResult<Vec<String>> {
    botocore::names(text).map_err(error::definition)
}

/// Return the name of a waiter as a file in botocore's format has it.
///
/// Raises:
///     DefinitionError: There is no such waiter.
#[pyfunction]
#[pyo3(name = "_botocore_find")]
pub(crate) fn botocore_find(text: &str, name: &str) -> PyResult<String> {
    botocore::find(text, name).map_err(error::definition)
}

/// Return the names of a service's error that the acceptors of a waiter in botocore's format match.
#[pyfunction]
#[pyo3(name = "_botocore_error_names")]
pub(crate) fn botocore_error_names(code: &str, status: Option<u16>) -> Vec<String> {
    botocore::error_names(code, status)
}

/// Returns the owner for a verdict or a wait of this waiter.
pub(crate) fn owner(waiter: &Bound<'_, Waiter>) -> Owner {
    Owner {
        waiter: waiter.clone().into_any().unbind(),
        definition: Arc::clone(&waiter.get().0),
    }
}

fn response_or_error(both: bool) -> PyErr {
    if both {
        let message = "`error` cannot be combined with `response`";
        error::option_error("conflicting_options", "error", message)
    } else {
        let message = "`response` or `error` is missing";
        error::option_error("missing_option", "response", message)
    }
}
