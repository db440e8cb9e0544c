//! Waits that the engine runs in virtual time. They never sleep, and calls take no time.

use anyhow::Result;
use smithy_waiters::{Event, Step, WaitOptions, Waiter};

/// A minimal definition: the simulation decides the result of each call.
const DEFINITION: &str = r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#;

/// A source of simulated waits.
#[derive(Debug)]
pub(crate) struct Simulation {
    waiter: Waiter,
    options: WaitOptions,
}

/// A wait for a resource that is never ready.
#[derive(Debug)]
pub(crate) struct SimulatedWait {
    /// The times of the calls, in milliseconds since the start.
    pub(crate) calls: Vec<u64>,
    /// The time of the end; `None` if the wait is truncated.
    pub(crate) end: Option<u64>,
}

/// The first call that detects that a resource is ready.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Detection {
    /// The number of the call.
    pub(crate) attempt: usize,
    /// The milliseconds since the resource became ready.
    pub(crate) lag: u64,
}

impl Simulation {
    pub(crate) fn new(options: WaitOptions) -> Result<Self> {
        let waiter = Waiter::from_json(DEFINITION)?;
        // The history is not used, and recording it takes time.
        let options = options.history_limit(0);
        Ok(Self { waiter, options })
    }

    /// Runs a wait until its end or for `most` calls. `seed` determines the delays.
    pub(crate) fn wait(&self, seed: u64, most: usize) -> Result<SimulatedWait> {
        let mut wait = self.waiter.start(&self.options, seed)?;
        let mut calls = Vec::new();
        let mut step = wait.poll(0);
        loop {
            step = match step {
                Step::Call { .. } => {
                    calls.push(wait.now_ms());
                    if calls.len() >= most {
                        return Ok(SimulatedWait { calls, end: None });
                    }
                    let not_ready: Event<'_> = Event::Verdict {
                        acceptor: None,
                        message: None,
                        error: None,
                        transient: None,
                    };
                    let now = wait.now_ms();
                    wait.handle(not_ready, now)?
                }
                Step::Sleep { until_ms, .. } => wait.poll(until_ms),
                Step::Done(report) => {
                    let end = Some(report.elapsed_ms);
                    return Ok(SimulatedWait { calls, end });
                }
            };
        }
    }
}

impl SimulatedWait {
    /// Returns the first call at or after `ready`. The times of the calls do not depend on their results.
    pub(crate) fn detect(&self, ready: u64) -> Option<Detection> {
        let index = self.calls.partition_point(|call| *call < ready);
        let call = self.calls.get(index)?;
        Some(Detection {
            attempt: index.saturating_add(1),
            lag: call.saturating_sub(ready),
        })
    }
}
