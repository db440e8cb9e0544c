//! Output folders: files are written only where there is none, or one of this generator's own.
//!
//! Every generated file begins with a marker. Nothing is ever deleted, and before all files can be written none is.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use tempfile::TempPath;

use crate::backend::{File, MARK};
use crate::error::GenerateError;

/// Writes files into a folder, which is made where it is missing; the answer names those that changed.
///
/// A file is replaced as a whole or not at all.
///
/// # Errors
///
/// [`GenerateError::Foreign`], [`GenerateError::Outside`] and [`GenerateError::Twice`], before anything is written;
/// [`GenerateError::Io`].
pub fn write(folder: &Path, files: &[File]) -> Result<Vec<PathBuf>, GenerateError> {
    let changed = compare(folder, files)?;
    let mut ready = Vec::new();
    for file in files {
        let path = folder.join(&file.path);
        if changed.contains(&path) {
            ready.push((stage_file(&path, &file.text)?, path));
        }
    }
    // A full disk has been met by now: what is left is to give them their names.
    for (file, path) in ready {
        let named = file.persist(&path);
        named.map_err(|error| io_error("write", &path, error.error))?;
    }
    Ok(changed)
}

/// The files that [`write()`] would change.
///
/// # Errors
///
/// As [`write()`].
pub fn compare(folder: &Path, files: &[File]) -> Result<Vec<PathBuf>, GenerateError> {
    let (mut changed, mut seen) = (Vec::new(), BTreeSet::new());
    for file in files {
        let path = folder.join(&file.path);
        let mut parts = Path::new(&file.path).components();
        if !parts.all(|part| matches!(part, Component::Normal(_))) {
            return Err(GenerateError::Outside(path));
        }
        // Some file systems take two names for one that differ in case alone.
        if !seen.insert(file.path.to_lowercase()) {
            return Err(GenerateError::Twice(path));
        }
        match read(&path)? {
            // A checkout may have other line ends, and so may what the project's formatter makes.
            Some(text) if without_returns(&text) == without_returns(file.text.as_bytes()) => {}
            Some(text) if !is_own(&text) => return Err(GenerateError::Foreign(path)),
            _ => changed.push(path),
        }
    }
    Ok(changed)
}

/// What is at a path. A link is somebody else's: what it leads to is no business of ours.
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

fn without_returns(text: &[u8]) -> Vec<u8> {
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

fn is_own(text: &[u8]) -> bool {
    let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.ends_with(MARK.as_bytes())
}

/// A file beside the one that it is to be.
fn stage_file(path: &Path, text: &str) -> Result<TempPath, GenerateError> {
    let folder = path.parent().unwrap_or_else(|| Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| {
        let mut builder = tempfile::Builder::new();
        // Temporary files are for their owner only; this one stays, as any new file does.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        Ok(file.into_temp_path())
    });
    written.map_err(|source| io_error("write", path, source))
}

fn io_error(action: &'static str, path: &Path, source: io::Error) -> GenerateError {
    let path = path.to_owned();
    GenerateError::Io {
        action,
        path,
        source,
    }
}
