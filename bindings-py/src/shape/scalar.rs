//! Numbers, times, bytes and strings.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{
    PyBytes, PyDate, PyDateTime, PyDelta, PyDict, PyString, PyTzInfo, PyTzInfoAccess,
};

/// Converts any number to a double. Numbers that are too large become infinite.
pub(crate) fn number(object: &Bound<'_, PyAny>) -> PyResult<f64> {
    match object.extract::<f64>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
            // Python raises for integers beyond the doubles. The engine reads the infinities as null.
            let negative = object.lt(0)?;
            Ok(if negative {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            })
        }
        number => number,
    }
}

/// Returns the seconds since the epoch. A time without a zone is in UTC.
///
/// Rule: docs/rules.md#host-values
pub(super) fn epoch_seconds(time: &Bound<'_, PyDateTime>) -> PyResult<f64> {
    let py = time.py();
    if time.get_tzinfo().is_some() {
        return time.call_method0("timestamp")?.extract();
    }
    let zone = PyDict::new(py);
    zone.set_item("tzinfo", PyTzInfo::utc(py)?)?;
    let time = time.call_method("replace", (), Some(&zone))?;
    time.call_method0("timestamp")?.extract()
}

/// Returns the midnight of a date in UTC, as seconds since the epoch.
pub(super) fn midnight(date: &Bound<'_, PyDate>) -> PyResult<f64> {
    /// The ordinal of 1970-01-01.
    const EPOCH: i32 = 719_163;
    let ordinal: i32 = date.call_method0("toordinal")?.extract()?;
    Ok(f64::from(ordinal.saturating_sub(EPOCH)) * 86_400.0)
}

pub(super) fn seconds(duration: &Bound<'_, PyDelta>) -> PyResult<f64> {
    duration.call_method0("total_seconds")?.extract()
}

pub(super) fn base64(object: &Bound<'_, PyAny>) -> PyResult<String> {
    base64_start(object, usize::MAX)
}

/// Returns the start of the base64 text of bytes, with at least this number of code points if the text has as many.
pub(super) fn base64_start(object: &Bound<'_, PyAny>, code_points: usize) -> PyResult<String> {
    // Three bytes are encoded as four characters.
    let enough = code_points.div_ceil(4).saturating_mul(3);
    let encode = |bytes: &[u8]| STANDARD.encode(bytes.get(..enough).unwrap_or(bytes));
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(encode(bytes.as_bytes()));
    }
    let bytes = object.py().get_type::<PyBytes>().call1((object,))?;
    Ok(encode(bytes.cast::<PyBytes>()?.as_bytes()))
}

/// Returns the text of a string. An unpaired surrogate reads as U+FFFD.
///
/// Rule: docs/rules.md#host-values
pub(crate) fn text<'a>(string: &'a Bound<'_, PyString>) -> PyResult<Cow<'a, str>> {
    if let Ok(text) = string.to_str() {
        return Ok(Cow::Borrowed(text));
    }
    let bytes = string.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
    let units = bytes.cast::<PyBytes>()?.as_bytes().chunks_exact(2);
    let units: Vec<u16> = units
        .filter_map(|unit| Some(u16::from_le_bytes(unit.try_into().ok()?)))
        .collect();
    Ok(Cow::Owned(String::from_utf16_lossy(&units)))
}
