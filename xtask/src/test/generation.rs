//! Checks the format and the types of generated TypeScript and Python, and runs its waits.

use fs_err as fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use duct::cmd;
use serde_json::json;

use super::{counts, data, python};
use crate::process;
use crate::project::{self, Project};
use crate::tools::node;

const TESTS: &str = "tests/generated";

/// A model with names that conflict with keywords or generated code, and with unusual documentation.
const ODD: &str = "tests/generated/odd.smithy";

/// The services whose clients are installed. The code for the others uses types generated from the model.
const CLIENTS: [&str; 4] = ["dynamodb", "ecs", "iam", "s3"];

/// The service for a file with a single waiter.
const SMALL: &str = "dynamodb";

/// The options for a file with a single waiter.
const ONLY: [&str; 2] = ["--only", "TableExists"];

/// Models with features that the models of AWS do not have.
const OWN_MODELS: [&str; 2] = [
    "tools/generate/proof/model/paths.smithy",
    "tests/generated/model/jobs.smithy",
];

/// The prefix of the summary.
const SUMMARY: &str = "generated definitions: ";

/// Checks TypeScript for published clients and for types generated from the models.
pub(super) fn typescript(project: &Project) -> Result<String> {
    let folder = project.target("generated/typescript");
    project::copy_files(&project.path(TESTS), &folder)?;
    node::install(&folder)?;
    node::install_own_package(project, &folder)?;
    project::fresh_folder(&folder.join("src"))?;
    build_command(project)?;
    for model in &models(project)? {
        generate(
            project,
            model,
            &folder.join("src/plain"),
            &["--language", "typescript", "--no-client"],
        )?;
        if is_one_of(model, &CLIENTS) {
            generate(
                project,
                model,
                &folder.join("src/sdk"),
                &["--language", "typescript"],
            )?;
        }
        if is_one_of(model, &[SMALL]) {
            generate(
                project,
                model,
                &folder.join("src/only"),
                &[&["--language", "typescript"], &ONLY[..]].concat(),
            )?;
        }
    }
    let odd = project.path(ODD);
    let plain = folder.join("src/plain");
    generate(project, &odd, &plain, &["--language", "typescript"])?;
    generate_untyped(project, &folder.join("src"), "typescript")?;
    fs::copy(
        project.path(TESTS).join("uses.ts"),
        folder.join("src/uses.ts"),
    )?;
    let prettier = node::tool(
        &folder,
        "prettier/bin/prettier.cjs",
        &["--check", "src", "!src/uses.ts"],
    )
    .dir(&folder);
    process::run("prettier --check", &prettier)?;
    compile(project, &folder)?;
    let node = node::tests(&folder, &["generated.test.mjs"]);
    let node = process::without_aws_settings(project, &node);
    let node = data::with_aws_verdicts(project, &node)?;
    let title = format!("node --test {TESTS}");
    process::tee(&title, &node)?.summarize(|output| counts::line(output, SUMMARY))
}

fn compile(project: &Project, folder: &Path) -> Result<()> {
    let settings = json!({
        "compilerOptions": {
            "strict": true, "exactOptionalPropertyTypes": true, "noUncheckedIndexedAccess": true, "noImplicitReturns": true,
            "noUnusedLocals": true, "noUnusedParameters": true, "verbatimModuleSyntax": true, "isolatedModules": true,
            "skipLibCheck": true, "module": "nodenext", "target": "es2022", "lib": ["es2022", "dom"], "types": [],
            "rootDir": "src", "outDir": "out",
        },
        "include": ["src"],
    });
    let file = folder.join("tsconfig.json");
    node::compile_typescript(project, "tsc --strict", &file, &settings)
}

/// Checks Python for boto3's clients.
pub(super) fn python(project: &Project) -> Result<String> {
    let folder = project.target("generated/python");
    project::fresh_folder(&folder)?;
    let small = project.target("generated/python-only");
    project::fresh_folder(&small)?;
    build_command(project)?;
    for model in &models(project)? {
        generate(project, model, &folder, &["--language", "python"])?;
        if is_one_of(model, &[SMALL]) {
            let options = [&["--language", "python"], &ONLY[..]].concat();
            generate(project, model, &small, &options)?;
        }
    }
    let odd = project.path(ODD);
    generate(project, &odd, &folder, &["--language", "python"])?;
    generate_untyped(project, &folder, "python")?;
    let check = |arguments: &[&str]| python::run(project, arguments)?.describe("").map(drop);
    for path in [folder.to_string_lossy(), small.to_string_lossy()] {
        check(&["ruff", "format", "--isolated", "--check", &path])?;
        check(&["ruff", "check", "--isolated", "--select", "F", &path])?;
        check(&["mypy", "--strict", "--config-file=", &path])?;
    }
    python::pytest_file(project, TESTS, |pytest| {
        let pytest = pytest.env("GENERATED_PYTHON", &folder);
        data::with_aws_verdicts(project, &process::without_aws_settings(project, &pytest))
    })?
    .summarize(counts::pytest)
}

/// Returns the models of real services, sorted by name, and the [`OWN_MODELS`].
fn models(project: &Project) -> Result<Vec<PathBuf>> {
    let mut models = project::list(&crate::data::models(project)?)?;
    models.extend(OWN_MODELS.map(|model| project.path(model)));
    Ok(models)
}

fn is_one_of(model: &Path, names: &[&str]) -> bool {
    let stem = model.file_stem().map(|stem| stem.to_string_lossy());
    stem.is_some_and(|stem| names.contains(&&*stem))
}

/// Generates code from definitions without a model.
fn generate_untyped(project: &Project, out: &Path, language: &str) -> Result<()> {
    let [done, ended] =
        ["JobDone.json", "JobEnded.json"].map(|file| project.path(TESTS).join(file));
    run_generate(
        project,
        &[
            "--definition",
            &done.to_string_lossy(),
            "--definition",
            &ended.to_string_lossy(),
            "--out",
            &out.to_string_lossy(),
            "--language",
            language,
        ],
    )
}

fn generate(project: &Project, model: &Path, out: &Path, options: &[&str]) -> Result<()> {
    let (model, out) = (model.to_string_lossy(), out.to_string_lossy());
    let common = ["--model", &*model, "--out", &*out];
    run_generate(project, &[&common[..], options].concat())
}

fn build_command(project: &Project) -> Result<()> {
    process::program(project, process::COMMAND).map(drop)
}

fn run_generate(project: &Project, options: &[&str]) -> Result<()> {
    let program = project.target("debug/smithy-waiters");
    let command = cmd(program, [&["generate"], options].concat()).stdout_null();
    process::run(
        &format!("smithy-waiters generate {}", options.join(" ")),
        &command,
    )
}
