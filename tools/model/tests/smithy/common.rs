//! Reads models and other data from files.

use std::fs;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};

use serde_json::Value;
use smithy_waiters_model::Sources;

/// Returns the path of a file or folder beside the tests.
pub(crate) fn recorded(name: &str) -> PathBuf {
    inside("tests/smithy").join(name)
}

/// Returns the models in a folder that `cargo xtask data` creates. If it is missing, prints a line and returns nothing.
pub(crate) fn fetched(folder: &str) -> Vec<PathBuf> {
    optional("../target/data", folder, "`cargo xtask data` fetches it")
}

/// Returns the entries of a folder beside the repository. If it is missing, prints a line and returns nothing.
pub(crate) fn shared(folder: &str) -> Vec<PathBuf> {
    optional("../../shared/data", folder, "it only adds to the tests")
}

fn optional(parent: &str, folder: &str, advice: &str) -> Vec<PathBuf> {
    let path = inside(parent).join(folder);
    if path.is_dir() {
        return entries(&path);
    }
    say(&format!("SKIPPED: there is no `{folder}`; {advice}"));
    Vec::new()
}

fn inside(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the entries of a folder, sorted by name.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "nothing in {}", folder.display());
    paths
}

/// Returns the name of a model, without the extension.
pub(crate) fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

pub(crate) fn is_idl(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind == "smithy")
}

/// Returns sources with the text of a file, under the file's name.
pub(crate) fn sources(path: &Path) -> Sources {
    let mut sources = Sources::default();
    let name = path.file_name().unwrap().to_string_lossy();
    assert!(sources.add(name, fs::read_to_string(path).unwrap()));
    sources
}

pub(crate) fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Prints a line, even in a test that passes.
pub(crate) fn say(text: &str) {
    // `eprintln!` would be captured if the test passes.
    drop(writeln!(stderr(), "{text}"));
}
