//! Smithy's own programs, in Java: Maven fetches them.

use std::path::Path;

use anyhow::{Context, Result};
use duct::cmd;

use crate::process;
use crate::project::{self, Project};
use crate::stamp::{Fingerprint, Stamp};

/// The release of every artefact.
const SMITHY: &str = "1.73.0";

const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/// The class path of artefacts of `software.amazon.smithy`, fetched unless they are there.
///
/// # Errors
///
/// Java, Maven or the registry is missing.
pub(crate) fn smithy(project: &Project, artefacts: &[&str]) -> Result<String> {
    let folder = project.target(artefacts.first().unwrap_or(&"smithy"));
    let (pom, jars) = (folder.join("pom.xml"), folder.join("jars"));
    let manifest = manifest(artefacts);
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
    Ok(jars.join("*").to_string_lossy().into_owned())
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

fn manifest(artefacts: &[&str]) -> String {
    let needed = artefacts.iter().map(|artefact| {
        format!(
            "<dependency><groupId>software.amazon.smithy</groupId><artifactId>{artefact}</artifactId><version>{SMITHY}</version></dependency>"
        )
    });
    format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>xtask</groupId><artifactId>smithy</artifactId><version>1</version><packaging>pom</packaging><dependencies>{}</dependencies></project>",
        needed.collect::<String>()
    )
}
