//! The data that lies beside the repository, or comes with a crate.

use std::path::PathBuf;

use anyhow::{Context, Result};
use cargo_metadata::MetadataCommand;
use duct::Expression;

use crate::data;
use crate::project::Project;
use crate::report;

/// The line that tells what ran of the compliance suite.
pub(super) const COMPLIANCE: &str = "jmespath compliance: ";

/// The line that tells how many verdicts are right.
pub(super) const AWS_VERDICTS: &str = "aws verdicts: ";

/// Tells a program where the official JMESPath compliance suite is.
pub(super) fn with_compliance(project: &Project, command: &Expression) -> Result<Expression> {
    let command = command.env("JMESPATH_COMPLIANCE", compliance(project)?);
    Ok(command.env("JMESPATH_COMPLIANCE_NAME", "the parser's own suite"))
}

/// Tells a program where the verdicts on the models that code is generated for are.
pub(super) fn with_aws_verdicts(project: &Project, command: &Expression) -> Result<Expression> {
    Ok(command.env("AWS_VERDICTS", data::verdicts(project)?))
}

/// Tells a program where all verdicts are: those beside the repository add to ours.
pub(super) fn with_all_verdicts(project: &Project, command: &Expression) -> Result<Expression> {
    let mut folders = vec![data::verdicts(project)?];
    let shared = shared_data(project, "aws-verdicts");
    if shared.is_dir() {
        folders.push(shared);
    } else {
        report::note("skipped: there are no more verdicts beside the repository");
    }
    Ok(command.env("AWS_VERDICTS", std::env::join_paths(folders)?))
}

/// The suite in the source package of the parser.
fn compliance(project: &Project) -> Result<PathBuf> {
    let metadata = MetadataCommand::new()
        .manifest_path(project.path("Cargo.toml"))
        .exec()
        .context("`cargo metadata` failed")?;
    let mut packages = metadata.packages.iter();
    let parser = packages
        .find(|package| package.name.as_str() == "jmespath")
        .context("the workspace has no crate `jmespath`")?;
    let folder = parser
        .manifest_path
        .with_file_name("tests")
        .join("compliance");
    Ok(folder.into())
}

fn shared_data(project: &Project, name: &str) -> PathBuf {
    project.path("../shared/data").join(name)
}
