//! `smithy-waiters suggest`: drafts the waiters that a model lacks.

mod smithy;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::ValueEnum;
use smithy_waiters::State;
use smithy_waiters_model::suggest::{self as model, Acceptor, Class, Goal, Matcher, Proposal};
use smithy_waiters_model::{Kind, Model, id, read};

use crate::files::Files;
use crate::outcome::Outcome;
use crate::output;
use crate::similar::did_you_mean;
use crate::vocabulary::VocabularyFile;

/// Drafts the waiters that a model lacks, with the evidence for each.
///
/// The drafts are a proposal: read the evidence, and answer the questions.
#[derive(clap::Args, Debug)]
pub(crate) struct Options {
    #[command(flatten)]
    files: Files,
    /// An operation, with or without its namespace; all operations by default
    #[arg(long, value_name = "NAME")]
    operation: Option<String>,
    /// A value of a state, such as `ACTIVE`, or `deleted`, `exists` or `not-exists`
    ///
    /// Includes guesses. Waiters for `exists` and `not-exists` are only suggested on request, because few services need
    /// them.
    #[arg(long, value_name = "VALUE")]
    state: Option<String>,
    /// Includes guesses, which have a confidence below 0.8
    #[arg(long)]
    all: bool,
    /// The output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Writes each waiter to a file in this folder instead, as a definition that every language loads
    #[arg(long, value_name = "FOLDER", conflicts_with = "format")]
    write: Option<PathBuf>,
    #[command(flatten)]
    vocabulary: VocabularyFile,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A JSON array
    Json,
    /// Smithy IDL that applies the waiters to their operations
    Smithy,
    /// Plain text
    Text,
}

/// The requested state.
enum Request<'o> {
    Any,
    Goal(Goal),
    Value(&'o str),
}

/// The proposals for one model.
struct Suggestions {
    proposals: Vec<Proposal>,
    /// The number of guesses that are left out.
    guesses: usize,
    /// The operations that have waiters.
    waitable: BTreeSet<String>,
}

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let request = options.request();
    let mut settings = model::Options::default();
    settings.vocabulary = options.vocabulary.read()?;
    settings.existence = matches!(request, Request::Goal(Goal::Exists | Goal::NotExists));
    let mut all = Vec::new();
    let (mut operations, mut values) = (BTreeSet::new(), BTreeSet::new());
    let mut published = BTreeMap::new();
    for sources in options.files.documented_models()? {
        let sources = sources?;
        let model = read(&sources);
        output::note_incomplete_model(&model);
        operations.extend(names(&model));
        if matches!(request, Request::Value(_)) {
            published.extend(self::published(&model, &options.operation));
        }
        let mut proposals = model::suggest(&model, &settings);
        proposals.retain(|proposal| is_named(&options.operation, &proposal.operation));
        values.extend(
            proposals
                .iter()
                .flat_map(|proposal| proposal.values.clone()),
        );
        proposals.retain(|proposal| request.includes(proposal));
        let found = proposals.len();
        if !options.all && matches!(request, Request::Any) {
            proposals.retain(Proposal::is_likely);
        }
        all.push(Suggestions {
            guesses: found.saturating_sub(proposals.len()),
            proposals,
            waitable: waitable(&model),
        });
    }
    ensure!(!operations.is_empty(), "the model has no operations");
    if let Some(name) = &options.operation {
        check_name("operation", name, operations.iter().map(String::as_str))?;
    }
    if let Request::Value(name) = request {
        check_name("state", name, values.iter().map(|(value, _)| &**value))?;
        let mut proposals = all.iter().flat_map(|suggestions| &suggestions.proposals);
        if proposals.next().is_none() {
            bail!(unavailable(name, &values, &published));
        }
    }
    options.print(&all)?;
    Ok(Outcome::Clean)
}

/// Returns the reason why no waiter is suggested for a value.
fn unavailable(
    name: &str,
    values: &BTreeSet<(String, Class)>,
    published: &BTreeMap<String, String>,
) -> String {
    if let Some(waiter) = published.get(&name.to_lowercase()) {
        return format!("the model has a waiter for `{name}` already: `{waiter}`");
    }
    let values = values.iter();
    let values = values.filter(|(value, _)| value.eq_ignore_ascii_case(name));
    // The class of a value may differ between states.
    let classes: BTreeSet<&str> = values.map(|(_, class)| text::class(*class)).collect();
    let classes = classes.into_iter().collect::<Vec<_>>().join(", ");
    format!(
        "no waiter waits for `{name}`: the vocabulary classifies it as {classes}; change that with `--vocabulary`"
    )
}

/// Returns the values that waiters of the selected operations succeed on, in lowercase, with the waiters.
fn published(model: &Model<'_>, operation: &Option<String>) -> BTreeMap<String, String> {
    let operations = model.of_kind(Kind::Operation);
    let selected = operations.filter(|shape| is_named(operation, shape.id));
    let waitable = selected.filter_map(|shape| shape.find_trait(id::WAITABLE));
    let mut published = BTreeMap::new();
    for waiter in waitable.flat_map(|applied| applied.value.entries()) {
        for acceptor in Acceptor::of_waiter(waiter).flatten() {
            if let (State::Success, Matcher::Output { expected, .. }) =
                (acceptor.state, acceptor.matcher)
            {
                published.insert(expected.to_lowercase(), waiter.key.to_owned());
            }
        }
    }
    published
}

impl Options {
    fn request(&self) -> Request<'_> {
        match self.state.as_deref() {
            None => Request::Any,
            Some("deleted") => Request::Goal(Goal::Gone),
            Some("exists") => Request::Goal(Goal::Exists),
            Some("not-exists") => Request::Goal(Goal::NotExists),
            Some(value) => Request::Value(value),
        }
    }

    fn print(&self, all: &[Suggestions]) -> Result<()> {
        let proposals = || all.iter().flat_map(|suggestions| &suggestions.proposals);
        let guesses: usize = all.iter().map(|suggestions| suggestions.guesses).sum();
        if let Some(folder) = &self.write {
            write(folder, proposals())?;
        } else {
            output::print(&match self.format {
                Format::Json => {
                    let proposals: Vec<&Proposal> = proposals().collect();
                    format!("{}\n", serde_json::to_string_pretty(&proposals)?)
                }
                Format::Smithy => {
                    let waitable = |operation: &str| {
                        let mut models = all.iter();
                        models.any(|suggestions| suggestions.waitable.contains(operation))
                    };
                    smithy::render(&proposals().collect::<Vec<_>>(), waitable)
                }
                Format::Text => text::render(&proposals().collect::<Vec<_>>()),
            })?;
        }
        let found = proposals().count();
        if found == 0 {
            output::note("no waiters to suggest");
        }
        if guesses > 0 {
            let noun = if guesses == 1 { "guess" } else { "guesses" };
            output::note(&format!(
                "{guesses} {noun} left out: use `--all` to include guesses"
            ));
        }
        Ok(())
    }
}

impl Request<'_> {
    fn includes(&self, proposal: &Proposal) -> bool {
        match self {
            Self::Any => true,
            Self::Goal(goal) => proposal.goal == *goal,
            Self::Value(value) => {
                let acceptors = proposal.acceptors.iter();
                let mut success = acceptors.filter(|acceptor| acceptor.state == State::Success);
                success.any(|acceptor| match &acceptor.matcher {
                    Matcher::Output { expected, .. } => expected.eq_ignore_ascii_case(value),
                    _ => false,
                })
            }
        }
    }
}

/// Returns the names of the operations, with and without their namespaces.
fn names(model: &Model<'_>) -> Vec<String> {
    let operations = model.of_kind(Kind::Operation);
    let names = operations.flat_map(|shape| [shape.id, id::name(shape.id)]);
    names.map(str::to_owned).collect()
}

fn waitable(model: &Model<'_>) -> BTreeSet<String> {
    let operations = model.of_kind(Kind::Operation);
    let waitable = operations.filter(|shape| shape.has_trait(id::WAITABLE));
    waitable.map(|shape| shape.id.to_owned()).collect()
}

fn is_named(name: &Option<String>, operation: &str) -> bool {
    name.as_ref().is_none_or(|name| {
        [operation, id::name(operation)]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
    })
}

/// Fails if no name equals the requested one, ignoring case.
fn check_name<'n>(
    what: &str,
    name: &str,
    mut known: impl Iterator<Item = &'n str> + Clone,
) -> Result<()> {
    let hint = did_you_mean(name, known.clone());
    ensure!(
        known.any(|known| known.eq_ignore_ascii_case(name)),
        "the model has no {what} `{name}`{hint}"
    );
    Ok(())
}

/// Writes a definition for each proposal. Writes nothing if a file exists with other content.
fn write<'p>(folder: &Path, proposals: impl Iterator<Item = &'p Proposal>) -> Result<()> {
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for proposal in proposals {
        let path = folder.join(format!("{}.json", proposal.waiter));
        let text = format!(
            "{}\n",
            serde_json::to_string_pretty(&proposal.definition())?
        );
        let is_same = |other: &(PathBuf, String)| other.0 == path && other.1 != text;
        let exists = fs::read_to_string(&path).is_ok_and(|content| content != text);
        ensure!(
            !exists && !files.iter().any(is_same),
            "`{}` exists with another definition: delete it, or choose another folder",
            path.display()
        );
        files.push((path, text));
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot create `{}`", folder.display()))?;
    for (path, text) in files {
        fs::write(&path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
        output::print(&format!("{}\n", path.display()))?;
    }
    Ok(())
}
