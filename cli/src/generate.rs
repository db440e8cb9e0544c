//! `smithy-waiters generate`: code for clients, from models.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::ValueEnum;
use smithy_waiters::DefinitionError;
use smithy_waiters_generate::ir::{self, Definition, Service};
use smithy_waiters_generate::{
    Backend, File, GenerateError, files, folder, python, rust, typescript,
};
use smithy_waiters_model::Sources;

use crate::outcome::Outcome;
use crate::output;

/// Writes the waiters, paginators and retry facts of a model as code.
///
/// One file a service, or a definition. A file that this command did not write is never changed, and nothing is deleted.
#[derive(clap::Args, Debug)]
#[command(group = clap::ArgGroup::new("from").required(true))]
pub(crate) struct Options {
    /// A file of the model, Smithy IDL or JSON AST; several are one model
    #[arg(long, value_name = "FILE", group = "from")]
    model: Vec<PathBuf>,
    /// A hand-written Waiter structure, for code without types; its file's name is the waiter's, unless `--name` says another
    #[arg(long, value_name = "FILE", group = "from", conflicts_with = "model")]
    definition: Vec<PathBuf>,
    /// The waiter's name, for one definition
    #[arg(long, conflicts_with = "model")]
    name: Option<String>,
    /// The language
    #[arg(long, value_enum)]
    language: Language,
    /// The folder that is written into
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// A service of the model, by the id or name of its shape; otherwise all
    #[arg(long, value_name = "NAME", conflicts_with = "definition")]
    service: Vec<String>,
    /// Leaves out a waiter of the model, by its name: one that lint or the language refuses
    #[arg(long, value_name = "WAITER", conflicts_with = "definition")]
    exclude: Vec<String>,
    /// Rust and TypeScript only: the client's crate, module or package; otherwise AWS's, by the service's `sdkId`
    #[arg(long, value_name = "NAME")]
    client: Option<String>,
    /// Rust and TypeScript only: no client, but types of the model's own; in TypeScript functions that are given the call, in Rust matchers only
    #[arg(long, conflicts_with = "client")]
    no_client: bool,
    /// Writes nothing, and fails where a file is out of date
    #[arg(long)]
    check: bool,
}

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
                    "`--client` is for Rust and TypeScript: functions in Python take any client"
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
                bail!(
                    "`--no-client` is for Rust and TypeScript: functions in Python take any client"
                )
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
        of_model(options, &*backend)?
    } else {
        untyped(&*backend, options)?
    };
    let files = match options.language {
        Language::Rust => rust::format(files, &options.out)?,
        Language::Python | Language::TypeScript => files,
    };
    if options.check {
        check(&options.out, &files)
    } else {
        write(&options.out, &files)
    }
}

fn of_model(options: &Options, backend: &dyn Backend) -> Result<Vec<File>> {
    let mut sources = Sources::default();
    for path in &options.model {
        if !sources.add(path.display().to_string(), text(path)?) {
            bail!("the files are more than 4 GiB together");
        }
    }
    let model = ir::read(&sources, &options.exclude)?;
    let services = ir::services(&sources, &model, &options.service)?;
    ensure!(!services.is_empty(), "the model has no service");
    ensure!(
        options.client.is_none() || services.len() == 1,
        "`--client` is of one service, and the model has {}: say `--service`",
        services.len()
    );
    services.iter().for_each(|service| tell(service, options));
    Ok(files(backend, &services)?)
}

/// Notes what is likely not meant, of a service whose code is generated all the same.
fn tell(service: &Service<'_>, options: &Options) {
    let id = service.shape.id;
    if service.waiters().next().is_none() {
        return output::note(&format!("`{id}` has no waiters"));
    }
    // TypeScript has types of its own for such a service, and Python takes any client.
    let is_rust = matches!(options.language, Language::Rust);
    if is_rust && !options.no_client && options.client.is_none() && service.sdk_id.is_none() {
        let client = rust::default_client(service);
        output::note(&format!(
            "`{id}` has no `sdkId` of AWS: the code is for the crate `{client}`, name another with `--client`"
        ));
    }
}

fn untyped(backend: &dyn Backend, options: &Options) -> Result<Vec<File>> {
    let (paths, name) = (&options.definition, options.name.as_deref());
    ensure!(
        name.is_none() || paths.len() == 1,
        "`--name` is of one definition, got {}",
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

/// Adds the option for a definition whose file has the name of no waiter.
fn with_hint(error: GenerateError, name: Option<&str>) -> anyhow::Error {
    let is_of_file = |error: &DefinitionError| name.is_none() && error.code == "invalid_name";
    match &error {
        GenerateError::Definition { error: problem, .. } if is_of_file(problem) => {
            anyhow!("{error}; `--name` gives another than the file's")
        }
        _ => error.into(),
    }
}

fn text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))
}

fn write(out: &Path, files: &[File]) -> Result<Outcome> {
    let changed = folder::write(out, files)?;
    for path in &changed {
        output::print(&format!("{}\n", path.display()))?;
    }
    Ok(Outcome::Clean)
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
