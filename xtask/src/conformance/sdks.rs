//! Plays the conformance tests to SDKs with the runners of `conformance/runners`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::{Expression, cmd};

use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::test::{javascript, python, sdks};
use crate::tools::{maven, node};

const RUNNERS: &str = "conformance/runners";

/// The services whose clients other steps install, and which are played for every change.
const FEW: &str = "dynamodb.*,cloudwatch.*";

/// The longest time for an SDK.
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

/// A runner that is ready to start.
struct Runner {
    /// The name of its files.
    name: &'static str,
    command: Vec<String>,
    /// The folder with its packages.
    folder: PathBuf,
}

/// Plays the verdicts of a few services to botocore, the AWS SDK for JavaScript and our packages. No verdict depends on time.
pub(crate) fn few(project: &Project) -> Result<String> {
    let python = python::environment(project)?.program("python");
    let node = sdks_for_node(project)?;
    let runners = [
        python_runner(project, "botocore_waiters", &python),
        python_runner(project, "smithy_waiters_python", &python),
        node_runner(project, "aws_sdk_js", &node),
        node_runner(project, "smithy_waiters_js", &node),
    ];
    let options = ["--suite", "aws", "--only", FEW, "--time-limit", SHORT];
    let results = runners
        .iter()
        .map(|runner| play(project, runner, "few", &options));
    Ok(results.collect::<Result<Vec<_>>>()?.join("; "))
}

/// Plays all tests to all SDKs that can be installed, and writes `conformance/RESULTS.md`. An SDK that cannot be installed keeps its
/// results.
pub(crate) fn all(project: &Project) -> Result<String> {
    super::derive(project)?;
    super::pack(project)?;
    let ours = python::with_package(project)?.program("python");
    javascript::with_package(project)?;
    let aiobotocore =
        sdks::environment(project, "aiobotocore").map(|environment| environment.program("python"));
    let node = node_folder(project);
    let runners = [
        aiobotocore.map(|python| python_runner(project, "aiobotocore_waiters", &python)),
        Ok(python_runner(project, "botocore_waiters", &ours)),
        Ok(python_runner(project, "smithy_waiters_python", &ours)),
        node.as_ref()
            .map(|folder| node_runner(project, "aws_sdk_js", folder))
            .map_err(|error| anyhow::anyhow!("{error:#}")),
        node.as_ref()
            .map(|folder| node_runner(project, "smithy_waiters_js", folder))
            .map_err(|error| anyhow::anyhow!("{error:#}")),
        go(project),
        java(project),
        rust(project),
    ];
    let mut summaries = Vec::new();
    for runner in runners {
        match runner.and_then(|runner| play(project, &runner, "all", &["--time-limit", LONG])) {
            Ok(summary) => summaries.push(summary),
            Err(error) => report::error(&error),
        }
    }
    write_report(project)?;
    Ok(summaries.join("; "))
}

/// Plays tests with a runner, and returns the counts. The results replace those of the folder `results`.
fn play(project: &Project, runner: &Runner, cases: &str, options: &[&str]) -> Result<String> {
    let command = process::program(project, process::COMMAND)?;
    let expected = project
        .path("conformance/expected")
        .join(cases)
        .join(format!("{}.txt", runner.name));
    let out = project
        .target("conformance/results")
        .join(format!("{}.json", runner.name));
    project::write(&out, "")?;
    let kit = super::kit(project);
    let mut arguments: Vec<String> = ["conformance", "run", "--kit"].map(Into::into).to_vec();
    arguments.push(kit.to_string_lossy().into_owned());
    arguments.extend(["--out".to_owned(), out.to_string_lossy().into_owned()]);
    if expected.is_file() {
        arguments.extend([
            "--expected-failures".to_owned(),
            expected.to_string_lossy().into_owned(),
        ]);
    }
    arguments.extend(options.iter().map(|&option| option.to_owned()));
    arguments.push("--".to_owned());
    arguments.extend(runner.command.iter().cloned());
    let run = process::without_aws_settings(project, &cmd(command, arguments).dir(&runner.folder));
    let output = process::tee(
        &format!("smithy-waiters conformance run -- {}", runner.name),
        &run,
    )?;
    output.summarize(|text| {
        let counts = text.lines().rev().find(|line| line.contains(" pass"));
        counts.map(str::to_owned).context("no counts")
    })
}

/// Writes the report from the results of all SDKs. The committed results of an SDK stay if it was not played.
fn write_report(project: &Project) -> Result<()> {
    let committed = project.path("conformance/results");
    for file in project::list(&project.target("conformance/results"))? {
        let text = project::read(&file)?;
        if !text.is_empty() {
            project::write(&committed.join(file.file_name().context("a file")?), text)?;
        }
    }
    drift(project)?;
    python_program(project, "report.py", &[])?;
    Ok(())
}

/// Compares the definitions in the SDKs that are installed with those of the suites.
fn drift(project: &Project) -> Result<()> {
    let suites = super::kit(project)
        .join("aws")
        .to_string_lossy()
        .into_owned();
    let js = project.target("conformance/js/node_modules/@aws-sdk");
    let mut arguments = vec![suites, "--js".to_owned(), js.to_string_lossy().into_owned()];
    if let Ok(cache) = process::read("go env", &cmd!("go", "env", "GOMODCACHE")) {
        let modules = format!("{cache}/github.com/aws/aws-sdk-go-v2/service");
        arguments.extend(["--go".to_owned(), modules]);
    }
    let arguments: Vec<&str> = arguments.iter().map(AsRef::as_ref).collect();
    let text = python_program(project, "drift.py", &arguments)?;
    project::write(
        &project.path("conformance/results/drift.json"),
        format!("{text}\n"),
    )
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
        ["java", "-cp", &path, "AwsSdkJava"]
            .map(Into::into)
            .to_vec(),
    ))
}

fn rust(project: &Project) -> Result<Runner> {
    let target = project.target("conformance/rust");
    let build: Expression =
        process::cargo_in(&project.path(RUNNERS).join("rust"), &["build", "--locked"]);
    process::run("cargo build", &build.env("CARGO_TARGET_DIR", &target))?;
    let program = target.join("debug/conformance-runner");
    Ok(compiled(
        project,
        "rust",
        vec![program.to_string_lossy().into_owned()],
    ))
}

fn compiled(project: &Project, name: &'static str, command: Vec<String>) -> Runner {
    Runner {
        name,
        command,
        folder: project.root().to_owned(),
    }
}
