//! Fetches Smithy's Java programs with Maven.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::cmd;

use crate::process;
use crate::project::{self, Project};
use crate::stamp::{Fingerprint, Stamp};

/// The version of Smithy's artefacts.
pub(crate) const SMITHY: &str = "1.73.0";

/// Excludes the dependencies of an artefact.
const WITHOUT_DEPENDENCIES: &str = "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>";

const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/// Returns the class path of Smithy's command with its validator of waiters.
///
/// # Errors
///
/// Fails if Java, Maven or the registry is not available.
pub(crate) fn command(project: &Project) -> Result<String> {
    smithy(project, &["smithy-cli", "smithy-waiters"])
}

/// Fetches artefacts of `software.amazon.smithy` if they are missing, and returns their class path.
///
/// # Errors
///
/// Fails if Java, Maven or the registry is not available.
pub(crate) fn smithy(project: &Project, artefacts: &[&str]) -> Result<String> {
    let folder = artefacts.first().unwrap_or(&"smithy");
    let jars = jars_of(project, folder, "software.amazon.smithy", artefacts, SMITHY)?;
    Ok(jars.join("*").to_string_lossy().into_owned())
}

/// Fetches the artefacts of a group and their dependencies if they are missing, and returns the folder of their jars.
///
/// # Errors
///
/// Fails if Java, Maven or the registry is not available.
pub(crate) fn jars_of(
    project: &Project,
    folder: &str,
    group: &str,
    artefacts: &[&str],
    version: &str,
) -> Result<PathBuf> {
    let needed = artefacts
        .iter()
        .map(|name| dependency(group, name, version, ""));
    jars(&project.target(folder), &needed.collect::<String>())
}

/// Fetches a jar without its dependencies if it is missing, and returns its path.
///
/// # Errors
///
/// Fails if Java, Maven or the registry is not available.
pub(crate) fn jar(project: &Project, group: &str, name: &str, version: &str) -> Result<PathBuf> {
    let folder = project.target("data/maven").join(name);
    let jars = jars(
        &folder,
        &dependency(group, name, version, WITHOUT_DEPENDENCIES),
    )?;
    Ok(jars.join(format!("{name}-{version}.jar")))
}

/// Fetches the jars of dependencies if they are missing, and returns their folder.
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
    let result = cmd!(program, version).stdout_null().stderr_null().run();
    result
        .map(|_| ())
        .with_context(|| format!("cannot run `{program}`"))
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
