//! What people and programs see of the waits, on standard error.

mod event;
mod lines;
mod live;

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, stderr};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use smithy_waiters::Progress;

pub(super) use event::{Event, Totals};

/// The longest silence: systems that run jobs kill a silent one.
const SILENCE: Duration = Duration::from_secs(30);

/// The time between two changes of a live line.
const TICK: Duration = Duration::from_millis(200);

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
        self.show_in(&mut self.state(), event);
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
        state.latest = progress.summary();
        let reasons = progress.attempt.reasons.iter().map(|reason| &*reason.text);
        let reasons = reasons.collect::<Vec<_>>().join("; ");
        let is_news = state.reasons.get(label) != Some(&reasons);
        state.reasons.insert(label.to_owned(), reasons);
        let event = Event::Attempt {
            label,
            progress,
            is_news,
        };
        self.show_in(&mut state, &event);
    }

    fn show_in(&self, state: &mut State, event: &Event<'_>) {
        if (!self.quiet || event.is_failure()) && state.view.show(event) {
            state.shown = Instant::now();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
