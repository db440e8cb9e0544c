//! Generates the waiters of three services, as a user's build script does.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use fastrand::Rng;
use smithy_waiters_generate::ir::{Selection, Waiter};
use smithy_waiters_generate::rust::Rust;
use smithy_waiters_generate::{Backend as _, Build, File, GenerateError, folder, ir, names};
use smithy_waiters_model::Sources;

#[expect(clippy::unwrap_used, reason = "a build script for tests")]
#[path = "random/model.rs"]
mod model;
#[expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a build script for tests"
)]
#[path = "random/waiters.rs"]
mod waiters;

/// The number of random waiters. About one in six has a path that Rust cannot express.
const RANDOM: usize = 120;

/// Lints for unusual expressions in the random paths, such as a comparison of a member with itself.
const ALLOWED: &str = "#![allow(clippy::absurd_extreme_comparisons, clippy::comparison_to_empty, clippy::const_is_empty, \
                       clippy::eq_op, clippy::iter_count, clippy::neg_cmp_op_on_partial_ord, clippy::nonminimal_bool, clippy::overly_complex_bool_expr, \
                       unused_comparisons, \
                       reason = \"random paths contain such expressions\")]";

/// The published SDKs.
const SDKS: [&str; 3] = ["dynamodb", "ecs", "s3"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rustc-check-cfg=cfg(models)");
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let models = here.join("../../../target/data/aws-models");
    let sdk_models = here.join("../../../target/data/sdk-models");
    let odd = here.join("../../../tests/generated/odd.smithy");
    let varied = here.join("model/varied.smithy");
    for path in [&models, &sdk_models, &odd, &here.join("model")] {
        println!("cargo:rerun-if-changed={}", path.display());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no folder for the build")?);
    let mut plain = Plain::default();
    plain.add("paths", &here.join("model/paths.smithy"), &[])?;
    plain.add("odd", &odd, &[])?;
    let random = model::with_waiters(&fs::read_to_string(varied)?, RANDOM, Rng::with_seed(5));
    fs::write(out.join("random.smithy"), random)?;
    let random = out.join("random.smithy");
    plain.add("random", &random, &unsupported_waiters(&random)?)?;
    Build::new()
        .model(here.join("model/names.smithy"))
        .rust(Rust::for_client(Some("crate::sdk".to_owned())))
        .run()?;
    if models.is_dir() && sdk_models.is_dir() {
        println!("cargo:rustc-cfg=models");
        for service in SDKS {
            let model = as_the_sdk(&sdk_models.join(format!("{service}.json")), &out)?;
            let build = Build::new().model(model);
            let build = match service {
                "dynamodb" => build.model(here.join("model/backups.smithy")),
                "s3" => build.model(here.join("model/lifecycle.smithy")),
                _ => build.model(here.join("model/tasks.smithy")),
            };
            build.run()?;
        }
        Build::new()
            .model(sdk_models.join("dynamodb.json"))
            .only("TableExists")
            .folder(out.join("only"))
            .run()?;
        for (service, path) in all(&models)? {
            plain.add(&service, &path, &[])?;
        }
    } else {
        println!(
            "cargo:warning=skipped: the published SDKs, since there are no models in {}",
            models.display()
        );
    }
    Build::new()
        .definition(here.join("model/JobDone.json"))
        .definition(here.join("model/JobIsOurs.json"))
        .run()?;
    plain.write(&out.join("plain"))
}

/// Adapts a model to its SDK. botocore reads `Expires` as a string, because some services send invalid times.
fn as_the_sdk(model: &Path, out: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let text = fs::read_to_string(model)?;
    let text = text.replace(
        "#Expires\":{\"type\":\"string\"",
        "#Expires\":{\"type\":\"timestamp\"",
    );
    let path = out.join(model.file_name().ok_or("a model is a file")?);
    fs::write(&path, text)?;
    Ok(path)
}

/// Returns the waiters of a model with a path that Rust cannot express.
fn unsupported_waiters(path: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let mut sources = Sources::default();
    sources.add(path.display().to_string(), fs::read_to_string(path)?);
    let model = ir::read(&sources, &Selection::default())?;
    let services = ir::services(&sources, &model, &[])?;
    match smithy_waiters_generate::files(&Rust::plain(), &services) {
        Err(GenerateError::Unsupported(paths)) => {
            Ok(paths.into_iter().map(|path| path.waiter).collect())
        }
        Err(error) => Err(error.into()),
        Ok(_) => Ok(Vec::new()),
    }
}

/// Returns the models of all services by name.
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

/// Matchers over plain types, and a function that looks them up by the names of the service and the waiter.
#[derive(Default)]
struct Plain {
    files: Vec<File>,
    modules: String,
    arms: String,
    /// The waiters with their services.
    listed: String,
}

impl Plain {
    /// Adds the model of a service.
    fn add(&mut self, name: &str, path: &Path, excluded: &[String]) -> Result<(), Box<dyn Error>> {
        let mut sources = Sources::default();
        sources.add(path.display().to_string(), fs::read_to_string(path)?);
        let selection = Selection {
            excluded: excluded.to_vec(),
            ..Selection::default()
        };
        let model = ir::read(&sources, &selection)?;
        let module = names::snake(name);
        for service in ir::services(&sources, &model, &[])? {
            for file in Rust::plain().service(&service)? {
                let path = format!("/plain/{}", file.path);
                let included = format!("include!(concat!(env!(\"OUT_DIR\"), {path:?}));");
                let allowed = if name == "random" { ALLOWED } else { "" };
                writeln!(self.modules, "pub mod {module} {{ {allowed} {included} }}")?;
                self.files.push(file);
            }
            for (_, waiter) in service.waiters() {
                self.add_arm(name, &module, waiter)?;
            }
        }
        Ok(())
    }

    fn add_arm(&mut self, service: &str, module: &str, waiter: &Waiter<'_>) -> std::fmt::Result {
        let by = if waiter.looks_at_input() {
            "by_both"
        } else {
            "by_output"
        };
        let function = match &*names::snake(waiter.name) {
            keyword @ "self" => format!("{keyword}_"),
            other => format!("r#{other}"),
        };
        let name = waiter.name;
        writeln!(self.listed, "({service:?}, {name:?}),")?;
        writeln!(
            self.arms,
            "({service:?}, {name:?}) => {by}(input, seen, {module}::matchers::{function}),"
        )
    }

    fn write(&self, out: &Path) -> Result<(), Box<dyn Error>> {
        folder::write(out, &self.files)?;
        let Self {
            modules,
            arms,
            listed,
            ..
        } = self;
        let text = format!(
            "{modules}\npub const WAITERS: &[(&str, &str)] = &[{listed}];\n\
             pub fn first_match(service: &str, waiter: &str, input: &Json, seen: ResponseOrError<'_>) -> Option<usize> {{\n\
             match (service, waiter) {{\n{arms}_ => panic!(\"there is no {{waiter}} of {{service}}\"),\n}}\n}}\n"
        );
        Ok(fs::write(out.join("mod.rs"), text)?)
    }
}
