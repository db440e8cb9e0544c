//! The model files on the command line.

mod search;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use smithy_waiters_model::{Outline, Sources, partition};

use crate::botocore;

/// The options that select model files.
#[derive(clap::Args, Debug)]
pub(crate) struct Files {
    /// Model files, or folders to search for them; `-` reads standard input
    ///
    /// In a folder, all `.smithy` and JSON AST files are read, except those that version control ignores.
    ///
    /// The default is the current folder, or no file with `--botocore`.
    files: Vec<PathBuf>,
    /// An AWS service in botocore, such as `dynamodb`; files add to it
    ///
    /// `AWS_DATA_PATH` and `~/.aws/models` are searched first, then the botocore that is installed or that the AWS CLI
    /// contains. If there is none, pip downloads it.
    #[arg(long, value_name = "SERVICE", conflicts_with_all = ["each"])]
    botocore: Option<String>,
    /// The only folder to search for `--botocore`, such as the `data` of a certain version
    #[arg(long, value_name = "FOLDER", requires = "botocore")]
    botocore_path: Option<PathBuf>,
    /// Treats each file as a separate model
    ///
    /// By default all files form one model and may refer to each other.
    #[arg(long)]
    each: bool,
    /// The file name of standard input, which replaces a file of that name
    ///
    /// An editor can check an unsaved file together with the rest of its model.
    #[arg(long, value_name = "FILE")]
    stdin_filename: Option<PathBuf>,
}

/// The maximum size of a file. The largest model of AWS has 30 MB.
const MAX_BYTES: u64 = 256 << 20;

/// A model file whose text may already be read.
#[derive(Debug)]
struct File {
    path: PathBuf,
    /// The text, if it is already read; a pipe can be read only once.
    text: Option<String>,
}

impl Files {
    /// Creates the selection of one model, for a verb whose options have other names.
    pub(crate) fn of(
        files: &[PathBuf],
        botocore: Option<&str>,
        botocore_path: Option<&Path>,
    ) -> Self {
        Self {
            files: files.to_vec(),
            botocore: botocore.map(str::to_owned),
            botocore_path: botocore_path.map(Path::to_owned),
            each: false,
            stdin_filename: None,
        }
    }

    /// Returns the sources of all files as one model, including its documentation.
    ///
    /// # Errors
    ///
    /// Fails if no files are found or a file cannot be read.
    pub(crate) fn documented_model(&self) -> Result<Sources> {
        read_into(Sources::default(), self.list()?)
    }

    /// Returns the sources of all files as one model, with the protocols of services.
    ///
    /// # Errors
    ///
    /// Fails if no files are found or a file cannot be read.
    pub(crate) fn model_with_protocols(&self) -> Result<Sources> {
        let sources = Sources::without_documentation().with_protocols();
        read_into(sources, self.list()?)
    }

    /// Returns the sources of each model.
    ///
    /// Files are read lazily: with `--each`, only one is in memory at a time.
    ///
    /// # Errors
    ///
    /// Fails if no files are found. Each item fails if a file cannot be read.
    pub(crate) fn models(&self) -> Result<impl Iterator<Item = Result<Sources>> + use<>> {
        self.models_in(Sources::without_documentation)
    }

    /// Returns the sources of each model, including its documentation.
    ///
    /// # Errors
    ///
    /// Fails like [`models`](Self::models).
    pub(crate) fn documented_models(
        &self,
    ) -> Result<impl Iterator<Item = Result<Sources>> + use<>> {
        self.models_in(Sources::default)
    }

    fn models_in(
        &self,
        empty: fn() -> Sources,
    ) -> Result<impl Iterator<Item = Result<Sources>> + use<>> {
        let mut files = self.list()?;
        let size = if self.each { 1 } else { files.len() };
        let mut models = Vec::new();
        while !files.is_empty() {
            let rest = files.split_off(size.min(files.len()));
            models.push(std::mem::replace(&mut files, rest));
        }
        Ok(models
            .into_iter()
            .map(move |files| read_into(empty(), files)))
    }

    /// Returns the sources of each group of related files.
    ///
    /// The files are scanned first to find the groups, so that only one group is in memory at a time.
    ///
    /// # Errors
    ///
    /// Fails if no files are found or a file cannot be scanned. Each item fails if a file cannot be read.
    pub(crate) fn partitions(&self) -> Result<Box<dyn Iterator<Item = Result<Sources>> + '_>> {
        if self.each {
            return Ok(Box::new(self.models()?));
        }
        let mut files = self.list()?;
        if files.len() == 1 || self.is_botocore() {
            return Ok(Box::new(std::iter::once(read(files))));
        }
        let mut outlines = Vec::with_capacity(files.len());
        for file in &mut files {
            outlines.push(file.outline()?);
        }
        let groups = partition(&outlines);
        let mut files: Vec<Option<File>> = files.into_iter().map(Some).collect();
        Ok(Box::new(groups.into_iter().map(move |group| {
            let take_file = |place: &usize| files.get_mut(*place)?.take();
            let mut sources = read(group.iter().filter_map(take_file).collect())?;
            let others = outlines.iter().enumerate();
            for (_, other) in others.filter(|(place, _)| !group.contains(place)) {
                sources.follow(other);
            }
            Ok(sources)
        })))
    }

    /// Returns `true` if the model is botocore's definition of a service.
    pub(crate) const fn is_botocore(&self) -> bool {
        self.botocore.is_some()
    }

    /// Returns `true` if standard input is one of the files.
    pub(crate) fn has_stdin(&self) -> bool {
        self.files.iter().any(|path| is_stdin(path))
    }

    /// Returns the files without duplicates; fails if there are none.
    fn list(&self) -> Result<Vec<File>> {
        ensure!(
            self.stdin_filename.is_none() || self.has_stdin(),
            "`--stdin-filename` requires the file `-`"
        );
        let mut files: Vec<File> = Vec::new();
        if let Some(service) = &self.botocore {
            let texts = botocore::texts(service, self.botocore_path.as_deref())?;
            files.extend(texts.into_iter().map(|(name, text)| File {
                path: PathBuf::from(name),
                text: Some(text),
            }));
        }
        if self.has_stdin() {
            files.push(self.stdin()?);
        }
        for path in self.named().iter().filter(|path| !is_stdin(path)) {
            if path.is_dir() {
                let models = search::models(path)?.into_iter();
                files.extend(models.map(|path| File { path, text: None }));
            } else {
                ensure!(
                    may_be_model(path),
                    "`{}` is not a model: its name must end in `.smithy` or `.json`",
                    path.display()
                );
                let path = path.clone();
                files.push(File { path, text: None });
            }
        }
        let mut seen = HashSet::new();
        files.retain(|file| seen.insert(file.identity()));
        ensure!(!files.is_empty(), "no models found in {}", self.names());
        Ok(files)
    }

    fn stdin(&self) -> Result<File> {
        let text = read_text(io::stdin(), "standard input")?;
        let path = self.stdin_filename.clone().unwrap_or_else(|| {
            let is_json = text.trim_start().starts_with('{');
            PathBuf::from(if is_json {
                "stdin.json"
            } else {
                "stdin.smithy"
            })
        });
        let text = Some(text);
        Ok(File { path, text })
    }

    /// Returns the files and folders to read, the current folder by default.
    fn named(&self) -> Cow<'_, [PathBuf]> {
        if self.files.is_empty() && self.botocore.is_none() {
            Cow::Owned(vec![PathBuf::from(".")])
        } else {
            Cow::Borrowed(&self.files)
        }
    }

    fn names(&self) -> String {
        let named = self.named();
        let names = named.iter().map(|path| format!("`{}`", path.display()));
        names.collect::<Vec<_>>().join(", ")
    }
}

impl File {
    /// Returns the canonical path, which is equal for all names of a file.
    fn identity(&self) -> PathBuf {
        fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone())
    }

    /// Returns the outline of the file. Stores the text only if it cannot be read again, for example from a pipe.
    fn outline(&mut self) -> Result<Outline> {
        if !self.path.is_file() && self.text.is_none() {
            self.text = Some(self.read_text()?);
        }
        let name = self.path.display().to_string();
        Ok(match &self.text {
            Some(text) => Outline::of(name, text.as_str()),
            None => Outline::of(name, self.read_text()?),
        })
    }

    fn read(self) -> Result<(String, String)> {
        let name = self.path.display().to_string();
        let text = match self.text {
            Some(text) => text,
            None => self.read_text()?,
        };
        Ok((name, text))
    }

    fn read_text(&self) -> Result<String> {
        let name = format!("`{}`", self.path.display());
        let file = fs::File::open(&self.path).with_context(|| format!("cannot read {name}"))?;
        read_text(file, &name)
    }
}

/// Reads a text. The size is limited, because a device can be endless.
fn read_text(from: impl Read, name: &str) -> Result<String> {
    let mut bytes = Vec::new();
    let read = from
        .take(MAX_BYTES.saturating_add(1))
        .read_to_end(&mut bytes);
    let size = read.with_context(|| format!("cannot read {name}"))?;
    ensure!(
        u64::try_from(size).is_ok_and(|size| size <= MAX_BYTES),
        "{name} exceeds {MAX_BYTES} bytes, the limit for a model file"
    );
    let text = String::from_utf8(bytes);
    text.ok()
        .with_context(|| format!("{name} is not valid UTF-8"))
}

fn read(files: Vec<File>) -> Result<Sources> {
    read_into(Sources::without_documentation(), files)
}

fn read_into(mut sources: Sources, files: Vec<File>) -> Result<Sources> {
    for file in files {
        let (name, text) = file.read()?;
        if !sources.add(name, text) {
            bail!("the files exceed 4 GiB in total: use `--each`");
        }
    }
    Ok(sources)
}

/// Returns `true` for the extensions of models, and for a path without an extension: it may be a pipe.
fn may_be_model(path: &Path) -> bool {
    path.extension()
        .is_none_or(|extension| extension == "smithy" || extension == "json")
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}
