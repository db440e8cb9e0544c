//! Runs the vectors of `tests/vectors` with the component in a host, and writes the results to `target/vectors`. Or compares the
//! component with the native engine on random cases.

#[path = "../../../core/tests/vectors/file.rs"]
#[expect(dead_code, clippy::all, reason = "the native engine's runner uses all items")]
mod file;
#[path = "../../../core/tests/vectors/values.rs"]
#[expect(dead_code, clippy::all, reason = "the native engine's runner uses all items")]
mod values;

#[path = "../../../core/tests/vectors/saved.rs"]
#[expect(clippy::all, reason = "a test helper")]
mod saved;
mod stored;

mod engine;
mod host;
mod vectors;
#[cfg(feature = "wasmtime")]
mod wasmtime_host;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::Value as Json;

use engine::Engine;
use file::Vector;
use host::{Host, ProcessHost};
#[cfg(feature = "wasmtime")]
use wasmtime_host::WasmtimeHost;

/// The minimum number of vectors, which detects vectors that are skipped by mistake.
const MIN_VECTORS: usize = 850;

/// The arguments are the name of the host, the path of the component, and optionally the command of a host process.
fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().context("missing argument: name of the host")?;
    let component = arguments.next().context("missing argument: path of the component")?;
    let mut host: Box<dyn Host> = match arguments.next() {
        #[cfg(feature = "wasmtime")]
        None => Box::new(WasmtimeHost::new(Path::new(&component))?),
        #[cfg(not(feature = "wasmtime"))]
        None => bail!("`{component}` needs a host: pass its command, or build with the feature `wasmtime`"),
        Some(program) => {
            let mut command = Command::new(program);
            command.args(arguments);
            Box::new(ProcessHost::start(command)?)
        }
    };
    if std::env::var_os("SMITHY_WAITERS_CASES").is_some() {
        return compare_cases(&name, &mut *host);
    }
    let (mut results, mut skipped, mut different) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
    for vector in &file::vectors() {
        match run(&mut *host, vector)? {
            Ok(result) => {
                if result != vector.expected() {
                    different.push(format!("{}: expected {}, got {result}", vector.id(), vector.expected()));
                }
                results.insert(vector.id().to_owned(), result);
            }
            Err(reason) => *skipped.entry(reason).or_insert(0) += 1,
        }
    }
    write(&name, &results)?;
    println!("component, {} vectors in {name}, {} different", results.len(), different.len());
    for (reason, count) in skipped {
        println!("  not expressible: {count}: {reason}");
    }
    if !different.is_empty() {
        bail!("{}", different.join("\n"));
    }
    if results.len() < MIN_VECTORS {
        bail!("ran {} vectors, expected at least {MIN_VECTORS}", results.len());
    }
    Ok(())
}

/// Returns the result of a vector, or the reason that the interface cannot express it.
fn run(host: &mut dyn Host, vector: &Vector) -> Result<Result<Json, &'static str>> {
    let mut engine = Engine::new(host);
    let result = vectors::run(&mut engine, vector).with_context(|| format!("`{}`", vector.id()))?;
    engine.finish()?;
    Ok(result)
}

/// Compares the component with the native engine on random cases. `SMITHY_WAITERS_CASES` is the folder of the native engine's
/// results.
fn compare_cases(name: &str, host: &mut dyn Host) -> Result<()> {
    let mut count = 0;
    for vector in file::cases_of_the_oracle().into_iter().flat_map(|(_, cases)| cases) {
        let result = run(host, &vector)?.map_err(|reason| anyhow!("`{}`: {reason}", vector.id()))?;
        ensure!(result == vector.expected(), "the component gave {result} for {}", vector.json());
        count += 1;
    }
    ensure!(count > 0, "there are no cases");
    println!("component, {count} cases in {name}, as in the native engine");
    Ok(())
}

fn write(name: &str, results: &BTreeMap<String, Json>) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/vectors");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("component-{name}.json"));
    Ok(std::fs::write(path, serde_json::to_string(results)?)?)
}
