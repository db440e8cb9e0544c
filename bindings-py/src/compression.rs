//! Request compression: whether a body is compressed, and by what.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyTuple};
use smithy_waiters::compression::{self, Body};

use crate::argument::Text;
use crate::context::{Context, class_name};
use crate::error;
use crate::handle::Handle;
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
#[pyclass(frozen, eq, module = "smithy_waiters._engine")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct CompressionSettings {
    settings: compression::CompressionSettings,
    /// As they were given, for people.
    disable: Option<bool>,
    least: Option<u64>,
}

/// What they may be made of.
const DISABLE: &str = "disable_request_compression";
const LEAST: &str = "request_min_compression_size_bytes";

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
        let encodings = encodings.iter().map(|Text(encoding)| &**encoding);
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
        Ok(match &supported {
            Some(supported) => {
                let names: Vec<&str> = supported.iter().map(|Text(name)| &**name).collect();
                self.0.encoding(body, &settings, &names)
            }
            None => self.0.encoding(body, &settings, &["gzip"]),
        })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let compression = &slf.get().0;
        let streaming = compression.is_streaming();
        pickle::by(
            slf.py(),
            "_request_compression",
            (compression.encodings().collect::<Vec<_>>(), streaming),
        )
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
        let settings = read(py, options);
        let settings = settings.or_else(|error| {
            let known = PyTuple::new(py, [DISABLE, LEAST])?;
            Err(error::with_hint(py, error, known.as_any())?)
        })?;
        Ok(Self {
            settings,
            disable: given(options, DISABLE)?
                .map(|disable| disable.is_truthy())
                .transpose()?,
            least: given(options, LEAST)?
                .map(|least| py.get_type::<PyInt>().call1((least,))?.extract())
                .transpose()?,
        })
    }

    /// These settings of a request, and for what they do not say those of its client.
    fn over(&self, client: &Self) -> Self {
        Self {
            settings: self.settings.over(client.settings),
            disable: self.disable.or(client.disable),
            least: self.least.or(client.least),
        }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, settings) = (slf.py(), slf.get());
        pickle::by(
            py,
            "_compression_settings",
            (settings.disable, settings.least),
        )
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut shown = Repr::new(py, "CompressionSettings");
        if let Some(disable) = self.disable {
            shown = shown.with(DISABLE, disable)?;
        }
        if let Some(least) = self.least {
            shown = shown.with(LEAST, least)?;
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

fn read(
    py: Python<'_>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<compression::CompressionSettings> {
    let given = options::in_engine(py, options)?;
    let context = Context::new(&[]);
    let settings =
        compression::CompressionSettings::from_host(Handle::new(given.into_any(), &context));
    context.finish()?;
    settings.map_err(error::options)
}

/// The value of an option that was read before.
fn given<'py>(
    options: Option<&Bound<'py, PyDict>>,
    name: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let given = options.map(|options| options.get_item(name)).transpose()?;
    Ok(given.flatten().filter(|given| !given.is_none()))
}

/// The `Content-Encoding` of a body that was compressed: after the caller's own codings.
///
/// >>> content_encoding("br", "gzip")
/// 'br, gzip'
#[pyfunction]
#[pyo3(signature = (existing, encoding))]
pub(crate) fn content_encoding(existing: Option<Text>, encoding: Text) -> String {
    let existing = existing.as_ref().map(|Text(existing)| &**existing);
    compression::content_encoding(existing, &encoding.0)
}

/// A trait by position, for pickles.
#[pyfunction]
#[pyo3(name = "_request_compression")]
pub(crate) fn request_compression(
    encodings: &Bound<'_, PyAny>,
    streaming: bool,
) -> PyResult<RequestCompression> {
    RequestCompression::new(encodings, streaming)
}

/// Settings by position, for pickles.
#[pyfunction]
#[pyo3(name = "_compression_settings")]
pub(crate) fn settings(
    py: Python<'_>,
    disable: Option<bool>,
    least: Option<u64>,
) -> PyResult<CompressionSettings> {
    let given = PyDict::new(py);
    given.set_item(DISABLE, disable)?;
    given.set_item(LEAST, least)?;
    CompressionSettings::new(py, Some(&given))
}
