//! Waits in virtual time, made by the engine: nothing sleeps, and calls take no time.

use anyhow::Result;
use smithy_waiters::{Event, Step, WaitOptions, Waiter};

/// A waiter whose calls are evaluated by the simulation.
const DEFINITION: &str = r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#;

/// Waits with the same options.
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
    /// The time of the end; `None` if the simulation stopped before.
    pub(crate) end: Option<u64>,
}

/// The first call that finds a resource ready.
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
        // Nobody reads the history.
        let options = options.history_limit(0);
        Ok(Self { waiter, options })
    }

    /// Makes a wait of at most so many calls.
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
    /// Returns the call that notices a resource which becomes ready at a time: delays do not depend on what calls return.
    pub(crate) fn detect(&self, ready: u64) -> Option<Detection> {
        let index = self.calls.partition_point(|call| *call < ready);
        let call = self.calls.get(index)?;
        Some(Detection {
            attempt: index.saturating_add(1),
            lag: call.saturating_sub(ready),
        })
    }
}
