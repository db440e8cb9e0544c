//! What one language is to the generator.

use crate::error::{GenerateError, together};
use crate::ir::{Definition, Service};

/// A language: makes files of services.
///
/// It is given only what holds: the model is linted, every path typed. What it cannot express is a [`GenerateError`].
pub trait Backend {
    /// Its name, as in `--language`.
    fn language(&self) -> &'static str;

    /// What begins a comment to the end of the line.
    fn comment(&self) -> &'static str;

    /// The files for a service. The same service gives the same bytes.
    ///
    /// # Errors
    ///
    /// [`GenerateError::Collision`], [`GenerateError::Unsupported`].
    fn service(&self, service: &Service<'_>) -> Result<Vec<File>, GenerateError>;

    /// The file for a hand-written definition without a model: the same waits, on responses of any type.
    ///
    /// # Errors
    ///
    /// As [`service`](Self::service).
    fn untyped(&self, definition: &Definition) -> Result<File, GenerateError>;
}

/// The files for several services.
///
/// # Errors
///
/// As [`Backend::service`]; of paths that the language has nothing for, all are told.
pub fn files(backend: &dyn Backend, services: &[Service<'_>]) -> Result<Vec<File>, GenerateError> {
    let files = services.iter().map(|service| backend.service(service));
    Ok(together(files)?.concat())
}

/// A file that is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct File {
    /// Its path in the output folder, with `/`.
    pub path: String,
    /// Its text, with [the marker](crate::folder::marker) as its first line.
    pub text: String,
}

impl File {
    /// A file of a language, which begins with the marker.
    #[must_use]
    pub fn new(backend: &dyn Backend, path: impl Into<String>, text: &str) -> Self {
        let marker = crate::folder::marker(backend.comment());
        let text = format!("{marker}\n{text}");
        let path = path.into();
        Self { path, text }
    }
}
