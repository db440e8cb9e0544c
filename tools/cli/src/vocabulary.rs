//! The option `--vocabulary`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use smithy_waiters_model::suggest::Vocabulary;

/// The option with words for the values of states.
#[derive(clap::Args, Debug)]
pub(crate) struct VocabularyFile {
    /// A TOML file with words and weights, which is merged over the default vocabulary
    #[arg(long, value_name = "FILE")]
    vocabulary: Option<PathBuf>,
}

impl VocabularyFile {
    /// Returns the vocabulary.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is not a vocabulary.
    pub(crate) fn read(&self) -> Result<Vocabulary> {
        let mut vocabulary = Vocabulary::default();
        if let Some(path) = &self.vocabulary {
            let name = path.display();
            let text = fs::read_to_string(path).with_context(|| format!("cannot read `{name}`"))?;
            let merged = vocabulary.merge(&text);
            merged.map_err(|error| {
                anyhow!("{error}").context(format!("cannot use the vocabulary `{name}`"))
            })?;
        }
        Ok(vocabulary)
    }
}
