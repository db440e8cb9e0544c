//! Options in Python's spelling, and Python's durations.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyDict, PyString};
use smithy_waiters::OptionsError;
use smithy_waiters::internal::{self, FromHost, snake_case};

use crate::context::Context;
use crate::error;
use crate::handle::Handle;

/// Reads options from keyword arguments. The first names are the engine's, and the second are other parameters in
/// Python's spelling, which are only used for suggestions.
pub(crate) fn read<'py, T>(
    py: Python<'py>,
    keywords: Option<&Bound<'py, PyDict>>,
    (names, host_names): (&[&str], &[&str]),
    from_host: impl FnOnce(Handle<'_, 'py>) -> Result<T, OptionsError>,
) -> PyResult<T> {
    let engine_options = PyDict::new(py);
    for (keyword, value) in keywords.iter().flat_map(|keywords| keywords.iter()) {
        let keyword = keyword.cast::<PyString>()?.to_cow()?;
        let name = names.iter().find(|name| snake_case(name) == keyword);
        let name = name.ok_or_else(|| unknown(&keyword, names, host_names))?;
        if value.is_callable() {
            // To the engine, a function is null, and the option would be absent.
            let message = format!(
                "`{keyword}` must not be a function or a class, got {}",
                value.repr()?
            );
            return Err(error::option_error("invalid_option", &*keyword, message));
        }
        engine_options.set_item(name, seconds(value)?)?;
    }
    let context = Context::new(&[]);
    let options = from_host(Handle::new(engine_options.into_any(), &context));
    context.finish()?;
    options.map_err(error::options)
}

/// Reads an integer of at least 0, or `None`.
pub(crate) fn count(option: &str, value: Option<Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    let Some(value) = value else {
        return Ok(None);
    };
    let context = Context::new(&[]);
    let count = internal::count(option, &Handle::new(value, &context));
    context.finish()?;
    count.map_err(error::options)
}

/// Return the option `max_items` as an `int`, or `None`.
///
/// Raises:
///     OptionsError: It is not an integer from 0 to 2^53 - 1.
#[pyfunction]
#[pyo3(name = "_max_items")]
pub(crate) fn max_items(value: Option<Bound<'_, PyAny>>) -> PyResult<Option<u64>> {
    count("maxItems", value)
}

/// Reads all options of a type from keyword arguments.
pub(crate) fn of<T: FromHost>(py: Python<'_>, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<T> {
    read(py, keywords, (T::NAMES, &[]), |options| {
        T::from_host(options)
    })
}

/// Return the name of an option or a member in Python: `max_wait` for `maxWait`.
#[pyfunction]
#[pyo3(name = "_python_name")]
pub(crate) fn python_name(name: &str) -> String {
    snake_case(name)
}

fn unknown(keyword: &str, names: &[&str], host_names: &[&str]) -> PyErr {
    let names = names.iter().map(|name| snake_case(name));
    let host_names = host_names.iter().map(|name| (*name).to_owned());
    error::unknown_option(keyword, names.chain(host_names).collect(), "")
}

/// Converts a `timedelta` to seconds. Other values are returned unchanged.
pub(crate) fn seconds(value: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    if value.cast::<PyDelta>().is_ok() {
        return value.call_method0(intern!(value.py(), "total_seconds"));
    }
    Ok(value)
}
