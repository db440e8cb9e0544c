//! Draws a sample of waits.

use std::time::Duration;

use anyhow::Result;

use super::bounds::{Bounds, Call};

/// How many calls of a wait are kept with their times.
pub(super) const LISTED: usize = 30;

/// How many calls are drawn, of all waits together.
const DRAWN: u64 = 2_000_000;

/// Waits that are drawn, the same on every run.
#[derive(Debug)]
pub(super) struct Sample {
    /// When the first calls of each wait are made.
    pub(super) waits: Vec<Vec<Duration>>,
    /// How many calls a wait has on average.
    pub(super) calls: f64,
    /// The call at which waits were cut, if any was: the rest of their calls is estimated.
    pub(super) cut: Option<u64>,
}

impl Sample {
    pub(super) fn draw(bounds: &Bounds, draws: u32) -> Result<Self> {
        let most = DRAWN.checked_div(u64::from(draws)).unwrap_or_default();
        let mut sample = Self {
            waits: Vec::new(),
            calls: 0.0,
            cut: None,
        };
        for draw in 0..draws {
            let wait = bounds.wait(&mut Draws::new(u64::from(draw)), most)?;
            sample.cut = sample.cut.or(wait.rest.map(|_| most));
            sample.calls += wait.calls(bounds) / f64::from(draws);
            sample.waits.push(wait.times);
        }
        Ok(sample)
    }

    /// The most calls of which times are kept.
    pub(super) fn attempts(&self) -> usize {
        self.waits.iter().map(Vec::len).max().unwrap_or_default()
    }
}

/// One wait.
struct Wait {
    /// When its first calls are made.
    times: Vec<Duration>,
    /// How many calls were drawn.
    drawn: u64,
    /// The time in which there are more.
    rest: Option<Duration>,
}

impl Wait {
    #[expect(
        clippy::cast_precision_loss,
        reason = "the number of calls is an estimate"
    )]
    fn calls(&self, bounds: &Bounds) -> f64 {
        // By then delays have long been drawn from all that are allowed.
        let mean = f64::midpoint(
            bounds.min_delay.as_secs_f64(),
            bounds.max_delay.as_secs_f64(),
        );
        let rest = self.rest.unwrap_or_default();
        let rest = rest.saturating_sub(bounds.min_delay);
        self.drawn as f64 + rest.as_secs_f64() / mean
    }
}

impl Bounds {
    fn wait(&self, draws: &mut Draws, most: u64) -> Result<Wait> {
        let mut call = Call::FIRST;
        let mut times = vec![call.at];
        let mut rest = None;
        while let Some((next, is_last)) = self.next(call, draws.next())? {
            call = next;
            if times.len() < LISTED {
                times.push(call.at);
            }
            if is_last {
                break;
            }
            if call.attempt >= most {
                rest = Some(self.max_wait.saturating_sub(call.at));
                break;
            }
        }
        let drawn = call.attempt;
        Ok(Wait { times, drawn, rest })
    }
}

/// Draws that are the same on every run: splitmix64.
#[derive(Debug)]
struct Draws {
    state: u64,
}

impl Draws {
    const fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_mul(0xd1b5_4a32_d192_ed03),
        }
    }

    /// A number of `[0, 1)`.
    fn next(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bits = u32::try_from((mixed ^ (mixed >> 31)) >> 32).unwrap_or_default();
        f64::from(bits) / (f64::from(u32::MAX) + 1.0)
    }
}
