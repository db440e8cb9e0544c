//! The shared data, and models read from it.

use std::fs;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};

use smithy_waiters_model::Sources;

/// A folder of the shared data; says so where there is none.
pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/data")
        .join(folder);
    if path.is_dir() {
        return Some(path);
    }
    say(&format!("SKIPPED: there is no ../shared/data/{folder}"));
    None
}

/// The models of the real services, in the order of their names.
pub(crate) fn aws_models() -> Vec<PathBuf> {
    let Some(folder) = shared("aws-models") else {
        return Vec::new();
    };
    let is_model = |path: &PathBuf| {
        let name = path.to_string_lossy();
        name.ends_with(".json") && !name.ends_with(".events.json")
    };
    let mut models: Vec<PathBuf> = entries(&folder).into_iter().filter(is_model).collect();
    models.sort();
    assert!(!models.is_empty(), "no model in {}", folder.display());
    models
}

/// The folders of the validation cases, in the order of their names.
pub(crate) fn cases() -> Vec<PathBuf> {
    let Some(folder) = shared("smithy-validation") else {
        return Vec::new();
    };
    let groups = entries(&folder).into_iter().filter(|path| path.is_dir());
    let mut cases: Vec<PathBuf> = groups.flat_map(|group| entries(&group)).collect();
    cases.sort();
    assert!(!cases.is_empty(), "no case in {}", folder.display());
    cases
}

/// The text of one file, named as the file is.
pub(crate) fn sources(path: &Path) -> Sources {
    let mut sources = Sources::default();
    let name = path.file_name().unwrap().to_string_lossy();
    assert!(sources.add(name, fs::read_to_string(path).unwrap()));
    sources
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Says something to whoever runs the tests: what a test that passes prints is not shown otherwise.
pub(crate) fn say(text: &str) {
    // Not by `eprintln!`, which is caught as well.
    drop(writeln!(stderr(), "{text}"));
}
