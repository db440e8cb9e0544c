//! The files of models.

mod search;

use std::collections::HashSet;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use smithy_waiters_model::{Outline, Sources, partition};

/// Where models are.
#[derive(clap::Args, Debug)]
pub(crate) struct Files {
    /// Files, or folders that are searched for `.smithy` files and JSON ASTs; `-` is standard input
    ///
    /// In a folder, files that version control ignores and JSON that is no model are left out.
    #[arg(default_value = ".")]
    files: Vec<PathBuf>,
    /// Takes every file as a model of its own
    ///
    /// Otherwise all files are one model, and may refer to each other.
    #[arg(long)]
    each: bool,
    /// What standard input is called; in the place of that file if it is among the others
    ///
    /// An editor gives the text that is not saved yet, and the folder of the model that it is of.
    #[arg(long, value_name = "FILE")]
    stdin_filename: Option<PathBuf>,
}

/// A file, or the text of one.
#[derive(Debug)]
struct File {
    path: PathBuf,
    /// What standard input says.
    text: Option<String>,
}

impl Files {
    /// The texts of each model.
    ///
    /// Files are read when they are asked for: with `--each` only one is held at a time.
    pub(crate) fn models(&self) -> Result<impl Iterator<Item = Result<Sources>>> {
        let mut files = self.all()?;
        let size = if self.each { 1 } else { files.len() };
        let mut models = Vec::new();
        while !files.is_empty() {
            let rest = files.split_off(size.min(files.len()));
            models.push(std::mem::replace(&mut files, rest));
        }
        Ok(models.into_iter().map(read))
    }

    /// The texts of each model; those that have nothing to do with each other are models of their own.
    ///
    /// Several files are looked through before they are read, so that no more of them are held at a time than have to do with
    /// each other.
    pub(crate) fn partitions(&self) -> Result<Box<dyn Iterator<Item = Result<Sources>> + '_>> {
        if self.each {
            return Ok(Box::new(self.models()?));
        }
        let mut files = self.all()?;
        if files.len() == 1 {
            return Ok(Box::new(std::iter::once(read(files))));
        }
        let mut outlines = Vec::with_capacity(files.len());
        for file in &mut files {
            outlines.push(file.outline()?);
        }
        let groups = partition(&outlines);
        let mut files: Vec<Option<File>> = files.into_iter().map(Some).collect();
        Ok(Box::new(groups.into_iter().map(move |group| {
            let of_group = |place: &usize| files.get_mut(*place)?.take();
            let mut sources = read(group.iter().filter_map(of_group).collect())?;
            let others = outlines.iter().enumerate();
            for (_, other) in others.filter(|(place, _)| !group.contains(place)) {
                sources.follow(other);
            }
            Ok(sources)
        })))
    }

    /// Returns `true` if a text comes from standard input.
    pub(crate) fn has_stdin(&self) -> bool {
        self.files.iter().any(|path| is_stdin(path))
    }

    /// Every file once, however often it is named; at least one.
    fn all(&self) -> Result<Vec<File>> {
        ensure!(
            self.stdin_filename.is_none() || self.has_stdin(),
            "`--stdin-filename` names standard input, which is the file `-`"
        );
        let mut files: Vec<File> = Vec::new();
        if self.has_stdin() {
            files.push(self.stdin()?);
        }
        for path in self.files.iter().filter(|path| !is_stdin(path)) {
            if path.is_dir() {
                let models = search::models(path)?.into_iter();
                files.extend(models.map(|path| File { path, text: None }));
            } else {
                ensure!(
                    may_be_model(path),
                    "`{}` is no model: their names end in `.smithy` or `.json`",
                    path.display()
                );
                let path = path.clone();
                files.push(File { path, text: None });
            }
        }
        let mut seen = HashSet::new();
        files.retain(|file| seen.insert(file.identity()));
        ensure!(!files.is_empty(), "there is no model in {}", self.names());
        Ok(files)
    }

    fn stdin(&self) -> Result<File> {
        let mut bytes = Vec::new();
        let read = io::stdin().read_to_end(&mut bytes);
        read.context("cannot read standard input")?;
        let text = String::from_utf8(bytes);
        let text = text.ok().context("standard input is not text in UTF-8")?;
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

    fn names(&self) -> String {
        let names = self
            .files
            .iter()
            .map(|path| format!("`{}`", path.display()));
        names.collect::<Vec<_>>().join(", ")
    }
}

impl File {
    /// What is the same for the same file under another name.
    fn identity(&self) -> PathBuf {
        fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone())
    }

    /// What is known of the file when its text is no longer held. A text that can be read only once is kept.
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
        let name = self.path.display();
        let bytes = fs::read(&self.path).with_context(|| format!("cannot read `{name}`"))?;
        let text = String::from_utf8(bytes);
        text.ok()
            .with_context(|| format!("`{name}` is not text in UTF-8"))
    }
}

fn read(files: Vec<File>) -> Result<Sources> {
    let mut sources = Sources::without_documentation();
    for file in files {
        let (name, text) = file.read()?;
        if !sources.add(name, text) {
            bail!("the files are more than 4 GiB together: use `--each`");
        }
    }
    Ok(sources)
}

/// What has no extension may be anything, a pipe for example.
fn may_be_model(path: &Path) -> bool {
    path.extension()
        .is_none_or(|extension| extension == "smithy" || extension == "json")
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}
