//! The progress of the three clients: a live line per client on a terminal, otherwise a line per attempt.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::demo::event::{Attempt, End, Event};
use crate::demo::language::Language;
use crate::demo::stage::Stage;
use crate::demo::terminal::screen::{FAINT, GOOD, INDENT, ODD, paint, seconds};

/// The output for the progress.
pub(crate) enum View {
    Live(Vec<Line>),
    Plain,
    Silent,
}

/// A client's live line.
pub(crate) struct Line {
    language: Language,
    bar: ProgressBar,
    activity: Activity,
    max_wait: Duration,
    deadline: Instant,
}

/// The activity of a client.
enum Activity {
    Calling { attempt: u64 },
    Pausing { after: Attempt, until: Instant },
    Starting,
}

impl View {
    /// Creates a view for waits with a max wait.
    pub(crate) fn open(stage: &Stage<'_>, max_wait: Duration) -> Self {
        if stage.is_live {
            let line = |language| Line::new(stage, language, max_wait);
            return Self::Live(Language::ALL.map(line).into());
        }
        Self::Plain
    }

    /// Starts the clients' timers.
    pub(crate) fn begin(&mut self) {
        self.each(Line::begin);
    }

    /// Prints a note about the service.
    pub(crate) fn note(&self, elapsed: Duration, text: &str) {
        let elapsed = elapsed.as_secs_f64();
        let text = paint(
            FAINT,
            &format!("{INDENT}{:<12}{text} after {elapsed:.1} s", "service"),
        );
        match self {
            Self::Live(lines) => lines
                .iter()
                .take(1)
                .for_each(|line| line.bar.println(&text)),
            Self::Plain => anstream::println!("{text}"),
            Self::Silent => {}
        }
    }

    /// Shows a client's event.
    pub(crate) fn show(&mut self, language: Language, event: &Event) {
        match self {
            Self::Live(lines) => {
                let line = lines.iter_mut().find(|line| line.language == language);
                line.into_iter().for_each(|line| line.show(event));
            }
            Self::Plain => plain(language, event),
            Self::Silent => {}
        }
    }

    /// Redraws the live lines.
    pub(crate) fn tick(&mut self) {
        self.each(|line| line.draw());
    }

    fn each(&mut self, act: impl FnMut(&mut Line)) {
        if let Self::Live(lines) = self {
            lines.iter_mut().for_each(act);
        }
    }
}

impl Line {
    fn new(stage: &Stage<'_>, language: Language, max_wait: Duration) -> Self {
        let bar = stage.spinner(&format!("{language:<12}"));
        bar.set_message(paint(FAINT, "starting"));
        Self {
            language,
            bar,
            activity: Activity::Starting,
            max_wait,
            deadline: Instant::now(),
        }
    }

    fn begin(&mut self) {
        self.deadline = later(self.max_wait);
    }

    fn show(&mut self, event: &Event) {
        match event {
            Event::Call { attempt } => self.activity = Activity::Calling { attempt: *attempt },
            Event::Attempt(attempt) => {
                self.activity = Activity::Pausing {
                    after: attempt.clone(),
                    until: later(Duration::from_millis(attempt.delay.unwrap_or_default())),
                };
            }
            Event::End(end) => return self.finish(end),
            _ => {}
        }
        self.draw();
    }

    fn draw(&self) {
        if self.bar.is_finished() {
            return;
        }
        let (attempt, seen, next) = match &self.activity {
            Activity::Calling { attempt } => (*attempt, "…", String::new()),
            Activity::Pausing { after, until } => (
                after.attempt,
                observation(after),
                format!("next in {}", time_left(*until)),
            ),
            Activity::Starting => return,
        };
        let remaining = paint(FAINT, &format!("{} left", time_left(self.deadline)));
        self.bar.set_message(format!(
            "attempt {attempt:<2} {seen:<25} {next:<13} {remaining}"
        ));
    }

    fn finish(&self, end: &End) {
        self.bar.set_style(final_style());
        let seen = match &self.activity {
            Activity::Pausing { after, .. } => observation(after),
            _ => "",
        };
        self.bar.finish_with_message(end_line(end, seen));
    }
}

impl Stage<'_> {
    /// Adds a spinner to the live lines.
    pub(crate) fn spinner(&self, prefix: &str) -> ProgressBar {
        let bar = self.lines().add(ProgressBar::new_spinner());
        bar.set_style(spinner_style());
        bar.set_prefix(prefix.to_owned());
        bar.enable_steady_tick(Duration::from_millis(100));
        bar
    }
}

fn plain(language: Language, event: &Event) {
    if let Event::Attempt(attempt) = event {
        anstream::println!("{INDENT}{language:<12}{}", attempt_line(attempt));
    }
}

/// Describes an attempt on one line.
fn attempt_line(attempt: &Attempt) -> String {
    let started = seconds(attempt.started);
    let next = attempt
        .delay
        .map_or_else(String::new, |delay| format!("next in {}", seconds(delay)));
    let line = format!(
        "attempt {:<2} at {started:>8}  {:<25}  {next}",
        attempt.attempt,
        observation(attempt)
    );
    line.trim_end().to_owned()
}

fn observation(attempt: &Attempt) -> &str {
    attempt.seen.as_deref().unwrap_or("no response")
}

/// Describes the end of a wait on one line. The table below contains the numbers.
fn end_line(end: &End, seen: &str) -> String {
    let (mark, style) = match &*end.code {
        "success" => ("✔", GOOD),
        _ => ("■", ODD),
    };
    let mark = paint(style, mark);
    format!(
        "{mark} attempt {:<2} {seen:<25} {}",
        end.attempts,
        paint(style, &end.code)
    )
}

fn time_left(until: Instant) -> String {
    let rest = until.saturating_duration_since(Instant::now());
    format!("{:.1} s", rest.as_secs_f64())
}

fn later(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now)
}

fn spinner_style() -> ProgressStyle {
    style("  {prefix}{spinner:.cyan} {msg}")
}

/// Returns the style of a spinner with the elapsed time.
pub(crate) fn timer_style() -> ProgressStyle {
    style("  {prefix}{spinner:.cyan} {msg} {elapsed:.dim}")
}

/// Returns the style of the final line, in which a symbol replaces the spinner.
pub(crate) fn final_style() -> ProgressStyle {
    style("  {prefix}{msg}")
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_spinner())
}
