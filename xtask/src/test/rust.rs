//! The checks of the Rust workspace.

use anyhow::Result;
use duct::cmd;

use super::counts;
use crate::data;
use crate::process;
use crate::project::Project;
use crate::wasm;

/// What is generated, over SDK crates that take minutes to build: a step of its own.
const PROOF: &str = "smithy-waiters-generate-proof";

pub(super) fn format(project: &Project) -> Result<String> {
    cargo(project, &["fmt", "--all", "--check"])?.covered("all crates")
}

pub(super) fn clippy(project: &Project) -> Result<String> {
    let arguments = [
        "clippy",
        "--workspace",
        "--exclude",
        PROOF,
        "--all-targets",
        "--all-features",
        "--",
        "--deny",
        "warnings",
    ];
    cargo(project, &arguments)?.covered("all crates, targets and features")
}

/// The public documentation: a link that leads nowhere is an error.
pub(super) fn documentation(project: &Project) -> Result<String> {
    let arguments = [
        "doc",
        "--package",
        "smithy-waiters",
        "--package",
        "smithy-waiters-derive",
        "--all-features",
        "--no-deps",
    ];
    let doc = process::cargo(project, &arguments).env("RUSTDOCFLAGS", "--deny warnings");
    process::tee(&format!("cargo {}", arguments.join(" ")), &doc)?.covered("the public items")
}

pub(super) fn tests(project: &Project) -> Result<String> {
    data::for_tests(project)?;
    cargo(
        project,
        &[
            "test",
            "--workspace",
            "--exclude",
            PROOF,
            "--all-features",
            "--no-fail-fast",
        ],
    )?
    .summed_up(counts::cargo_test)
}

/// What is generated for Rust: compiled over published SDKs, linted, and held against the interpreter.
///
/// Clippy is the compiler, as it is for `cargo clippy`, which would check the SDKs and not build them: they are built once.
pub(super) fn generated(project: &Project) -> Result<String> {
    data::for_tests(project)?;
    let arguments = ["test", "--package", PROOF];
    let test = process::cargo(project, &arguments)
        .env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
        .env("CLIPPY_ARGS", "--deny__CLIPPY_HACKERY__warnings");
    let title = format!("cargo {} (by clippy)", arguments.join(" "));
    process::tee(&title, &test)?.summed_up(counts::cargo_test)
}

/// A consumer of the crate on wasm: built, and run in Node.
pub(super) fn on_wasm(project: &Project) -> Result<String> {
    let program = wasm::program(project, "smithy-waiters-wasm-consumer")?;
    let run = cmd!("node", "--eval", RUN_WASM, program);
    process::run("node: a consumer's `main`", &run)?;
    Ok("a consumer with the driver and a derived response".to_owned())
}

/// Runs a program that needs nothing of its host; what it could import for its seeds fails.
const RUN_WASM: &str = r#"
    const module = new WebAssembly.Module(require("node:fs").readFileSync(process.argv[1]));
    const imports = {};
    const fail = (name) => () => { throw new Error(`${name} is not for this program`); };
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
        (imports[from] ??= {})[name] = fail(name);
    }
    const { main } = new WebAssembly.Instance(module, imports).exports;
    if (main(0, 0) !== 0) throw new Error("main failed");
"#;

fn cargo(project: &Project, arguments: &[&str]) -> Result<process::Finished> {
    process::tee(
        &format!("cargo {}", arguments.join(" ")),
        &process::cargo(project, arguments),
    )
}
