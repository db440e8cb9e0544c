//! Tests with the newest AWS SDK for Rust. The lock file pins the newest one that our minimum Rust version can build.

use anyhow::Result;
use duct::Expression;

use crate::process;
use crate::project::{self, Project};
use crate::test::{counts, real};

/// The packages that use the SDK. They are built together, so that they share it.
const EXAMPLES: &str = "smithy-waiters-examples";
const REAL_USE: &str = "smithy-waiters-real-use";
const PROOF: &str = "smithy-waiters-generate-proof";

/// Updates every AWS crate in a copy of the repository, and runs the tests of the packages that use the SDK.
pub(super) fn run(project: &Project) -> Result<String> {
    let copy = project.target("newest-sdk");
    project::copy_folder(project.root(), &copy)?;
    let packages = process::packages(&copy)?;
    let names = packages.iter().map(|package| &*package.name);
    let mut names: Vec<&str> = names.filter(|name| name.starts_with("aws-")).collect();
    names.dedup();
    process::run(
        "cargo update aws-*",
        &cargo(project, &[&["update"], &*names].concat())
            .env("CARGO_RESOLVER_INCOMPATIBLE_RUST_VERSIONS", "allow"),
    )?;
    let test = [EXAMPLES, REAL_USE, PROOF].map(|package| ["--package", package]);
    let test = [&["test"], test.as_flattened()].concat();
    process::run("cargo test (newest SDK)", &cargo(project, &test))?;
    let real = [&test[..], &["--test", "real", "--", "--ignored"]].concat();
    let real = cargo(project, &real).env("SMITHY_WAITERS_REAL", real::services(project)?);
    let output = process::tee("cargo test --test real (newest SDK)", &real)?;
    let summary = output.summarize(counts::cargo_test)?;
    let tree = cargo(
        project,
        &[
            "tree",
            "--package",
            PROOF,
            "--depth",
            "1",
            "--prefix",
            "none",
        ],
    );
    let tree = process::read("cargo tree", &tree)?;
    let versions: Vec<&str> = tree
        .lines()
        .filter(|line| line.starts_with("aws-sdk-"))
        .collect();
    Ok(format!("{summary} with {}", versions.join(", ")))
}

fn cargo(project: &Project, arguments: &[&str]) -> Expression {
    process::cargo_in(&project.target("newest-sdk"), arguments)
        .env("CARGO_TARGET_DIR", project.target("newest-sdk-target"))
}
