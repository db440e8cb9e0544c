//! `cargo xtask events`: records the events of Smithy's validator, with which the model crate's events are compared.

use fs_err as fs;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use duct::{Expression, cmd};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::data;
use crate::process;
use crate::project::{self, Project};
use crate::report;
use crate::steps::Skipped;
use crate::tools::maven;

/// The models in the repository.
const MODELS: &str = "tools/model/tests/smithy/models";

/// Smithy's events on each of the models, and the JSON ASTs of the IDL models.
const EVENTS: &str = "tools/model/tests/smithy/events";
const ASTS: &str = "tools/model/tests/smithy/asts";

/// Smithy's events on the models of real services from `cargo xtask data`.
const SERVICES: &str = "tools/model/tests/smithy/services.json";

/// The validators whose events on services are left out. There are thousands of them, and none concerns a trait that
/// the model crate checks.
const HIDDEN: &str = "DeprecatedShape,EnumShape,Model,OperationInputOutputName";

/// Records the events, and writes the files.
pub(crate) fn run(project: &Project) -> Result<()> {
    let recording = record(project)?;
    for folder in [EVENTS, ASTS] {
        project::fresh_folder(&project.path(folder))?;
    }
    for (path, content) in &recording.files {
        project::write(path, content)?;
    }
    report::note(&recording.summary);
    Ok(())
}

/// Compares the events of Smithy's validator with the recording files.
///
/// # Errors
///
/// Fails if a file differs, is missing or belongs to no model. Returns [`Skipped`] if Java, Maven or a registry is
/// not available.
pub(crate) fn check(project: &Project) -> Result<String> {
    let recording = record(project)?;
    let mut present = BTreeSet::from([project.path(SERVICES)]);
    for folder in [EVENTS, ASTS] {
        present.extend(files(&project.path(folder))?);
    }
    let paths: BTreeSet<&PathBuf> = recording.files.keys().chain(&present).collect();
    let is_other = |path: &&&PathBuf| {
        let content = fs::read_to_string(path).ok();
        content.as_ref() != recording.files.get(**path)
    };
    let others: Vec<String> = paths
        .iter()
        .filter(is_other)
        .map(|path| project.display(path))
        .collect();
    ensure!(
        others.is_empty(),
        "Smithy's events differ from the recording ones: run `cargo xtask events` and review the changes of {}",
        others.join(", ")
    );
    Ok(recording.summary)
}

/// The content of each file, by its path.
struct Recording {
    files: BTreeMap<PathBuf, String>,
    summary: String,
}

fn record(project: &Project) -> Result<Recording> {
    let smithy = Smithy::fetch(project)
        .map_err(|error| Skipped(format!("cannot run Smithy's validator: {error:#}")))?;
    let services = data::models(project)?;
    let (mut recording, mut count) = (BTreeMap::new(), 0_usize);
    let models = files(&project.path(MODELS))?;
    for model in &models {
        let events = smithy.validate(model, &[])?;
        count = count.saturating_add(events.len());
        let name = model.with_extension("json");
        let name = name.file_name().context("a model without a name")?;
        let is_idl = model.extension().is_some_and(|kind| kind == "smithy");
        if is_idl && !events.iter().any(Event::fails) {
            let path = project.path(ASTS).join(name);
            recording.insert(path, smithy.ast(model)?);
        }
        let path = project.path(EVENTS).join(name);
        recording.insert(path, format!("{}\n", lines(&events)?));
    }
    let mut service_lines = Vec::new();
    for model in files(&services)? {
        let options = ["--allow-unknown-traits", "--hide-validators", HIDDEN];
        let mut events = smithy.validate(&model, &options)?;
        // The models are written on one line, and the columns change with every translation.
        events.iter_mut().for_each(|event| event.column = 0);
        count = count.saturating_add(events.len());
        let name = model.file_stem().context("a service without a name")?;
        service_lines.push(format!("{:?}: {}", name.to_string_lossy(), lines(&events)?));
    }
    let summary = format!(
        "{count} events on {} models and {} services",
        models.len(),
        service_lines.len()
    );
    let content = format!("{{\n{}\n}}\n", service_lines.join(",\n"));
    recording.insert(project.path(SERVICES), content);
    Ok(Recording {
        files: recording,
        summary,
    })
}

/// Returns the files of a folder, sorted by name.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Formats events as a JSON array with one event per line.
fn lines(events: &[Event]) -> Result<String> {
    let lines = events.iter().map(serde_json::to_string);
    let lines = lines.collect::<Result<Vec<_>, _>>()?;
    Ok(match lines.as_slice() {
        [] => "[]".to_owned(),
        lines => format!("[\n{}\n]", lines.join(",\n")),
    })
}

/// A row of the table that Smithy's command prints.
#[derive(Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
struct Event {
    line: u32,
    column: u32,
    severity: String,
    id: String,
    shape: String,
    message: String,
}

impl Event {
    /// Returns `true` if the event makes Smithy's command fail.
    fn fails(&self) -> bool {
        matches!(&*self.severity, "DANGER" | "ERROR")
    }
}

/// Smithy's command.
struct Smithy {
    classes: String,
    /// The jar that defines the traits of waiters.
    waiters: PathBuf,
}

impl Smithy {
    fn fetch(project: &Project) -> Result<Self> {
        let classes = maven::command(project)?;
        let waiters = format!("smithy-waiters-{}.jar", maven::SMITHY);
        Ok(Self {
            waiters: Path::new(&classes).with_file_name(waiters),
            classes,
        })
    }

    fn validate(&self, model: &Path, options: &[&str]) -> Result<Vec<Event>> {
        let all = ["validate", "--severity", "SUPPRESSED", "--format", "csv"];
        // A model with errors fails the command.
        let command = self.command(&[&all, options].concat(), model);
        let table = process::read("smithy validate", &command.unchecked())?;
        let name = model.display();
        ensure!(
            table.starts_with("severity,id,shape,"),
            "Smithy's validator did not list the events of `{name}`"
        );
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let mut events = rows
            .deserialize()
            .collect::<Result<Vec<Event>, _>>()
            .with_context(|| format!("cannot read Smithy's events of `{name}`"))?;
        events.sort();
        Ok(events)
    }

    /// Returns the JSON AST of a model, without Smithy's own shapes.
    fn ast(&self, model: &Path) -> Result<String> {
        let text = process::read("smithy ast", &self.command(&["ast"], model))?;
        let mut ast: Map<String, Json> = serde_json::from_str(&text)?;
        if let Some(shapes) = ast.get_mut("shapes").and_then(Json::as_object_mut) {
            shapes.retain(|id, _| !id.starts_with("smithy."));
        }
        Ok(format!("{}\n", serde_json::to_string_pretty(&ast)?))
    }

    fn command(&self, arguments: &[&str], model: &Path) -> Expression {
        let java = ["-XX:TieredStopAtLevel=1", "-cp", &self.classes];
        let class = ["software.amazon.smithy.cli.SmithyCli"];
        let alone = ["--no-config", "--quiet"];
        let (verb, rest) = arguments.split_at(1);
        let arguments = [&java[..], &class, verb, &alone, rest].concat();
        let mut arguments: Vec<&std::ffi::OsStr> = arguments.iter().map(AsRef::as_ref).collect();
        arguments.extend([model.as_os_str(), self.waiters.as_os_str()]);
        cmd("java", arguments).stderr_null()
    }
}
