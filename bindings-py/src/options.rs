//! Options: Python's names for them, and its durations.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyDict, PyString};
use smithy_waiters::OptionsError;
use smithy_waiters::internal::snake_case;

use crate::context::Context;
use crate::error;
use crate::handle::Handle;

/// Reads options from keyword arguments: `names` are the engine's names of them, `of_host` Python's names of others that the call
/// takes.
pub(crate) fn read<'py, T>(
    py: Python<'py>,
    keywords: Option<&Bound<'py, PyDict>>,
    (names, of_host): (&[&str], &[&str]),
    from_host: impl FnOnce(Handle<'_, 'py>) -> Result<T, OptionsError>,
) -> PyResult<T> {
    let given = PyDict::new(py);
    for (keyword, value) in keywords.iter().flat_map(|keywords| keywords.iter()) {
        let keyword = keyword.cast::<PyString>()?.to_cow()?;
        let name = names.iter().find(|name| snake_case(name) == keyword);
        let name = name.ok_or_else(|| unknown(&keyword, names, of_host))?;
        if value.is_callable() {
            // The engine reads a function as a value that is absent.
            let message = format!(
                "`{keyword}` must not be a function or a class, got {}",
                value.repr()?
            );
            return Err(error::option_error("invalid_option", &*keyword, message));
        }
        given.set_item(name, seconds(value)?)?;
    }
    let context = Context::new(&[]);
    let options = from_host(Handle::new(given.into_any(), &context));
    context.finish()?;
    options.map_err(error::options)
}

fn unknown(keyword: &str, names: &[&str], of_host: &[&str]) -> PyErr {
    let names = names.iter().map(|name| snake_case(name));
    let of_host = of_host.iter().map(|name| (*name).to_owned());
    error::unknown_option(keyword, names.chain(of_host).collect(), "")
}

/// A `timedelta` as seconds; anything else as it is.
pub(crate) fn seconds(value: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    if value.cast::<PyDelta>().is_ok() {
        return value.call_method0(intern!(value.py(), "total_seconds"));
    }
    Ok(value)
}
