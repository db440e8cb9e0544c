//! The jobs from the parent.

use std::time::Duration;

use anyhow::Result;
use serde::Deserialize;
use serde_json::Value;
use smithy_waiters::{WaitOptions, Waiter};

/// A job that waits for a table.
#[derive(Debug, Deserialize)]
pub(crate) struct WaitJob {
    #[serde(flatten)]
    waiter: WaiterJob,
    pub(crate) endpoint: String,
    pub(crate) table: String,
}

/// A job that replays a recorded wait.
#[derive(Debug, Deserialize)]
pub(crate) struct ReplayJob {
    #[serde(flatten)]
    waiter: WaiterJob,
    pub(crate) script: Vec<Answer>,
}

/// A recorded response or error, with its duration in milliseconds.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Answer {
    pub(crate) took: u64,
    pub(crate) response: Option<Value>,
    pub(crate) error: Option<RecordedError>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RecordedError {
    pub(crate) code: String,
    pub(crate) message: String,
}

#[derive(Debug, Deserialize)]
struct WaiterJob {
    waiter: String,
    definition: Value,
    options: Options,
}

/// The options of a wait. Times are in seconds.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Options {
    max_wait: f64,
    min_delay: Option<f64>,
    max_delay: Option<f64>,
    seed: Option<u64>,
}

impl WaitJob {
    pub(crate) fn waiter(&self) -> Result<Waiter> {
        self.waiter.waiter()
    }

    pub(crate) fn options(&self) -> WaitOptions {
        self.waiter.options.to_wait_options()
    }
}

impl ReplayJob {
    pub(crate) fn waiter(&self) -> Result<Waiter> {
        self.waiter.waiter()
    }

    pub(crate) fn options(&self) -> WaitOptions {
        self.waiter.options.to_wait_options()
    }
}

impl WaiterJob {
    fn waiter(&self) -> Result<Waiter> {
        Ok(Waiter::from_value(&self.definition, Some(&self.waiter))?)
    }
}

impl Options {
    fn to_wait_options(&self) -> WaitOptions {
        let mut options = WaitOptions::new(Duration::from_secs_f64(self.max_wait));
        if let Some(min_delay) = self.min_delay {
            options = options.min_delay(Duration::from_secs_f64(min_delay));
        }
        if let Some(max_delay) = self.max_delay {
            options = options.max_delay(Duration::from_secs_f64(max_delay));
        }
        if let Some(seed) = self.seed {
            options = options.seed(seed);
        }
        options
    }
}
