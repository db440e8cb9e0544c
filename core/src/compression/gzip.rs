//! Request bodies, compressed by `flate2`.

use std::io::{self, Read};

use flate2::Compression;
use flate2::read::GzEncoder;

use super::{Body, CompressionSettings, RequestCompression, content_encoding};

/// What this crate compresses by.
const SUPPORTED: [&str; 1] = ["gzip"];

/// A body that was compressed.
///
/// # Example: the header that goes with it
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
    /// Its `Content-Encoding`.
    pub content_encoding: String,
}

/// A stream, compressed while it is read.
///
/// # Example: from any reader
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
    /// Compresses a whole body, where it is to be; at flate2's default level. It is from the size on that the settings say;
    /// whatever its size where the input has a [`streaming`](Self::streaming) member. `existing` is the caller's own
    /// `Content-Encoding`. The body is to be signed afterwards.
    ///
    /// # Errors
    ///
    /// None that a body in memory gives.
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

    /// Compresses a stream of unknown length, where it is to be, whatever its length.
    ///
    /// # Errors
    ///
    /// The stream itself, where it is to be sent as it is.
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
