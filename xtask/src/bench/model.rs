//! The command beside Smithy's own: whole processes over the service models of the test data.

use std::path::Path;

use anyhow::{Context, Result};
use duct::cmd;

use super::sources::models;
use crate::command;
use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::stamp::{Fingerprint, Stamp};
use crate::tools::python::Environment;

/// Smithy's own command, with its validator of waiters.
const SMITHY: &str = "1.73.0";
const ARTEFACTS: [&str; 2] = ["smithy-cli", "smithy-waiters"];

/// What fetches them.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies";

/// Measures both, where Smithy's is to be had.
pub(super) fn measure(project: &Project) -> Result<String> {
    let models = models(project)?;
    let program = command::program(project)?;
    let script = project.path("cli/bench/processes.py");
    let (script, program, models) = (
        script.to_string_lossy(),
        program.to_string_lossy(),
        models.to_string_lossy(),
    );
    let mut arguments = vec![&*script, &*program, &*models];
    let smithy = smithy(project);
    match &smithy {
        Ok(classes) => arguments.push(classes),
        Err(error) => report::error(error),
    }
    let measure = Environment::open(project, "build")?.python(&arguments);
    process::read("python cli/bench/processes.py", &measure)
}

/// The class path of Smithy's command, which Maven fetches where it is not there.
fn smithy(project: &Project) -> Result<String> {
    let folder = project.target("smithy-cli");
    let (pom, jars) = (folder.join("pom.xml"), folder.join("jars"));
    cmd!("java", "-version")
        .stdout_null()
        .stderr_null()
        .run()
        .context("no `java` here")?;
    let stamp = Stamp::new(
        folder.join("jars.stamp"),
        Fingerprint::default().text(&manifest()),
        std::slice::from_ref(&jars),
    );
    if !stamp.is_fresh()? {
        project::fresh_folder(&jars)?;
        project::write(&pom, manifest())?;
        fetch(&pom, &jars)?;
        stamp.set()?;
    }
    Ok(jars.join("*").to_string_lossy().into_owned())
}

fn fetch(pom: &Path, jars: &Path) -> Result<()> {
    let maven = if cfg!(windows) { "mvn.cmd" } else { "mvn" };
    cmd!(maven, "--version")
        .stdout_null()
        .stderr_null()
        .run()
        .context("no `mvn` here")?;
    let place = format!("-DoutputDirectory={}", jars.display());
    process::run(
        "mvn dependency:copy-dependencies",
        &cmd!(maven, "--quiet", "--batch-mode", "--file", pom, COPY, place),
    )
}

fn manifest() -> String {
    let needed = ARTEFACTS.map(|artefact| {
        format!(
            "<dependency><groupId>software.amazon.smithy</groupId><artifactId>{artefact}</artifactId><version>{SMITHY}</version></dependency>"
        )
    });
    format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>bench</groupId><artifactId>smithy</artifactId><version>1</version><packaging>pom</packaging><dependencies>{}</dependencies></project>",
        needed.concat()
    )
}
