//! The picture: the service's load over time, with a line for each retry strategy.

use std::fmt::Write as _;

use crate::simulation::{Run, Storm};

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
/// The origin of the axes.
const LEFT: f64 = 48.0;
const TOP: f64 = 36.0;
/// The maximum load in the picture.
const MAX_LOAD: f64 = 7.0;
const COLOURS: [&str; 3] = ["#c0392b", "#d68910", "#1e8449"];

/// Returns the picture as SVG.
pub(crate) fn draw(storm: &Storm, runs: &[Run]) -> String {
    let (right, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\">Attempts the service gets, as a multiple of its requests: {} clients</text>\n",
        right + 24.0,
        bottom + 44.0,
        storm.clients
    );
    let (from, until) = (x(storm, storm.fails_from), x(storm, storm.fails_until));
    // Writing to a string never fails.
    let _ = writeln!(
        svg,
        "<rect x=\"{from:.1}\" y=\"{TOP}\" width=\"{:.1}\" height=\"{HEIGHT}\" fill=\"#f2f3f4\"/>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#707b7c\">the service fails</text>",
        until - from,
        from + 6.0,
        TOP + 16.0
    );
    for load in 0..7_u8 {
        let y = y(f64::from(load));
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#d5d8dc\"/>\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{load}×</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    for second in (0..=storm.lasts).step_by(60) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{second} s</text>",
            x(storm, second),
            bottom + 18.0
        );
    }
    for (place, (run, colour)) in runs.iter().zip(COLOURS).enumerate() {
        svg.push_str(&line(storm, run, colour, place as f64));
    }
    svg.push_str("</svg>\n");
    svg
}

fn line(storm: &Storm, run: &Run, colour: &str, place: f64) -> String {
    let points: Vec<String> = (0..storm.lasts)
        .map(|second| format!("{:.1},{:.1}", x(storm, second), y(run.load(storm, second))))
        .collect();
    format!(
        "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>\n\
         <text x=\"{}\" y=\"{}\" fill=\"{colour}\">{}</text>\n",
        points.join(" "),
        LEFT + place * 240.0,
        TOP + HEIGHT + 38.0,
        run.name
    )
}

fn x(storm: &Storm, second: u64) -> f64 {
    LEFT + WIDTH * second as f64 / storm.lasts as f64
}

fn y(load: f64) -> f64 {
    TOP + HEIGHT * (1.0 - load.min(MAX_LOAD) / MAX_LOAD)
}
