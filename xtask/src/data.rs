//! AWS's definitions: botocore's wheel from PyPI, unpacked and translated into Smithy models.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::cmd;
use flate2::read::GzDecoder;
use serde_json::Value as Json;
use zip::ZipArchive;

use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::stamp::{Fingerprint, Stamp};
use crate::steps::Skipped;
use crate::tools::maven;
use crate::tools::python::Environment;

/// A release of botocore, and where its services come.
struct Release {
    version: &'static str,
    sha256: &'static str,
    services: &'static str,
    models: &'static str,
}

/// The release whose definitions are used. Tests count what is in it.
const NEWEST: Release = Release {
    version: "1.44.5",
    sha256: "8f16a56d1dff125dd65322ae021efa7ba5195a6db5102b96862566055b748921",
    services: "data/botocore",
    models: "data/aws-models",
};

/// The release that is as old as the pinned SDKs for Rust: code for a client needs the client's own operations and members.
const OF_SDKS: Release = Release {
    version: "1.42.40",
    sha256: "b115cdfece8162cb30f387fdff2ee4693713744c97ebb4b89742e53675dc521c",
    services: "data/botocore-sdks",
    models: "data/sdk-models",
};

/// The services whose SDKs for Rust are pinned.
const SDKS: [&str; 3] = ["dynamodb", "ecs", "s3"];

const FILES: [&str; 3] = ["service-2.json", "waiters-2.json", "paginators-1.json"];

/// The services that code is generated for and that benchmarks read. All others with waiters are only translated.
const SERVICES: [&str; 32] = [
    "acm",
    "amp",
    "cloudformation",
    "cloudwatch",
    "codedeploy",
    "deadline",
    "dms",
    "docdb",
    "dynamodb",
    "ecr",
    "ecs",
    "eks",
    "elasticache",
    "elasticbeanstalk",
    "elb",
    "elbv2",
    "gameliftstreams",
    "glacier",
    "iam",
    "iotsitewise",
    "kinesis",
    "lambda",
    "medialive",
    "neptune",
    "neptune-graph",
    "omics",
    "rds",
    "rekognition",
    "route53-recovery-control-config",
    "s3",
    "sagemaker",
    "ssm",
];

/// What gives the verdicts.
const ORACLE: [&str; 2] = ["botocore==1.44.5", "jmespath==1.1.0"];

/// One model that AWS publishes, which the translation of botocore's is compared with.
const PUBLISHED: [&str; 3] = ["software.amazon.api.models", "dynamodb", "1.0.14"];

/// Fetches AWS's definitions, for tests and benchmarks that are run without this program.
///
/// They come into `target/data/`: `botocore/` as botocore's wheel on PyPI has them, `aws-models/` as Smithy models, `sdk-models/`
/// from the release that is as old as the pinned SDKs for Rust, `aws-verdicts/` with verdicts on random responses of these by botocore and jmespath.py, and `published/` with the model of
/// a service that AWS publishes itself, from Maven Central.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {}

/// Runs the verb.
pub(crate) fn run(project: &Project, _: &Options) -> Result<()> {
    let of_sdks = translate(project, &OF_SDKS, &SDKS)?;
    for folder in [models(project)?, of_sdks, verdicts(project)?] {
        report::note(&project.display(&folder));
    }
    if_there(published_model(project))
}

/// Verdicts on random responses of the [`models`], by interpreters that are not ours: a file for each.
///
/// # Errors
///
/// [`Skipped`] when the registry cannot be reached.
pub(crate) fn verdicts(project: &Project) -> Result<PathBuf> {
    let (models, verdicts) = (models(project)?, project.target("data/aws-verdicts"));
    let _lock = project.lock("verdicts")?;
    let sources = ["core/src", "model/src", "generate", "tests/oracle"];
    let sources = sources.map(|path| project.path(path));
    let inputs = Fingerprint::default()
        .text(NEWEST.sha256)
        .sources(&sources)?;
    let stamp = Stamp::of_folder(&verdicts, inputs);
    if stamp.is_fresh()? {
        return Ok(verdicts);
    }
    let random = process::example(project, "smithy-waiters-generate", "random")?;
    let oracle = Environment::open(project, "oracle")?;
    oracle
        .install_packages(&ORACLE)
        .map_err(|error| Skipped(format!("the oracle of verdicts cannot be fetched: {error}")))?;
    project::fresh_folder(&verdicts)?;
    let paths = [
        project.path("tests/oracle/verdicts.py"),
        random,
        models,
        services(project)?,
        verdicts.clone(),
    ];
    let paths = paths.map(|path| path.to_string_lossy().into_owned());
    let arguments: Vec<&str> = paths.iter().map(String::as_str).collect();
    process::run(
        "python tests/oracle/verdicts.py",
        &oracle.python(&arguments),
    )?;
    stamp.set()?;
    Ok(verdicts)
}

/// Everything that tests of Rust look at.
///
/// # Errors
///
/// When something that was fetched cannot be read. What cannot be fetched is left out, and that is said.
pub(crate) fn for_tests(project: &Project) -> Result<()> {
    if_there(models(project))?;
    if_there(translate(project, &OF_SDKS, &SDKS))?;
    if_there(verdicts(project))?;
    if_there(published_model(project))
}

/// The folder with a Smithy model of each of the [`SERVICES`], and nothing else.
///
/// # Errors
///
/// [`Skipped`] when the registry cannot be reached.
pub(crate) fn models(project: &Project) -> Result<PathBuf> {
    translate(project, &NEWEST, &SERVICES)
}

fn translate(project: &Project, release: &Release, services: &[&str]) -> Result<PathBuf> {
    let _lock = project.lock("data")?;
    let models = project.target(release.models);
    let sources = ["core/src", "model/src", "model/examples"].map(|path| project.path(path));
    let inputs = Fingerprint::default()
        .text(release.sha256)
        .sources(&sources)?;
    let stamp = Stamp::of_folder(&models, inputs);
    if stamp.is_fresh()? {
        return Ok(models);
    }
    let data = unpack_release(project, release)?;
    let program = process::example(project, "smithy-waiters-model", "botocore")?;
    project::fresh_folder(&models)?;
    let mut arguments = vec![data.as_os_str(), models.as_os_str()];
    arguments.extend(services.iter().map(OsStr::new));
    process::run(
        "botocore's definitions into Smithy models",
        &cmd(program, arguments),
    )?;
    stamp.set()?;
    Ok(models)
}

/// For steps that have more to do: what cannot be fetched is only said.
fn if_there<T>(fetched: Result<T>) -> Result<()> {
    match fetched {
        Err(error) if error.is::<Skipped>() => {
            report::note(&format!("skipped: {error}"));
            Ok(())
        }
        other => other.map(drop),
    }
}

/// The model of DynamoDB that AWS publishes.
fn published_model(project: &Project) -> Result<PathBuf> {
    let [group, name, version] = PUBLISHED;
    let model = project
        .target("data/published")
        .join(format!("{name}-{version}.json"));
    if model.exists() {
        return Ok(model);
    }
    let jar = maven::jar(project, group, name, version)
        .map_err(|error| Skipped(format!("the model of {name} cannot be fetched: {error}")))?;
    let mut archive = open(&jar)?;
    let names: Vec<String> = archive.file_names().map(str::to_owned).collect();
    let mut models = names.iter().filter(|name| name.ends_with(".json"));
    let inside = models.next().context("the jar has no model")?;
    let mut text = Vec::new();
    archive.by_name(inside)?.read_to_end(&mut text)?;
    project::write(&model, text)?;
    Ok(model)
}

fn open(archive: &Path) -> Result<ZipArchive<File>> {
    let shown = archive.display();
    let file = File::open(archive).with_context(|| format!("cannot open `{shown}`"))?;
    ZipArchive::new(file).with_context(|| format!("cannot read `{shown}`"))
}

/// The folder with the services of the newest release.
///
/// # Errors
///
/// [`Skipped`] when the registry cannot be reached.
pub(crate) fn services(project: &Project) -> Result<PathBuf> {
    let _lock = project.lock("data")?;
    unpack_release(project, &NEWEST)
}

/// The folder with the files of every service that has waiters, in its newest version.
fn unpack_release(project: &Project, release: &Release) -> Result<PathBuf> {
    let folder = project.target(release.services);
    let stamp = Stamp::of_folder(&folder, Fingerprint::default().text(release.sha256));
    if stamp.is_fresh()? {
        return Ok(folder);
    }
    let wheel = wheel(project, release)?;
    project::fresh_folder(&folder)?;
    let services = unpack(&wheel, &folder)?;
    report::note(&format!(
        "{services} services with waiters in botocore {}",
        release.version
    ));
    stamp.set()?;
    Ok(folder)
}

/// The wheel, as pip fetches it: pip's own settings say from where, and pip compares the hash.
fn wheel(project: &Project, release: &Release) -> Result<PathBuf> {
    let Release {
        version, sha256, ..
    } = release;
    let folder = project.target("data/wheels");
    let file = folder.join(format!("botocore-{version}-py3-none-any.whl"));
    if file.exists() {
        return Ok(file);
    }
    let pin = folder.join("requirements.txt");
    project::write(
        &pin,
        format!("botocore=={version} --hash=sha256:{sha256}\n"),
    )?;
    let (pin, out) = (pin.to_string_lossy(), folder.to_string_lossy());
    let arguments = [
        "-m",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--only-binary=:all:",
        "--require-hashes",
        "--requirement",
        &pin,
        "--dest",
        &out,
    ];
    let pip = Environment::open(project, "build")?.python(&arguments);
    let title = format!("pip download botocore=={version}");
    process::run(&title, &pip)
        .map_err(|error| Skipped(format!("AWS's definitions cannot be fetched: {error}")))?;
    Ok(file)
}

/// Unpacks the services with waiters and counts them.
fn unpack(wheel: &Path, folder: &Path) -> Result<usize> {
    let mut archive = open(wheel)?;
    let names: Vec<String> = archive.file_names().map(str::to_owned).collect();
    let mut newest: BTreeMap<&str, &str> = BTreeMap::new();
    for name in &names {
        if let Some((service, version, _)) = part(name) {
            let known = newest.entry(service).or_insert(version);
            *known = version.max(*known);
        }
    }
    let mut found: BTreeMap<&str, Vec<(&str, Vec<u8>)>> = BTreeMap::new();
    for name in &names {
        let Some((service, version, file)) = part(name) else {
            continue;
        };
        if newest.get(service) == Some(&version) {
            let mut content = Vec::new();
            let mut packed = archive.by_name(name)?;
            if name.ends_with(".gz") {
                GzDecoder::new(packed).read_to_end(&mut content)?;
            } else {
                packed.read_to_end(&mut content)?;
            }
            found.entry(service).or_default().push((file, content));
        }
    }
    found.retain(|_, files| has_waiters(files));
    ensure!(!found.is_empty(), "`{}` has no waiters", wheel.display());
    for (service, files) in &found {
        for (name, content) in files {
            project::write(&folder.join(service).join(name), content)?;
        }
    }
    Ok(found.len())
}

/// Service, version and name of one of the [`FILES`].
fn part(path: &str) -> Option<(&str, &str, &str)> {
    let mut parts = path.strip_prefix("botocore/data/")?.split('/');
    let (service, version, name) = (parts.next()?, parts.next()?, parts.next()?);
    let name = name.strip_suffix(".gz").unwrap_or(name);
    (FILES.contains(&name) && parts.next().is_none()).then_some((service, version, name))
}

/// Many services have a file of waiters without any.
fn has_waiters(files: &[(&str, Vec<u8>)]) -> bool {
    let file = files.iter().find(|(name, _)| *name == "waiters-2.json");
    let waiters = file.and_then(|(_, content)| serde_json::from_slice::<Json>(content).ok());
    let waiters = waiters
        .as_ref()
        .and_then(|file| file.get("waiters")?.as_object());
    waiters.is_some_and(|waiters| !waiters.is_empty())
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn files_of_services_are_found_in_the_wheel() {
        let service = "botocore/data/ec2/2016-11-15/service-2.json.gz";
        assert_eq!(part(service), Some(("ec2", "2016-11-15", "service-2.json")));
        for other in [
            "botocore/data/ec2/2016-11-15/paginators-1.sdk-extras.json",
            "botocore/data/endpoints.json",
            "botocore/waiter.py",
        ] {
            assert_eq!(part(other), None);
        }
    }
}
