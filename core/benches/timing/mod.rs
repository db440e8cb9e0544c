//! Contestants that take turns.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a benchmark on data of its own"
)]

use std::time::{Duration, Instant};

/// How often the contestants take turns.
const ROUNDS: usize = 41;
/// How long each one runs in a round.
const ROUND: Duration = Duration::from_millis(4);

/// A name, and what is timed.
pub(crate) type Contestant<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// The median time of each, in nanoseconds.
pub(crate) fn medians(mut contestants: Vec<Contestant<'_>>) -> Vec<(&'static str, f64)> {
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); contestants.len()];
    for _ in 0..ROUNDS {
        for ((_, run), times) in contestants.iter_mut().zip(&mut times) {
            times.push(nanoseconds(run));
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let names = contestants.iter().map(|(name, _)| *name);
    names.zip(times.iter_mut().map(median)).collect()
}

/// The time of one run, over as many as fit into a round.
fn nanoseconds(run: &mut dyn FnMut()) -> f64 {
    let (began, mut runs) = (Instant::now(), 0_u32);
    loop {
        for _ in 0..16 {
            run();
        }
        runs += 16;
        let spent = began.elapsed();
        if spent >= ROUND || (runs == 16 && spent > ROUND / 4) {
            return spent.as_secs_f64() * 1e9 / f64::from(runs);
        }
    }
}
