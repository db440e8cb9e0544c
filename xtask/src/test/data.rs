//! The data that lies beside the repository, or comes with a crate.

use std::path::PathBuf;

use anyhow::{Context, Result};
use cargo_metadata::MetadataCommand;
use duct::Expression;

use crate::project::Project;
use crate::steps::Skipped;

/// The line that tells what ran of the compliance suite.
pub(super) const COMPLIANCE: &str = "jmespath compliance: ";

/// The line that tells how many verdicts are right.
pub(super) const AWS_VERDICTS: &str = "aws verdicts: ";

/// Tells a program where the official JMESPath compliance suite is.
pub(super) fn with_compliance(project: &Project, command: &Expression) -> Result<Expression> {
    let (name, folder) = compliance(project)?;
    let command = command.env("JMESPATH_COMPLIANCE", folder);
    Ok(command.env("JMESPATH_COMPLIANCE_NAME", name))
}

/// Tells a program where the verdicts on real models are.
pub(super) fn with_aws_verdicts(project: &Project, command: &Expression) -> Result<Expression> {
    let folder = shared(project, "aws-verdicts");
    if !folder.is_dir() {
        return Err(Skipped("`../shared/data/aws-verdicts` is not there".to_owned()).into());
    }
    Ok(command.env("AWS_VERDICTS", folder))
}

/// The suite beside the repository, else the one in the source package of the parser.
fn compliance(project: &Project) -> Result<(&'static str, PathBuf)> {
    let shared = shared(project, "jmespath-compliance");
    if shared.is_dir() {
        return Ok(("shared suite", shared));
    }
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
    Ok(("the parser's own suite", folder.into()))
}

fn shared(project: &Project, name: &str) -> PathBuf {
    project.path("../shared/data").join(name)
}
