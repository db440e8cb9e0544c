//! Plays conformance tests to the unchanged client of an SDK and to its own waiter, over HTTP, and judges what they do.
//!
//! A runner is a program that belongs to the SDK's team. It reads a [task](Task) per line and writes its end:
//! `conformance/RUNNERS.md` describes the lines.
//!
//! Each module imports only from lines above it:
//!
//! ```text
//! pattern    patterns of ids
//! case       the files of the kit
//! play       a case that is played: its script, and the requests that it received
//! server     HTTP
//! judge      what an SDK did, against what it must do
//! runner     the runner's process
//! run        all cases with one runner
//! results    the file of results, expected failures
//! ```

mod case;
mod judge;
mod pattern;
mod play;
mod results;
mod run;
mod runner;
mod server;

pub use case::{Grounds, Kit, Task, WaitOptions};
pub use judge::Outcome;
pub use results::{CaseOfRecord, Expected, Record, Results, Surprises};
pub use run::{RunOptions, run};
pub use runner::{Announcement, End};
pub use server::{Server, serve};
