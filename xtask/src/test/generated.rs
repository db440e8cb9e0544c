//! What `smithy-waiters generate` writes for TypeScript and Python: formatted, typed, and held against the interpreter.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use duct::{Expression, cmd};
use serde_json::json;

use super::{counts, data, javascript, python};
use crate::process;
use crate::project::{self, Project};
use crate::tools::node;

const TESTS: &str = "tests/generated";

/// A model of names that languages or generated code use themselves, and of odd documentation.
const ODD: &str = "tests/generated/odd.smithy";

/// The services whose clients are there; the others have types of their model's own.
const CLIENTS: [&str; 4] = ["dynamodb", "ecs", "iam", "s3"];

/// Models of what no service has.
const OWN_MODELS: [&str; 2] = [
    "generate/proof/model/paths.smithy",
    "tests/generated/model/jobs.smithy",
];

/// The line that tells what ran.
const RAN: &str = "generated matchers: ";

/// The shapes of random waiters.
const VARIED: &str = "tests/generated/model/varied.smithy";

/// How much is tried at random.
#[derive(Clone, Copy)]
struct Chance {
    /// How many rounds of random responses there are, of forty for each waiter.
    rounds: u32,
    /// How many random waiters there are.
    waiters: u32,
}

const SOME: Chance = Chance {
    rounds: 1,
    waiters: 300,
};

/// In `cargo xtask deep`.
const MUCH: Chance = Chance {
    rounds: 20,
    waiters: 2000,
};

/// Checks TypeScript on many random responses.
pub(crate) fn typescript_for_long(project: &Project) -> Result<String> {
    javascript::with_package(project)?;
    in_typescript(project, MUCH)
}

/// Checks Python on many random responses.
pub(crate) fn python_for_long(project: &Project) -> Result<String> {
    python::with_package(project)?;
    in_python(project, MUCH)
}

/// TypeScript, over published clients and over the models' own types.
pub(super) fn typescript(project: &Project) -> Result<String> {
    in_typescript(project, SOME)
}

fn in_typescript(project: &Project, chance: Chance) -> Result<String> {
    let models = models(project, chance.waiters)?;
    let folder = in_javascript(project, &models)?;
    let node = cmd!(
        "node",
        "--test",
        "--test-reporter=spec",
        "generated.test.mjs",
        "random.test.mjs"
    )
    .dir(&folder);
    let node = with_responses(project, &node, &models, chance)?;
    let node = data::with_aws_verdicts(project, &process::without_aws_settings(project, &node))?;
    let title = format!("node --test {TESTS}");
    process::tee(&title, &node)?.summed_up(|output| counts::line(output, RAN))
}

/// What is generated for TypeScript of models that are there, checked and compiled, beside a benchmark of it.
pub(crate) fn for_bench(project: &Project) -> Result<PathBuf> {
    in_javascript(project, &models(project, 0)?)
}

/// What is generated for TypeScript, checked and compiled, beside its tests.
fn in_javascript(project: &Project, models: &[PathBuf]) -> Result<PathBuf> {
    let folder = project.target("generated/typescript");
    project::copy_files(&project.path(TESTS), &folder)?;
    node::install(&folder)?;
    node::install_own_package(project, &folder)?;
    project::fresh_folder(&folder.join("src"))?;
    build_command(project)?;
    for model in models {
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
    Ok(folder)
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
    project::write(&folder.join("tsconfig.json"), settings.to_string())?;
    let arguments = ["--project", &folder.to_string_lossy()];
    let tsc = node::tool(&project.path("npm"), "typescript/bin/tsc", &arguments);
    process::run("tsc --strict", &tsc)
}

/// Python, over boto3's clients.
pub(super) fn python(project: &Project) -> Result<String> {
    in_python(project, SOME)
}

fn in_python(project: &Project, chance: Chance) -> Result<String> {
    let folder = project.target("generated/python");
    project::fresh_folder(&folder)?;
    build_command(project)?;
    let models = models(project, chance.waiters)?;
    for model in &models {
        generate(project, model, &folder, &["--language", "python"])?;
    }
    let odd = project.path(ODD);
    generate(project, &odd, &folder, &["--language", "python"])?;
    generate_untyped(project, &folder, "python")?;
    let of = folder.to_string_lossy();
    run(project, &["ruff", "format", "--isolated", "--check", &of])?;
    run(
        project,
        &["ruff", "check", "--isolated", "--select", "F", &of],
    )?;
    run(project, &["mypy", "--strict", "--config-file=", &of])?;
    let tests = format!("../{TESTS}");
    let arguments = ["pytest", "--config-file=pyproject.toml", "-r", "a", &tests];
    let pytest = python::module(project, &arguments)?.env("GENERATED_PYTHON", &folder);
    let pytest = with_responses(project, &pytest, &models, chance)?;
    let pytest =
        data::with_aws_verdicts(project, &process::without_aws_settings(project, &pytest))?;
    let title = format!("python -m {}", arguments.join(" "));
    process::tee(&title, &pytest)?.summed_up(counts::pytest)
}

fn run(project: &Project, arguments: &[&str]) -> Result<()> {
    let title = format!("python -m {}", arguments.join(" "));
    process::run(&title, &python::module(project, arguments)?)
}

/// The models of real services, in the order of their names, those of our own, and one of random waiters where some are
/// asked for.
fn models(project: &Project, waiters: u32) -> Result<Vec<PathBuf>> {
    let folder = crate::data::models(project)?;
    let entries =
        fs::read_dir(&folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    let paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    let mut models = paths;
    models.sort();
    models.extend(OWN_MODELS.map(|model| project.path(model)));
    if waiters > 0 {
        models.push(varied(project, waiters)?);
    }
    Ok(models)
}

fn is_one_of(model: &Path, names: &[&str]) -> bool {
    let stem = model.file_stem().map(|stem| stem.to_string_lossy());
    stem.is_some_and(|stem| names.contains(&&*stem))
}

/// From a definition without a model.
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
    let own = ["--model", &*model, "--out", &*out];
    run_generate(project, &[&own[..], options].concat())
}

fn build_command(project: &Project) -> Result<()> {
    process::build(project, &["--package", "smithy-waiters-cli"])
}

/// Tells tests what makes random responses, of which models, and how often.
fn with_responses(
    project: &Project,
    tests: &Expression,
    models: &[PathBuf],
    chance: Chance,
) -> Result<Expression> {
    let models: Vec<_> = models.iter().map(|model| model.to_string_lossy()).collect();
    Ok(tests
        .env("RANDOM", random(project)?)
        .env("MODELS", models.join(":"))
        .env("ROUNDS", chance.rounds.to_string()))
}

/// The program that makes random responses and waiters.
fn random(project: &Project) -> Result<PathBuf> {
    process::example(project, "smithy-waiters-generate", "random")
}

/// A model of random waiters, always the same for as many of them.
fn varied(project: &Project, waiters: u32) -> Result<PathBuf> {
    let (base, model) = (
        project.path(VARIED),
        project.target("generated/varied.smithy"),
    );
    let printed = cmd!(random(project)?, "waiters", &base, waiters.to_string(), "1").read()?;
    project::write(&model, printed)?;
    Ok(model)
}

fn run_generate(project: &Project, options: &[&str]) -> Result<()> {
    let program = project.target("debug/smithy-waiters");
    let command = cmd(program, [&["generate"], options].concat()).stdout_null();
    process::run(
        &format!("smithy-waiters generate {}", options.join(" ")),
        &command,
    )
}
