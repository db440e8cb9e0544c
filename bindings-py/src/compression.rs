//! Request compression: the choice of an encoding, and the `Content-Encoding` header.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smithy_waiters::compression::{self, Body, CompressionSettings as Settings};
use smithy_waiters::internal::{FromHost as _, snake_case};

use crate::argument::Text;
use crate::error;
use crate::options;
use crate::pickle;
use crate::repr::Repr;

/// The compression of an operation's request bodies, as configured by the `requestCompression` trait.
///
/// See the `specification <https://smithy.io/2.0/spec/behavior-traits.html#requestcompression-trait>`_.
///
/// >>> RequestCompression(["gzip"]).encoding(20_000)
/// 'gzip'
///
/// Args:
///     encodings: The encodings of the trait, in order of preference.
///     streaming: `True` if the input has a `streaming` member. Bodies of any size are then compressed.
///
/// Raises:
///     DefinitionError: `encodings` is empty or has an invalid name.
///     TypeError: `encodings` is not a list of strings.
#[pyclass(frozen, eq, module = "smithy_waiters._engine")]
#[derive(Clone, PartialEq)]
pub(crate) struct RequestCompression(compression::RequestCompression);

/// The compression settings of a client or of one request.
///
/// Args:
///     disable_request_compression: `True` to compress nothing; `False` by default.
///     request_min_compression_size_bytes: The minimum size of a compressed body, from 0 to 10485760 bytes; 10240 by
///         default. Streams are compressed regardless of their size.
///
/// Raises:
///     OptionsError: A setting is unknown or invalid.
#[pyclass(frozen, module = "smithy_waiters._engine")]
pub(crate) struct CompressionSettings {
    settings: Settings,
    /// The options that are not `None`, for copies and `repr`.
    options: Py<PyDict>,
}

impl RequestCompression {
    pub(crate) const fn from_engine(compression: compression::RequestCompression) -> Self {
        Self(compression)
    }
}

#[pymethods]
impl RequestCompression {
    #[new]
    #[pyo3(signature = (encodings, *, streaming=false), text_signature = "(encodings, *, streaming=False)")]
    fn new(encodings: &Bound<'_, PyAny>, streaming: bool) -> PyResult<Self> {
        let encodings = encoding_names(encodings)?;
        let encodings = encodings.iter().map(|encoding| &**encoding);
        let compression = compression::RequestCompression::new(encodings);
        let compression = compression.map_err(error::definition)?;
        Ok(Self(compression.streaming(streaming)))
    }

    /// Return the encoding to compress a body with, or `None` to send the body uncompressed.
    ///
    /// Args:
    ///     size: The size of the body in bytes; `None` for a stream.
    ///     requires_length: `True` if the length of a stream must be known before it is sent. Such a stream is not
    ///         compressed.
    ///     settings: The settings of the client and the request.
    ///     supported: The encodings that the sender supports; `["gzip"]` by default.
    ///
    /// Raises:
    ///     OptionsError: `size` is not an integer of at least 0.
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
        let body = match options::count("size", size)? {
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
        let settings = options::of(py, options)?;
        let present = PyDict::new(py);
        for (option, value) in options.into_iter().flatten() {
            if !value.is_none() {
                present.set_item(option, value)?;
            }
        }
        let options = present.unbind();
        Ok(Self { settings, options })
    }

    /// Return these settings of a request, with the client's values for settings that the request does not have.
    fn over(&self, py: Python<'_>, client: &Self) -> PyResult<Self> {
        let options = client.options.bind(py).copy()?;
        options.update(self.options.bind(py).as_mapping())?;
        Self::new(py, Some(&options))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.settings == other.settings
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::reduce_with_keywords(slf, slf.get().options.bind(slf.py()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut repr = Repr::new(py, "CompressionSettings");
        for option in Settings::NAMES.iter().map(|name| snake_case(name)) {
            if let Some(value) = self.options.bind(py).get_item(&option)? {
                repr = repr.field(&option, value)?;
            }
        }
        Ok(repr.end())
    }
}

/// Reads a list of encoding names. A single string is rejected, because it would be a list of its characters.
fn encoding_names(encodings: &Bound<'_, PyAny>) -> PyResult<Vec<Text>> {
    let rejected = |argument: &str, rule: &str, object: &Bound<'_, PyAny>| {
        let got = error::display_input(object);
        PyTypeError::new_err(format!("`{argument}` must be {rule}, got {got}"))
    };
    let items: Vec<Bound<'_, PyAny>> = encodings
        .extract()
        .map_err(|_| rejected("encodings", "a list of strings", encodings))?;
    let name = |(index, item): (usize, &Bound<'_, PyAny>)| {
        let name = item.extract();
        name.map_err(|_| rejected(&format!("encodings[{index}]"), "a string", item))
    };
    items.iter().enumerate().map(name).collect()
}

/// Return the `Content-Encoding` header of a compressed body: `encoding` follows the existing codings.
///
/// >>> content_encoding("br", "gzip")
/// 'br, gzip'
#[pyfunction]
#[pyo3(signature = (existing, encoding))]
pub(crate) fn content_encoding(existing: Option<Text>, encoding: Text) -> String {
    compression::content_encoding(existing.as_deref(), &encoding)
}
