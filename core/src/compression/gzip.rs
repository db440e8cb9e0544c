//! Compression of request bodies with `flate2`.

use std::io::{self, Read};

use flate2::Compression;
use flate2::read::GzEncoder;

use super::{Body, CompressionSettings, RequestCompression, content_encoding};

/// The encodings that this crate implements.
const SUPPORTED: [&str; 1] = ["gzip"];

/// A compressed body and its `Content-Encoding` header.
///
/// # Example: a body with an existing coding
///
/// ```
/// use smithy_waiters::compression::{Compressed, CompressionSettings, RequestCompression};
///
/// let compression = RequestCompression::new(["gzip"])?;
/// let body = vec![b'a'; 20_000];
/// let Some(Compressed { body, content_encoding, .. }) =
///     compression.compress(&body, Some("br"), &CompressionSettings::default())?
/// else {
///     panic!("it is large enough")
/// };
/// assert!(body.len() < 200);
/// assert_eq!(content_encoding, "br, gzip");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compressed<B = Vec<u8>> {
    /// The body to send.
    pub body: B,
    /// The value of the `Content-Encoding` header.
    pub content_encoding: String,
}

/// A reader that compresses another reader's data with gzip while it is read.
///
/// # Example: a compressed slice
///
/// ```
/// use std::io::Read;
/// use smithy_waiters::compression::{CompressionSettings, GzipReader, RequestCompression};
///
/// let compression = RequestCompression::new(["gzip"])?;
/// let stream = compression.compress_stream(&b"abc"[..], None, &CompressionSettings::default());
/// let mut compressed = Vec::new();
/// if let Ok(stream) = stream {
///     let mut reader: GzipReader<&[u8]> = stream.body;
///     reader.read_to_end(&mut compressed)?;
/// }
/// assert_eq!(compressed[..2], [0x1f, 0x8b]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GzipReader<R>(GzEncoder<R>);

impl<R: Read> Read for GzipReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl RequestCompression {
    /// Compresses a whole body at flate2's default level. Returns `None` if it must be sent uncompressed.
    ///
    /// The body is compressed if it has at least the minimum size of the settings, or if the input has a
    /// [`streaming`](Self::streaming) member. `existing` is the request's current `Content-Encoding`. Sign the request
    /// after compressing its body.
    ///
    /// # Errors
    ///
    /// Errors of the encoder. It reads from memory, so that none are expected.
    pub fn compress(
        &self,
        body: &[u8],
        existing: Option<&str>,
        settings: &CompressionSettings,
    ) -> io::Result<Option<Compressed>> {
        let bytes = u64::try_from(body.len()).unwrap_or(u64::MAX);
        let Some(encoding) = self.encoding(Body::Whole { bytes }, settings, &SUPPORTED) else {
            return Ok(None);
        };
        let mut compressed = Vec::new();
        GzEncoder::new(body, Compression::default()).read_to_end(&mut compressed)?;
        Ok(Some(Compressed {
            body: compressed,
            content_encoding: content_encoding(existing, encoding),
        }))
    }

    /// Wraps a stream of unknown length in a reader that compresses it. `existing` is the request's current
    /// `Content-Encoding`.
    ///
    /// # Errors
    ///
    /// Returns the stream unchanged if it must be sent uncompressed.
    pub fn compress_stream<R: Read>(
        &self,
        stream: R,
        existing: Option<&str>,
        settings: &CompressionSettings,
    ) -> Result<Compressed<GzipReader<R>>, R> {
        match self.encoding(Body::Streaming, settings, &SUPPORTED) {
            Some(encoding) => Ok(Compressed {
                body: GzipReader(GzEncoder::new(stream, Compression::default())),
                content_encoding: content_encoding(existing, encoding),
            }),
            None => Err(stream),
        }
    }
}
