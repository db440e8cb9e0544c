//! The command `smithy-waiters`: checks and shows the waiters of Smithy models, and generates code for them.

mod botocore;
mod conformance;
mod explain;
mod files;
mod generate;
mod lint;
mod list;
mod outcome;
mod output;
mod presets;
mod schedule;
mod show;
mod similar;
mod suggest;
mod vocabulary;
#[cfg(unix)]
mod wait;
mod waiters;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use outcome::Outcome;

/// Checks and shows the waiters of Smithy models, and generates code for them.
///
/// Models are Smithy IDL (`.smithy`) or JSON AST files, version 1.0 or 2.0, or botocore's definitions of AWS services.
#[derive(Debug, Parser)]
#[command(name = "smithy-waiters", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Prints the completions of a shell, such as `bash`, to standard output.
    Completions {
        shell: clap_complete::Shell,
    },
    Conformance(conformance::Options),
    Explain(explain::Options),
    Generate(generate::Options),
    Lint(lint::Options),
    List(list::Options),
    Presets(presets::Options),
    Schedule(schedule::Options),
    Show(show::Options),
    Suggest(suggest::Options),
    #[cfg(unix)]
    Wait(Box<wait::Options>),
}

fn main() -> ExitCode {
    let verb = Cli::try_parse().unwrap_or_else(|error| usage(&error)).verb;
    let outcome = match verb {
        Verb::Completions { shell } => completions(shell),
        Verb::Conformance(options) => conformance::run(&options),
        Verb::Explain(options) => explain::run(&options),
        Verb::Generate(options) => generate::run(&options),
        Verb::Lint(options) => lint::run(&options),
        Verb::List(options) => list::run(&options),
        Verb::Presets(options) => presets::run(&options),
        Verb::Schedule(options) => schedule::run(&options),
        Verb::Show(options) => show::run(&options),
        Verb::Suggest(options) => suggest::run(&options),
        #[cfg(unix)]
        Verb::Wait(options) => wait::run(&options),
    };
    match outcome {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        #[cfg(unix)]
        Ok(Outcome::Code(code)) => ExitCode::from(code),
        Err(error) => {
            output::failure(&error);
            ExitCode::from(2)
        }
    }
}

/// Prints the completions of a shell.
fn completions(shell: clap_complete::Shell) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "smithy-waiters", &mut script);
    output::print(&String::from_utf8(script)?)?;
    Ok(Outcome::Clean)
}

/// Prints an error of the usage, and ends the process.
fn usage(error: &clap::Error) -> ! {
    #[cfg(unix)]
    if let Some(mistake) = mistake_of_wait(error) {
        output::failure(&mistake);
        std::process::exit(2);
    }
    if error.use_stderr() {
        output::note(output::shorten(&error.render().ansi().to_string()).trim_end());
        std::process::exit(2);
    }
    error.exit()
}

/// Returns the mistake behind an error of `wait`, whose command has options of its own.
#[cfg(unix)]
fn mistake_of_wait(error: &clap::Error) -> Option<anyhow::Error> {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let mut words = words.skip(1);
    words.next().filter(|verb| verb == "wait")?;
    let mut cli = Cli::command();
    cli.build();
    wait::mistake(error, cli.find_subcommand("wait")?, words)
}
