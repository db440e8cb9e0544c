//! The folders, files and version of the project.

use fs_err::{self as fs, File};
use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs4::FileExt;
use ignore::WalkBuilder;

/// The version of the workspace and of all its packages.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The folder of the repository.
#[derive(Debug)]
pub(crate) struct Project {
    root: PathBuf,
}

impl Project {
    /// Returns the project that this program was built from.
    ///
    /// # Errors
    ///
    /// Fails if the folder does not exist, for example if it was moved after the build.
    pub(crate) fn find() -> Result<Self> {
        let manifest =
            env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&manifest).join("..");
        let root = root
            .canonicalize()
            .with_context(|| format!("cannot find `{}`", root.display()))?;
        Ok(Self { root })
    }

    /// Returns the absolute path of the root folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns a path inside the project.
    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        self.root.join(inside)
    }

    /// Returns a path in the folder for build results and downloads, which is not under version control.
    pub(crate) fn target(&self, inside: &str) -> PathBuf {
        self.root.join("target").join(inside)
    }

    /// Locks a task against other processes. Waits for another holder, and holds the lock until the file is dropped.
    pub(crate) fn lock(&self, task: &str) -> Result<File> {
        let path = self.target(&format!("{task}.lock"));
        write(&path, "")?;
        let file = File::open(&path)?;
        FileExt::lock(file.file()).with_context(|| format!("cannot lock `{}`", path.display()))?;
        Ok(file)
    }

    /// Formats a path, relative to the root if it is inside.
    pub(crate) fn display(&self, path: &Path) -> String {
        path.strip_prefix(&self.root)
            .unwrap_or(path)
            .display()
            .to_string()
    }
}

/// Writes a file and creates the folders above it.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)?;
    Ok(fs::write(path, content)?)
}

/// Reads a text file. The error contains the path.
pub(crate) fn read(path: &Path) -> Result<String> {
    Ok(fs::read_to_string(path)?)
}

/// Returns the paths of a folder's entries, sorted by name.
pub(crate) fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Creates an empty folder. Removes an existing one with its content.
pub(crate) fn fresh_folder(path: &Path) -> Result<()> {
    remove(path)?;
    Ok(fs::create_dir_all(path)?)
}

/// Removes a folder with its content, if it exists.
pub(crate) fn remove(path: &Path) -> Result<()> {
    if !path.exists() {
        return Ok(());
    }
    Ok(fs::remove_dir_all(path)?)
}

/// Copies the files of a folder to `to`, without its subfolders. Keeps the other files there, such as `node_modules`.
///
/// An unchanged file is not written, because another program may be reading it.
pub(crate) fn copy_files(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let file = entry?;
        if file.file_type()?.is_file() {
            let (content, copy) = (fs::read(file.path())?, to.join(file.file_name()));
            if fs::read(&copy).ok().as_ref() != Some(&content) {
                write(&copy, content)?;
            }
        }
    }
    Ok(())
}

/// Replaces the folder `to` by a copy of a folder, without the files that version control ignores.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fresh_folder(to)?;
    for entry in WalkBuilder::new(from).require_git(false).build() {
        let entry = entry?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            let inside = entry.path().strip_prefix(from)?;
            write(&to.join(inside), fs::read(entry.path())?)?;
        }
    }
    Ok(())
}
