//! Pinned programs from crates.io.

use std::env::consts::EXE_SUFFIX;
use std::path::PathBuf;

use anyhow::Result;

use crate::process;
use crate::project::Project;

/// A program in a crate of the same name.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// The features to enable, besides the default ones.
    pub(crate) features: &'static str,
}

impl Tool {
    /// Installs the program if it is missing, and returns its path.
    pub(crate) fn install(&self, project: &Project) -> Result<PathBuf> {
        let Self {
            name,
            version,
            features,
        } = self;
        let folder = project.target(&format!("{name}-{version}"));
        let program = folder.join(format!("bin/{name}{EXE_SUFFIX}"));
        if program.exists() {
            return Ok(program);
        }
        let (pin, root) = (format!("{name}@{version}"), folder.to_string_lossy());
        let arguments = [
            "install",
            &pin,
            "--locked",
            "--root",
            &root,
            "--features",
            features,
        ];
        process::run(
            &format!("cargo install {pin} --locked"),
            &process::cargo(project, &arguments),
        )?;
        Ok(program)
    }
}
