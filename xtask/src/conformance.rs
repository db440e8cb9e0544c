//! `cargo xtask conformance`: the kit of tests for waiters, with the suites of all AWS services.

pub(crate) mod sdks;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::cmd;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use tar::{Builder, Header};

use crate::data;
use crate::process;
use crate::project::{self, Project};
use crate::report;

/// The kit in the repository.
const KIT: &str = "conformance";
/// The version of the kit, which `CHANGES.md` describes.
const VERSION: &str = "1.0.0";
const MANIFEST: &str = "manifest.json";
/// The folders of the kit that are in the repository.
const FOLDERS: [&str; 3] = ["", "behaviour", "core"];
/// The derived suites.
const AWS: &str = "aws";
/// The types of the kit's files: tests and text. The programs of the folder are for this repository.
const TYPES: [&str; 3] = ["json", "md", "smithy"];

/// The largest packed kit, in bytes.
const MAX_PACKED: usize = 3 << 20;

/// Derives the tests for AWS's waiters, compares them with other implementations, and packs the kit.
///
/// Writes `conformance/manifest.json` and `target/conformance/`: the folder `kit` and the archive.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {}

/// Runs the verb.
pub(crate) fn run(project: &Project, _: &Options) -> Result<()> {
    let derived = derive(project)?;
    let manifest = Manifest::new(project, &derived)?.text()?;
    project::write(&project.path(KIT).join(MANIFEST), manifest)?;
    report::note(&compare(project)?);
    let archive = pack(project)?;
    report::note(&project.display(&archive));
    Ok(())
}

/// Checks that the manifest is up to date, that other implementations agree with the suites, and that the cases notice
/// broken waiters.
///
/// # Errors
///
/// Returns [`Skipped`](crate::steps::Skipped) if the definitions of AWS or the other implementations cannot be fetched.
pub(crate) fn check(project: &Project) -> Result<String> {
    let derived = derive(project)?;
    let manifest = Manifest::new(project, &derived)?;
    let known = project::read(&project.path(KIT).join(MANIFEST))?;
    ensure!(
        manifest.text()? == known,
        "`{KIT}/{MANIFEST}` is out of date: run `cargo xtask conformance`"
    );
    let summary = compare(project)?;
    pack(project)?;
    let Derived { waiters, cases, .. } = manifest.aws;
    Ok(format!("{waiters} waiters, {cases} cases; {summary}"))
}

fn kit(project: &Project) -> PathBuf {
    project.target("conformance/kit")
}

/// Derives the suites of all AWS services and returns their folder.
fn derive(project: &Project) -> Result<PathBuf> {
    let kit = kit(project);
    project::fresh_folder(&kit)?;
    let suites = kit.join(AWS);
    derive_to(project, &suites)?;
    Ok(suites)
}

/// Derives the suites of all AWS services to a folder, which is replaced.
///
/// # Errors
///
/// Returns [`Skipped`](crate::steps::Skipped) if the definitions of AWS cannot be fetched.
pub(crate) fn derive_to(project: &Project, suites: &Path) -> Result<()> {
    let services = data::services(project)?;
    let command = process::program(project, process::COMMAND)?;
    project::fresh_folder(suites)?;
    let source = format!("botocore {}", data::version());
    let derive = cmd!(
        command,
        "conformance",
        "--botocore-path",
        services,
        "--source",
        source,
        "--out",
        suites
    );
    process::run("smithy-waiters conformance", &derive)
}

/// Compares the suites with jmespath.py and botocore, and breaks a toy waiter.
fn compare(project: &Project) -> Result<String> {
    let python = data::oracle(project)?;
    let services = data::services(project)?;
    let run = |arguments: &[&Path]| {
        let arguments: Vec<_> = arguments
            .iter()
            .map(|path| path.to_string_lossy())
            .collect();
        let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
        let output = process::tee(&arguments.join(" "), &python.python(&arguments))?;
        let last = |text: &str| {
            let last = text
                .lines()
                .rev()
                .find(|line| line.starts_with("conformance: "));
            let last = last.and_then(|line| line.strip_prefix("conformance: "));
            Ok(last.context("no summary")?.to_owned())
        };
        output.summarize(last)
    };
    let tests = project.path(KIT).join("tests");
    let compare = tests.join("cross_check.py");
    let aws = run(&[&compare, &kit(project).join(AWS), &services])?;
    run(&[&compare, &project.path(KIT).join("core"), &services])?;
    let mutants = run(&[&tests.join("mutants.py")])?;
    Ok(format!("{aws}; {mutants}"))
}

/// Packs the kit. Two archives of the same kit are equal: the files have no times and owners.
fn pack(project: &Project) -> Result<PathBuf> {
    let (from, kit) = (project.path(KIT), kit(project));
    for folder in FOLDERS {
        for file in files_of_kit(&from.join(folder))? {
            let name = file.strip_prefix(&from)?;
            project::write(&kit.join(name), fs_err::read(&file)?)?;
        }
    }
    project::write(
        &kit.join("LICENSE"),
        project::read(&project.path("LICENSE"))?,
    )?;
    let name = format!("waiter-conformance-{VERSION}");
    let mut archive = Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for folder in FOLDERS.into_iter().chain([AWS]) {
        for file in project::list(&kit.join(folder))? {
            if file.is_dir() {
                continue;
            }
            let content = fs_err::read(&file)?;
            let mut header = Header::new_gnu();
            header.set_mode(0o644);
            header.set_size(u64::try_from(content.len())?);
            let place = Path::new(&name).join(file.strip_prefix(&kit)?);
            archive.append_data(&mut header, place, &*content)?;
        }
    }
    let bytes = archive.into_inner()?.finish()?;
    ensure!(
        bytes.len() <= MAX_PACKED,
        "the packed kit has {} bytes, more than {MAX_PACKED}",
        bytes.len()
    );
    let path = project.target("conformance").join(format!("{name}.tar.gz"));
    project::write(&path, &bytes)?;
    Ok(path)
}

/// Returns the files of a folder that belong to the kit.
fn files_of_kit(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = project::list(folder)?;
    files.retain(|file| {
        let kind = file.extension().and_then(|kind| kind.to_str());
        kind.is_some_and(|kind| TYPES.contains(&kind))
    });
    Ok(files)
}

/// The list of the kit's files.
#[derive(Serialize)]
struct Manifest {
    version: &'static str,
    files: BTreeMap<String, File>,
    aws: Derived,
}

#[derive(Serialize)]
struct File {
    #[serde(skip_serializing_if = "Option::is_none")]
    cases: Option<usize>,
    sha256: String,
}

/// The suites that are derived, and not in the repository.
#[derive(Serialize)]
struct Derived {
    source: String,
    suites: usize,
    waiters: usize,
    cases: usize,
    /// The hash of all files in the order of their names.
    sha256: String,
}

impl Manifest {
    fn new(project: &Project, derived: &Path) -> Result<Self> {
        let kit = project.path(KIT);
        let mut files = BTreeMap::new();
        for folder in FOLDERS {
            for path in files_of_kit(&kit.join(folder))? {
                let name = path
                    .strip_prefix(&kit)?
                    .to_string_lossy()
                    .replace('\\', "/");
                if !name.ends_with(".md") && name != MANIFEST {
                    files.insert(name, File::read(&path)?);
                }
            }
        }
        Ok(Self {
            version: VERSION,
            files,
            aws: Derived::read(derived)?,
        })
    }

    fn text(&self) -> Result<String> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }
}

impl File {
    fn read(path: &Path) -> Result<Self> {
        let text = project::read(path)?;
        let json: Option<Json> = serde_json::from_str(&text).ok();
        let cases = json.and_then(|json| Some(json.get("cases")?.as_array()?.len()));
        Ok(Self {
            cases,
            sha256: report::hex(&Sha256::digest(&text)),
        })
    }
}

impl Derived {
    fn read(folder: &Path) -> Result<Self> {
        let mut hash = Sha256::new();
        let paths = project::list(folder)?;
        let mut derived = Self {
            source: format!("botocore {}", data::version()),
            suites: paths.len(),
            waiters: 0,
            cases: 0,
            sha256: String::new(),
        };
        for path in &paths {
            let text = project::read(path)?;
            hash.update(&text);
            let suite: Json = serde_json::from_str(&text)?;
            let uncovered = suite.get("notCovered");
            ensure!(
                uncovered.is_none(),
                "`{}` has acceptors without a case: {uncovered:?}",
                path.display()
            );
            let waiters = suite.get("waiters").and_then(Json::as_object);
            let cases = suite.get("cases").and_then(Json::as_array);
            let (waiters, cases) = waiters.zip(cases).context("not a suite")?;
            derived.waiters = derived.waiters.saturating_add(waiters.len());
            derived.cases = derived.cases.saturating_add(cases.len());
        }
        derived.sha256 = report::hex(&hash.finalize());
        Ok(derived)
    }
}
