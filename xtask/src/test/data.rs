//! Test data from a folder beside the repository, or from a crate.

use std::path::PathBuf;

use anyhow::{Context, Result};
use duct::Expression;

use crate::data;
use crate::process;
use crate::project::Project;
use crate::report;

/// The prefix of the summary of the compliance suite.
pub(super) const COMPLIANCE: &str = "jmespath compliance: ";

/// The prefix of the summary of the verdicts.
pub(super) const AWS_VERDICTS: &str = "aws verdicts: ";

/// Passes the path of the official JMESPath compliance suite to a program.
pub(super) fn with_compliance(project: &Project, command: &Expression) -> Result<Expression> {
    let command = command.env("JMESPATH_COMPLIANCE", compliance(project)?);
    Ok(command.env("JMESPATH_COMPLIANCE_NAME", "the parser's own suite"))
}

/// Passes the path of the verdicts on the models for which code is generated to a program.
pub(super) fn with_aws_verdicts(project: &Project, command: &Expression) -> Result<Expression> {
    Ok(command.env("AWS_VERDICTS", data::verdicts(project)?))
}

/// Passes the paths of all verdicts to a program, including those beside the repository.
pub(super) fn with_all_verdicts(project: &Project, command: &Expression) -> Result<Expression> {
    let mut folders = vec![data::verdicts(project)?];
    let shared = shared_data(project, "aws-verdicts");
    if shared.is_dir() {
        folders.push(shared);
    } else {
        report::note("skipped: further verdicts in a folder beside the repository");
    }
    Ok(command.env("AWS_VERDICTS", std::env::join_paths(folders)?))
}

/// Returns the path of the suite in the source package of the parser.
fn compliance(project: &Project) -> Result<PathBuf> {
    let mut packages = process::packages(project.root())?.into_iter();
    let parser = packages.find(|package| package.name == "jmespath");
    let parser = parser.context("the workspace has no crate `jmespath`")?;
    Ok(parser.manifest_path.with_file_name("tests/compliance"))
}

fn shared_data(project: &Project, name: &str) -> PathBuf {
    project.path("../shared/data").join(name)
}
