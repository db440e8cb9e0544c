//! The delay between a change of a resource and its detection.

use std::time::Duration;

use super::plan::Plan;
use super::sample::{Sample, mean, percentile};

/// The lag of waits for a resource that becomes ready at about a given time.
#[derive(Debug)]
pub(super) struct Lag {
    /// The time at which the resource becomes ready, on average.
    pub(super) ready: Duration,
    /// The percentage of waits that detect the change before they end.
    pub(super) noticed: usize,
    /// Statistics of the waits that detect the change; `None` if no wait does.
    pub(super) detected: Option<Detected>,
}

/// Statistics of the waits that detect a change.
#[derive(Debug)]
pub(super) struct Detected {
    pub(super) mean: Duration,
    /// The lag that 95 % of the waits do not exceed.
    pub(super) p95: Duration,
    /// The mean number of calls.
    pub(super) calls: f64,
}

impl Lag {
    /// Returns the lag for a resource that becomes ready after about a tenth, a half and nine tenths of the wait.
    ///
    /// The exact times are spread evenly over a tenth of the wait around each of these: at a single time, the lag of a
    /// fixed delay would be equal in all waits.
    pub(super) fn all(plan: &Plan, sample: &Sample) -> Vec<Self> {
        [0.1, 0.5, 0.9]
            .map(|part| Self::about(plan, sample, part))
            .into()
    }

    fn about(plan: &Plan, sample: &Sample, part: f64) -> Self {
        let (mut lags, mut calls, mut conclusive) = (Vec::new(), Vec::new(), 0_usize);
        for (draw, wait) in (0_u32..).zip(&sample.waits) {
            // The fractional parts of multiples of the golden ratio are spread evenly.
            let spread = (f64::from(draw) * 0.618_033_988_749_894_9).fract() - 0.5;
            let ready = plan.max_wait.mul_f64(part + spread / 10.0);
            let ready = u64::try_from(ready.as_millis()).unwrap_or(u64::MAX);
            let detection = wait.detect(ready);
            if detection.is_some() || wait.end.is_some() {
                conclusive = conclusive.saturating_add(1);
            }
            if let Some(detection) = detection {
                lags.push(Duration::from_millis(detection.lag));
                calls.push(u32::try_from(detection.attempt).map_or(f64::INFINITY, f64::from));
            }
        }
        lags.sort_unstable();
        let noticed = lags.len().saturating_mul(100).checked_div(conclusive);
        let seconds: Vec<f64> = lags.iter().map(Duration::as_secs_f64).collect();
        Self {
            ready: plan.max_wait.mul_f64(part),
            noticed: noticed.unwrap_or_default(),
            detected: (!lags.is_empty()).then(|| Detected {
                mean: Duration::from_secs_f64(mean(&seconds)),
                p95: percentile(&lags, 95),
                calls: mean(&calls),
            }),
        }
    }
}
