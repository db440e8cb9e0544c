//! The files of models.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use ignore::WalkBuilder;
use smithy_waiters_model::Sources;

/// Where models are.
#[derive(clap::Args, Debug)]
pub(crate) struct Files {
    /// Files, or folders that are searched for `.smithy` files and JSON ASTs
    ///
    /// In a folder, files that version control ignores and JSON that is no model are left out.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Takes every file as a model of its own
    ///
    /// Otherwise all files are one model, and may refer to each other.
    #[arg(long)]
    each: bool,
}

impl Files {
    /// The texts of each model.
    ///
    /// Texts are read when they are asked for: with `--each` only one is held at a time.
    pub(crate) fn models(&self) -> Result<impl Iterator<Item = Result<Sources>>> {
        let files = self.found()?;
        ensure!(
            !files.is_empty(),
            "there is no model in {}",
            listed(&self.files)
        );
        let size = if self.each { 1 } else { files.len() };
        let models: Vec<Vec<Found>> = files.chunks(size).map(<[Found]>::to_vec).collect();
        Ok(models.into_iter().map(|files| read(&files)))
    }

    fn found(&self) -> Result<Vec<Found>> {
        let mut files = Vec::new();
        for path in &self.files {
            if path.is_dir() {
                files.extend(in_folder(path)?);
            } else {
                let (path, is_named) = (path.clone(), true);
                files.push(Found { path, is_named });
            }
        }
        Ok(files)
    }
}

/// A file, and whether it was named itself.
#[derive(Clone, Debug)]
struct Found {
    path: PathBuf,
    is_named: bool,
}

fn in_folder(folder: &Path) -> Result<Vec<Found>> {
    let mut files = Vec::new();
    for entry in WalkBuilder::new(folder)
        .sort_by_file_path(Path::cmp)
        .build()
    {
        let path = entry.context("cannot search the folder")?.into_path();
        let extension = path.extension().and_then(|extension| extension.to_str());
        if path.is_file() && matches!(extension, Some("json" | "smithy")) {
            files.push(Found {
                path,
                is_named: false,
            });
        }
    }
    Ok(files)
}

fn read(files: &[Found]) -> Result<Sources> {
    let mut sources = Sources::default();
    for Found { path, is_named } in files {
        let text = fs::read_to_string(path)
            .with_context(|| format!("cannot read `{}`", path.display()))?;
        if !*is_named && !may_be_model(path, &text) {
            continue;
        }
        if !sources.add(path.display().to_string(), text) {
            bail!("the files are more than 4 GiB together: use `--each`");
        }
    }
    Ok(sources)
}

/// Whether a file that was only found is worth reading: a JSON AST says its version.
fn may_be_model(path: &Path, text: &str) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "smithy")
        || (text.trim_start().starts_with('{') && text.contains("\"smithy\""))
}

fn listed(paths: &[PathBuf]) -> String {
    let shown: Vec<String> = paths
        .iter()
        .map(|path| format!("`{}`", path.display()))
        .collect();
    shown.join(", ")
}
