//! The picture: the lag as a part of the time waited, and the calls, over the time when the resource becomes ready.

use std::fmt::Write as _;

use crate::paces::{Case, Observation, READY, Run};
use crate::statistics::{mean, percentile};

const WIDTH: f64 = 340.0;
const HEIGHT: f64 = 260.0;
/// Where the axes of the first panel begin.
const LEFT: f64 = 48.0;
const TOP: f64 = 36.0;
/// From the left of one panel to that of the next.
const STEP: f64 = WIDTH + 72.0;
/// The colour of each line, the words below it, and where they begin.
const LEGEND: [(&str, &str, f64); 5] = [
    ("#c0392b", "specification", LEFT),
    ("#2471a3", "every min delay", 160.0),
    ("#1e8449", "proportional to a tenth", 280.0),
    ("#b7950b", "short form", 440.0),
    ("#808b96", "boto3, until half of its waits give up", 530.0),
];
/// The number of points of a line.
const POINTS: u8 = 18;
/// The times on the axis, in seconds.
const TIMES: [(f64, &str); 6] = [
    (30.0, "30 s"),
    (120.0, "2 min"),
    (300.0, "5 min"),
    (900.0, "15 min"),
    (2_700.0, "45 min"),
    (7_200.0, "2 h"),
];

/// One of the two panels.
struct Panel {
    title: &'static str,
    left: f64,
    /// The values on the axis, and the words for them; the last one is the greatest that is shown.
    values: &'static [(f64, &'static str)],
    is_logarithmic: bool,
    value: fn(&[Observation]) -> f64,
}

static PANELS: [Panel; 2] = [
    Panel {
        title: "Lag, 95th percentile, as a part of the time waited",
        left: LEFT,
        values: &[
            (0.0, "0 %"),
            (0.1, "10 %"),
            (0.25, "25 %"),
            (0.5, "50 %"),
            (0.75, "75 %"),
            (1.0, "100 %"),
        ],
        is_logarithmic: false,
        value: |all| {
            percentile(
                all.iter().map(|one| (one.lag / one.ready, one.weight)),
                0.95,
            )
        },
    },
    Panel {
        title: "Calls, on average",
        left: LEFT + STEP,
        values: &[
            (3.0, "3"),
            (10.0, "10"),
            (30.0, "30"),
            (100.0, "100"),
            (300.0, "300"),
            (1_000.0, "1000"),
            (3_000.0, "3000"),
        ],
        is_logarithmic: true,
        value: |all| mean(all.iter().map(|one| (one.calls, one.weight))),
    },
];

/// Returns an SVG.
pub(crate) fn draw(cases: &[Case], runs: &[Run]) -> String {
    let (right, bottom) = (LEFT + STEP + WIDTH, TOP + HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        right + 24.0,
        bottom + 62.0,
    );
    for panel in &PANELS {
        panel.axes(&mut svg);
        for (run, (colour, ..)) in runs.iter().zip(LEGEND) {
            panel.line(&mut svg, cases, run, colour);
        }
    }
    for (colour, words, left) in LEGEND {
        // INVARIANT: writing to a text never fails.
        let _ = writeln!(
            svg,
            "<text x=\"{left}\" y=\"{}\" fill=\"{colour}\">{words}</text>",
            bottom + 50.0,
        );
    }
    svg.push_str("</svg>\n");
    svg
}

impl Panel {
    fn axes(&self, svg: &mut String) {
        let (left, right, bottom) = (self.left, self.left + WIDTH, TOP + HEIGHT);
        let _ = writeln!(svg, "<text x=\"{left}\" y=\"20\">{}</text>", self.title);
        for (value, words) in self.values {
            let y = self.y(*value);
            let _ = writeln!(
                svg,
                "<line x1=\"{left}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#d5d8dc\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{words}</text>",
                left - 6.0,
                y + 4.0
            );
        }
        for (time, words) in TIMES {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{words}</text>",
                self.x(time),
                bottom + 18.0
            );
        }
    }

    /// A point for each span of time in which more than half of the waits notice the change.
    fn line(&self, svg: &mut String, cases: &[Case], run: &Run, colour: &str) {
        let mut points = Vec::new();
        for point in 0..POINTS {
            let [from, until] = [point, point.saturating_add(1)].map(edge);
            let all = cases
                .iter()
                .filter(|case| (from..until).contains(&case.ready));
            let all = all.map(|case| case.weight).sum::<f64>();
            let noticed = run.observations(cases, from, until);
            let weight = noticed.iter().map(|one| one.weight).sum::<f64>();
            if weight > all / 2.0 {
                let (x, y) = (
                    self.x((from * until).sqrt()),
                    self.y((self.value)(&noticed)),
                );
                points.push(format!("{x:.1},{y:.1}"));
            }
        }
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" points=\"{}\"/>",
            points.join(" ")
        );
    }

    fn x(&self, time: f64) -> f64 {
        let [least, most] = READY;
        self.left + WIDTH * (time / least).ln() / (most / least).ln()
    }

    fn y(&self, value: f64) -> f64 {
        let ends = (self.values.first(), self.values.last());
        let (Some((least, _)), Some((most, _))) = ends else {
            return TOP;
        };
        let value = value.clamp(*least, *most);
        let part = if self.is_logarithmic {
            (value / least).ln() / (most / least).ln()
        } else {
            (value - least) / (most - least)
        };
        TOP + HEIGHT * (1.0 - part)
    }
}

/// The time at an edge of the spans of a line, in seconds.
fn edge(number: u8) -> f64 {
    let [least, most] = READY;
    least * (most / least).powf(f64::from(number) / f64::from(POINTS))
}
