//! Generation from build scripts.

use std::env;
use std::path::PathBuf;

use smithy_waiters_model::Sources;

use crate::backend::{Backend as _, File, files};
use crate::error::{GenerateError, read_text};
use crate::folder;
use crate::ir::{self, Definition, Selection};
use crate::rust::Rust;

/// A builder that generates code in a build script.
///
/// # Example: a `build.rs`, and the module that includes its output
///
/// ```no_run
/// # fn main() -> Result<(), smithy_waiters_generate::GenerateError> {
/// smithy_waiters_generate::Build::new().model("model/dynamodb.json").run()?;
/// # Ok(())
/// # }
/// ```
///
/// ```ignore
/// /// Waiters of DynamoDB. A binary that does not call all of them needs `#[allow(dead_code)]` here.
/// pub mod dynamodb {
///     include!(concat!(env!("OUT_DIR"), "/dynamodb.rs"));
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Build {
    models: Vec<PathBuf>,
    definitions: Vec<PathBuf>,
    services: Vec<String>,
    selection: Selection,
    rust: Rust,
    folder: Option<PathBuf>,
}

impl Build {
    /// Creates a builder without models or definitions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file of the model, in Smithy IDL or JSON AST. All files together form one model.
    #[must_use]
    pub fn model(mut self, path: impl Into<PathBuf>) -> Self {
        self.models.push(path.into());
        self
    }

    /// Adds a hand-written Waiter structure. The waiter is named after the file, and its waits accept responses of any
    /// type.
    #[must_use]
    pub fn definition(mut self, path: impl Into<PathBuf>) -> Self {
        self.definitions.push(path.into());
        self
    }

    /// Selects a service by the id or name of its shape. By default, code is generated for all services.
    #[must_use]
    pub fn service(mut self, name: impl Into<String>) -> Self {
        self.services.push(name.into());
        self
    }

    /// Selects a waiter by name. The code then has only the selected waiters, without paginators and request metadata.
    #[must_use]
    pub fn only(mut self, waiter: impl Into<String>) -> Self {
        self.selection.only.push(waiter.into());
        self
    }

    /// Excludes a waiter by name, for example one that the linter or the Rust backend rejects.
    #[must_use]
    pub fn exclude(mut self, waiter: impl Into<String>) -> Self {
        self.selection.excluded.push(waiter.into());
        self
    }

    /// Sets the options of the generated code.
    #[must_use]
    pub fn rust(mut self, rust: Rust) -> Self {
        self.rust = rust;
        self
    }

    /// Sets the output folder. The default is `OUT_DIR`.
    #[must_use]
    pub fn folder(mut self, path: impl Into<PathBuf>) -> Self {
        self.folder = Some(path.into());
        self
    }

    /// Writes the files and returns their paths. Prints `cargo:rerun-if-changed` for each model and definition.
    ///
    /// # Errors
    ///
    /// Any [`GenerateError`]: an invalid model or definition, an unsupported path, or a file that cannot be written.
    #[expect(
        clippy::print_stdout,
        reason = "cargo reads the instructions of a build script from its standard output"
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
            files = self.model_files()?;
        }
        for path in &self.definitions {
            files.push(self.rust.untyped(&Definition::read(path, None)?)?);
        }
        Ok(files)
    }

    fn model_files(&self) -> Result<Vec<File>, GenerateError> {
        let mut sources = Sources::default();
        for path in &self.models {
            sources.add(path.display().to_string(), read_text(path)?);
        }
        let model = ir::read(&sources, &self.selection)?;
        let mut services = ir::services(&sources, &model, &self.services)?;
        self.selection.reduce(&mut services);
        files(&self.rust, &services)
    }
}
