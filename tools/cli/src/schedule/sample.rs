//! A random sample of waits.

use std::time::Duration;

use anyhow::Result;

use super::plan::Plan;
use super::simulation::{SimulatedWait, Simulation};

/// The maximum number of simulated calls in a sample, which limits the running time.
const MAX_CALLS: u32 = 2_000_000;

/// A sample of waits, which is equal in every run.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) waits: Vec<SimulatedWait>,
    /// The number of calls of each wait; an estimate if the wait is truncated.
    pub(super) calls: Vec<f64>,
    /// The call at which waits are truncated, if any is.
    pub(super) truncated_at: Option<u32>,
}

impl Sample {
    pub(super) fn draw(plan: &Plan, draws: u32) -> Result<Self> {
        let most = MAX_CALLS.checked_div(draws).unwrap_or_default();
        let simulation = Simulation::new(plan.options())?;
        let waits = (0..draws).map(|seed| {
            let most = usize::try_from(most).unwrap_or(usize::MAX);
            simulation.wait(u64::from(seed), most)
        });
        let waits = waits.collect::<Result<Vec<_>>>()?;
        Ok(Self {
            calls: waits.iter().map(|wait| wait.count(plan)).collect(),
            truncated_at: waits.iter().any(|wait| wait.end.is_none()).then_some(most),
            waits,
        })
    }

    /// Returns the mean number of calls.
    pub(super) fn mean_calls(&self) -> f64 {
        mean(&self.calls)
    }
}

impl SimulatedWait {
    #[expect(
        clippy::cast_precision_loss,
        reason = "the number of calls is an estimate"
    )]
    fn count(&self, plan: &Plan) -> f64 {
        let count = self.calls.len();
        let (Some(last), None) = (self.calls.last(), self.end) else {
            return count as f64;
        };
        // In the second half of the calls the delays no longer grow.
        let middle = count.checked_div(2).unwrap_or_default();
        let since = self.calls.get(middle).copied().unwrap_or_default();
        let delays = count.saturating_sub(middle).saturating_sub(1);
        let delay = last.saturating_sub(since) as f64 / delays as f64;
        let rest = plan.max_wait.saturating_sub(plan.min_delay);
        let rest = rest.saturating_sub(Duration::from_millis(*last));
        count as f64 + rest.as_secs_f64() * 1_000.0 / delay
    }
}

/// Returns the mean of values, or 0 for an empty slice.
#[expect(clippy::cast_precision_loss, reason = "a sample has fewer values")]
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Returns the time that `percent` of the sorted times do not exceed.
pub(super) fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let last = sorted.len().saturating_sub(1);
    let place = last.saturating_mul(percent).checked_div(100);
    let time = sorted.get(place.unwrap_or_default());
    time.copied().unwrap_or_default()
}
