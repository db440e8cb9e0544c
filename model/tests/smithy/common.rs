//! Models in files.

use std::fs;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};

use serde_json::Value;
use smithy_waiters_model::Sources;

/// A file or folder beside the tests.
pub(crate) fn recorded(name: &str) -> PathBuf {
    inside("tests/smithy").join(name)
}

/// The models of a folder that `cargo xtask data` makes; none, and a line on the terminal, without it.
pub(crate) fn fetched(folder: &str) -> Vec<PathBuf> {
    optional("../target/data", folder, "`cargo xtask data` fetches it")
}

/// The files and folders of a folder beside the repository; none, and a line on the terminal, without it.
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

/// What a folder holds, in the order of the names.
pub(crate) fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "nothing in {}", folder.display());
    paths
}

/// The name of a model, without the kind of its file.
pub(crate) fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

pub(crate) fn is_idl(path: &Path) -> bool {
    path.extension().is_some_and(|kind| kind == "smithy")
}

/// The text of one file, named as the file is.
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
    // Not by `eprintln!`, which is caught.
    drop(writeln!(stderr(), "{text}"));
}
