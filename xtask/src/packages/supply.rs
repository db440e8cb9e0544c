//! Checks what the packages are made with, and that the crates can be published.

use anyhow::Result;
use duct::cmd;

use crate::process::{self, Package};
use crate::project::Project;
use crate::tools::crates::Tool;

const TOOL: Tool = Tool {
    name: "cargo-deny",
    version: "0.20.2",
    features: "",
};

/// Checks licences, sources and versions by `deny.toml`, and the advisories if their database can be fetched.
pub(crate) fn check(project: &Project) -> Result<String> {
    let tool = TOOL.install(project)?;
    let deny = |arguments: &[&str]| {
        let command = cmd(&tool, [&["--all-features"], arguments].concat());
        let title = format!("cargo deny {}", arguments.join(" "));
        process::run(&title, &command.dir(project.root()))
    };
    deny(&[
        "check",
        "--hide-inclusion-graph",
        "licenses",
        "bans",
        "sources",
    ])?;
    let advisories = match deny(&["fetch", "db"]) {
        Ok(()) => {
            deny(&["check", "--hide-inclusion-graph", "advisories"])?;
            "no advisories"
        }
        Err(_) => "skipped: advisories, whose database cannot be fetched",
    };
    Ok(format!(
        "licences, sources and versions as in deny.toml; {advisories}"
    ))
}

/// Packages the crates as for a release, and compiles each from its package.
pub(crate) fn package_crates(project: &Project) -> Result<String> {
    let mut packages = process::own_packages(project)?;
    packages.retain(Package::is_published);
    let names = packages.iter().flat_map(|it| ["--package", &it.name]);
    let arguments: Vec<&str> = ["package", "--locked"].into_iter().chain(names).collect();
    process::run_cargo(project, &arguments)?;
    let count = packages.len();
    Ok(format!("{count} crates, compiled from their packages"))
}
