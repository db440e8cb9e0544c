//! Request compression: whether a body is compressed, by what, and what the header then says.
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
/// The threshold, in bytes.
const MIN_SIZE: IntegerSpec = IntegerSpec {
    ranged: OptionSpec::new(
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
    #[serde(deserialize_with = "checked_encodings")]
    encodings: Vec<Box<str>>,
    streaming: bool,
}

fn checked_encodings<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Box<str>>, D::Error> {
    let encodings = Vec::<String>::deserialize(deserializer)?;
    let compression = RequestCompression::new(encodings.iter().map(String::as_str));
    Ok(compression.map_err(D::Error::custom)?.encodings)
}

/// What is to be sent.
///
/// # Example: a stream, whatever its length will be
///
/// ```
/// use smithy_waiters::compression::{Body, CompressionSettings, RequestCompression};
///
/// let compression = RequestCompression::new(["gzip"])?;
/// let by = |body| compression.encoding(body, &CompressionSettings::default(), &["gzip"]);
/// assert_eq!(by(Body::Streaming), Some("gzip"));
/// assert_eq!(by(Body::StreamingOfKnownLength), None);
/// assert_eq!(by(Body::Whole { bytes: 100 }), None);
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a host that sends bodies must know each"
)]
pub enum Body {
    /// A stream of unknown length.
    Streaming,
    /// A stream whose length has to be known before it is sent: it is never compressed.
    StreamingOfKnownLength,
    /// A body that is there as a whole.
    Whole {
        /// Its size.
        bytes: u64,
    },
}

/// The two settings of a client, or of one request; what is not set is the next one's.
///
/// # Example: a request with a threshold of its own
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

impl FromHost for CompressionSettings {
    const NAMES: &'static [&'static str] = &[DISABLE_OPTION, MIN_SIZE.ranged.option];

    /// The settings from an object of a host language: `disableRequestCompression`, a boolean, and
    /// `requestMinCompressionSizeBytes`, an integer from 0 to 10485760. What is null counts as not given.
    ///
    /// # Errors
    ///
    /// `unknown_option` for any other name, `invalid_option` for any other value.
    fn from_host<V: Value>(object: V) -> Result<Self, OptionsError> {
        let given = RawOptions::read(object, Self::NAMES)?;
        Ok(Self {
            disable: given.boolean(DISABLE_OPTION)?,
            min_size: given.integer(&MIN_SIZE)?,
        })
    }
}

impl CompressionSettings {
    /// Whether nothing is compressed; false by default.
    #[must_use]
    pub const fn disable_request_compression(mut self, disable: bool) -> Self {
        self.disable = Some(disable);
        self
    }

    /// The least size of a whole body that is compressed, from 0 to 10485760 bytes; 10240 by default.
    ///
    /// # Errors
    ///
    /// `invalid_option` beyond the range.
    pub fn request_min_compression_size_bytes(mut self, bytes: u64) -> Result<Self, OptionsError> {
        self.min_size = Some(MIN_SIZE.checked(bytes)?);
        Ok(self)
    }

    /// These settings of a request over those of its client.
    #[must_use]
    pub fn over(self, client: Self) -> Self {
        Self {
            disable: self.disable.or(client.disable),
            min_size: self.min_size.or(client.min_size),
        }
    }
}

impl RequestCompression {
    /// The trait's encodings in the order of their priority, in any case. An encoding that the host does not support is skipped
    /// when a body is compressed; services may list newer ones.
    ///
    /// # Errors
    ///
    /// `invalid_encodings` for an empty list or an empty name.
    pub fn new<'a>(encodings: impl IntoIterator<Item = &'a str>) -> Result<Self, DefinitionError> {
        let encodings: Vec<Box<str>> = encodings
            .into_iter()
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
                "it must be a list of at least one encoding",
            ),
            Some(index) => (
                format!("encodings[{index}]"),
                "an encoding must be a non-empty string",
            ),
        };
        Err(DefinitionError::new("invalid_encodings", path, message))
    }

    /// The same from a JSON array of them.
    ///
    /// # Errors
    ///
    /// `invalid_json`; else as [`new`](Self::new), also for what is no array.
    pub fn from_json(encodings: &str) -> Result<Self, DefinitionError> {
        Self::read(&json_of("encodings", encodings)?)
    }

    fn read(encodings: &Json) -> Result<Self, DefinitionError> {
        let names = encodings.as_array().into_iter().flatten();
        Self::new(names.map(|name| name.as_str().unwrap_or_default()))
    }

    /// Whether the operation's input has a `streaming` member: its bodies are compressed whatever their size, whole ones too.
    ///
    /// Clause: [Request compression
    /// behavior](https://smithy.io/2.0/spec/behavior-traits.html#request-compression-behavior).
    #[must_use]
    pub const fn streaming(mut self, streaming: bool) -> Self {
        self.streaming = streaming;
        self
    }

    /// Whether bodies are compressed whatever their size.
    #[must_use]
    pub const fn is_streaming(&self) -> bool {
        self.streaming
    }

    /// The trait's encodings in lower case, in the order of their priority.
    pub fn encodings(&self) -> impl ExactSizeIterator<Item = &str> {
        self.encodings.iter().map(AsRef::as_ref)
    }

    /// The trait of an operation of a model.
    pub(crate) fn of(
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
        // SPEC: 9.3.2: "not allowed to use request compression".
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

    /// Returns the encoding to compress a body with: the first of the trait's that the host supports. `None` if it supports none of
    /// them, or if the body is to be sent uncompressed.
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
        let least = settings.min_size.unwrap_or(10_240);
        let wanted = match body {
            Body::Streaming => true,
            Body::StreamingOfKnownLength => false,
            // SPEC: 9.3.2: by the input's member, not by how the host has its body: "regardless of the minimum" size.
            Body::Whole { bytes } => self.streaming || bytes >= least,
        };
        if !wanted || settings.disable.unwrap_or(false) {
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

/// The trait of a stream whose length has to be known before it is sent: only streams have it.
const KNOWN_LENGTH: &str = "smithy.api#requiresLength";
/// The trait of what a stream is sent as.
pub(crate) const STREAMING: &str = "smithy.api#streaming";

/// The `Content-Encoding` of a body that was compressed: after the caller's own codings, in the order they were applied.
///
/// Clause: [RFC 9110, 8.4](https://www.rfc-editor.org/rfc/rfc9110#section-8.4).
///
/// # Example: with and without a coding of the caller's
///
/// ```
/// use smithy_waiters::compression::content_encoding;
///
/// assert_eq!(content_encoding(None, "gzip"), "gzip");
/// assert_eq!(content_encoding(Some("brotli"), "gzip"), "brotli, gzip");
/// ```
#[must_use]
pub fn content_encoding(existing: Option<&str>, encoding: &str) -> String {
    // Empty elements of a list mean nothing (RFC 9110, 5.6.1).
    let existing = existing
        .map(|existing| existing.trim_matches([',', ' ', '\t']))
        .filter(|existing| !existing.is_empty());
    match existing {
        Some(existing) => format!("{existing}, {encoding}"),
        None => encoding.to_owned(),
    }
}
