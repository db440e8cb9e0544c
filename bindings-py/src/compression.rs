//! Request compression: whether a body is compressed, and by what.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyTuple};
use smithy_waiters::compression::{self, Body, CompressionSettings as Settings};
use smithy_waiters::internal::FromHost;

use crate::argument::Text;
use crate::context::class_name;
use crate::error;
use crate::options;
use crate::pickle;
use crate::repr::Repr;

/// How the bodies of an operation's requests may be compressed: the encodings of its `requestCompression`
/// trait.
///
/// `streaming` is whether its input has a `streaming` member: bodies are then compressed whatever their size.
///
/// >>> RequestCompression(["gzip"]).encoding(20_000)
/// 'gzip'
#[pyclass(frozen, eq, module = "smithy_waiters._engine")]
#[derive(Clone, PartialEq)]
pub(crate) struct RequestCompression(compression::RequestCompression);

/// The two settings of a client, or of one request.
///
/// `disable_request_compression` is a boolean, `False` by default; `request_min_compression_size_bytes` an
/// integer from 0 to 10485760, 10240 by default: the least size of a whole body that is compressed.
#[pyclass(frozen, module = "smithy_waiters._engine")]
pub(crate) struct CompressionSettings {
    settings: Settings,
    /// The options that are not `None`, for copies and people.
    given: Py<PyDict>,
}

const OPTIONS: [&str; 2] = [
    "disable_request_compression",
    "request_min_compression_size_bytes",
];

impl RequestCompression {
    pub(crate) const fn of(compression: compression::RequestCompression) -> Self {
        Self(compression)
    }
}

#[pymethods]
impl RequestCompression {
    #[new]
    #[pyo3(signature = (encodings, *, streaming=false), text_signature = "(encodings, *, streaming=False)")]
    fn new(encodings: &Bound<'_, PyAny>, streaming: bool) -> PyResult<Self> {
        let encodings = texts(encodings)?;
        let encodings = encodings.iter().map(|encoding| &**encoding);
        let compression = compression::RequestCompression::new(encodings);
        let compression = compression.map_err(error::definition)?;
        Ok(Self(compression.streaming(streaming)))
    }

    /// By what a body is to be compressed; `None` where it is sent as it is.
    ///
    /// `size` is the size of a body that is there as a whole; `None` for a stream. One whose length has to be known
    /// before it is sent, by `requires_length`, is never compressed. `supported` is what the sender has: gzip.
    #[pyo3(
        signature = (size, *, requires_length=false, settings=None, supported=None),
        text_signature = "($self, size, *, requires_length=False, settings=None, supported=None)"
    )]
    fn encoding(
        &self,
        size: Option<Bound<'_, PyAny>>,
        requires_length: bool,
        settings: Option<&Bound<'_, CompressionSettings>>,
        supported: Option<Vec<Text>>,
    ) -> PyResult<Option<&str>> {
        let size = size.as_ref().map(bytes).transpose()?;
        let body = match size {
            Some(bytes) => Body::Whole { bytes },
            None if requires_length => Body::StreamingOfKnownLength,
            None => Body::Streaming,
        };
        let settings = settings.map(|settings| settings.get().settings);
        let settings = settings.unwrap_or_default();
        let supported = supported.unwrap_or_else(|| vec![Text("gzip".to_owned())]);
        let supported: Vec<&str> = supported.iter().map(|name| &**name).collect();
        Ok(self.0.encoding(body, &settings, &supported))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let compression = &slf.get().0;
        let keywords = PyDict::new(slf.py());
        keywords.set_item("encodings", compression.encodings().collect::<Vec<_>>())?;
        keywords.set_item("streaming", compression.is_streaming())?;
        pickle::reduce_with_keywords(slf, &keywords)
    }
}

#[pymethods]
impl CompressionSettings {
    #[new]
    #[pyo3(
        signature = (**options),
        text_signature = "(*, disable_request_compression=None, request_min_compression_size_bytes=None)"
    )]
    fn new(py: Python<'_>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let settings = options::read(py, options, (Settings::NAMES, &[]), |given| {
            Settings::from_host(given)
        })?;
        let given = PyDict::new(py);
        for (option, value) in options.into_iter().flatten() {
            if !value.is_none() {
                given.set_item(option, value)?;
            }
        }
        let given = given.unbind();
        Ok(Self { settings, given })
    }

    /// These settings of a request, and for what they do not say those of its client.
    fn over(&self, py: Python<'_>, client: &Self) -> PyResult<Self> {
        let given = client.given.bind(py).copy()?;
        given.update(self.given.bind(py).as_mapping())?;
        Self::new(py, Some(&given))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.settings == other.settings
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_keywords(slf, slf.get().given.bind(slf.py()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut shown = Repr::new(py, "CompressionSettings");
        for option in OPTIONS {
            if let Some(given) = self.given.bind(py).get_item(option)? {
                shown = shown.with(option, given)?;
            }
        }
        Ok(shown.end())
    }
}

/// A size in bytes; one that no number here holds is as large as it gets.
fn bytes(size: &Bound<'_, PyAny>) -> PyResult<u64> {
    let is_integer = size.is_instance_of::<PyInt>() && !size.is_instance_of::<PyBool>();
    if !is_integer || size.lt(0)? {
        let message = "`size` must be an integer, at least 0".to_owned();
        return Err(error::option_error("invalid_option", "size", message));
    }
    Ok(size.extract().unwrap_or(u64::MAX))
}

/// Names of encodings; one name alone is no list of them.
fn texts(encodings: &Bound<'_, PyAny>) -> PyResult<Vec<Text>> {
    encodings.extract().map_err(|_| {
        let class = class_name(&encodings.get_type());
        PyTypeError::new_err(format!(
            "`encodings` must be a list of strings, got `{class}`"
        ))
    })
}

/// The `Content-Encoding` of a body that was compressed: after the caller's own codings.
///
/// >>> content_encoding("br", "gzip")
/// 'br, gzip'
#[pyfunction]
#[pyo3(signature = (existing, encoding))]
pub(crate) fn content_encoding(existing: Option<Text>, encoding: Text) -> String {
    compression::content_encoding(existing.as_deref(), &encoding)
}
