//! Encodes the wasm as text for bundlers and browsers, which cannot read files.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;

use crate::project;

const TYPES: &str = "\
/** The bytes of `engine.wasm` in hexadecimal digits. */
export declare const hex: string;
";

/// Writes `text.{js,d.ts}`.
///
/// The encoding is hexadecimal, because a byte is always the same two characters. In Base64 equal bytes have several
/// encodings, so the text is larger after compression: by a sixth with gzip and by a fifth with brotli.
pub(super) fn write(wasm: &[u8], folder: &Path) -> Result<()> {
    let mut hex = String::new();
    for byte in wasm {
        write!(hex, "{byte:02x}")?;
    }
    let text = format!("export const hex = \"{hex}\";\n");
    project::write(&folder.join("text.js"), text)?;
    project::write(&folder.join("text.d.ts"), TYPES)
}
