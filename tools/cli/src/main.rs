//! The command `smithy-waiters`: checks and shows the waiters of Smithy models, and generates code for them.

mod botocore;
mod explain;
mod files;
mod generate;
mod lint;
mod list;
mod outcome;
mod output;
mod schedule;
mod show;
mod similar;
mod suggest;
mod vocabulary;
mod waiters;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use outcome::Outcome;

/// Checks and shows the waiters of Smithy models, and generates code for them.
///
/// Models are Smithy IDL (`.smithy`) or JSON AST files, version 1.0 or 2.0, or botocore's definitions of AWS services.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Explain(explain::Options),
    Generate(generate::Options),
    Lint(lint::Options),
    List(list::Options),
    Schedule(schedule::Options),
    Show(show::Options),
    Suggest(suggest::Options),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            output::note(output::shorten(&error.render().ansi().to_string()).trim_end());
            return ExitCode::from(2);
        }
        Err(error) => error.exit(),
    };
    let outcome = match cli.verb {
        Verb::Explain(options) => explain::run(&options),
        Verb::Generate(options) => generate::run(&options),
        Verb::Lint(options) => lint::run(&options),
        Verb::List(options) => list::run(&options),
        Verb::Schedule(options) => schedule::run(&options),
        Verb::Show(options) => show::run(&options),
        Verb::Suggest(options) => suggest::run(&options),
    };
    match outcome {
        Ok(Outcome::Clean) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::from(1),
        Err(error) => {
            output::failure(&error);
            ExitCode::from(2)
        }
    }
}
