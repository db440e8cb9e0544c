//! One line for each wait on a terminal, which changes in place.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::event::Event;
use super::{View, seen};
use crate::wait::time;

/// The lines of the waits that have begun and not ended.
pub(super) struct Live {
    lines: MultiProgress,
    waits: BTreeMap<String, Line>,
    /// The end of all waits, or `None` without a limit.
    deadline: Option<Instant>,
    /// The label of all waits, if they share their calls.
    together: Option<String>,
}

struct Line {
    bar: ProgressBar,
    attempt: u64,
    /// What the latest answer showed.
    seen: String,
    /// The time of the next call, or `None` during a call.
    next: Option<Instant>,
}

impl Live {
    pub(super) fn new() -> Self {
        Self {
            lines: MultiProgress::with_draw_target(ProgressDrawTarget::stderr()),
            waits: BTreeMap::new(),
            deadline: None,
            together: None,
        }
    }

    fn line(&mut self, label: &str) -> &mut Line {
        let lines = &self.lines;
        self.waits.entry(label.to_owned()).or_insert_with(|| {
            let bar = lines.add(ProgressBar::new_spinner());
            // The template is a constant, which is valid.
            if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}: {wide_msg}") {
                bar.set_style(style);
            }
            bar.set_prefix(label.to_owned());
            Line {
                bar,
                attempt: 0,
                seen: "no answer yet".to_owned(),
                next: None,
            }
        })
    }

    /// Removes the line of waits that share their calls.
    fn clear(&mut self) {
        for (_, line) in std::mem::take(&mut self.waits) {
            line.bar.finish_and_clear();
        }
    }
}

impl View for Live {
    fn show(&mut self, event: &Event<'_>) -> bool {
        match event {
            Event::Start(plan) => {
                let limit = (plan.limit < time::TEN_YEARS).then_some(plan.limit);
                self.deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
                let count = plan.targets.len();
                self.together = plan.is_shared().then(|| format!("{count} names"));
                let _ = self.lines.println(event.text());
            }
            Event::Call { label, attempt } => {
                let line = self.line(label);
                line.attempt = *attempt;
                line.next = None;
            }
            Event::Counts {
                text, calls, next, ..
            } => {
                let label = self.together.clone().unwrap_or_default();
                let line = self.line(&label);
                line.attempt = *calls;
                line.seen = (*text).to_owned();
                line.next = next.and_then(|next| Instant::now().checked_add(next));
            }
            Event::Attempt { .. } if self.together.is_some() => return false,
            Event::Attempt {
                label, progress, ..
            } => {
                let line = self.line(label);
                line.seen = seen(progress);
                let delay = progress.attempt.delay_ms.map(Duration::from_millis);
                line.next = delay.and_then(|delay| Instant::now().checked_add(delay));
            }
            // The line moves.
            Event::Silence { .. } => return false,
            Event::End { label, .. } => {
                if let Some(line) = self.waits.remove(*label) {
                    line.bar.finish_and_clear();
                }
                let _ = self.lines.println(event.text());
            }
            Event::Finish(totals) if totals.waits == 1 => {
                self.clear();
                return false;
            }
            Event::Finish(_) | Event::Error(_) => {
                self.clear();
                let _ = self.lines.println(event.text());
            }
            Event::Hint { .. } => {
                let _ = self.lines.println(event.text());
            }
        }
        self.tick();
        true
    }

    fn tick(&mut self) {
        let now = Instant::now();
        let left = self
            .deadline
            .map(|deadline| deadline.saturating_duration_since(now));
        for line in self.waits.values() {
            line.bar.set_message(line.text(now, left));
            line.bar.tick();
        }
    }
}

impl Line {
    fn text(&self, now: Instant, left: Option<Duration>) -> String {
        let seconds = |time: Duration| time::display(Duration::from_secs(time.as_secs()));
        let next = match self.next {
            // Rounded up, so that it ends with 1 s.
            Some(next) => {
                let rest = next.saturating_duration_since(now);
                let rest = rest.saturating_add(Duration::from_millis(999));
                format!("next in {}", seconds(rest))
            }
            None => "calling".to_owned(),
        };
        let left = left.map_or_else(String::new, |left| format!(", {} left", seconds(left)));
        format!("{}; call {}, {next}{left}", self.seen, self.attempt)
    }
}
