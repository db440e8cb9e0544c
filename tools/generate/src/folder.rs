//! Output folders.
//!
//! Every generated file begins with a marker. A path is staged only if it is free or holds a file with the marker. All
//! new contents are on disk before the first file is replaced, and nothing is ever deleted.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use tempfile::TempPath;

use crate::backend::{File, MARK};
use crate::error::GenerateError;

/// Writes files into a folder and returns the paths of the changed files. Creates missing folders.
///
/// Each file is replaced atomically.
///
/// # Errors
///
/// - [`GenerateError::Foreign`], [`GenerateError::Outside`] or [`GenerateError::Twice`] before anything is staged.
/// - [`GenerateError::Io`] if a file cannot be read or staged.
pub fn write(folder: &Path, files: &[File]) -> Result<Vec<PathBuf>, GenerateError> {
    let changed = compare(folder, files)?;
    let mut staged = Vec::new();
    for file in files {
        let path = folder.join(&file.path);
        if changed.contains(&path) {
            staged.push((stage_file(&path, &file.text)?, path));
        }
    }
    // All contents are on disk, so a full disk cannot interrupt the renames.
    for (file, path) in staged {
        let named = file.persist(&path);
        named.map_err(|error| io_error("write", &path, error.error))?;
    }
    Ok(changed)
}

/// Returns the paths that [`write()`] would change.
///
/// # Errors
///
/// - [`GenerateError::Foreign`] if a path holds a file without the marker, or a symbolic link.
/// - [`GenerateError::Outside`] if a path leads out of the folder.
/// - [`GenerateError::Twice`] if two files have the same path.
/// - [`GenerateError::Io`] if a file cannot be read.
pub fn compare(folder: &Path, files: &[File]) -> Result<Vec<PathBuf>, GenerateError> {
    let (mut changed, mut paths) = (Vec::new(), BTreeSet::new());
    for file in files {
        let path = folder.join(&file.path);
        let mut parts = Path::new(&file.path).components();
        if !parts.all(|part| matches!(part, Component::Normal(_))) {
            return Err(GenerateError::Outside(path));
        }
        // On some file systems, names that differ only in case denote the same file.
        if !paths.insert(file.path.to_lowercase()) {
            return Err(GenerateError::Twice(path));
        }
        match read(&path)? {
            // A checkout or the project's formatter may have changed the line endings.
            Some(text)
                if normalize_line_ends(&text) == normalize_line_ends(file.text.as_bytes()) => {}
            Some(text) if !has_marker(&text) => return Err(GenerateError::Foreign(path)),
            _ => changed.push(path),
        }
    }
    Ok(changed)
}

/// Reads a file, or returns `None` if it doesn't exist. Symbolic links are rejected, because writing through one would
/// change a file elsewhere.
fn read(path: &Path) -> Result<Option<Vec<u8>>, GenerateError> {
    if path.is_symlink() {
        return Err(GenerateError::Foreign(path.to_owned()));
    }
    match fs::read(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(io_error("read", path, source)),
    }
}

fn normalize_line_ends(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let lines = lines.map(|line| (line, line.strip_suffix(b"\r\n")));
    lines
        .flat_map(|(line, stripped)| match stripped {
            Some(stripped) => [stripped, b"\n"],
            None => [line, b""],
        })
        .collect::<Vec<_>>()
        .concat()
}

fn has_marker(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.ends_with(MARK.as_bytes())
}

/// Writes the text to a temporary file beside the destination.
fn stage_file(path: &Path, text: &str) -> Result<TempPath, GenerateError> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let staged = fs::create_dir_all(folder).and_then(|()| {
        let mut builder = tempfile::Builder::new();
        // Temporary files are private by default. This one becomes an ordinary file of the project.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        Ok(file.into_temp_path())
    });
    staged.map_err(|source| io_error("write", path, source))
}

fn io_error(action: &'static str, path: &Path, source: io::Error) -> GenerateError {
    let path = path.to_owned();
    GenerateError::Io {
        action,
        path,
        source,
    }
}
