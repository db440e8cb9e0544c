//! Interleaved measurements of several functions.
#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "a benchmark with its own data"
)]

use std::time::{Duration, Instant};

/// The number of turns of each contestant.
const TURNS: usize = 41;
/// The duration of a turn, unless a single run takes longer.
const TURN: Duration = Duration::from_millis(4);

/// A name and the function to measure.
pub(crate) type Contestant<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// A name and a function that measures the given number of runs.
pub(crate) type Stopwatch<'a> = (&'static str, Box<dyn FnMut(u32) -> Duration + 'a>);

/// Returns the median time of one run of each contestant, in nanoseconds.
pub(crate) fn medians(contestants: Vec<Contestant<'_>>) -> Vec<(&'static str, f64)> {
    medians_of(contestants.into_iter().map(timed).collect())
}

fn timed((name, mut run): Contestant<'_>) -> Stopwatch<'_> {
    let stopwatch = move |runs| {
        let began = Instant::now();
        (0..runs).for_each(|_| run());
        began.elapsed()
    };
    (name, Box::new(stopwatch))
}

/// Returns the median time of one run of each stopwatch, in nanoseconds.
pub(crate) fn medians_of(mut contestants: Vec<Stopwatch<'_>>) -> Vec<(&'static str, f64)> {
    let runs: Vec<u32> = contestants.iter_mut().map(|(_, run)| fit(run)).collect();
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); contestants.len()];
    for _ in 0..TURNS {
        for (index, (_, run)) in contestants.iter_mut().enumerate() {
            times[index].push(run(runs[index]).as_secs_f64() * 1e9 / f64::from(runs[index]));
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let names = contestants.iter().map(|(name, _)| *name);
    names.zip(times.iter_mut().map(median)).collect()
}

/// Returns the number of runs that fill a turn. The measurement also warms up the caches.
fn fit(run: &mut dyn FnMut(u32) -> Duration) -> u32 {
    let mut runs = 1;
    while run(runs) < TURN / 2 {
        runs *= 2;
    }
    runs
}
