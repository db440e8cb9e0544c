//! Encodes the wasm as text for bundlers and browsers, which cannot read files synchronously.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::Path;

use anyhow::Result;

use crate::project;
use crate::report;

const TYPES: &str = "\
/** The characters for the most frequent bytes, one for each. */
export declare const singles: string;
/** The characters that are the first of two. The second is any character of `singles` and `prefixes`. */
export declare const prefixes: string;
/** The values of bytes in hexadecimal digits, the most frequent one first. */
export declare const bytes: string;
/** The number of bytes of `engine.wasm`. */
export declare const size: number;
/** The bytes of `engine.wasm`. */
export declare const text: string;
";

/// The printable characters without those that end a string or begin an escape, and without `<` and `>`, which bundlers
/// escape in the marks of comments in HTML.
const SINGLES: &str =
    "!#%&()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}";
const PREFIXES: &str = "~ ";

/// Writes `text.{js,d.ts}`.
///
/// A frequent byte is one character, a rare one is two. Equal bytes always have equal characters, unlike in Base64, so
/// the text is hardly larger than the wasm after compression.
pub(super) fn write(wasm: &[u8], folder: &Path) -> Result<()> {
    let mut sorted = wasm.to_vec();
    sorted.sort_unstable();
    let mut groups: Vec<&[u8]> = sorted.chunk_by(|one, other| one == other).collect();
    groups.sort_by_key(|group| Reverse(group.len()));
    let bytes: Vec<u8> = groups
        .into_iter()
        .flat_map(<[u8]>::first)
        .copied()
        .collect();
    let pairs = PREFIXES.chars().flat_map(|prefix| {
        let seconds = SINGLES.chars().chain(PREFIXES.chars());
        seconds.map(move |second| String::from_iter([prefix, second]))
    });
    let codes = SINGLES.chars().map(String::from).chain(pairs);
    let codes: HashMap<u8, String> = bytes.iter().copied().zip(codes).collect();
    let text: String = wasm
        .iter()
        .filter_map(|byte| codes.get(byte))
        .map(String::as_str)
        .collect();
    let bytes = report::hex(&bytes);
    let values = [
        ("singles", SINGLES),
        ("prefixes", PREFIXES),
        ("bytes", &bytes),
        ("text", &text),
    ];
    let lines = values
        .map(|(name, value)| format!("export const {name} = \"{value}\";\n"))
        .concat();
    let module = format!("{lines}export const size = {};\n", wasm.len());
    project::write(&folder.join("text.js"), module)?;
    project::write(&folder.join("text.d.ts"), TYPES)
}
