//! Request compression: the choice of an encoding for a request body, and its `Content-Encoding` header.
//!
//! Clause: [Compression](https://smithy.io/2.0/spec/behavior-traits.html#compression).

#[cfg(feature = "gzip")]
mod gzip;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value as Json;

#[cfg(feature = "gzip")]
pub use gzip::{Compressed, GzipReader};

use crate::definition::json_of;
use crate::error::{DefinitionError, OptionsError};
use crate::model::{Model, Operation};
use crate::options::{FromHost, IntegerSpec, OptionSpec, RawOptions};
use crate::value::Value;

const DISABLE_OPTION: &str = "disableRequestCompression";
/// The minimum size, in bytes, of a body that is compressed.
const MIN_SIZE: IntegerSpec = IntegerSpec {
    spec: OptionSpec::new(
        "requestMinCompressionSizeBytes",
        "must be an integer from 0 to 10485760",
    ),
    least: 0,
    greatest: 10_485_760,
};

/// A `requestCompression` trait.
///
/// # Example: a body that is large enough
///
/// ```
/// use smithy_waiters::compression::{Body, CompressionSettings, RequestCompression, content_encoding};
///
/// let compression = RequestCompression::new(["gzip"])?;
/// let settings = CompressionSettings::default();
/// let encoding = compression.encoding(Body::Whole { bytes: 20_000 }, &settings, &["gzip"]);
/// assert_eq!(encoding, Some("gzip"));
/// assert_eq!(content_encoding(Some("br"), "gzip"), "br, gzip");
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestCompression {
    #[serde(deserialize_with = "deserialize_encodings")]
    encodings: Vec<Box<str>>,
    streaming: bool,
}

fn deserialize_encodings<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Box<str>>, D::Error> {
    let encodings = Vec::<String>::deserialize(deserializer)?;
    let compression = RequestCompression::new(encodings.iter().map(String::as_str));
    Ok(compression.map_err(D::Error::custom)?.encodings)
}

/// The kind of a request body.
///
/// # Example: streams and whole bodies
///
/// ```
/// use smithy_waiters::compression::{Body, CompressionSettings, RequestCompression};
///
/// let compression = RequestCompression::new(["gzip"])?;
/// let encoding = |body| compression.encoding(body, &CompressionSettings::default(), &["gzip"]);
/// assert_eq!(encoding(Body::Streaming), Some("gzip"));
/// assert_eq!(encoding(Body::StreamingOfKnownLength), None);
/// assert_eq!(encoding(Body::Whole { bytes: 100 }), None);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a host must handle every kind of body"
)]
pub enum Body {
    /// A stream of unknown length.
    Streaming,
    /// A stream whose length must be known before it is sent. It is never compressed.
    StreamingOfKnownLength,
    /// A body that is completely in memory.
    Whole {
        /// The size of the body, in bytes.
        bytes: u64,
    },
}

/// The compression settings of a client or of a single request.
///
/// A setting that a request leaves unset is taken from its client; see [`over`](Self::over).
///
/// # Example: a minimum size for one request
///
/// ```
/// use smithy_waiters::compression::CompressionSettings;
///
/// let client = CompressionSettings::default().disable_request_compression(true);
/// let request = CompressionSettings::default().request_min_compression_size_bytes(0)?;
/// assert_eq!(request.over(client), client.request_min_compression_size_bytes(0)?);
/// assert!(client.request_min_compression_size_bytes(10_485_761).is_err());
/// # Ok::<(), smithy_waiters::OptionsError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompressionSettings {
    disable: Option<bool>,
    min_size: Option<u64>,
}

#[doc(hidden)]
impl FromHost for CompressionSettings {
    const NAMES: &'static [&'static str] = &[DISABLE_OPTION, MIN_SIZE.spec.option];

    /// Reads the settings from an object of a host language: `disableRequestCompression`, a boolean, and
    /// `requestMinCompressionSizeBytes`, an integer from 0 to 10485760. A null member counts as unset.
    ///
    /// # Errors
    ///
    /// `unknown_option` for any other name; `invalid_option` for any other value.
    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let options = RawOptions::read(object, Self::NAMES)?;
        Ok(Self {
            disable: options.boolean(DISABLE_OPTION)?,
            min_size: options.integer(&MIN_SIZE)?,
        })
    }
}

impl CompressionSettings {
    /// Disables compression if `disable` is `true`. Compression is enabled by default.
    #[must_use]
    pub const fn disable_request_compression(mut self, disable: bool) -> Self {
        self.disable = Some(disable);
        self
    }

    /// Sets the minimum size of a [whole](Body::Whole) body that is compressed: 0 to 10485760 bytes, 10240 by default.
    ///
    /// # Errors
    ///
    /// `invalid_option` if `bytes` is out of range.
    pub fn request_min_compression_size_bytes(mut self, bytes: u64) -> Result<Self, OptionsError> {
        self.min_size = Some(MIN_SIZE.checked(bytes)?);
        Ok(self)
    }

    /// Merges the settings of a request with those of its client. The request's settings take precedence.
    #[must_use]
    pub fn over(self, client: Self) -> Self {
        Self {
            disable: self.disable.or(client.disable),
            min_size: self.min_size.or(client.min_size),
        }
    }
}

impl RequestCompression {
    /// Creates the trait from its encodings, in order of priority. Case is ignored.
    ///
    /// Unknown encodings are accepted, because services may list newer ones. [`encoding`](Self::encoding) skips those
    /// that the host does not support.
    ///
    /// # Errors
    ///
    /// `invalid_encodings` if the list or one of its encodings is empty.
    pub fn new<'a>(encodings: impl IntoIterator<Item = &'a str>) -> Result<Self, DefinitionError> {
        let encodings: Vec<Box<str>> = encodings
            .into_iter()
            // Names of encodings are compared without regard to case. Rule: docs/rules.md#compression-encodings
            .map(|encoding| encoding.to_ascii_lowercase().into())
            .collect();
        let (path, message) = match encodings.iter().position(|encoding| encoding.is_empty()) {
            None if !encodings.is_empty() => {
                return Ok(Self {
                    encodings,
                    streaming: false,
                });
            }
            None => (
                "encodings".to_owned(),
                "must be a list of at least one encoding",
            ),
            Some(index) => (
                format!("encodings[{index}]"),
                "an encoding must be a non-empty string",
            ),
        };
        Err(DefinitionError::new("invalid_encodings", path, message))
    }

    /// Creates the trait from a JSON array of encodings. See [`new`](Self::new).
    ///
    /// # Errors
    ///
    /// - `invalid_json` if `encodings` is not JSON.
    /// - `invalid_encodings` if it is not an array of at least one non-empty string.
    pub fn from_json(encodings: &str) -> Result<Self, DefinitionError> {
        Self::read(&json_of("encodings", encodings)?)
    }

    fn read(encodings: &Json) -> Result<Self, DefinitionError> {
        let names = encodings.as_array().into_iter().flatten();
        Self::new(names.map(|name| name.as_str().unwrap_or_default()))
    }

    /// Sets whether the operation's input has a `streaming` member. If it has, bodies of any size are compressed,
    /// including [whole](Body::Whole) ones. See docs/rules.md#compression-by-input.
    ///
    /// Clause: [Request compression
    /// behavior](https://smithy.io/2.0/spec/behavior-traits.html#request-compression-behavior).
    #[must_use]
    pub const fn streaming(mut self, streaming: bool) -> Self {
        self.streaming = streaming;
        self
    }

    /// Returns `true` if the operation's input has a `streaming` member, so that bodies of any size are compressed.
    #[must_use]
    pub const fn is_streaming(&self) -> bool {
        self.streaming
    }

    /// Returns the trait's encodings in lower case, in order of priority.
    pub fn encodings(&self) -> impl ExactSizeIterator<Item = &str> {
        self.encodings.iter().map(AsRef::as_ref)
    }

    /// Reads the trait of an operation. Returns `None` if the operation does not have it or must not be compressed.
    pub(crate) fn from_operation(
        model: &Model<'_>,
        operation: &Operation<'_>,
    ) -> Result<Option<Self>, DefinitionError> {
        const TRAIT: &str = "smithy.api#requestCompression";
        let Some(value) = model.trait_of(operation.id, TRAIT) else {
            return Ok(None);
        };
        let leads_to = |name| {
            operation
                .input
                .is_some_and(|input| model.leads_to(input, name))
        };
        // The specification doesn't allow `requestCompression` on streams with `requiresLength`.
        if leads_to(KNOWN_LENGTH) {
            return Ok(None);
        }
        let encodings = value.get("encodings").unwrap_or(&Json::Null);
        let compression = Self::read(encodings).map_err(|mut error| {
            error.path = format!("shapes.{}.traits.{TRAIT}.{}", operation.id, error.path);
            error
        })?;
        Ok(Some(compression.streaming(leads_to(STREAMING))))
    }

    /// Returns the encoding to compress a body with: the trait's first encoding that the host supports.
    ///
    /// Returns `None` if the host supports none of them, or if the body must be sent uncompressed.
    ///
    /// Clause: [Request compression
    /// behavior](https://smithy.io/2.0/spec/behavior-traits.html#request-compression-behavior).
    #[must_use]
    pub fn encoding(
        &self,
        body: Body,
        settings: &CompressionSettings,
        supported: &[&str],
    ) -> Option<&str> {
        // The default of the specification.
        let least = settings.min_size.unwrap_or(10_240);
        let is_eligible = match body {
            Body::Streaming => true,
            Body::StreamingOfKnownLength => false,
            // The input's member decides, not the host's representation of the body: the specification compresses
            // streaming members regardless of the minimum size. Rule: docs/rules.md#compression-by-input
            Body::Whole { bytes } => self.streaming || bytes >= least,
        };
        if !is_eligible || settings.disable.unwrap_or(false) {
            return None;
        }
        let is_supported = |encoding: &&str| {
            supported
                .iter()
                .any(|supported| supported.eq_ignore_ascii_case(encoding))
        };
        self.encodings().find(is_supported)
    }
}

/// The trait of a stream whose length must be known before it is sent.
const KNOWN_LENGTH: &str = "smithy.api#requiresLength";
/// The trait of shapes that are sent as streams.
pub(crate) const STREAMING: &str = "smithy.api#streaming";

/// Returns the `Content-Encoding` header of a compressed body: the existing codings, followed by `encoding`.
///
/// Clause: [RFC 9110, 8.4](https://www.rfc-editor.org/rfc/rfc9110#section-8.4).
///
/// # Example: with and without an existing coding
///
/// ```
/// use smithy_waiters::compression::content_encoding;
///
/// assert_eq!(content_encoding(None, "gzip"), "gzip");
/// assert_eq!(content_encoding(Some("brotli"), "gzip"), "brotli, gzip");
/// ```
#[must_use]
pub fn content_encoding(existing: Option<&str>, encoding: &str) -> String {
    // Empty list elements are ignored (RFC 9110, section 5.6.1). Clients remove white space around a header's value, also
    // line breaks.
    let existing = existing
        .map(|existing| existing.trim_matches([',', ' ', '\t', '\r', '\n']))
        .filter(|existing| !existing.is_empty());
    match existing {
        Some(existing) => format!("{existing}, {encoding}"),
        None => encoding.to_owned(),
    }
}
