//! The checks of the npm package. They use the tarball from `npm pack`, installed in a project in `target/npm`.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::Expression;
use serde_json::json;

use super::counts;
use crate::packages::wasm;
use crate::process;
use crate::project::{self, Project};
use crate::tools::node;

pub(super) fn wasm(project: &Project) -> Result<String> {
    wasm::run(project, &wasm::Options::default())?;
    Ok("npm/dist".to_owned())
}

/// Packs the package and installs the tarball in a new project.
pub(super) fn install(project: &Project) -> Result<String> {
    let npm = project.target("npm");
    project::fresh_folder(&npm)?;
    let tarball = node::pack(&project.path("npm"), &npm)?;
    let scratch = scratch(project);
    let package = json!({ "name": "scratch", "private": true, "type": "module" });
    project::write(&scratch.join("package.json"), package.to_string())?;
    node::install_tarballs(&scratch, &[], &[&npm.join(&tarball)])?;
    link_tools(project)?;
    Ok(tarball)
}

/// Builds and installs the package, and returns the folder of the project.
pub(crate) fn with_package(project: &Project) -> Result<PathBuf> {
    wasm(project)?;
    install(project)?;
    Ok(scratch(project))
}

/// Compiles the package's tests, which can use only the installed files.
pub(super) fn types(project: &Project) -> Result<String> {
    let scratch = scratch(project);
    copy_tests(project)?;
    // The declarations of the package are checked, too, without the browser's types, which a server's project does not
    // have.
    let settings = json!({
        "compilerOptions": {
            "strict": true, "skipLibCheck": false, "module": "nodenext", "target": "es2022", "lib": ["es2023"],
            "types": ["node"], "allowJs": true, "rootDir": "test", "outDir": "out",
        },
        "include": ["test"],
    });
    let file = scratch.join("tsconfig.json");
    node::compile_typescript(project, "tsc --strict", &file, &settings)?;
    for consumer in CONSUMERS {
        consume(project, consumer)?;
    }
    let modules: Vec<&str> = CONSUMERS.iter().map(|consumer| consumer.module).collect();
    Ok(format!(
        "the tests and the package's declarations; a consumer, ESM and CommonJS, as {}",
        modules.join(", ")
    ))
}

/// The module settings of a program that uses the package.
struct Consumer {
    module: &'static str,
    resolution: &'static str,
}

const fn consumer(module: &'static str, resolution: &'static str) -> Consumer {
    Consumer { module, resolution }
}

/// The module settings to check besides those of the tests. With `node16` and `node18`, CommonJS cannot `require` a
/// module that is typed as ESM.
const CONSUMERS: &[Consumer] = &[
    consumer("esnext", "bundler"),
    consumer("node16", "node16"),
    consumer("node18", "node16"),
    consumer("node20", "node16"),
    consumer("nodenext", "nodenext"),
];

/// Compiles a program that uses the package, with the settings of a consumer.
fn consume(project: &Project, Consumer { module, resolution }: &Consumer) -> Result<()> {
    let settings = json!({
        "compilerOptions": {
            "strict": true, "skipLibCheck": false, "exactOptionalPropertyTypes": true, "noEmit": true, "types": [],
            "target": "es2022", "lib": ["es2022", "dom"], "module": module, "moduleResolution": resolution,
        },
        "include": ["test/types"],
    });
    let file = scratch(project).join(format!("tsconfig.{module}.json"));
    let title = format!("tsc --module {module}");
    node::compile_typescript(project, &title, &file, &settings)
}

/// Runs the compiled tests.
pub(super) fn tests(project: &Project) -> Result<String> {
    let compiled = scratch(project).join("out");
    let node = node::tests(&compiled, &test_files(&compiled)?)
        .env("SMITHY_WAITERS_PROJECT", project.root());
    process::tee("node --test", &node)?.summarize(counts::node_test)
}

/// Runs the random tests and the test for leaks with many more cases.
pub(crate) fn for_long(project: &Project) -> Result<String> {
    with_package(project)?;
    types(project)?;
    let files = ["paths.test.mjs", "plans.test.mjs", "leaks.test.mjs"];
    let node = node::tests(&scratch(project).join("out"), &files)
        .env("SMITHY_WAITERS_ROUNDS", "300000")
        .env("SMITHY_WAITERS_WAITS", "100000");
    let output = process::tee("node --test (300000 cases, 100000 waits)", &node)?;
    let tests = output.summarize(counts::node_test)?;
    Ok(format!("{tests}: 300000 cases, 100000 waits"))
}

/// Runs a file of `tests/javascript` in a folder from which Node resolves the installed package.
pub(super) fn shared(
    project: &Project,
    name: &str,
    prepare: impl Fn(Expression) -> Result<Expression>,
) -> Result<process::TeeOutput> {
    let runner = scratch(project).join("shared");
    project::copy_folder(&project.path("tests/javascript"), &runner)?;
    let file = format!("{name}.test.mjs");
    let node = node::tests(&runner, &[&file]).env("SMITHY_WAITERS_PROJECT", project.root());
    process::tee(&format!("node --test {file}"), &prepare(node)?)
}

/// Returns the folder of the project in which the tarball is installed.
pub(super) fn scratch(project: &Project) -> PathBuf {
    project.target("npm/scratch")
}

/// Links the tests' tools beside the project, where Node and `tsc` look after the project itself.
fn link_tools(project: &Project) -> Result<()> {
    let tools = project.path("npm/node_modules");
    link_folder(&tools, &project.target("npm/node_modules"))
        .with_context(|| format!("cannot link to `{}`", tools.display()))
}

#[cfg(unix)]
fn link_folder(to: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(windows)]
fn link_folder(to: &Path, at: &Path) -> io::Result<()> {
    std::os::windows::fs::symlink_dir(to, at)
}

fn copy_tests(project: &Project) -> Result<()> {
    let scratch = scratch(project);
    project::remove(&scratch.join("out"))?;
    project::copy_folder(&project.path("npm/test"), &scratch.join("test"))
}

fn test_files(compiled: &Path) -> Result<Vec<PathBuf>> {
    let is_test = |file: &PathBuf| {
        [".test.js", ".test.mjs"]
            .iter()
            .any(|ending| file.to_string_lossy().ends_with(ending))
    };
    let files = project::list(compiled)?.into_iter();
    let tests: Vec<PathBuf> = files.filter(is_test).collect();
    ensure!(
        !tests.is_empty(),
        "no `*.test.ts`, `*.test.js` or `*.test.mjs` found in `npm/test`"
    );
    Ok(tests)
}
