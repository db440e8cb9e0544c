//! Where things are, and which version they have.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs4::FileExt;
use ignore::WalkBuilder;

/// The one version of the workspace; every package has it.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The folder of this repository.
#[derive(Debug)]
pub(crate) struct Project {
    root: PathBuf,
}

impl Project {
    /// The project that this program was built from.
    ///
    /// # Errors
    ///
    /// When the folder is gone, for example after a move without a new build.
    pub(crate) fn find() -> Result<Self> {
        let manifest =
            env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&manifest).join("..");
        let root = root
            .canonicalize()
            .with_context(|| format!("`{}` is not there", root.display()))?;
        Ok(Self { root })
    }

    /// The root folder, absolute.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A path inside the project.
    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        self.root.join(inside)
    }

    /// A path for what is built or fetched; never under version control.
    pub(crate) fn target(&self, inside: &str) -> PathBuf {
        self.root.join("target").join(inside)
    }

    /// Waits until no other run of the same chore is at work here; ours lasts as long as the answer does.
    pub(crate) fn lock(&self, chore: &str) -> Result<File> {
        let path = self.target(&format!("{chore}.lock"));
        write(&path, "")?;
        let file =
            File::open(&path).with_context(|| format!("cannot open `{}`", path.display()))?;
        FileExt::lock(&file).with_context(|| format!("cannot lock `{}`", path.display()))?;
        Ok(file)
    }

    /// A path as people want to read it: relative to the root where it can be.
    pub(crate) fn display(&self, path: &Path) -> String {
        path.strip_prefix(&self.root)
            .unwrap_or(path)
            .display()
            .to_string()
    }
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
    fs::write(path, content).with_context(|| format!("cannot write `{}`", path.display()))
}

/// Reads a text file; the error names it.
pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))
}

/// The paths of a folder's entries, in the order of their names.
pub(crate) fn list(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// An empty folder in place of whatever is there.
pub(crate) fn fresh_folder(path: &Path) -> Result<()> {
    remove(path)?;
    fs::create_dir_all(path).with_context(|| format!("cannot make `{}`", path.display()))
}

/// Removes a folder with its content; one that is not there is fine.
pub(crate) fn remove(path: &Path) -> Result<()> {
    if !path.exists() {
        return Ok(());
    }
    fs::remove_dir_all(path).with_context(|| format!("cannot remove `{}`", path.display()))
}

/// Copies a folder's own files beside what is at `to`; folders stay, such as `node_modules`. A file that is the same is not
/// written: another program may be reading it.
pub(crate) fn copy_files(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from).with_context(|| format!("cannot list `{}`", from.display()))? {
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

/// A copy of a folder's sources in place of whatever is at `to`.
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
