//! One call for many names of `--for-each`. The engine's fleet decides what the calls ask for, and when.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use serde_json::Value as Json;
use smithy_waiters::driver::OperationError as _;
use smithy_waiters::internal::{self, Spelling};
use smithy_waiters::{
    AttemptResult, Fleet, FleetEnd, FleetError, FleetOptions, FleetStep, OptionsError, Progress,
    RateLimit, WaitReport, Waiter,
};

use super::call::{CallError, Class, NOT_FOUND, SharedCall};
use super::end::WaitResult;
use super::goal::values;
use super::plan::Target;
use super::run::Ends;

/// The longest time without a look at the waits while all calls are in flight.
const TICK: Duration = Duration::from_secs(1);

/// The options of calls that answer for many names.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Options for calls that answer for many names")]
pub(super) struct FleetArguments {
    /// The path of the resources in an answer, such as `Volumes[]`: one call is for many names of `--for-each`
    #[arg(long, value_name = "PATH", requires_all = ["for_each", "key"],
        conflicts_with_all = ["until_text", "fail_text", "until_status"])]
    items: Option<String>,
    /// The member of a resource that is its name; one of several is enough
    #[arg(long, value_name = "MEMBER,…", requires = "items")]
    key: Option<String>,
    /// A further list with entries about resources, and the member that has the name, such as `failures[]=arn`
    #[arg(long, value_name = "PATH=MEMBER", requires = "items")]
    also: Vec<String>,
    /// The largest number of names in a call; 100 by default
    #[arg(long, value_name = "COUNT", requires = "items")]
    batch: Option<u64>,
    /// The largest number of calls per second; 5 by default
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 5.0,
        requires = "items",
        hide_default_value = true
    )]
    rate: f64,
}

/// The waits of all targets, which share their calls.
pub(super) struct Shared {
    fleet: Fleet,
    limit: RateLimit,
    call: Box<dyn SharedCall>,
    /// The options, for an error of an answer that does not fit them.
    shape: String,
    /// The names of the targets, in their order.
    names: Vec<String>,
    /// The tickets of the targets, in their order.
    tickets: Vec<u64>,
}

impl FleetArguments {
    /// Returns `true` if one call is for many names.
    pub(super) const fn is_given(&self) -> bool {
        self.items.is_some()
    }

    /// Starts the waits of all targets.
    pub(super) fn start(
        &self,
        waiter: &Waiter,
        call: Box<dyn SharedCall>,
        targets: &[Target],
        names: Vec<String>,
    ) -> Result<Shared> {
        let mut seen = BTreeSet::new();
        if let Some(name) = names.iter().find(|name| !seen.insert(*name)) {
            bail!("`--for-each` must not repeat a name with `--items`, got `{name}` twice");
        }
        let fleet = waiter.fleet(&self.options()?);
        let mut fleet = fleet
            .map_err(|error| spelled(&error))?
            .spelling(Spelling::Command);
        let mut tickets = Vec::new();
        for (name, target) in names.iter().zip(targets) {
            let seed = internal::seed(&target.options);
            let ticket = seed.and_then(|seed| fleet.join(name, &target.options, seed, 0));
            tickets.push(ticket.map_err(|error| spelled(&error))?);
        }
        Ok(Shared {
            fleet,
            limit: RateLimit::new(self.rate).map_err(|error| spelled(&error))?,
            call,
            shape: format!("`--items {} --key {}`", self.items(), self.key()),
            names,
            tickets,
        })
    }

    fn options(&self) -> Result<FleetOptions> {
        let mut keys = values(self.key()).into_iter();
        let mut options = FleetOptions::new(self.items(), keys.next().unwrap_or_default());
        for key in keys {
            options = options.or_key(key);
        }
        for text in &self.also {
            let (path, key) = text.split_once('=').with_context(|| {
                format!("`--also {text}` must be `PATH=MEMBER`, such as `failures[]=arn`")
            })?;
            options = options.also(path, key);
        }
        Ok(match self.batch {
            Some(batch) => options.batch(batch),
            None => options,
        })
    }

    fn items(&self) -> &str {
        self.items.as_deref().unwrap_or_default()
    }

    fn key(&self) -> &str {
        self.key.as_deref().unwrap_or_default()
    }
}

/// Returns an error with the options of the command.
pub(super) fn spelled(error: &OptionsError) -> anyhow::Error {
    anyhow!(error.message(|name| Spelling::Command.name(name)))
}

impl Shared {
    /// Waits for all targets.
    ///
    /// # Errors
    ///
    /// An answer does not fit `--items` and `--key`.
    pub(super) fn wait_all(&self, ends: &Ends<'_>, jobs: usize) -> Result<()> {
        let (sender, receiver) = mpsc::channel();
        let result = thread::scope(|scope| {
            let tickets = self.tickets.iter().copied();
            let names = self.names.iter().map(String::as_str);
            let mut run = Run {
                shared: self,
                fleet: self.fleet.clone(),
                limit: self.limit.clone(),
                started: Instant::now(),
                ends,
                tickets: names.zip(tickets.clone()).collect(),
                indexes: tickets.zip(0..).collect(),
                shown: BTreeMap::new(),
                errors: BTreeMap::new(),
                in_flight: BTreeMap::new(),
                calls: 0,
            };
            let result = run.drive(scope, &sender, &receiver, jobs);
            if result.is_ok() {
                run.leave();
            }
            // The calls that nobody waits for any more end soon.
            ends.interrupt.token.cancel();
            result
        });
        result.map_err(|error| anyhow!("{} does not fit the answer: {error}", self.shape))
    }
}

/// The names of a command instead of `{}`: an argument each, or joined by commas inside a text. Without `{}`, they are
/// the last arguments.
pub(super) fn with_names(line: &[OsString], names: &[&str]) -> Vec<OsString> {
    let joined = names.join(",");
    let all = || names.iter().map(OsString::from);
    let mut words = Vec::new();
    let mut has_place = false;
    for word in line {
        let text = word.to_str().filter(|text| text.contains("{}"));
        has_place |= text.is_some();
        match text {
            Some("{}") => words.extend(all()),
            Some(text) => words.push(text.replace("{}", &joined).into()),
            None => words.push(word.clone()),
        }
    }
    if !has_place {
        words.extend(all());
    }
    words
}

/// The result of a call, by the number of the call.
type Ended = (u64, Result<Json, CallError>);

/// The waits in progress.
struct Run<'r> {
    shared: &'r Shared,
    fleet: Fleet,
    limit: RateLimit,
    started: Instant,
    ends: &'r Ends<'r>,
    tickets: BTreeMap<&'r str, u64>,
    /// The targets of the waits that have not ended, by their tickets.
    indexes: BTreeMap<u64, usize>,
    /// The numbers of the attempts that were shown, by their tickets.
    shown: BTreeMap<u64, u64>,
    /// The latest error of each wait.
    errors: BTreeMap<u64, CallError>,
    /// The calls in flight: the tickets of their waits, and the deadline in milliseconds.
    in_flight: BTreeMap<u64, (Vec<u64>, Option<u64>)>,
    calls: u64,
}

impl<'r> Run<'r> {
    fn drive<'s>(
        &mut self,
        scope: &'s Scope<'s, '_>,
        sender: &Sender<Ended>,
        receiver: &Receiver<Ended>,
        jobs: usize,
    ) -> Result<(), FleetError>
    where
        'r: 's,
    {
        let token = &self.ends.interrupt.token;
        while self.ends.is_open() && !token.is_cancelled() {
            let now_ms = self.now_ms();
            let mut pause = TICK;
            if self.in_flight.len() >= jobs {
                self.end_late(now_ms);
            } else {
                match self.fleet.poll(now_ms, &mut self.limit) {
                    FleetStep::Ended { ticket, report } => {
                        self.end(ticket, report, None);
                        continue;
                    }
                    FleetStep::Call {
                        call,
                        ids,
                        deadline_ms,
                    } => {
                        self.call(scope, sender, (call, &ids, deadline_ms));
                        continue;
                    }
                    FleetStep::Sleep { until_ms } => {
                        pause = self.until(until_ms);
                        if self.in_flight.is_empty() {
                            self.ends.display.counts(self.calls, Some(pause));
                        }
                    }
                    FleetStep::Idle if self.in_flight.is_empty() => break,
                    FleetStep::Idle => {}
                }
            }
            if self.in_flight.is_empty() {
                token.wait_timeout(pause);
            } else if let Ok((call, result)) = receiver.recv_timeout(pause) {
                self.call_ended(call, result)?;
            }
        }
        Ok(())
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Returns the time until a moment, rounded up: a step must not be early.
    fn until(&self, moment_ms: u64) -> Duration {
        Duration::from_millis(moment_ms).saturating_sub(self.started.elapsed())
    }

    fn call<'s>(
        &mut self,
        scope: &'s Scope<'s, '_>,
        sender: &Sender<Ended>,
        (call, ids, deadline_ms): (u64, &[Arc<str>], Option<u64>),
    ) where
        'r: 's,
    {
        self.calls = self.calls.saturating_add(1);
        let names: Vec<&str> = ids.iter().map(|id| &**id).collect();
        let tickets = names.iter().filter_map(|name| self.tickets.get(name));
        let tickets = tickets.copied().collect();
        self.in_flight.insert(call, (tickets, deadline_ms));
        self.ends.display.counts(self.calls, None);
        let limit = deadline_ms.map_or(Duration::MAX, |deadline| self.until(deadline));
        let (sender, token) = (sender.clone(), self.ends.interrupt.token.clone());
        let operation = self.shared.call.of(&names);
        scope.spawn(move || {
            let result = match operation {
                Ok(operation) => operation.call(limit, &token),
                Err(error) => {
                    let message = format!("{error:#}");
                    Err(CallError::new(Class::CannotRun, "cannot call", message))
                }
            };
            // The receiver lives as long as this scope.
            let _ = sender.send((call, result));
        });
    }

    fn call_ended(&mut self, call: u64, result: Result<Json, CallError>) -> Result<(), FleetError> {
        let Some((tickets, deadline_ms)) = self.in_flight.remove(&call) else {
            return Ok(());
        };
        let now_ms = self.now_ms();
        let mut answers = Vec::new();
        match result {
            // The wait ends, and the call may have been interrupted.
            _ if self.ends.interrupt.token.is_cancelled() => return Ok(()),
            _ if deadline_ms.is_some_and(|deadline| now_ms >= deadline) => {
                self.end_late(now_ms);
                self.fleet.abandon(call, now_ms)?;
            }
            Ok(answer) => {
                for FleetEnd {
                    ticket,
                    report,
                    item,
                    ..
                } in self.fleet.respond(call, &[&answer], now_ms)?
                {
                    let answer = item.map(|item| self.fleet.answer_of(item.clone()));
                    answers.push((ticket, report, answer));
                }
            }
            Err(error) => {
                let (metadata, transient) = (error.metadata(), error.failure().transient(now_ms));
                self.fleet
                    .fail(call, &metadata, transient, now_ms, &mut self.limit)?;
                let errors = tickets.iter().map(|ticket| (*ticket, error.clone()));
                self.errors.extend(errors);
            }
        }
        for ticket in tickets {
            self.show(ticket);
        }
        for (ticket, report, answer) in answers {
            self.end(ticket, report, answer);
        }
        self.ends.display.counts(self.calls, None);
        Ok(())
    }

    /// Ends the waits whose deadlines have passed during a call.
    fn end_late(&mut self, now_ms: u64) {
        for (ticket, report) in self.fleet.ended(now_ms) {
            self.end(ticket, report, None);
        }
    }

    /// Ends the waits that are still open.
    fn leave(&mut self) {
        let now_ms = self.now_ms();
        let tickets: Vec<u64> = self.indexes.keys().copied().collect();
        for ticket in tickets {
            if let Some(report) = self.fleet.leave(ticket, now_ms) {
                self.end(ticket, report, None);
            }
        }
    }

    /// Shows the latest attempt of a wait, unless it was shown.
    fn show(&mut self, ticket: u64) {
        let wait = self.fleet.wait(ticket);
        let (Some(index), Some(wait)) = (self.indexes.get(&ticket), wait) else {
            return;
        };
        let Some(record) = wait.latest() else { return };
        if self.shown.insert(ticket, record.attempt) != Some(record.attempt) {
            let progress = Progress::of(wait, &record);
            self.ends.show_attempt(*index, &progress);
        }
    }

    fn end(&mut self, ticket: u64, report: Arc<WaitReport>, answer: Option<Json>) {
        self.show(ticket);
        let Some(index) = self.indexes.remove(&ticket) else {
            return;
        };
        let error = self.errors.remove(&ticket);
        self.ends.add(index, result(report, answer, error));
    }
}

/// Returns the result of a wait. A resource that answers lack has no answer and no error of a call.
fn result(report: Arc<WaitReport>, answer: Option<Json>, error: Option<CallError>) -> WaitResult {
    let is_error = report.last_result == Some(AttemptResult::Error);
    let missing = || {
        let last = report.history.last();
        let text = last.and_then(|attempt| attempt.error.clone());
        CallError::new(Class::NotFound, NOT_FOUND, text.unwrap_or_default())
    };
    let error = error.or_else(|| is_error.then(missing));
    let answer = answer.or_else(|| (!is_error).then_some(Json::Null));
    internal::end(answer, error, report)
}

/// Rejects goals that differ between the names.
pub(super) fn check_goals(option: &str, texts: &[String]) -> Result<()> {
    match texts.iter().find(|text| text.contains("{}")) {
        Some(text) => {
            bail!("`{option} {text}` has `{{}}`, but with `--items` all names have the same goals")
        }
        None => Ok(()),
    }
}
