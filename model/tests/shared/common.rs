//! The shared data, and models read from it.

use std::fs;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};

use smithy_waiters_model::Sources;

/// A folder beside the repository, which adds to what is fetched.
pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
    there("../../shared/data", folder, "it is beside the repository")
}

/// A folder of what is fetched.
pub(crate) fn fetched(folder: &str) -> Option<PathBuf> {
    there("../target/data", folder, "`cargo xtask data` fetches it")
}

fn there(parent: &str, folder: &str, advice: &str) -> Option<PathBuf> {
    let parent = Path::new(env!("CARGO_MANIFEST_DIR")).join(parent);
    let path = parent.join(folder);
    if path.is_dir() {
        return Some(path);
    }
    say(&format!("SKIPPED: there is no `{folder}`; {advice}"));
    None
}

/// The models of a folder, in the order of their names.
pub(crate) fn models(folder: Option<PathBuf>) -> Vec<PathBuf> {
    let Some(folder) = folder else {
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
