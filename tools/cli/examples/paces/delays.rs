//! The picture of the calls of a wait for five minutes, at each pace.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::Result;
use smithy_waiters::{FinalPoll, Pace, WaitOptions};

use crate::simulation::Simulation;

const MAX_WAIT: Duration = Duration::from_secs(300);
const SEED: u64 = 7;
/// Where the axis begins, and its length.
const LEFT: f64 = 190.0;
const WIDTH: f64 = 600.0;
/// From the line of a pace to that of the next.
const STEP: f64 = 34.0;

/// The colour, the words and the options of each line.
fn lines() -> [(&'static str, &'static str, WaitOptions); 4] {
    let options = || WaitOptions::new(MAX_WAIT);
    let late = |pace| options().pace(pace).final_poll(FinalPoll::Late);
    let short = late(Pace::Doubling);
    [
        (
            "#b7950b",
            "doubling (short form)",
            short
                .min_delay(Duration::from_secs(2))
                .max_delay(Duration::from_secs(15)),
        ),
        ("#c0392b", "specification", options()),
        (
            "#2471a3",
            "every 15 s",
            late(Pace::Every(Duration::from_secs(15))),
        ),
        (
            "#1e8449",
            "proportional to a tenth",
            late(Pace::Proportional(0.1)),
        ),
    ]
}

/// Returns an SVG with a dot for each call.
pub(crate) fn draw() -> Result<String> {
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 830 200\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
    );
    for minute in 0_u8..=5 {
        let x = place(f64::from(minute) * 60.0);
        let (colour, words) = if minute == 5 {
            ("#1b2631", "deadline".to_owned())
        } else {
            ("#d5d8dc", format!("{minute} min"))
        };
        writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"20\" x2=\"{x:.1}\" y2=\"160\" stroke=\"{colour}\"/>\
             <text x=\"{x:.1}\" y=\"182\" text-anchor=\"middle\">{words}</text>"
        )?;
    }
    let mut y = 38.0;
    for (colour, words, options) in lines() {
        writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{colour}\">{words}</text>",
            LEFT - 14.0,
            y + 4.0
        )?;
        for call in Simulation::new(options)?.wait(SEED, usize::MAX)?.calls {
            let x = place(Duration::from_millis(call).as_secs_f64());
            writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>"
            )?;
        }
        y += STEP;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn place(seconds: f64) -> f64 {
    LEFT + WIDTH * seconds / MAX_WAIT.as_secs_f64()
}
