//! `smithy-waiters conformance`: derives conformance tests for waiters, and plays them to SDKs.

mod failures;
mod ids;
mod play;
mod show;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use smithy_waiters_conformance::{Origin, Suite, WAITER_TESTS, smithy, suites};
use smithy_waiters_model::read;

use crate::botocore;
use crate::files::Files;
use crate::outcome::Outcome;
use crate::output::{self, count};

/// Derives tests for the waiters of models, which any implementation can run
///
/// Each test is an answer of the service, as a value and as an HTTP response, and the state that the waiter must enter. For each acceptor
/// there is an answer that just matches and some that just miss it. Without a model, the tests are for all AWS services.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Options {
    #[command(subcommand)]
    verb: Option<Verb>,
    /// The folder for the files, one for each service
    #[arg(long, value_name = "FOLDER", required = true)]
    out: Option<PathBuf>,
    /// A model file, or a folder of model files; can be repeated
    #[arg(long, value_name = "FILE", conflicts_with = "botocore")]
    model: Vec<PathBuf>,
    /// An AWS service in botocore, such as `dynamodb`
    #[arg(long, value_name = "SERVICE")]
    botocore: Option<String>,
    /// The only folder to search for AWS services, such as the `data` of a certain version of botocore
    #[arg(long, value_name = "FOLDER", conflicts_with = "model")]
    botocore_path: Option<PathBuf>,
    /// The format of the files
    #[arg(long, value_enum, default_value_t = Format::Json)]
    format: Format,
    /// The source of the definitions and its version, such as `botocore 1.44.5`, to write into the files
    #[arg(long, value_name = "TEXT")]
    source: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The format of the kit
    Json,
    /// Smithy IDL: `httpResponseTests`, and the proposed trait `waiterTests`
    Smithy,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Run(play::RunOptions),
    Serve(play::ServeOptions),
    Show(show::ShowOptions),
}

/// The counts of what was written.
#[derive(Default)]
struct Total {
    suites: usize,
    waiters: usize,
    cases: usize,
    without_bytes: usize,
    not_covered: usize,
}

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let out = match (&options.verb, &options.out) {
        (Some(Verb::Run(options)), _) => return play::run(options),
        (Some(Verb::Serve(options)), _) => return play::serve(options),
        (Some(Verb::Show(options)), _) => return show::run(options),
        (None, Some(out)) => out,
        (None, None) => bail!("`--out` is missing"),
    };
    fs::create_dir_all(out).with_context(|| format!("cannot write `{}`", out.display()))?;
    let mut total = Total::default();
    if options.model.is_empty() {
        let named = match &options.botocore {
            Some(service) => vec![service.clone()],
            None => botocore::services(options.botocore_path.as_deref())?,
        };
        for service in named {
            let files = Files::of(&[], Some(&service), options.botocore_path.as_deref());
            let origin = options.origin(Some(service));
            total.derive(&files, &origin, out, options.format)?;
        }
    } else {
        total.derive(
            &Files::of(&options.model, None, None),
            &options.origin(None),
            out,
            options.format,
        )?;
    }
    if options.format == Format::Smithy {
        write(&out.join("waiter-tests.smithy"), WAITER_TESTS)?;
    }
    if total.waiters == 0 {
        bail!("the models have no waiters: run `smithy-waiters list` to list what they have");
    }
    output::note(&total.summary(out));
    Ok(Outcome::Clean)
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))
}

impl Options {
    fn origin(&self, service: Option<String>) -> Origin {
        let mut origin = Origin::default();
        origin.suite.clone_from(&service);
        origin.botocore = service;
        origin.source.clone_from(&self.source);
        origin
    }
}

impl Total {
    fn derive(&mut self, files: &Files, origin: &Origin, out: &Path, format: Format) -> Result<()> {
        let sources = files.model_with_protocols()?;
        let model = read(&sources);
        output::note_incomplete_model(&model);
        for suite in suites(&model, origin) {
            let (text, end) = match format {
                Format::Json => (suite.to_text()?, "json"),
                Format::Smithy => (smithy(&model, &suite), "smithy"),
            };
            write(&out.join(format!("{}.{end}", suite.suite)), &text)?;
            self.add(&suite);
        }
        Ok(())
    }

    fn add(&mut self, suite: &Suite) {
        let add = |number: &mut usize, more: usize| *number = number.saturating_add(more);
        let without_bytes = suite.cases.iter().filter(|case| case.answer.http.is_none());
        add(&mut self.suites, 1);
        add(&mut self.waiters, suite.waiters.len());
        add(&mut self.cases, suite.cases.len());
        add(&mut self.without_bytes, without_bytes.count());
        add(&mut self.not_covered, suite.not_covered.len());
        for acceptor in &suite.not_covered {
            let (name, waiter) = (&suite.suite, &acceptor.waiter);
            output::note(&format!(
                "{name}: waiter `{waiter}`, acceptor {}: {}",
                acceptor.acceptor, acceptor.reason
            ));
        }
    }

    fn summary(&self, out: &Path) -> String {
        let files = count(self.suites, "file");
        let (waiters, cases) = (count(self.waiters, "waiter"), count(self.cases, "case"));
        let (without_bytes, not_covered) =
            (self.without_bytes, count(self.not_covered, "acceptor"));
        let out = out.display();
        let lint = if self.not_covered == 0 {
            ""
        } else {
            ": run `smithy-waiters lint`, which reports acceptors that never match"
        };
        format!(
            "{files} in `{out}`: {waiters}, {cases} ({without_bytes} without an HTTP response), {not_covered} not covered{lint}"
        )
    }
}
