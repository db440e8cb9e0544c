//! Formatting with the project's `rustfmt`, so that `cargo fmt` leaves generated sources unchanged.
//!
//! The backend itself uses prettyplease, which needs no toolchain. That suffices for the output of build scripts. Its
//! style differs from rustfmt's, which also depends on the project's settings and edition. A missing rustfmt is an
//! error, so that the output doesn't depend on the machine.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs, io};

use crate::backend::File;
use crate::error::GenerateError;

/// The edition for a folder outside any package.
const EDITION: &str = "2024";

/// Formats files as sources of the project that contains `folder`, with its rustfmt settings and edition. Adds an
/// attribute that allows unused items.
///
/// # Errors
///
/// [`GenerateError::Formatter`] if rustfmt is missing or fails.
pub fn format(files: Vec<File>, folder: &Path) -> Result<Vec<File>, GenerateError> {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let formatted = files.into_iter().map(|file| {
        let text = run_formatter(&insert_allow(&file.text), &folder)?;
        Ok(File { text, ..file })
    });
    formatted.collect()
}

/// The attribute at the start of a source file. Included files cannot contain inner attributes.
const ALLOW_UNUSED: &str =
    "#![allow(dead_code, unreachable_pub, reason = \"programs call only a part of it\")]\n\n";

/// Inserts the attribute after the marker, which must stay the first line.
fn insert_allow(text: &str) -> String {
    let end = text
        .find('\n')
        .map_or(text.len(), |end| end.saturating_add(1));
    let (marker, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    format!("{marker}\n{ALLOW_UNUSED}{rest}")
}

fn run_formatter(text: &str, folder: &Path) -> Result<String, GenerateError> {
    let failed = |message: String| GenerateError::Formatter(message);
    let output = run(text, folder).map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(failed(message.trim().to_owned()));
    }
    String::from_utf8(output.stdout).map_err(|error| failed(error.to_string()))
}

fn run(text: &str, folder: &Path) -> io::Result<Output> {
    let program = env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into());
    let existing = folder.ancestors().find(|folder| folder.is_dir());
    let mut child = Command::new(program)
        .args(["--edition", &edition(folder)])
        .current_dir(existing.unwrap_or(Path::new(".")))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    // rustfmt reads all input before it writes. If it exits early, its own error is reported.
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(text.as_bytes());
    }
    child.wait_with_output()
}

/// Returns the edition of the package or workspace that contains the folder.
fn edition(folder: &Path) -> String {
    let manifests = folder.ancestors().map(|folder| folder.join("Cargo.toml"));
    let edition = manifests
        .filter_map(|manifest| edition_of(&manifest))
        .next();
    edition.unwrap_or_else(|| EDITION.to_owned())
}

fn edition_of(manifest: &PathBuf) -> Option<String> {
    let text = fs::read_to_string(manifest).ok()?;
    let edition = text.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "edition").then_some(value)
    });
    edition?.split('"').nth(1).map(str::to_owned)
}
