//! `cargo xtask data`: fetches AWS's definitions, and converts botocore's into Smithy models.

use fs_err::{self as fs, File};
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::cmd;
use flate2::read::GzDecoder;
use ignore::WalkBuilder;
use serde_json::Value as Json;

use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::stamp::{Fingerprint, Stamp};
use crate::steps::Skipped;
use crate::tools::maven;
use crate::tools::python::{self, Environment};

/// A release of botocore, with the folders for its services and models in `target/`.
struct Release {
    version: &'static str,
    sha256: &'static str,
    services: &'static str,
    models: &'static str,
}

/// The release for tests and benchmarks. Tests depend on the exact numbers of its definitions.
const NEWEST: Release = Release {
    version: "1.44.5",
    sha256: "8f16a56d1dff125dd65322ae021efa7ba5195a6db5102b96862566055b748921",
    services: "data/botocore",
    models: "data/aws-models",
};

/// The release that matches the pinned SDKs for Rust. Code for a client needs the client's operations and members.
const SDK_RELEASE: Release = Release {
    version: "1.42.40",
    sha256: "b115cdfece8162cb30f387fdff2ee4693713744c97ebb4b89742e53675dc521c",
    services: "data/botocore-sdks",
    models: "data/sdk-models",
};

/// The services whose SDKs for Rust are pinned.
const SDKS: [&str; 3] = ["dynamodb", "ecs", "s3"];

const FILES: [&str; 3] = ["service-2.json", "waiters-2.json", "paginators-1.json"];

/// The services for which code is generated and which benchmarks read.
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

/// The Python packages that compute the reference verdicts.
const ORACLE: [&str; 2] = ["botocore==1.44.5", "jmespath==1.1.0"];

/// A model that AWS publishes, with which the conversion of botocore's definitions is compared: group, name and
/// version.
const PUBLISHED: [&str; 3] = ["software.amazon.api.models", "dynamodb", "1.0.14"];

/// Fetches AWS's definitions for tests and benchmarks that run without `cargo xtask`.
///
/// The folders in `target/data/` are: `botocore/`, the files of botocore's wheel from PyPI; `aws-models/`, the same
/// services as Smithy models; `sdk-models/`, models that match the pinned SDKs for Rust; `aws-verdicts/`, the verdicts
/// of botocore and jmespath.py on random responses; and `published/`, a model that AWS publishes on Maven Central.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {}

/// Runs the verb.
pub(crate) fn run(project: &Project, _: &Options) -> Result<()> {
    let sdk_models = translate(project, &SDK_RELEASE, &SDKS)?;
    for folder in [models(project)?, sdk_models, verdicts(project)?] {
        report::note(&project.display(&folder));
    }
    skip_unavailable(published_model(project))
}

/// Returns the folder with the verdicts of third-party interpreters on random responses, one file for each of
/// [`models`].
///
/// # Errors
///
/// Returns [`Skipped`] if the registry cannot be reached.
pub(crate) fn verdicts(project: &Project) -> Result<PathBuf> {
    let (models, verdicts) = (models(project)?, project.target("data/aws-verdicts"));
    // Several steps use the data, and each of them is a process.
    let _lock = project.lock("verdicts")?;
    let sources = [
        "core/src",
        "tools/model/src",
        "tools/generate",
        "tests/oracle/verdicts.py",
    ];
    let sources = sources.map(|path| project.path(path));
    let inputs = Fingerprint::default()
        .text(NEWEST.sha256)
        .sources(&sources)?;
    let stamp = Stamp::of_folder(&verdicts, inputs);
    if stamp.is_fresh()? {
        return Ok(verdicts);
    }
    let random = process::program(project, "random")?;
    let oracle = oracle(project)?;
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

/// Returns the Python environment with the reference interpreters.
///
/// # Errors
///
/// Returns [`Skipped`] if the registry cannot be reached.
pub(crate) fn oracle(project: &Project) -> Result<Environment> {
    let oracle = Environment::open(project, "oracle")?;
    oracle
        .install_packages(&ORACLE)
        // Without a network, only the tests that need the interpreters are skipped.
        .map_err(|error| Skipped(format!("cannot fetch the reference interpreters: {error}")))?;
    Ok(oracle)
}

/// Returns the version of botocore for tests.
pub(crate) const fn version() -> &'static str {
    NEWEST.version
}

/// Fetches and computes all data for the tests, and returns a summary. Prints a note for data that cannot be fetched.
///
/// # Errors
///
/// Fails if fetched data cannot be read.
pub(crate) fn for_tests(project: &Project) -> Result<String> {
    skip_unavailable(models(project))?;
    skip_unavailable(translate(project, &SDK_RELEASE, &SDKS))?;
    skip_unavailable(verdicts(project))?;
    skip_unavailable(published_model(project))?;
    Ok("models and verdicts, if they can be fetched".to_owned())
}

/// Returns the folder with a Smithy model of each of the [`SERVICES`].
///
/// # Errors
///
/// Returns [`Skipped`] if the registry cannot be reached.
pub(crate) fn models(project: &Project) -> Result<PathBuf> {
    translate(project, &NEWEST, &SERVICES)
}

fn translate(project: &Project, release: &Release, services: &[&str]) -> Result<PathBuf> {
    let _lock = project.lock("data")?;
    let models = project.target(release.models);
    let sources =
        ["core/src", "tools/model/src", "tools/model/examples"].map(|path| project.path(path));
    let inputs = Fingerprint::default()
        .text(release.sha256)
        .sources(&sources)?;
    let stamp = Stamp::of_folder(&models, inputs);
    if stamp.is_fresh()? {
        return Ok(models);
    }
    let data = unpack_release(project, release)?;
    let program = process::program(project, "botocore")?;
    project::fresh_folder(&models)?;
    let mut arguments = vec![data.as_os_str(), models.as_os_str()];
    arguments.extend(services.iter().map(OsStr::new));
    process::run(
        "convert botocore's definitions to Smithy models",
        &cmd(program, arguments),
    )?;
    stamp.set()?;
    Ok(models)
}

/// Prints a note instead of failing if data cannot be fetched.
fn skip_unavailable<T>(fetched: Result<T>) -> Result<()> {
    match fetched {
        Err(error) if error.is::<Skipped>() => {
            report::note(&format!("skipped: {error}"));
            Ok(())
        }
        other => other.map(drop),
    }
}

/// Returns the path of the model of DynamoDB that AWS publishes.
fn published_model(project: &Project) -> Result<PathBuf> {
    let [group, name, version] = PUBLISHED;
    let model = project
        .target("data/published")
        .join(format!("{name}-{version}.json"));
    if model.exists() {
        return Ok(model);
    }
    let jar = maven::jar(project, group, name, version)
        .map_err(|error| Skipped(format!("cannot fetch the model of {name}: {error}")))?;
    let unpacked = project.target("data/published/unpacked");
    python::unzip(project, &jar, &unpacked)?;
    let files = WalkBuilder::new(&unpacked).standard_filters(false).build();
    let mut files = files.filter_map(|entry| Some(entry.ok()?.into_path()));
    let inside = files.find(|file| {
        file.extension()
            .is_some_and(|extension| extension == "json")
    });
    let text = project::read(&inside.context("the jar has no model")?)?;
    project::write(&model, text)?;
    Ok(model)
}

/// Returns the folder with the botocore files of the newest release.
///
/// # Errors
///
/// Returns [`Skipped`] if the registry cannot be reached.
pub(crate) fn services(project: &Project) -> Result<PathBuf> {
    let _lock = project.lock("data")?;
    unpack_release(project, &NEWEST)
}

/// Returns the folder with the botocore files of all services of the newest release.
///
/// # Errors
///
/// Returns [`Skipped`] if the registry cannot be reached.
pub(crate) fn all_services(project: &Project) -> Result<PathBuf> {
    let _lock = project.lock("data")?;
    let folder = project.target("data/botocore-all");
    unpack_services(project, &NEWEST, &folder, "services", |_| true)?;
    Ok(folder)
}

/// Returns the folder with the files of every service that has waiters, in the service's newest version.
fn unpack_release(project: &Project, release: &Release) -> Result<PathBuf> {
    let folder = project.target(release.services);
    unpack_services(
        project,
        release,
        &folder,
        "services with waiters",
        has_waiters,
    )?;
    Ok(folder)
}

/// Unpacks some services to a folder, unless it is up to date.
fn unpack_services(
    project: &Project,
    release: &Release,
    folder: &Path,
    what: &str,
    is_wanted: impl Fn(&Files) -> bool,
) -> Result<()> {
    let stamp = Stamp::of_folder(folder, Fingerprint::default().text(release.sha256));
    if stamp.is_fresh()? {
        return Ok(());
    }
    let wheel = wheel(project, release)?;
    let unpacked = wheel.with_extension("unpacked");
    python::unzip(project, &wheel, &unpacked)?;
    project::fresh_folder(folder)?;
    let services = copy_services(&unpacked.join("botocore/data"), folder, is_wanted)?;
    project::remove(&unpacked)?;
    report::note(&format!(
        "{services} {what} in botocore {}",
        release.version
    ));
    stamp.set()
}

/// Returns the path of the wheel. pip fetches it from the index in its settings, and verifies the hash.
fn wheel(project: &Project, release: &Release) -> Result<PathBuf> {
    let Release {
        version, sha256, ..
    } = release;
    let folder = project.target("data/wheels");
    let file = folder.join(format!("botocore-{version}-py3-none-any.whl"));
    // The hash in the requirements fixes its content.
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
        .map_err(|error| Skipped(format!("cannot fetch AWS's definitions: {error}")))?;
    Ok(file)
}

/// The names and contents of a service's files.
type Files = [(&'static str, Vec<u8>)];

/// Copies the newest version of some services, and returns their number.
fn copy_services(from: &Path, to: &Path, is_wanted: impl Fn(&Files) -> bool) -> Result<usize> {
    let mut count = 0_usize;
    for service in project::list(from)?.iter().filter(|path| path.is_dir()) {
        let mut versions = project::list(service)?.into_iter();
        // The folders are named by dates, so that the last one is the newest.
        let newest = versions.rfind(|path| path.is_dir());
        let newest = newest.with_context(|| format!("no version in `{}`", service.display()))?;
        let mut files = Vec::new();
        for name in FILES {
            files.extend(content(&newest, name)?.map(|content| (name, content)));
        }
        if is_wanted(&files) {
            count = count.saturating_add(1);
            let folder = to.join(service.file_name().unwrap_or_default());
            for (name, content) in files {
                project::write(&folder.join(name), content)?;
            }
        }
    }
    ensure!(count > 0, "`{}` has no services", from.display());
    Ok(count)
}

/// Reads a file or its compressed form, and returns `None` if neither exists.
fn content(folder: &Path, name: &str) -> Result<Option<Vec<u8>>> {
    let (plain, compressed) = (folder.join(name), folder.join(format!("{name}.gz")));
    if compressed.exists() {
        let mut content = Vec::new();
        GzDecoder::new(File::open(&compressed)?)
            .read_to_end(&mut content)
            .with_context(|| format!("cannot read `{}`", compressed.display()))?;
        return Ok(Some(content));
    }
    Ok(if plain.exists() {
        Some(fs::read(plain)?)
    } else {
        None
    })
}

/// Returns `true` if a service has waiters. For many services, the file of waiters is empty.
fn has_waiters(files: &Files) -> bool {
    let file = files.iter().find(|(name, _)| *name == "waiters-2.json");
    let waiters = file.and_then(|(_, content)| serde_json::from_slice::<Json>(content).ok());
    let waiters = waiters
        .as_ref()
        .and_then(|file| file.get("waiters")?.as_object());
    waiters.is_some_and(|waiters| !waiters.is_empty())
}
