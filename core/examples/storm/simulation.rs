//! A simulation of clients on a virtual clock, which processes one event after the other.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use smithy_waiters::OptionsError;
use smithy_waiters::retry::{
    FailureInfo, RequestFailure, RetryOptions, RetryStrategy, RetryToken, StandardRetryStrategy,
    StandardRetryToken,
};

/// The response time of the service, in milliseconds.
const RESPONSE_TIME_MS: u64 = 50;

/// The parameters of the simulation, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Storm {
    pub(crate) clients: u64,
    /// The period in which each client sends a request.
    pub(crate) every: u64,
    pub(crate) lasts: u64,
    pub(crate) fails_from: u64,
    pub(crate) fails_until: u64,
}

impl Default for Storm {
    fn default() -> Self {
        Self {
            clients: 10_000,
            every: 2,
            lasts: 300,
            fails_from: 30,
            fails_until: 150,
        }
    }
}

/// The number of attempts that the service received in each second.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) name: &'static str,
    pub(crate) attempts: Vec<u64>,
}

impl Run {
    /// Returns the load of a second as a multiple of the load without retries.
    pub(crate) fn load(&self, storm: &Storm, second: u64) -> f64 {
        let second = usize::try_from(second).unwrap_or(usize::MAX);
        let attempts = self.attempts.get(second).copied().unwrap_or_default();
        attempts as f64 * storm.every as f64 / storm.clients as f64
    }
}

impl Storm {
    /// Runs the simulation with each retry strategy.
    pub(crate) fn runs(&self) -> Result<Vec<Run>, OptionsError> {
        let at_once = RetryOptions::fixed_delay(std::time::Duration::ZERO).without_quota();
        let specification = RetryOptions::specification();
        let kinds = [
            ("five retries at once", at_once),
            ("backoff and jitter", specification.clone().without_quota()),
            ("backoff, jitter and the quota", specification),
        ];
        kinds
            .into_iter()
            .map(|(name, options)| self.run(name, &options))
            .collect()
    }

    fn run(&self, name: &'static str, options: &RetryOptions) -> Result<Run, OptionsError> {
        let strategies = (0..self.clients).map(|seed| StandardRetryStrategy::new(options, seed));
        let mut simulation = Simulation {
            storm: self,
            strategies: strategies.collect::<Result<_, _>>()?,
            unavailable: RequestFailure::default().status(503).classify().info,
            events: BinaryHeap::new(),
            requests: Vec::new(),
            attempts: vec![0; usize::try_from(self.lasts).unwrap_or_default()],
        };
        simulation.run_events();
        Ok(Run {
            name,
            attempts: simulation.attempts,
        })
    }
}

/// The next event, with its client or request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Answer { request: usize },
    Begin { client: usize },
    Send { request: usize },
}

struct Simulation<'s> {
    storm: &'s Storm,
    strategies: Vec<StandardRetryStrategy>,
    unavailable: FailureInfo,
    events: BinaryHeap<Reverse<(u64, Event)>>,
    /// The client and the token of each request in progress.
    requests: Vec<(usize, Option<StandardRetryToken>)>,
    attempts: Vec<u64>,
}

impl Simulation<'_> {
    fn run_events(&mut self) {
        let period = self.storm.every.saturating_mul(1_000);
        for client in 0..self.strategies.len() {
            // The golden ratio spreads the clients evenly over the period.
            let place = (client as f64 * 0.618_033_988_749_894_9).fract() * period as f64;
            self.schedule(place as u64, Event::Begin { client });
        }
        let end = self.storm.lasts.saturating_mul(1_000);
        while let Some(Reverse((now, event))) = self.events.pop() {
            if now >= end {
                return;
            }
            self.handle(now, event, period);
        }
    }

    fn schedule(&mut self, when: u64, event: Event) {
        self.events.push(Reverse((when, event)));
    }

    fn handle(&mut self, now: u64, event: Event, period: u64) {
        match event {
            Event::Begin { client } => {
                self.schedule(now.saturating_add(period), Event::Begin { client });
                let token = self.strategies.get(client);
                let token = token.and_then(|strategy| strategy.acquire_initial_token().ok());
                self.requests.push((client, token));
                let request = self.requests.len().saturating_sub(1);
                self.send(now, request);
            }
            Event::Send { request } => self.send(now, request),
            Event::Answer { request } => self.answer(now, request),
        }
    }

    fn send(&mut self, now: u64, request: usize) {
        let second = usize::try_from(now / 1_000).unwrap_or(usize::MAX);
        if let Some(attempts) = self.attempts.get_mut(second) {
            *attempts = attempts.saturating_add(1);
        }
        self.schedule(
            now.saturating_add(RESPONSE_TIME_MS),
            Event::Answer { request },
        );
    }

    fn answer(&mut self, now: u64, request: usize) {
        let Some((client, token)) = self.requests.get_mut(request) else {
            return;
        };
        let (Some(strategy), Some(token)) = (self.strategies.get(*client), token.take()) else {
            return;
        };
        let Storm {
            fails_from,
            fails_until,
            ..
        } = self.storm;
        if !(*fails_from..*fails_until).contains(&(now / 1_000)) {
            // The strategy issued this token, so it accepts it.
            let _ = strategy.record_success(token);
            return;
        }
        let Ok(token) = strategy.refresh_retry_token(token, &self.unavailable) else {
            return;
        };
        let delay = u64::try_from(token.delay().as_millis()).unwrap_or(u64::MAX);
        if let Some((_, place)) = self.requests.get_mut(request) {
            *place = Some(token);
        }
        self.schedule(now.saturating_add(delay), Event::Send { request });
    }
}
