//! Real use: an SDK whose own retries are off, against a service behind a proxy that fails as it is told.

use std::path::PathBuf;

use anyhow::Result;
use duct::cmd;

use super::{counts, python, rust};
use crate::process;
use crate::project::{self, Project};
use crate::tools::node;

const TESTS: &str = "tests/real";

/// With boto3.
pub(super) fn boto3(project: &Project) -> Result<String> {
    let services = services(project)?;
    let file = format!("../{TESTS}/test_boto3.py");
    let arguments = ["pytest", "--config-file=pyproject.toml", "-r", "a", &file];
    let pytest = python::module(project, &arguments)?.env("SMITHY_WAITERS_REAL", services);
    let title = format!("python -m {}", arguments.join(" "));
    process::tee(&title, &process::without_aws_settings(project, &pytest))?
        .summed_up(counts::pytest)
}

/// With the AWS SDK for Rust.
pub(super) fn rust_sdk(project: &Project) -> Result<String> {
    rust::ignored(
        project,
        "real",
        ("SMITHY_WAITERS_REAL", &services(project)?),
    )
}

/// With the AWS SDK for JavaScript.
pub(super) fn aws_sdk(project: &Project) -> Result<String> {
    let folder = installed(project, "real-node")?;
    node::install_own_package(project, &folder)?;
    let node = cmd!("node", "--test", "--test-reporter=spec", "aws-sdk.test.mjs").dir(folder);
    let title = format!("node --test {TESTS}/aws-sdk.test.mjs");
    process::tee(&title, &process::without_aws_settings(project, &node))?
        .summed_up(counts::node_test)
}

/// Installs the program with the services, and returns its folder.
///
/// # Errors
///
/// When npm fails.
pub(crate) fn services(project: &Project) -> Result<PathBuf> {
    installed(project, "real")
}

fn installed(project: &Project, name: &str) -> Result<PathBuf> {
    let _lock = project.lock(name)?;
    let folder = project.target(name);
    project::copy_files(&project.path(TESTS), &folder)?;
    node::install(&folder)?;
    Ok(folder)
}
