//! Smithy's own programs, in Java: Maven fetches them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::cmd;

use crate::process;
use crate::project::{self, Project};
use crate::stamp::{Fingerprint, Stamp};

/// The release of every artefact.
pub(crate) const SMITHY: &str = "1.73.0";

/// Leaves out what an artefact needs.
const ALONE: &str = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>";

const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/// The class path of Smithy's own command, with its validator of waiters.
///
/// # Errors
///
/// Java, Maven or the registry is missing.
pub(crate) fn command(project: &Project) -> Result<String> {
    smithy(project, &["smithy-cli", "smithy-waiters"])
}

/// The class path of artefacts of `software.amazon.smithy`, fetched unless they are there.
///
/// # Errors
///
/// Java, Maven or the registry is missing.
pub(crate) fn smithy(project: &Project, artefacts: &[&str]) -> Result<String> {
    let folder = project.target(artefacts.first().unwrap_or(&"smithy"));
    let needed = artefacts
        .iter()
        .map(|name| dependency("software.amazon.smithy", name, SMITHY, ""));
    let jars = jars(&folder, &needed.collect::<String>())?;
    Ok(jars.join("*").to_string_lossy().into_owned())
}

/// A jar without those that it needs, fetched unless it is there.
///
/// # Errors
///
/// Java, Maven or the registry is missing.
pub(crate) fn jar(project: &Project, group: &str, name: &str, version: &str) -> Result<PathBuf> {
    let folder = project.target("data/maven").join(name);
    let jars = jars(&folder, &dependency(group, name, version, ALONE))?;
    Ok(jars.join(format!("{name}-{version}.jar")))
}

/// The folder with the jars of dependencies.
fn jars(folder: &Path, needed: &str) -> Result<PathBuf> {
    let (pom, jars) = (folder.join("pom.xml"), folder.join("jars"));
    let manifest = manifest(needed);
    check("java", "-version")?;
    let stamp = Stamp::new(
        folder.join("jars.stamp"),
        Fingerprint::default().text(&manifest),
        std::slice::from_ref(&jars),
    );
    if !stamp.is_fresh()? {
        project::fresh_folder(&jars)?;
        project::write(&pom, manifest)?;
        fetch(&pom, &jars)?;
        stamp.set()?;
    }
    Ok(jars)
}

fn fetch(pom: &Path, jars: &Path) -> Result<()> {
    let maven = if cfg!(windows) { "mvn.cmd" } else { "mvn" };
    check(maven, "--version")?;
    let place = format!("-DoutputDirectory={}", jars.display());
    process::run(
        "mvn dependency:copy-dependencies",
        &cmd!(maven, "--quiet", "--batch-mode", "--file", pom, COPY, place),
    )
}

fn check(program: &str, version: &str) -> Result<()> {
    let printed = cmd!(program, version).stdout_null().stderr_null().run();
    printed
        .map(|_| ())
        .with_context(|| format!("no `{program}` here"))
}

fn dependency(group: &str, name: &str, version: &str, more: &str) -> String {
    format!(
        "<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version>{more}</dependency>"
    )
}

fn manifest(needed: &str) -> String {
    format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>xtask</groupId><artifactId>smithy</artifactId><version>1</version><packaging>pom</packaging><dependencies>{needed}</dependencies></project>"
    )
}
