//! A case that is played: its script, and the requests that it received.

use std::time::{Duration, Instant};

use crate::case::{Lasts, Reaction, Scene};

/// The state of a played case.
#[derive(Debug)]
pub(crate) struct Play {
    script: Vec<Scene>,
    scene: usize,
    /// How often the scene was played.
    used: usize,
    requests: Vec<Request>,
    first: Option<Instant>,
    ended: Option<Instant>,
    /// `true` after the time of the case: the requests that still hang are closed.
    is_over: bool,
    /// The requests after the end of the wait.
    late: usize,
}

/// A request that was received. Times are since the first one.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) start: Duration,
    /// `None` while it is not answered.
    pub(crate) end: Option<Duration>,
}

/// What a wait did, as far as the server saw it.
#[derive(Clone, Debug)]
pub(crate) struct Observation {
    pub(crate) requests: Vec<Request>,
    /// From the first request to the end of the wait.
    pub(crate) elapsed: Duration,
}

impl Play {
    pub(crate) fn new(script: Vec<Scene>) -> Self {
        Self {
            script,
            scene: 0,
            used: 0,
            requests: Vec::new(),
            first: None,
            ended: None,
            is_over: false,
            late: 0,
        }
    }

    /// Records a request, and returns its number and the reaction. Returns `None` after the end of the wait.
    pub(crate) fn request(&mut self, now: Instant) -> Option<(usize, Reaction, Duration)> {
        if self.ended.is_some() {
            self.late = self.late.saturating_add(1);
            return None;
        }
        let first = *self.first.get_or_insert(now);
        let start = now.saturating_duration_since(first);
        let scene = self.scene(start)?;
        self.requests.push(Request { start, end: None });
        Some((
            self.requests.len().saturating_sub(1),
            scene.reaction,
            scene.takes,
        ))
    }

    /// Returns the scene for a request. The last one repeats.
    fn scene(&mut self, start: Duration) -> Option<Scene> {
        loop {
            let scene = self.script.get(self.scene)?;
            let is_used_up = match scene.lasts {
                Lasts::Times(times) => self.used >= times,
                Lasts::Until(until) => start >= until,
            };
            if !is_used_up || self.scene.saturating_add(1) == self.script.len() {
                self.used = self.used.saturating_add(1);
                return Some(scene.clone());
            }
            self.scene = self.scene.saturating_add(1);
            self.used = 0;
        }
    }

    /// Records that a request was answered.
    pub(crate) fn answered(&mut self, number: usize, now: Instant) {
        let since = self.first.map(|first| now.saturating_duration_since(first));
        if let Some(request) = self.requests.get_mut(number) {
            request.end = since;
        }
    }

    /// Records the end of the wait.
    pub(crate) fn end(&mut self, now: Instant) -> Observation {
        self.ended = Some(now);
        self.is_over = true;
        let elapsed = self
            .first
            .map_or(Duration::ZERO, |first| now.saturating_duration_since(first));
        Observation {
            requests: self.requests.clone(),
            elapsed,
        }
    }

    /// Closes the requests that hang.
    pub(crate) fn release(&mut self) {
        self.is_over = true;
    }

    /// Returns when the first request was received.
    pub(crate) fn first(&self) -> Option<Instant> {
        self.first
    }

    /// Returns the number of requests after the end of the wait.
    pub(crate) fn late(&self) -> usize {
        self.late
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Play;
    use crate::case::{Lasts, Reaction, Scene};

    #[test]
    fn times_are_since_the_first_request() {
        let second = Duration::from_secs(1);
        let scene = Scene {
            reaction: Reaction::Hang,
            takes: Duration::ZERO,
            lasts: Lasts::Times(1),
        };
        let mut play = Play::new(vec![scene]);
        let first = Instant::now();
        for start in [first, first + second * 4] {
            let (number, ..) = play.request(start).unwrap();
            play.answered(number, start + second);
        }
        let observation = play.end(first + second * 7);
        let requests = observation.requests.iter();
        let times: Vec<_> = requests.map(|one| (one.start, one.end)).collect();
        let expected = [(0, 1), (4, 5)].map(|(start, end)| (second * start, Some(second * end)));
        assert_eq!(
            (times, observation.elapsed),
            (expected.to_vec(), second * 7)
        );
    }
}
