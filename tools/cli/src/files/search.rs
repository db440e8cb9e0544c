//! Searches a folder for models.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ignore::WalkBuilder;

/// Returns the models in a folder, sorted by path, without those that version control ignores.
pub(super) fn models(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut walk = WalkBuilder::new(folder);
    for entry in walk.sort_by_file_path(Path::cmp).build() {
        let path = entry.context("cannot search the folder")?.into_path();
        if path.is_file() && is_model(&path)? {
            let path = path.strip_prefix("./").unwrap_or(&path);
            files.push(path.to_owned());
        }
    }
    Ok(files)
}

fn is_model(path: &Path) -> Result<bool> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("smithy") => Ok(true),
        Some("json") => is_json_ast(path),
        _ => Ok(false),
    }
}

/// Returns `true` if a JSON file contains the version of a Smithy AST.
fn is_json_ast(path: &Path) -> Result<bool> {
    let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let Ok(text) = String::from_utf8(bytes) else {
        return Ok(false);
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Ok(text.trim_start().starts_with('{') && has_version(text))
}

/// Returns `true` if the text contains `"smithy": "2.0"` or another version. Other JSON files can have a key `smithy`,
/// too.
fn has_version(text: &str) -> bool {
    text.split("\"smithy\"").skip(1).any(|rest| {
        let value = rest.trim_start().strip_prefix(':').unwrap_or_default();
        let version = value.trim_start().strip_prefix('"').unwrap_or_default();
        version.starts_with(|char: char| char.is_ascii_digit())
    })
}
