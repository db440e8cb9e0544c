//! `rustfmt`, as a project has it: what is written into a project's sources must be as its own `cargo fmt` leaves it.
//!
//! The backend itself prints by prettyplease: always the same, and without a toolchain, for the folders of builds, which nobody
//! formats. That is near to what rustfmt makes, but not the same, and nothing but rustfmt is: its style depends on the settings
//! and on the edition. Where there is no rustfmt, that is an error, so that the same model gives the same bytes on all machines.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs, io};

use crate::backend::File;
use crate::error::GenerateError;

/// The edition of a folder that is in no package.
const EDITION: &str = "2024";

/// Files as a project's sources have them in a folder: without warnings of what a program does not call, and as `rustfmt`
/// formats them, by the settings and the edition that hold there.
///
/// # Errors
///
/// [`GenerateError::Formatter`] where there is no rustfmt, or it refuses its settings.
pub fn format(files: Vec<File>, folder: &Path) -> Result<Vec<File>, GenerateError> {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let formatted = files.into_iter().map(|file| {
        let text = run_formatter(&quiet(&file.text), &folder)?;
        Ok(File { text, ..file })
    });
    formatted.collect()
}

/// What a file of its own begins with. What is included into a module cannot say that itself.
const QUIET: &str =
    "#![allow(dead_code, unreachable_pub, reason = \"a program calls what it needs of it\")]\n\n";

/// With that behind the marker, which is the first line.
fn quiet(text: &str) -> String {
    let end = text
        .find('\n')
        .map_or(text.len(), |end| end.saturating_add(1));
    let (marker, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    format!("{marker}\n{QUIET}{rest}")
}

fn run_formatter(text: &str, folder: &Path) -> Result<String, GenerateError> {
    let failed = |why: String| GenerateError::Formatter(why);
    let output = run(text, folder).map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(failed(said.trim().to_owned()));
    }
    String::from_utf8(output.stdout).map_err(|error| failed(error.to_string()))
}

fn run(text: &str, folder: &Path) -> io::Result<Output> {
    let program = env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into());
    let there = folder.ancestors().find(|folder| folder.is_dir());
    let mut child = Command::new(program)
        .args(["--edition", &edition(folder)])
        .current_dir(there.unwrap_or(Path::new(".")))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    // It reads all before it writes anything. One that ends early says why itself.
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(text.as_bytes());
    }
    child.wait_with_output()
}

/// The edition of the package that a folder is in, or of its workspace.
fn edition(folder: &Path) -> String {
    let manifests = folder.ancestors().map(|folder| folder.join("Cargo.toml"));
    let said = manifests
        .filter_map(|manifest| edition_of(&manifest))
        .next();
    said.unwrap_or_else(|| EDITION.to_owned())
}

fn edition_of(manifest: &PathBuf) -> Option<String> {
    let text = fs::read_to_string(manifest).ok()?;
    let said = text.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "edition").then_some(value)
    });
    said?.split('"').nth(1).map(str::to_owned)
}
