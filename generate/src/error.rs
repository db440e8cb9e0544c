//! Why nothing is generated.

use std::fmt;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Why nothing is generated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// What is asked for as the client is none.
    #[error("`{name}` is no client: {what}")]
    Client {
        /// What was asked for.
        name: String,
        /// What it would be.
        what: &'static str,
    },
    /// Two names of the model are one in the language.
    #[error(
        "{one} and {other} are both `{name}` in {language}: rename one of them, or exclude it if it is a waiter"
    )]
    Collision {
        /// The first, and what it is: ``the waiter `fooBar` ``.
        one: String,
        /// The second.
        other: String,
        /// What both become.
        name: String,
        /// Where.
        language: &'static str,
    },
    /// A hand-written definition does not hold.
    #[error("in `{}`: {error}", path.display())]
    Definition {
        /// Its file.
        path: PathBuf,
        /// What the engine says.
        error: smithy_waiters::DefinitionError,
    },
    /// A list or a map that holds itself, and no structure or union between: no type says that, and no value has an end.
    #[error("{place}`{id}` is in itself, which only structures and unions can be")]
    Endless {
        /// Where it stands: `model.smithy:7:1: `.
        place: String,
        /// Its id.
        id: String,
    },
    /// A file that this generator did not write is where one of its own belongs.
    #[error("`{}` was not written by this generator: it is left as it is", .0.display())]
    Foreign(PathBuf),
    /// Files for sources of Rust cannot be formatted.
    #[error(
        "Rust is written as the project's `rustfmt` formats it (`rustup component add rustfmt`), but that failed: {0}"
    )]
    Formatter(String),
    /// A file cannot be read or written.
    #[error("cannot {action} `{}`", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A name of the model leads out of the output folder.
    #[error("`{}` is outside of the output folder: no file is named like that", .0.display())]
    Outside(PathBuf),
    /// Two services, or two definitions, have one file.
    #[error("`{}` would be written twice: generate one service at a time, into folders of their own", .0.display())]
    Twice(PathBuf),
    /// What the linter says of the model, with the places; nothing is generated from what it refuses.
    #[error("the model has errors, which `smithy-waiters lint` explains: mend them, or exclude the waiters among them\n{}", .0.join("\n"))]
    Model(Vec<String>),
    /// A service that the model does not have.
    #[error("there is no service `{name}`: there are {}", known.join(", "))]
    UnknownService {
        /// What was asked for.
        name: String,
        /// What there is, in backticks.
        known: Vec<String>,
    },
    /// A waiter that is to be left out, and that the model does not have.
    #[error("there is no waiter `{0}` to exclude")]
    UnknownWaiter(String),
    /// What the language's backend cannot express: every path of the run.
    #[error("{}: exclude the waiter, or write the path in another way", lines(.0))]
    Unsupported(Vec<UnsupportedPath>),
    /// The generator wrote what is not the language: a defect of its own.
    #[error("what was generated for {service} is no {language}: {message}")]
    Defect {
        /// For what.
        service: String,
        /// In which language.
        language: &'static str,
        /// What its parser says.
        message: String,
    },
}

/// A path that a language's backend cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnsupportedPath {
    /// Where the path stands: `model.smithy:7:20: `.
    pub place: String,
    /// The waiter.
    pub waiter: String,
    /// The path.
    pub path: String,
    /// What cannot be said.
    pub what: String,
}

impl fmt::Display for UnsupportedPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            place,
            waiter,
            path,
            what,
        } = self;
        write!(f, "{place}`{path}` of `{waiter}`: {what}")
    }
}

fn lines(refused: &[UnsupportedPath]) -> String {
    let lines: Vec<String> = refused.iter().map(UnsupportedPath::to_string).collect();
    lines.join("\n")
}

/// The text of a file.
pub(crate) fn text(path: &Path) -> Result<String, GenerateError> {
    fs::read_to_string(path).map_err(|source| GenerateError::Io {
        action: "read",
        path: path.to_owned(),
        source,
    })
}

/// All results, or the first error; of paths that a language has nothing for, all are told, not only the first.
pub(crate) fn together<T>(
    results: impl IntoIterator<Item = Result<T, GenerateError>>,
) -> Result<Vec<T>, GenerateError> {
    let (mut all, mut refused) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(one) => all.push(one),
            Err(GenerateError::Unsupported(paths)) => refused.extend(paths),
            Err(error) => return Err(error),
        }
    }
    if refused.is_empty() {
        Ok(all)
    } else {
        Err(GenerateError::Unsupported(refused))
    }
}
