//! The files of `tests/vectors`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use ignore::WalkBuilder;
use serde::Deserialize;

use crate::project::{self, Project};

#[derive(Deserialize)]
struct File {
    vectors: Vec<Vector>,
}

/// The members of a vector that this program reads.
#[derive(Deserialize)]
pub(crate) struct Vector {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) rules: Vec<String>,
}

/// The kinds of vectors that a language does not run yet, by language. Its results must lack exactly these.
const PENDING: &str = "tests/pending.json";

/// Returns the kinds of vectors that each language does not run yet.
pub(crate) fn kinds_not_run(project: &Project) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let text = project::read(&project.path(PENDING))?;
    serde_json::from_str(&text).with_context(|| format!("cannot parse `{PENDING}`"))
}

/// Reads all vectors in the order of their files.
///
/// # Errors
///
/// Fails if a file cannot be read or parsed, or if an id occurs twice.
pub(crate) fn all(project: &Project) -> Result<Vec<Vector>> {
    let (mut ids, mut vectors) = (BTreeSet::new(), Vec::new());
    for path in files(&project.path("tests/vectors"))? {
        let text = project::read(&path)?;
        let file: File = serde_json::from_str(&text)
            .with_context(|| format!("cannot parse `{}`", project.display(&path)))?;
        for vector in file.vectors {
            ensure!(
                ids.insert(vector.id.clone()),
                "duplicate vector `{}`",
                vector.id
            );
            vectors.push(vector);
        }
    }
    Ok(vectors)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in WalkBuilder::new(folder).sort_by_file_name(Ord::cmp).build() {
        let path = entry?.into_path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            files.push(path);
        }
    }
    Ok(files)
}
