//! What people and programs see of the waits, on standard error.

mod event;
mod lines;
mod live;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{IsTerminal as _, stderr};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use smithy_waiters::{PathValue, Progress};

pub(super) use event::{Event, Totals};

use super::plan::short;

/// The longest silence: systems that run jobs kill a silent one.
const SILENCE: Duration = Duration::from_secs(30);

/// The time between two changes of a live line.
const TICK: Duration = Duration::from_millis(200);

/// The most states of many waits in a line.
const MOST_STATES: usize = 5;

/// The value of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    /// Lines for people, or one line that changes on a terminal
    Text,
    /// One JSON event a line
    Json,
    /// Annotations and groups of GitHub Actions
    Github,
}

/// A format of events.
trait View: Send {
    /// Shows an event and returns `true`, or `false` if this format doesn't show it.
    fn show(&mut self, event: &Event<'_>) -> bool;

    /// Shows that time passes.
    fn tick(&mut self) {}
}

/// Shows events.
pub(super) struct Display {
    quiet: bool,
    /// A live line changes without an event.
    pause: Duration,
    state: Mutex<State>,
    finished: Condvar,
}

struct State {
    view: Box<dyn View>,
    started: Instant,
    shown: Instant,
    is_finished: bool,
    /// The latest message about a wait, for the heartbeat.
    latest: String,
    /// The reasons of the latest attempt, by the label of the wait.
    reasons: BTreeMap<String, String>,
    /// The waits that share their calls, if they do.
    crowd: Option<Crowd>,
}

/// Waits that share their calls, which are shown together.
#[derive(Default)]
struct Crowd {
    /// What the latest answers showed of the waits that have not ended, by their labels.
    seen: BTreeMap<String, String>,
    succeeded: usize,
    failed: usize,
    /// The text that was shown.
    text: String,
}

impl Crowd {
    fn new<'l>(labels: impl Iterator<Item = &'l String>) -> Self {
        let no_answer = |label: &String| (label.clone(), "without an answer".to_owned());
        let mut crowd = Self {
            seen: labels.map(no_answer).collect(),
            ..Self::default()
        };
        crowd.text = crowd.text();
        crowd
    }

    fn update(&mut self, event: &Event<'_>) {
        match event {
            Event::Attempt {
                label, progress, ..
            } => {
                self.seen.insert((*label).to_owned(), seen(progress));
            }
            Event::End { label, result, .. } => {
                self.seen.remove(*label);
                let count = match result {
                    Ok(_) => &mut self.succeeded,
                    Err(_) => &mut self.failed,
                };
                *count = count.saturating_add(1);
            }
            _ => {}
        }
    }

    /// Returns the number of waits by what their answers showed, the largest first.
    fn text(&self) -> String {
        let mut counts = BTreeMap::<&str, usize>::new();
        for seen in self.seen.values() {
            let count = counts.entry(seen).or_default();
            *count = count.saturating_add(1);
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| Reverse(*count));
        let mut states: Vec<_> = counts
            .iter()
            .take(MOST_STATES)
            .map(|(seen, count)| format!("{count} {}", short(seen)))
            .collect();
        if counts.len() > MOST_STATES {
            states.push("…".to_owned());
        }
        let ended = [(self.succeeded, "succeeded"), (self.failed, "failed")];
        let ended = ended.iter().filter(|(count, _)| *count > 0);
        let ended = ended.map(|(count, word)| format!(", {count} {word}"));
        let ended: String = ended.collect();
        format!("{} waiting ({}){ended}", self.seen.len(), states.join(", "))
    }
}

/// Returns what an attempt showed: the values, or else the reason.
fn seen(progress: &Progress<'_>) -> String {
    let record = progress.attempt;
    let values: Vec<_> = shown_values(&record.values).collect();
    if !values.is_empty() {
        return values.join(", ");
    }
    let reason = record.reasons.last().map(|reason| reason.text.clone());
    reason.unwrap_or_else(|| "no value yet".to_owned())
}

/// Returns the texts of values, except for null: what a definition shows of its failures is null in a success.
fn shown_values(values: &[PathValue]) -> impl Iterator<Item = String> {
    let values = values.iter().map(|value| shown(&value.text));
    values.filter(|value| *value != "null")
}

/// Returns the text of a value without its quotes, and without the brackets of a list with one text.
fn shown(value: &str) -> String {
    let text = value
        .strip_prefix("[\"")
        .and_then(|rest| rest.strip_suffix("\"]"));
    match text {
        Some(text) if !text.contains('"') => text.to_owned(),
        _ => {
            let text = value.strip_prefix('"').unwrap_or(value);
            let text = text.strip_suffix('"').unwrap_or(text);
            text.replace("\\\"", "\"")
        }
    }
}

impl Display {
    pub(super) fn new(format: Option<Format>, quiet: bool) -> Self {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let format = format.unwrap_or(if is_set("GITHUB_ACTIONS") {
            Format::Github
        } else {
            Format::Text
        });
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        // A system that runs jobs may have a terminal, but keeps all lines.
        let is_live =
            format == Format::Text && !quiet && stderr().is_terminal() && !is_dumb && !is_set("CI");
        let view: Box<dyn View> = match format {
            Format::Text if is_live => Box::new(live::Live::new()),
            Format::Text => Box::new(lines::Text),
            Format::Json => Box::new(lines::Json),
            Format::Github => Box::new(lines::GitHub::default()),
        };
        let now = Instant::now();
        let state = State {
            view,
            started: now,
            shown: now,
            is_finished: false,
            latest: "no answer yet".to_owned(),
            reasons: BTreeMap::new(),
            crowd: None,
        };
        Self {
            quiet,
            pause: if is_live { TICK } else { SILENCE },
            state: Mutex::new(state),
            finished: Condvar::new(),
        }
    }

    /// Shows an event.
    pub(super) fn show(&self, event: &Event<'_>) {
        let mut state = self.state();
        match event {
            Event::Start(plan) if plan.is_shared() => {
                let labels = plan.targets.iter().map(|target| &target.label);
                state.crowd = Some(Crowd::new(labels));
            }
            _ => {}
        }
        self.show_in(&mut state, event);
    }

    /// Shows the state of waits that share their calls, after this many calls began. `next` is the time until the next one,
    /// or `None` during a call.
    pub(super) fn counts(&self, calls: u64, next: Option<Duration>) {
        let mut state = self.state();
        let Some(crowd) = &mut state.crowd else {
            return;
        };
        let text = crowd.text();
        // Without waits, the end follows.
        let is_news = crowd.text != text && !crowd.seen.is_empty();
        if is_news {
            crowd.text.clone_from(&text);
            state.latest.clone_from(&text);
        }
        let event = Event::Counts {
            text: &text,
            calls,
            next,
            is_news,
        };
        self.show_in(&mut state, &event);
    }

    /// Runs the waits, and shows their silence after 30 s without another event.
    pub(super) fn with_heartbeat<T>(&self, waits: impl FnOnce() -> T) -> T {
        thread::scope(|scope| {
            scope.spawn(|| self.beat());
            let result = waits();
            self.state().is_finished = true;
            self.finished.notify_all();
            result
        })
    }

    fn beat(&self) {
        let mut state = self.state();
        while !state.is_finished {
            let silence = SILENCE.saturating_sub(state.shown.elapsed());
            if silence.is_zero() {
                let (waited, latest) = (state.started.elapsed(), state.latest.clone());
                let latest = &latest;
                self.show_in(&mut state, &Event::Silence { waited, latest });
                state.shown = Instant::now();
                continue;
            }
            let waited = self.finished.wait_timeout(state, silence.min(self.pause));
            state = waited.map_or_else(|error| error.into_inner().0, |(state, _)| state);
            if !state.is_finished {
                state.view.tick();
            }
        }
    }

    /// Shows a call that ended, with its hints.
    pub(super) fn attempt(&self, label: &str, progress: &Progress<'_>) {
        let mut state = self.state();
        for hint in progress.hints() {
            self.show_in(&mut state, &Event::Hint { label, hint });
        }
        if state.crowd.is_none() {
            state.latest = progress.summary();
        }
        let reasons = progress.attempt.reasons.iter().map(|reason| &*reason.text);
        let reasons = reasons.collect::<Vec<_>>().join("; ");
        // Many waits are counted instead.
        let is_news = state.crowd.is_none() && state.reasons.get(label) != Some(&reasons);
        state.reasons.insert(label.to_owned(), reasons);
        let event = Event::Attempt {
            label,
            progress,
            is_news,
        };
        self.show_in(&mut state, &event);
    }

    fn show_in(&self, state: &mut State, event: &Event<'_>) {
        if let Some(crowd) = &mut state.crowd {
            crowd.update(event);
        }
        if (!self.quiet || event.is_failure()) && state.view.show(event) {
            state.shown = Instant::now();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{Crowd, shown};

    #[test]
    fn values_are_shown_without_their_quotes() {
        for (value, text) in [
            (r#""UP""#, "UP"),
            (r#"["UP"]"#, "UP"),
            (r#"["UP","DOWN"]"#, r#"["UP","DOWN"]"#),
            (r#""say \"hi\"""#, r#"say "hi""#),
            ("3", "3"),
        ] {
            assert_eq!(shown(value), text);
        }
    }

    #[test]
    fn a_crowd_is_counted_by_its_commonest_states() {
        let labels = ["a1", "b1", "b2", "c1", "d1", "e1"].map(str::to_owned);
        let mut crowd = Crowd::new(labels.iter());
        assert_eq!(crowd.text, "6 waiting (6 without an answer)");
        for (label, seen) in &mut crowd.seen {
            *seen = label.chars().take(1).collect();
        }
        assert_eq!(crowd.text(), "6 waiting (2 b, 1 a, 1 c, 1 d, 1 e)");
        crowd.seen.insert("f1".to_owned(), "f".to_owned());
        (crowd.succeeded, crowd.failed) = (1, 2);
        let text = "7 waiting (2 b, 1 a, 1 c, 1 d, 1 e, …), 1 succeeded, 2 failed";
        assert_eq!(crowd.text(), text);
    }
}
