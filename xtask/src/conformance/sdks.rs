//! Plays the conformance tests to SDKs with the runners of `conformance/runners`.

use fs_err as fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::{Expression, cmd};

use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::test::{javascript, python, sdks};
use crate::tools::{maven, node};

const RUNNERS: &str = "conformance/runners";

/// What is played for every change: the synthetic service, and the services whose clients other steps install.
const FEW: [(&str, &str); 2] = [(CORE, "core.*"), (AWS, "dynamodb.*,cloudwatch.*")];

/// The longest time for a run with an SDK.
const SHORT: &str = "60";
const LONG: &str = "1200";

/// The packages of the AWS SDK for Java: the services, and what its clients need.
const JAVA_VERSION: &str = "2.58.0";
const JAVA: [&str; 14] = [
    "acm",
    "autoscaling",
    "cloudformation",
    "cloudfront",
    "dynamodb",
    "ec2",
    "ecs",
    "eks",
    "elasticloadbalancingv2",
    "iam",
    "lambda",
    "rds",
    "s3",
    "url-connection-client",
];

/// The suites of a client's waiters, and those without a client: the synthetic service of `core`.
const AWS: &str = "aws";
const CORE: &str = "core";

/// The exit code of the command if a result is not as expected.
const DIFFERENCES: i32 = 1;

/// A runner that is ready to start.
struct Runner {
    /// The name of its files.
    name: &'static str,
    command: Vec<String>,
    /// The folder with its packages.
    folder: PathBuf,
    /// The suites with waiters that it can play.
    suites: &'static [&'static str],
}

/// Plays `core` and the verdicts of a few services to botocore, the AWS SDK for JavaScript and our packages. No verdict depends on
/// time.
pub(crate) fn few(project: &Project) -> Result<String> {
    let python = python::environment(project)?.program("python");
    let node = sdks_for_node(project)?;
    let runners = [
        python_runner(project, "botocore_waiters", &python),
        python_runner(project, "smithy_waiters_python", &python),
        node_runner(project, "aws_sdk_js", &node),
        node_runner(project, "smithy_waiters_js", &node),
    ];
    let folder = project.target("conformance/results/few");
    project::fresh_folder(&folder)?;
    let play = |runner: &Runner| {
        let expected = project
            .path("conformance/expected")
            .join(format!("{}.txt", runner.name));
        let expected = expected.to_string_lossy();
        let suites = runner.suites.join(",");
        // A pattern that matches no case is an error.
        let few = FEW
            .iter()
            .filter(|(suite, _)| runner.suites.contains(suite));
        let few = few
            .map(|(_, pattern)| *pattern)
            .collect::<Vec<_>>()
            .join(",");
        let mut options = vec!["--suite", &suites, "--only", &few, "--time-limit", SHORT];
        if Path::new(&*expected).is_file() {
            options.extend(["--expected-failures", &expected]);
        }
        let out = folder.join(format!("{}.json", runner.name));
        counts(&play(project, runner, &out, &options)?)
    };
    let summaries = runners.iter().map(play).collect::<Result<Vec<_>>>()?;
    Ok(summaries.join("; "))
}

/// Plays all tests to all SDKs that can be installed, and writes `conformance/RESULTS.md`.
///
/// An SDK that cannot be installed keeps its results and their date. It does not fail: the summary names it.
///
/// # Errors
///
/// Fails if an installed SDK could not be played to the end, or if none is installed.
pub(crate) fn all(project: &Project) -> Result<String> {
    super::derive(project)?;
    super::pack(project)?;
    let folder = project.target("conformance/results/all");
    project::fresh_folder(&folder)?;
    let mut summaries = Vec::new();
    let (mut skipped, mut failed) = (Vec::new(), Vec::new());
    for (name, runner) in all_runners(project)? {
        let runner = match runner {
            Ok(runner) => runner,
            Err(error) => {
                report::error(&error);
                skipped.push(name);
                continue;
            }
        };
        let place = folder.join(name);
        match play_all(project, &runner, &place) {
            Ok(summary) => summaries.push(summary),
            Err(error) => {
                report::error(&error);
                project::remove(&place)?;
                failed.push(name);
            }
        }
    }
    ensure!(
        !summaries.is_empty(),
        "no SDK was played: {}",
        [skipped, failed].concat().join(", ")
    );
    write_report(project, &folder)?;
    ensure!(failed.is_empty(), "not played: {}", failed.join(", "));
    if !skipped.is_empty() {
        summaries.push(format!("skipped: {}", skipped.join(", ")));
    }
    Ok(summaries.join("; "))
}

/// Returns the runners of all SDKs, or the reasons that they cannot be installed. Those of this project are required.
fn all_runners(project: &Project) -> Result<Vec<(&'static str, Result<Runner>)>> {
    let ours = python::with_package(project)?.program("python");
    javascript::with_package(project)?;
    let aiobotocore = sdks::environment(project, "aiobotocore").map(|environment| {
        let python = environment.program("python");
        python_runner(project, "aiobotocore_waiters", &python)
    });
    let node = |name| Ok(node_runner(project, name, &node_folder(project)?));
    Ok(vec![
        ("aiobotocore_waiters", aiobotocore),
        (
            "botocore_waiters",
            Ok(python_runner(project, "botocore_waiters", &ours)),
        ),
        (
            "smithy_waiters_python",
            Ok(python_runner(project, "smithy_waiters_python", &ours)),
        ),
        ("aws_sdk_js", node("aws_sdk_js")),
        ("smithy_waiters_js", node("smithy_waiters_js")),
        ("go", go(project)),
        ("java", java(project)),
        ("rust", rust(project, "rust", &[AWS])),
        (
            "smithy_waiters_rust",
            Ok(rust(project, "smithy_waiters_rust", &[CORE])?),
        ),
    ])
}

/// Plays all tests with a runner into a folder: a file for each part. Whole waits are played twice, because their times depend on the
/// load of the machine.
fn play_all(project: &Project, runner: &Runner, folder: &Path) -> Result<String> {
    let suites = [runner.suites, &["behaviour"]].concat().join(",");
    let behaviours = ["--suite", &suites, "--only", "behaviour.*"];
    let parts: [(&str, &[&str]); 4] = [
        ("core", &["--suite", CORE]),
        ("aws", &["--suite", AWS]),
        ("behaviour-1", &behaviours),
        ("behaviour-2", &behaviours),
    ];
    let mut summaries = Vec::new();
    for (part, options) in parts {
        if [CORE, AWS].contains(&part) && !runner.suites.contains(&part) {
            continue;
        }
        let options = [options, &["--time-limit", LONG]].concat();
        let out = folder.join(format!("{part}.json"));
        let output = play(project, runner, &out, &options)?.accept(DIFFERENCES);
        summaries.push(counts(&output)?);
    }
    Ok(summaries.join(", "))
}

/// Plays tests with a runner, and writes the results into a file.
fn play(
    project: &Project,
    runner: &Runner,
    out: &Path,
    options: &[&str],
) -> Result<process::TeeOutput> {
    let command = process::program(project, process::COMMAND)?;
    project::write(out, "")?;
    let kit = super::kit(project);
    let places = [kit.to_string_lossy(), out.to_string_lossy()];
    let mut arguments = vec![
        "conformance",
        "run",
        "--kit",
        &places[0],
        "--out",
        &places[1],
    ];
    arguments.extend(options);
    arguments.push("--");
    arguments.extend(runner.command.iter().map(String::as_str));
    let run = process::without_aws_settings(project, &cmd(command, arguments).dir(&runner.folder));
    let title = format!("smithy-waiters conformance run -- {}", runner.name);
    process::tee(&title, &run)
}

/// Returns the counts in the output of a run.
fn counts(output: &process::TeeOutput) -> Result<String> {
    output.summarize(|text| {
        let counts = text.lines().rev().find(|line| is_counts(line));
        counts.map(str::to_owned).context("no counts")
    })
}

/// Returns `true` for a line such as `botocore 1.44.5: 4888 pass, 12 s`.
fn is_counts(line: &str) -> bool {
    let outcomes = [" pass", " fail", " open", " unsupported"];
    line.ends_with(" s") && outcomes.iter().any(|outcome| line.contains(outcome))
}

/// Writes the report from a folder of results. The committed results of an SDK stay if it was not played.
fn write_report(project: &Project, played: &Path) -> Result<()> {
    drift(project)?;
    python_program(project, "report.py", &[&played.to_string_lossy()])?;
    Ok(())
}

/// Compares the definitions in the SDKs that are installed with those of the suites, and writes `conformance/results/drift.json`.
fn drift(project: &Project) -> Result<()> {
    let mut arguments = vec![super::kit(project).join("aws")];
    let mut add = |option: &str, packages: Vec<PathBuf>| {
        if !packages.is_empty() {
            arguments.push(option.into());
            arguments.extend(packages);
        }
    };
    let clients = project.target("conformance/js/node_modules/@aws-sdk");
    add("--js", project::list(&clients).unwrap_or_default());
    let modules = cmd!("go", "list", "-m", "-f", "{{.Dir}}", "all");
    let modules = modules.dir(project.path(RUNNERS).join("go"));
    let modules = process::read("go list", &modules).unwrap_or_default();
    add("--go", modules.lines().map(PathBuf::from).collect());
    let crates = process::packages(&project.path(RUNNERS).join("rust")).unwrap_or_default();
    let crates = crates.iter().filter_map(|one| one.manifest_path.parent());
    add("--rust", crates.map(Path::to_owned).collect());
    let jars = project.target("conformance/java/jars");
    add("--java", project::list(&jars).unwrap_or_default());
    let arguments: Vec<_> = arguments
        .iter()
        .map(|path| path.to_string_lossy())
        .collect();
    let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
    python_program(project, "drift.py", &arguments)?;
    Ok(())
}

/// Runs a program of the kit, and returns its output.
fn python_program(project: &Project, name: &str, arguments: &[&str]) -> Result<String> {
    let program = project
        .path("conformance")
        .join(name)
        .to_string_lossy()
        .into_owned();
    let command = [&[&*program], arguments].concat();
    process::read(name, &python::environment(project)?.python(&command))
}

fn python_runner(project: &Project, name: &'static str, python: &Path) -> Runner {
    let program = project.path(RUNNERS).join(format!("{name}.py"));
    let command = [python, &program].map(|path| path.to_string_lossy().into_owned());
    Runner {
        name,
        command: command.to_vec(),
        folder: project.root().to_owned(),
        suites: &[CORE, AWS],
    }
}

fn node_runner(project: &Project, name: &'static str, folder: &Path) -> Runner {
    let program = project.path(RUNNERS).join(format!("{name}.mjs"));
    let command = [
        "node".to_owned(),
        "--no-warnings".to_owned(),
        program.to_string_lossy().into_owned(),
    ];
    Runner {
        name,
        command: command.to_vec(),
        folder: folder.to_owned(),
        suites: if name == "aws_sdk_js" {
            &[AWS]
        } else {
            &[CORE, AWS]
        },
    }
}

/// Returns the folder of the few clients that another step installs.
fn sdks_for_node(project: &Project) -> Result<PathBuf> {
    crate::test::real::node_clients(project)
}

/// Installs the clients of all services that have waiters.
fn node_folder(project: &Project) -> Result<PathBuf> {
    let folder = project.target("conformance/js");
    project::copy_files(&project.path(RUNNERS).join("js"), &folder)?;
    node::install(&folder)?;
    node::install_own_package(project, &folder)?;
    Ok(folder)
}

fn go(project: &Project) -> Result<Runner> {
    let program = project.target("conformance/go");
    let build = cmd!("go", "build", "-o", &program, ".").dir(project.path(RUNNERS).join("go"));
    process::run("go build", &build)?;
    Ok(compiled(
        project,
        "go",
        &[AWS],
        vec![program.to_string_lossy().into_owned()],
    ))
}

fn java(project: &Project) -> Result<Runner> {
    let jars = maven::jars_of(
        project,
        "conformance/java",
        "software.amazon.awssdk",
        &JAVA,
        JAVA_VERSION,
    )?;
    let classes = project.target("conformance/java-classes");
    fs::create_dir_all(&classes)?;
    let path = jars.join("*");
    let source = project.path(RUNNERS).join("java/AwsSdkJava.java");
    process::run(
        "javac",
        &cmd!("javac", "-nowarn", "-cp", &path, "-d", &classes, source),
    )?;
    let path = format!("{}:{}", classes.display(), path.display());
    Ok(compiled(
        project,
        "java",
        &[AWS],
        ["java", "-cp", &path, "AwsSdkJava"]
            .map(Into::into)
            .to_vec(),
    ))
}

/// Builds a runner in Rust, whose folder has the name of the runner.
fn rust(project: &Project, name: &'static str, suites: &'static [&'static str]) -> Result<Runner> {
    let target = project.target("conformance").join(name);
    let folder = project.path(RUNNERS).join(name);
    let build: Expression = process::cargo_in(&folder, &["build", "--locked"]);
    process::run("cargo build", &build.env("CARGO_TARGET_DIR", &target))?;
    let program = target.join("debug/conformance-runner");
    let command = vec![program.to_string_lossy().into_owned()];
    Ok(compiled(project, name, suites, command))
}

fn compiled(
    project: &Project,
    name: &'static str,
    suites: &'static [&'static str],
    command: Vec<String>,
) -> Runner {
    Runner {
        name,
        command,
        folder: project.root().to_owned(),
        suites,
    }
}
