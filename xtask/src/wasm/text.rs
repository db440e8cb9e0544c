//! The wasm as text, for hosts that cannot read files: what a bundler takes up.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use lzma_rust2::{EncodeMode, LzmaOptions, LzmaWriter, MfType};

use crate::project;

const TYPES: &str = "\
/** The bytes of `engine.wasm`, packed as `lzma.ts` reads them, in base64. */
export declare const packed: string;
/** How many they are unpacked, and a sum of some of them. */
export declare const size: number;
export declare const sum: number;
";

/// Writes `engine-bytes.{js,d.ts}`.
///
/// # Errors
///
/// When a file cannot be written.
pub(super) fn write(wasm: &[u8], stage: &Path) -> Result<()> {
    let packed = BASE64_STANDARD.encode(packed(wasm).context("the wasm could not be packed")?);
    let (size, sum) = (wasm.len(), sum(wasm));
    project::write(
        &stage.join("engine-bytes.js"),
        format!(
            "export const packed = \"{packed}\";\nexport const size = {size};\nexport const sum = {sum};\n"
        ),
    )?;
    project::write(&stage.join("engine-bytes.d.ts"), TYPES)
}

/// By LZMA, which takes a quarter less than gzip and a reader of less than a kilobyte. What is always the same, that reader
/// knows: no header, no end marker, and the bits of context.
///
/// # Errors
///
/// When it cannot be packed.
pub(super) fn packed(wasm: &[u8]) -> Result<Vec<u8>> {
    let options = LzmaOptions {
        lc: 3,
        lp: 0,
        pb: 0,
        mode: EncodeMode::Normal,
        nice_len: LzmaOptions::NICE_LEN_MAX,
        mf: MfType::Bt4,
        depth_limit: 1000,
        ..LzmaOptions::with_preset(9)
    };
    let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, false)?;
    writer.write_all(wasm)?;
    Ok(writer.finish()?)
}

/// Tells two wasms apart, as `installed.ts` counts too: one byte of 31 is enough where one of both was compiled anew.
fn sum(wasm: &[u8]) -> u32 {
    wasm.iter().step_by(31).fold(0, |sum: u32, byte| {
        sum.wrapping_mul(31).wrapping_add(u32::from(*byte))
    })
}
