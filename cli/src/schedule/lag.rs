//! How late waits notice that a resource is ready.

use std::time::Duration;

use super::plan::Plan;
use super::sample::{Sample, mean, percentile};

/// The waits for a resource that becomes ready in a part of the wait.
#[derive(Debug)]
pub(super) struct Lag {
    /// The middle of the part.
    pub(super) ready: Duration,
    /// The percentage of waits that notice it before they end.
    pub(super) noticed: usize,
    /// Those that do; `None` if none does.
    pub(super) detected: Option<Detected>,
}

/// The waits that notice a change.
#[derive(Debug)]
pub(super) struct Detected {
    pub(super) mean: Duration,
    /// The lag that 95 % of the waits do not exceed.
    pub(super) p95: Duration,
    /// The mean number of calls.
    pub(super) calls: f64,
}

impl Lag {
    /// Returns the lag about each of three times: a tenth, a half and nine tenths of the wait.
    ///
    /// The times are spread from a twentieth of the whole wait before to a twentieth after: at a single time the lag of a fixed
    /// delay would be the same in all waits.
    pub(super) fn all(plan: &Plan, sample: &Sample) -> Vec<Self> {
        [0.1, 0.5, 0.9]
            .map(|part| Self::about(plan, sample, part))
            .into()
    }

    fn about(plan: &Plan, sample: &Sample, part: f64) -> Self {
        let (mut lags, mut calls, mut known) = (Vec::new(), Vec::new(), 0_usize);
        for (draw, wait) in (0_u32..).zip(&sample.waits) {
            // Spread evenly, by the golden ratio.
            let spread = (f64::from(draw) * 0.618_033_988_749_894_9).fract() - 0.5;
            let ready = plan.max_wait.mul_f64(part + spread / 10.0);
            let ready = u64::try_from(ready.as_millis()).unwrap_or(u64::MAX);
            let detection = wait.detect(ready);
            if detection.is_some() || wait.end.is_some() {
                known = known.saturating_add(1);
            }
            if let Some(detection) = detection {
                lags.push(Duration::from_millis(detection.lag));
                calls.push(u32::try_from(detection.attempt).map_or(f64::INFINITY, f64::from));
            }
        }
        lags.sort_unstable();
        let noticed = lags.len().saturating_mul(100).checked_div(known);
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
