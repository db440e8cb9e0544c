//! Compresses bodies, and decompresses them again.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::io::{self, Read};

use flate2::read::GzDecoder;
use smithy_waiters::compression::{CompressionSettings, RequestCompression};

fn compression() -> RequestCompression {
    RequestCompression::new(["gzip"]).unwrap()
}

fn decoded(body: impl Read) -> Vec<u8> {
    let mut decoded = Vec::new();
    GzDecoder::new(body).read_to_end(&mut decoded).unwrap();
    decoded
}

#[test]
fn a_whole_body_is_read_back_as_it_was() {
    let body: Vec<u8> = (0..=u8::MAX).cycle().take(1_000_000).collect();
    let settings = CompressionSettings::default();
    let compressed = compression().compress(&body, None, &settings).unwrap();
    let compressed = compressed.unwrap();
    assert_eq!(compressed.content_encoding, "gzip");
    assert!(compressed.body.len() < 20_000);
    assert_eq!(decoded(&*compressed.body), body);
}

#[test]
fn an_empty_body_is_compressed_only_at_threshold_zero() {
    let settings = CompressionSettings::default();
    assert_eq!(compression().compress(b"", None, &settings).unwrap(), None);
    let settings = settings.request_min_compression_size_bytes(0).unwrap();
    let compressed = compression().compress(b"", None, &settings).unwrap();
    assert_eq!(decoded(&*compressed.unwrap().body), b"");
}

#[test]
fn the_level_is_the_default_of_flate2() {
    // The gzip header marks only the best and the fastest level.
    let settings = CompressionSettings::default();
    let compressed = compression().compress(&[7; 20_000], None, &settings);
    assert_eq!(compressed.unwrap().unwrap().body.get(8), Some(&0));
}

/// A reader of a number of bytes.
struct Endless(usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.0);
        self.0 = self.0.saturating_sub(length);
        buffer.iter_mut().take(length).for_each(|byte| *byte = 7);
        Ok(length)
    }
}

#[test]
fn a_stream_is_compressed_while_it_is_read() {
    let settings = CompressionSettings::default();
    let stream = compression().compress_stream(Endless(10_000_000), Some("br"), &settings);
    let stream = stream.ok().unwrap();
    assert_eq!(stream.content_encoding, "br, gzip");
    assert_eq!(decoded(stream.body), vec![7; 10_000_000]);
    let off = settings.disable_request_compression(true);
    let plain = compression().compress_stream(&b"abc"[..], None, &off);
    assert_eq!(plain.err(), Some(&b"abc"[..]));
}
