//! For build scripts: from a model to files in the folder of the build.

use std::env;
use std::path::PathBuf;

use smithy_waiters_model::Sources;

use crate::backend::{Backend as _, File, files};
use crate::error::{GenerateError, text};
use crate::folder;
use crate::ir::{self, Definition};
use crate::rust::Rust;

/// What a build script generates.
///
/// # Example: a `build.rs`, and the module of what it writes
///
/// ```no_run
/// # fn main() -> Result<(), smithy_waiters_generate::GenerateError> {
/// smithy_waiters_generate::Build::new().model("model/dynamodb.json").run()?;
/// # Ok(())
/// # }
/// ```
///
/// ```ignore
/// /// Waiters of DynamoDB; in a binary, of which all that is not called would be told, with `#[allow(dead_code)]`.
/// pub mod dynamodb {
///     include!(concat!(env!("OUT_DIR"), "/dynamodb.rs"));
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Build {
    models: Vec<PathBuf>,
    definitions: Vec<PathBuf>,
    services: Vec<String>,
    excluded: Vec<String>,
    rust: Rust,
    folder: Option<PathBuf>,
}

impl Build {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A file of the model, Smithy IDL or JSON AST. All files are one model.
    #[must_use]
    pub fn model(mut self, path: impl Into<PathBuf>) -> Self {
        self.models.push(path.into());
        self
    }

    /// A hand-written Waiter structure, for code without types; the waiter has its file's name.
    #[must_use]
    pub fn definition(mut self, path: impl Into<PathBuf>) -> Self {
        self.definitions.push(path.into());
        self
    }

    /// A service of the model, by its shape's id or name; without any, all.
    #[must_use]
    pub fn service(mut self, name: impl Into<String>) -> Self {
        self.services.push(name.into());
        self
    }

    /// Leaves a waiter out, by its name: one that the linter or Rust refuses.
    #[must_use]
    pub fn exclude(mut self, waiter: impl Into<String>) -> Self {
        self.excluded.push(waiter.into());
        self
    }

    /// How the code is to be.
    #[must_use]
    pub fn rust(mut self, rust: Rust) -> Self {
        self.rust = rust;
        self
    }

    /// Where the files go; without it, into `OUT_DIR`.
    #[must_use]
    pub fn folder(mut self, path: impl Into<PathBuf>) -> Self {
        self.folder = Some(path.into());
        self
    }

    /// Generates, and tells cargo which files that rests on.
    ///
    /// # Errors
    ///
    /// [`GenerateError`].
    #[expect(
        clippy::print_stdout,
        reason = "this is how a build script speaks to cargo"
    )]
    pub fn run(&self) -> Result<Vec<PathBuf>, GenerateError> {
        for path in self.models.iter().chain(&self.definitions) {
            println!("cargo:rerun-if-changed={}", path.display());
        }
        let files = self.files()?;
        let out = || env::var_os("OUT_DIR").map_or_else(PathBuf::new, PathBuf::from);
        let folder = self.folder.clone().unwrap_or_else(out);
        folder::write(&folder, &files)?;
        Ok(files.iter().map(|file| folder.join(&file.path)).collect())
    }

    fn files(&self) -> Result<Vec<File>, GenerateError> {
        let mut files = Vec::new();
        if !self.models.is_empty() {
            files = self.of_models()?;
        }
        for path in &self.definitions {
            files.push(self.rust.untyped(&Definition::read(path, None)?)?);
        }
        Ok(files)
    }

    fn of_models(&self) -> Result<Vec<File>, GenerateError> {
        let mut sources = Sources::default();
        for path in &self.models {
            sources.add(path.display().to_string(), text(path)?);
        }
        let model = ir::read(&sources, &self.excluded)?;
        let services = ir::services(&sources, &model, &self.services)?;
        files(&self.rust, &services)
    }
}
