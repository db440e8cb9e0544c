//! A waiter as an SVG image of its states.
//!
//! All waiters have the same states, so the layout is fixed: the call at the top, the states below it, and the
//! conditions beside the arrows. Only the sizes are computed.

use svg::Document;
use svg::node::element::{Circle, Definitions, Marker, Path, Rectangle, Text, Title};
use textwrap::{Options, WordSeparator, WrapAlgorithm};

use super::diagram::{Diagram, Transition};

/// The width of a character and the height of a line, in pixels.
const CHARACTER: f64 = 7.3;
const LINE: f64 = 17.0;
const BOX: f64 = 34.0;
const MARGIN: f64 = 24.0;
/// The top of the call's box, in pixels.
const TOP: f64 = 66.0;
/// The maximum length of a line of a condition, in characters.
const WIDEST: usize = 56;

/// A state with its label and colours.
struct State {
    name: &'static str,
    label: String,
    stroke: &'static str,
    fill: &'static str,
}

/// A state with the conditions that lead to it.
struct Column {
    state: State,
    lines: Vec<String>,
    x: f64,
    width: f64,
}

/// Returns the SVG image.
pub(super) fn render(diagram: &Diagram<'_>) -> String {
    let columns = columns(diagram);
    let end = columns.last().map_or(0.0, |last| last.x + last.width);
    let call = format!("call {}", diagram.operation);
    let right = end
        .max(MARGIN + width(&call))
        .max(MARGIN + width(diagram.name));
    let lines = columns.iter().map(|column| column.lines.len()).max();
    let below = TOP + BOX + LINE * (count(lines.unwrap_or_default()) + 2.0);
    let (width, height) = ((right + 2.0 * MARGIN).ceil(), below + BOX + 64.0);
    let picture = Document::new()
        .set("viewBox", (0, 0, width, height))
        .set("width", width)
        .set("height", height)
        .set("font-family", "monospace")
        .set("font-size", 12)
        .add(Title::new(format!(
            "{} of {}",
            diagram.name, diagram.operation
        )))
        .add(arrow_head())
        .add(
            Rectangle::new()
                .set("width", "100%")
                .set("height", "100%")
                .set("fill", "#fff"),
        )
        .add(
            text(MARGIN, 26.0, diagram.name)
                .set("font-size", 15)
                .set("font-weight", "bold"),
        )
        .add(
            Circle::new()
                .set("cx", 2.0 * MARGIN)
                .set("cy", 42)
                .set("r", 5),
        )
        .add(arrow((2.0 * MARGIN, 47.0), &[(2.0 * MARGIN, TOP)]))
        .add(
            frame(MARGIN, TOP, right - MARGIN)
                .set("fill", "#f6f8fa")
                .set("stroke", "#57606a"),
        )
        .add(text(MARGIN + 12.0, TOP + 21.0, &call));
    let picture = columns.iter().fold(picture, |picture, column| {
        column.draw(picture, below, right)
    });
    format!("{picture}\n")
}

fn columns(diagram: &Diagram<'_>) -> Vec<Column> {
    let wait = format!("wait {}", diagram.delays());
    let states = [
        ("success", "success".to_owned(), "#1a7f37", "#dafbe1"),
        ("failure", "failure".to_owned(), "#cf222e", "#ffebe9"),
        ("retry", wait, "#9a6700", "#fff8c5"),
    ];
    let mut x = MARGIN;
    let reachable = states.into_iter();
    let reachable = reachable.filter(|(name, ..)| diagram.leads_to(name));
    let columns = reachable.map(|(name, label, stroke, fill)| {
        let state = State {
            name,
            label,
            stroke,
            fill,
        };
        let column = Column::new(diagram, state, x);
        x += column.width;
        column
    });
    columns.collect()
}

impl Column {
    fn new(diagram: &Diagram<'_>, state: State, x: f64) -> Self {
        let conditions = diagram
            .transitions()
            .filter(|transition| transition.state == state.name);
        let lines: Vec<String> = conditions.flat_map(wrap).collect();
        let widest = lines.iter().map(|line| width(line)).fold(0.0, f64::max);
        let width = (widest + 40.0).max(width(&state.label) + 24.0) + MARGIN;
        Self {
            state,
            lines,
            x,
            width,
        }
    }

    /// Draws the arrow, the conditions beside it, and the state below.
    fn draw(&self, picture: Document, below: f64, right: f64) -> Document {
        let State {
            label,
            stroke,
            fill,
            ..
        } = &self.state;
        let x = self.x + MARGIN;
        let box_width = width(label) + 24.0;
        let mut picture = picture
            .add(arrow((x, TOP + BOX), &[(x, below)]))
            .add(
                frame(self.x, below, box_width)
                    .set("fill", *fill)
                    .set("stroke", *stroke),
            )
            .add(text(self.x + 12.0, below + 21.0, label));
        for (row, line) in self.lines.iter().enumerate() {
            let y = TOP + BOX + LINE * (count(row) + 1.5);
            picture = picture.add(text(x + 10.0, y, line).set("fill", *stroke));
        }
        if self.state.name == "retry" {
            let (out, y) = (right + MARGIN, TOP + BOX / 2.0);
            let way = [(out, below + BOX / 2.0), (out, y), (right, y)];
            return picture.add(arrow((self.x + box_width, below + BOX / 2.0), &way));
        }
        let y = below + BOX + 38.0;
        picture
            .add(arrow((x, below + BOX), &[(x, y - 8.0)]))
            .add(
                Circle::new()
                    .set("cx", x)
                    .set("cy", y)
                    .set("r", 8)
                    .set("fill", "none")
                    .set("stroke", "#000"),
            )
            .add(Circle::new().set("cx", x).set("cy", y).set("r", 4))
    }
}

/// Wraps a condition with its acceptor's number.
fn wrap(transition: Transition<'_>) -> Vec<String> {
    let number = transition
        .number
        .map_or_else(|| "-".to_owned(), |number| number.to_string());
    let text = format!("{number} {}", transition.condition);
    // SVG ignores plain spaces at the start of a line.
    let indent = "\u{a0}".repeat(number.len().saturating_add(1));
    // Paths break only at spaces, and as late as possible.
    let folding = Options::new(WIDEST)
        .word_separator(WordSeparator::AsciiSpace)
        .wrap_algorithm(WrapAlgorithm::FirstFit)
        .subsequent_indent(&indent);
    let lines = textwrap::wrap(&text, folding);
    lines.into_iter().map(Into::into).collect()
}

fn arrow_head() -> Definitions {
    let head = Path::new().set("d", "M0 0 8 4 0 8z");
    let marker = Marker::new()
        .set("id", "head")
        .set("refX", 8)
        .set("refY", 4)
        .set("markerWidth", 8)
        .set("markerHeight", 8)
        .set("orient", "auto")
        .add(head);
    Definitions::new().add(marker)
}

fn arrow(start: (f64, f64), way: &[(f64, f64)]) -> Path {
    let to = way.iter().map(|(x, y)| format!(" L{x:.1} {y:.1}"));
    let line = format!("M{:.1} {:.1}{}", start.0, start.1, to.collect::<String>());
    Path::new()
        .set("d", line)
        .set("fill", "none")
        .set("stroke", "#000")
        .set("marker-end", "url(#head)")
}

fn frame(x: f64, y: f64, width: f64) -> Rectangle {
    Rectangle::new()
        .set("x", x)
        .set("y", y)
        .set("width", width)
        .set("height", BOX)
        .set("rx", 7)
}

fn text(x: f64, y: f64, content: &str) -> Text {
    Text::new(content).set("x", x).set("y", y)
}

fn width(text: &str) -> f64 {
    CHARACTER * count(text.chars().count())
}

#[expect(clippy::cast_precision_loss, reason = "coordinates are small numbers")]
fn count(number: usize) -> f64 {
    number as f64
}
