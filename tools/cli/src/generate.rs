//! `smithy-waiters generate`: generates code for clients from models.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail, ensure};
use clap::ValueEnum;
use smithy_waiters::DefinitionError;
use smithy_waiters_generate::ir::{self, Definition, Selection, Service, refused_events};
use smithy_waiters_generate::{
    Backend, File, GenerateError, files, folder, python, rust, typescript,
};
use smithy_waiters_model::{Model, Sources};

use crate::files::Files;
use crate::lint;
use crate::outcome::Outcome;
use crate::output;

/// Generates code for the waiters, paginators and retries of a model.
///
/// Writes one file per service or definition. Never deletes a file, or overwrites one that it did not generate.
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("from").required(true).multiple(true), override_usage = USAGE)]
pub(crate) struct Options {
    /// A model file, Smithy IDL or JSON AST, or a folder to search for them; repeat it for a model of several files
    #[arg(long, value_name = "PATH", group = "from")]
    model: Vec<PathBuf>,
    /// An AWS service in botocore, such as `dynamodb`; model files add to it
    ///
    /// `AWS_DATA_PATH` and `~/.aws/models` are searched first, then the botocore that is installed or that the AWS CLI
    /// contains. If there is none, pip downloads it.
    #[arg(long, value_name = "SERVICE", group = "from")]
    botocore: Option<String>,
    /// The only folder to search for `--botocore`, such as the `data` of a certain version
    #[arg(long, value_name = "FOLDER", requires = "botocore")]
    botocore_path: Option<PathBuf>,
    /// A JSON file with a hand-written waiter definition, for untyped code; the file name is the waiter's name, unless
    /// `--name` is given
    #[arg(long, value_name = "FILE", group = "from", conflicts_with_all = ["model", "botocore"])]
    definition: Vec<PathBuf>,
    /// The name of the waiter, for a single definition
    #[arg(long, conflicts_with_all = ["model", "botocore"])]
    name: Option<String>,
    /// The language of the code
    #[arg(long, value_enum)]
    language: Language,
    /// The folder to write to
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// A service of the model, by its shape id or name; all services by default
    #[arg(long, value_name = "NAME", conflicts_with = "definition")]
    service: Vec<String>,
    /// The only waiters to generate, without paginators and request metadata; separate several names by commas
    #[arg(long, value_name = "WAITER", value_delimiter = ',', conflicts_with_all = ["definition", "exclude"])]
    only: Vec<String>,
    /// A waiter to leave out, for example one that `lint` or the language rejects
    #[arg(long, value_name = "WAITER", conflicts_with = "definition")]
    exclude: Vec<String>,
    /// The client's crate, module or package, for Rust and TypeScript; by default the AWS SDK's, from the service's
    /// `sdkId`
    #[arg(long, value_name = "NAME")]
    client: Option<String>,
    /// Generates types from the model instead of using a client, for Rust and TypeScript: functions that accept the
    /// call in TypeScript, only matchers in Rust
    #[arg(long, conflicts_with = "client")]
    no_client: bool,
    /// Writes nothing, and fails if a file is out of date
    #[arg(long)]
    check: bool,
}

// The usage that clap generates is wider than 80 columns.
const USAGE: &str = "smithy-waiters generate [OPTIONS] --language <LANGUAGE> --out <FOLDER>
       <--model <FILE>|--botocore <SERVICE>|--definition <FILE>>";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    Python,
    Rust,
    #[value(name = "typescript")]
    TypeScript,
}

impl Language {
    fn backend(self, client: Option<&str>) -> Result<Box<dyn Backend>> {
        let named = client.map(str::to_owned);
        Ok(match self {
            Self::Python => {
                ensure!(
                    client.is_none(),
                    "`--client` cannot be used for Python: its functions accept any client"
                );
                Box::new(python::Python::default())
            }
            Self::Rust => Box::new(rust::Rust::for_client(named)),
            Self::TypeScript => Box::new(typescript::TypeScript::for_client(named)),
        })
    }

    fn without_client(self) -> Result<Box<dyn Backend>> {
        match self {
            Self::Python => {
                bail!("`--no-client` cannot be used for Python: its functions accept any client")
            }
            Self::Rust => Ok(Box::new(rust::Rust::plain())),
            Self::TypeScript => Ok(Box::new(typescript::TypeScript::without_client())),
        }
    }
}

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let backend = if options.no_client {
        options.language.without_client()?
    } else {
        options.language.backend(options.client.as_deref())?
    };
    let files = if options.definition.is_empty() {
        from_model(options, &*backend)?
    } else {
        from_definitions(&*backend, options)?
    };
    let files = match options.language {
        Language::Rust => rust::format(files, &options.out)?,
        Language::Python | Language::TypeScript => files,
    };
    if options.check {
        check(&options.out, &files)
    } else {
        write(&options.out, &files)?;
        let lines: Vec<String> = rust::dependencies(&files).into_iter().collect();
        if matches!(options.language, Language::Rust) && !lines.is_empty() {
            output::note(&format!("`Cargo.toml` needs:\n{}", lines.join("\n")));
        }
        Ok(Outcome::Clean)
    }
}

fn from_model(options: &Options, backend: &dyn Backend) -> Result<Vec<File>> {
    let (botocore, path) = (&options.botocore, &options.botocore_path);
    let selected = Files::of(&options.model, botocore.as_deref(), path.as_deref());
    let sources = selected.documented_model()?;
    let selection = Selection {
        only: options.only.clone(),
        excluded: options.exclude.clone(),
    };
    let model = ir::read(&sources, &selection)?;
    let services = ir::services(&sources, &model, &options.service);
    let mut services = services.map_err(|error| refusal(error, &sources, &model))?;
    selection.reduce(&mut services);
    ensure!(!services.is_empty(), "the model has no services");
    ensure!(
        options.client.is_none() || services.len() == 1,
        "`--client` requires a single service, got {}: select one with `--service`",
        services.len()
    );
    services
        .iter()
        .for_each(|service| print_notes(service, options));
    Ok(files(backend, &services)?)
}

/// Writes notes about the likely mistakes that do not prevent the generation of code.
fn print_notes(service: &Service<'_>, options: &Options) {
    let id = service.shape.id;
    if service.waiters().next().is_none() {
        return output::note(&format!("`{id}` has no waiters"));
    }
    let is_rust = matches!(options.language, Language::Rust);
    if is_rust && !options.no_client && options.client.is_none() && service.sdk_id.is_none() {
        output::note(&format!(
            "`{id}` has no AWS `sdkId`: the code has only matchers, as with `--no-client`; name a crate with `--client`"
        ));
    }
}

fn from_definitions(backend: &dyn Backend, options: &Options) -> Result<Vec<File>> {
    let (paths, name) = (&options.definition, options.name.as_deref());
    ensure!(
        name.is_none() || paths.len() == 1,
        "`--name` requires a single definition, got {}",
        paths.len()
    );
    let mut files = Vec::new();
    let mut names: BTreeMap<String, &Path> = BTreeMap::new();
    for path in paths {
        let definition = Definition::read(path, name).map_err(|error| with_hint(error, name))?;
        files.push(backend.untyped(&definition)?);
        let name = definition.name;
        if let Some(earlier) = names.insert(name.clone(), path) {
            let (earlier, path) = (earlier.display(), path.display());
            bail!("`{earlier}` and `{path}` both define `{name}`");
        }
    }
    Ok(files)
}

/// Adds a hint at `--name` to the error if a definition's file name is not a valid waiter name.
fn with_hint(error: GenerateError, name: Option<&str>) -> anyhow::Error {
    let is_file_name = |error: &DefinitionError| name.is_none() && error.code == "invalid_name";
    match &error {
        GenerateError::Definition { error: problem, .. } if is_file_name(problem) => {
            anyhow!("{error}; set the waiter's name with `--name`")
        }
        _ => error.into(),
    }
}

/// Shows the events of a refused model as `lint` does, instead of the lines of the error.
fn refusal(error: GenerateError, sources: &Sources, model: &Model<'_>) -> anyhow::Error {
    let text = lint::render(sources, refused_events(model));
    match error {
        GenerateError::Model(_) if !text.is_empty() => {
            output::note(text.trim_end());
            anyhow!("the model has errors: fix them or exclude the affected waiters")
        }
        error => error.into(),
    }
}

fn write(out: &Path, files: &[File]) -> Result<()> {
    let changed = folder::write(out, files)?;
    for path in &changed {
        output::print(&format!("{}\n", path.display()))?;
    }
    Ok(())
}

fn check(out: &Path, files: &[File]) -> Result<Outcome> {
    let changed = folder::compare(out, files)?;
    for path in &changed {
        output::note(&format!("out of date: `{}`", path.display()));
    }
    Ok(if changed.is_empty() {
        Outcome::Clean
    } else {
        Outcome::Findings
    })
}
