//! Real use: an SDK whose own retries are off, against a service behind a proxy that fails as it is told.

use std::path::PathBuf;

use anyhow::Result;

use super::{counts, python, rust};
use crate::process;
use crate::project::{self, Project};
use crate::tools::node;

const TESTS: &str = "tests/real";

/// With boto3.
pub(super) fn boto3(project: &Project) -> Result<String> {
    let services = services(project)?;
    python::pytest_file(project, &format!("{TESTS}/test_boto3.py"), |pytest| {
        let pytest = pytest.env("SMITHY_WAITERS_REAL", &services);
        Ok(process::without_aws_settings(project, &pytest))
    })?
    .summarize(counts::pytest)
}

/// With the AWS SDK for Rust.
pub(super) fn rust_sdk(project: &Project) -> Result<String> {
    rust::ignored_tests(
        project,
        "real",
        ("SMITHY_WAITERS_REAL", &services(project)?),
    )
}

/// With the AWS SDK for JavaScript.
pub(super) fn aws_sdk(project: &Project) -> Result<String> {
    let folder = install(project, "real-node")?;
    node::install_own_package(project, &folder)?;
    let node = node::tests(&folder, &["aws-sdk.test.mjs"]);
    let title = format!("node --test {TESTS}/aws-sdk.test.mjs");
    process::tee(&title, &process::without_aws_settings(project, &node))?
        .summarize(counts::node_test)
}

/// Installs the program with the services, and returns its folder.
pub(crate) fn services(project: &Project) -> Result<PathBuf> {
    install(project, "real")
}

fn install(project: &Project, name: &str) -> Result<PathBuf> {
    let _lock = project.lock(name)?;
    let folder = project.target(name);
    project::copy_files(&project.path(TESTS), &folder)?;
    node::install(&folder)?;
    Ok(folder)
}
