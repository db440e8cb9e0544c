//! `smithy-waiters wait`: waits with a command, a URL or a port.

mod aws;
mod call;
mod change;
mod command;
mod display;
mod end;
mod errors;
mod fleet;
mod goal;
mod http;
mod interrupt;
mod named;
mod options;
mod plan;
mod port;
mod run;
mod time;
mod usage;
mod waiter;

use anyhow::Result;

use crate::outcome::Outcome;
use display::{Display, Event};
use interrupt::Interrupt;
pub(crate) use options::Options;
pub(crate) use usage::mistake;

/// Runs the verb.
pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let display = Display::new(options.format, options.quiet);
    let code = match options.plan() {
        Ok(plan) => run::run(&plan, &display, &Interrupt::install()?),
        Err(error) => {
            display.show(&Event::Error(&error));
            2
        }
    };
    Ok(Outcome::Code(code))
}
