//! Numbers, times, bytes and strings.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::{
    PyBytes, PyDate, PyDateTime, PyDelta, PyDict, PyString, PyTzInfo, PyTzInfoAccess,
};

/// Any number as a double; one that is beyond them is infinite, as doubles are.
pub(crate) fn number(object: &Bound<'_, PyAny>) -> PyResult<f64> {
    match object.extract::<f64>() {
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
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

/// Seconds since the epoch; a time without a zone is one of UTC (D8).
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

/// Days since the epoch, in seconds: a date is its midnight of UTC.
pub(super) fn midnight(date: &Bound<'_, PyDate>) -> PyResult<f64> {
    /// The ordinal of 1970-01-01.
    const EPOCH: i32 = 719_163;
    let ordinal: i32 = date.call_method0("toordinal")?.extract()?;
    Ok(f64::from(ordinal.saturating_sub(EPOCH)) * 86_400.0)
}

/// A duration is the difference of two times, and so in seconds, too.
pub(super) fn seconds(duration: &Bound<'_, PyDelta>) -> PyResult<f64> {
    duration.call_method0("total_seconds")?.extract()
}

pub(super) fn base64(object: &Bound<'_, PyAny>) -> PyResult<String> {
    base64_start(object, usize::MAX)
}

/// The beginning of the text of bytes, with at least so many code points if it has as many.
pub(super) fn base64_start(object: &Bound<'_, PyAny>, code_points: usize) -> PyResult<String> {
    // Three bytes are four characters.
    let enough = code_points.div_ceil(4).saturating_mul(3);
    let encode = |bytes: &[u8]| STANDARD.encode(bytes.get(..enough).unwrap_or(bytes));
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Ok(encode(bytes.as_bytes()));
    }
    let bytes = object.py().get_type::<PyBytes>().call1((object,))?;
    Ok(encode(bytes.cast::<PyBytes>()?.as_bytes()))
}

/// The text of a string; a surrogate without its other half reads as U+FFFD (D8).
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
