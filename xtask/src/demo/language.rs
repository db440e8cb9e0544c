//! The three languages and their client programs.

use std::fmt;

use anyhow::Result;
use clap::ValueEnum;
use duct::{Expression, cmd};

use super::stage::Stage;
use crate::project::Project;

/// A language with a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    Rust,
    #[value(name = "javascript")]
    JavaScript,
    Python,
}

impl Language {
    /// All languages, in the order of the output.
    pub(crate) const ALL: [Self; 3] = [Self::Rust, Self::JavaScript, Self::Python];

    /// Returns the name on the command line.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::JavaScript => "javascript",
            Self::Python => "python",
            Self::Rust => "rust",
        }
    }

    /// Returns the command that runs the language's client with arguments.
    pub(crate) fn client(self, stage: &Stage<'_>, arguments: &[&str]) -> Result<Expression> {
        let project = stage.project;
        Ok(match self {
            Self::JavaScript => node(project, "client.mjs", arguments),
            Self::Python => {
                let script = project.path("xtask/demo/python/client.py");
                // `-B` avoids a `__pycache__` beside the sources.
                let script = ["-B", &script.to_string_lossy()].map(ToOwned::to_owned);
                let script = script.each_ref().map(String::as_str);
                stage.python()?.python(&[&script, arguments].concat())
            }
            Self::Rust => {
                let program = format!("debug/smithy-waiters-demo{}", std::env::consts::EXE_SUFFIX);
                cmd(project.target(&program), arguments)
            }
        })
    }
}

/// Returns the command that runs a JavaScript program of the demo, in the folder with its packages.
pub(crate) fn node(project: &Project, script: &str, arguments: &[&str]) -> Expression {
    let folder = project.target("demo/javascript");
    let script = folder.join(script).into_os_string();
    let arguments = arguments.iter().map(Into::into);
    cmd("node", std::iter::once(script).chain(arguments)).dir(folder)
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::JavaScript => "JavaScript",
            Self::Python => "Python",
            Self::Rust => "Rust",
        })
    }
}
