//! Generates the waiters of three services, as any user of the generator would.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use smithy_waiters_generate::ir::{Definition, Matcher, Sides, Waiter};
use smithy_waiters_generate::rust::Rust;
use smithy_waiters_generate::{Backend as _, Build, folder, ir, names};
use smithy_waiters_model::{Sources, read};

/// The published SDKs.
const SDKS: [&str; 3] = ["dynamodb", "ecs", "s3"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rustc-check-cfg=cfg(models)");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let models = here.join("../../../shared/data/aws-models");
    println!("cargo:rerun-if-changed={}", models.display());
    println!("cargo:rerun-if-changed={}", here.join("model").display());
    let mut plain = BTreeMap::from([("paths".to_owned(), here.join("model/paths.smithy"))]);
    if models.is_dir() {
        println!("cargo:rustc-cfg=models");
        for service in SDKS {
            let build = Build::new().model(models.join(format!("{service}.json")));
            let build = if service == "dynamodb" {
                build.model(here.join("model/backups.smithy"))
            } else {
                build
            };
            build.run()?;
        }
        plain.extend(all(&models)?);
    } else {
        println!(
            "cargo:warning=no SDKs are looked at: there is no {}",
            models.display()
        );
    }
    let definition = fs::read_to_string(here.join("model/job_done.json"))?;
    let definition = Definition::new("JobDone", &definition)?;
    let untyped = Rust::default().untyped(&[definition])?;
    folder::write(
        &PathBuf::from(env::var_os("OUT_DIR").ok_or("no folder for the build")?),
        &untyped,
    )?;
    of_plain(&plain)
}

/// The models of all services, by their names.
fn all(models: &Path) -> Result<BTreeMap<String, PathBuf>, Box<dyn Error>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(models)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let service = name.and_then(|name| name.strip_suffix(".json"));
        if let Some(service) = service.filter(|service| !service.contains('.')) {
            all.insert(service.to_owned(), path.clone());
        }
    }
    Ok(all)
}

/// Matchers over plain types, and a function that finds them by the names of the service and the waiter.
fn of_plain(models: &BTreeMap<String, PathBuf>) -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no folder for the build")?).join("plain");
    let (mut modules, mut arms) = (String::new(), String::new());
    for (service, path) in models {
        let module = names::snake(service);
        let build = Build::new().model(path).rust(Rust::plain()).folder(&out);
        let [file] = &build.run()?[..] else {
            return Err(format!("{service} has several services").into());
        };
        writeln!(modules, "pub mod {module} {{ include!({file:?}); }}")?;
        arms.push_str(&of_waiters(service, path, &module)?);
    }
    let text = format!(
        "{modules}\npub fn matched(service: &str, waiter: &str, input: &Json, seen: Seen<'_>) -> Option<usize> {{\n\
         match (service, waiter) {{\n{arms}_ => panic!(\"there is no {{waiter}} of {{service}}\"),\n}}\n}}\n"
    );
    fs::write(out.join("mod.rs"), text)?;
    Ok(())
}

fn of_waiters(service: &str, path: &Path, module: &str) -> Result<String, Box<dyn Error>> {
    let mut sources = Sources::default();
    sources.add(path.display().to_string(), fs::read_to_string(path)?);
    let model = read(&sources);
    let mut arms = String::new();
    for service_of_model in ir::services(&model, &[])? {
        for (_, waiter) in service_of_model.waiters() {
            let (name, function) = (waiter.name, names::snake(waiter.name));
            let by = if takes_input(waiter) {
                "by_both"
            } else {
                "by_output"
            };
            writeln!(
                arms,
                "({service:?}, {name:?}) => {by}(input, seen, {module}::matchers::{function}),"
            )?;
        }
    }
    Ok(arms)
}

fn takes_input(waiter: &Waiter<'_>) -> bool {
    waiter.acceptors.iter().any(|acceptor| {
        matches!(&acceptor.matcher, Matcher::Path(path) if path.sides == Sides::InputOutput)
    })
}
