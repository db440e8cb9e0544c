//! Stamps, which detect results that are out of date.
//!
//! A stamp is a small file with the fingerprints of a result and of its inputs. If either differs, the result is built
//! again. Fingerprints depend on the contents of files, not on their times: a new checkout has new times.

use fs_err as fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use ignore::WalkBuilder;
use sha2::{Digest, Sha256};

use crate::project;
use crate::report;

/// A hash of texts and files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fingerprint(Sha256);

impl Fingerprint {
    /// Adds a text, for example a version.
    pub(crate) fn text(mut self, text: &str) -> Self {
        self.add(text.as_bytes());
        self
    }

    /// Adds the files under each path, except those that version control ignores. A missing path counts as empty.
    pub(crate) fn sources(self, paths: &[PathBuf]) -> Result<Self> {
        paths
            .iter()
            .try_fold(self, |all, path| all.tree(path, true))
    }

    /// Adds all files under each path. A missing path counts as empty.
    pub(crate) fn files(self, paths: &[PathBuf]) -> Result<Self> {
        paths
            .iter()
            .try_fold(self, |all, path| all.tree(path, false))
    }

    fn tree(mut self, top: &Path, only_sources: bool) -> Result<Self> {
        self.add(b"tree");
        if !top.exists() {
            return Ok(self);
        }
        let mut walk = WalkBuilder::new(top);
        walk.standard_filters(only_sources)
            .require_git(false)
            .hidden(false)
            .sort_by_file_path(Path::cmp);
        for entry in walk.build() {
            let entry = entry?;
            if entry.file_type().is_some_and(|kind| kind.is_file()) {
                self.file(top, entry.path())?;
            }
        }
        Ok(self)
    }

    fn file(&mut self, top: &Path, path: &Path) -> Result<()> {
        let content = fs::read(path)?;
        self.add(
            path.strip_prefix(top)
                .unwrap_or(path)
                .to_string_lossy()
                .as_bytes(),
        );
        self.add(&content);
        Ok(())
    }

    /// Adds a part with its length, so that different lists of parts have different hashes.
    fn add(&mut self, part: &[u8]) {
        self.0.update(part.len().to_be_bytes());
        self.0.update(part);
    }

    fn finish(self) -> String {
        report::hex(&self.0.finalize())
    }
}

/// The stamp of one result.
#[derive(Debug)]
pub(crate) struct Stamp {
    path: PathBuf,
    inputs: String,
    results: Vec<PathBuf>,
}

impl Stamp {
    /// Creates a stamp at `path` for the files and folders `results`, which are built from `inputs`.
    pub(crate) fn new(path: PathBuf, inputs: Fingerprint, results: &[PathBuf]) -> Self {
        Self {
            path,
            inputs: inputs.finish(),
            results: results.to_vec(),
        }
    }

    /// Creates a stamp beside a folder, which is the result.
    pub(crate) fn of_folder(folder: &Path, inputs: Fingerprint) -> Self {
        Self::new(folder.with_extension("stamp"), inputs, &[folder.to_owned()])
    }

    /// Returns `true` if the results exist, are unchanged and were built from these inputs.
    pub(crate) fn is_fresh(&self) -> Result<bool> {
        if !self.path.exists() || self.results.iter().any(|result| !result.exists()) {
            return Ok(false);
        }
        Ok(project::read(&self.path)? == self.content()?)
    }

    /// Writes the stamp after the results are built.
    pub(crate) fn set(&self) -> Result<()> {
        project::write(&self.path, self.content()?)
    }

    fn content(&self) -> Result<String> {
        let results = Fingerprint::default().files(&self.results)?;
        Ok(format!("{}\n{}\n", self.inputs, results.finish()))
    }
}

#[cfg(test)]
mod tests {
    use fs_err as fs;

    use super::{Fingerprint, Stamp};

    #[test]
    fn fresh_until_an_input_or_the_result_differs() {
        let folder =
            std::env::temp_dir().join(format!("smithy-waiters-stamp-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let result = folder.join("result");
        let stamp = |input: &str| {
            Stamp::new(
                folder.join("stamp"),
                Fingerprint::default().text(input),
                std::slice::from_ref(&result),
            )
        };
        assert!(!stamp("one").is_fresh().unwrap(), "nothing is built yet");
        fs::write(&result, "made").unwrap();
        stamp("one").set().unwrap();
        assert!(stamp("one").is_fresh().unwrap());
        assert!(!stamp("two").is_fresh().unwrap(), "the input differs");
        fs::write(&result, "changed by hand").unwrap();
        assert!(!stamp("one").is_fresh().unwrap(), "the result differs");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn parts_do_not_run_together() {
        let split = Fingerprint::default().text("ab").text("c").finish();
        assert_ne!(split, Fingerprint::default().text("a").text("bc").finish());
    }
}
