//! The plan of a wait: what to call, and when that is enough.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{IsTerminal as _, Read as _};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use regex_lite::RegexBuilder;
use smithy_waiters::{CompiledExpression, FinalPoll, Tally, WaitOptions, Waiter};

use super::aws;
use super::call::{Call, LINE, MATCHES, Patterns, SharedCall};
use super::command::{Program, Reading};
use super::errors::{self, Rules};
use super::fleet::{self, Shared, spelled, with_names};
use super::goal::{Failure, Goal, values};
use super::http::{Answer, STATUS, SharedUrl};
use super::named::Named;
use super::options::Options;
use super::port::Port;
use super::time;
use super::usage;
use super::waiter::Conditions;
use crate::output;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(600);

const NOT_FOUND_FOR: Duration = Duration::from_secs(60);

/// The longest time of a request or connection: without a limit, one that gets no answer would last as long as the wait.
const NETWORK_TIMEOUT: Duration = Duration::from_secs(30);

/// What to wait for.
pub(super) struct Plan {
    pub(super) targets: Vec<Target>,
    pub(super) calls: Calls,
    pub(super) limit: Duration,
    pub(super) jobs: usize,
    /// The number of targets that must succeed.
    pub(super) tally: Tally,
    pub(super) query: Option<CompiledExpression>,
    pub(super) headline: String,
    pub(super) is_once: bool,
}

impl Plan {
    /// Returns `true` if a call is for many targets.
    pub(super) const fn is_shared(&self) -> bool {
        matches!(self.calls, Calls::Shared(_))
    }
}

/// One of the resources to wait for.
pub(super) struct Target {
    pub(super) label: String,
    pub(super) options: WaitOptions,
}

/// How the targets are called.
pub(super) enum Calls {
    /// Each by itself, in the order of the targets.
    Each(Vec<OwnCall>),
    /// Many with one call.
    Shared(Box<Shared>),
}

/// The call of one target.
pub(super) struct OwnCall {
    pub(super) call: Box<dyn Call>,
    pub(super) waiter: Waiter,
}

impl Options {
    /// Returns the plan, or an error if the usage is wrong.
    pub(super) fn plan(&self) -> Result<Plan> {
        self.check()?;
        let query = self
            .query
            .as_deref()
            .map(CompiledExpression::new)
            .transpose();
        let query = query.context("`--query` is invalid")?;
        let mut line = self.command.clone();
        let named = self.named(&mut line)?;
        if named.is_some() {
            self.check_named()?;
        }
        let timeout = named.as_ref().and_then(|named| named.timeout);
        let default = timeout.map_or(DEFAULT_TIMEOUT, |timeout| timeout.max(DEFAULT_TIMEOUT));
        let max_wait = self
            .timeout
            .or(self.deadline.map(|_| time::TEN_YEARS))
            .unwrap_or(default);
        let limit = max_wait.min(self.deadline.unwrap_or(max_wait));
        let mut sources = Sources {
            options: self,
            line: &line,
            named: named.as_ref(),
            max_wait,
            rules: BTreeMap::new(),
        };
        let names = self.names()?;
        let (targets, calls) = if self.fleet.is_given() {
            sources.shared(names.iter().flatten().cloned().collect())?
        } else {
            sources.each(&names)?
        };
        let time = match (self.timeout, self.deadline) {
            _ if self.once => "for one call".to_owned(),
            (Some(time::TEN_YEARS), None) => "without a timeout".to_owned(),
            (None, None) if timeout == Some(default) => {
                format!("at most {} (as the waiter has it)", time::display(limit))
            }
            (None, None) => format!("at most {} (the default)", time::display(limit)),
            _ => format!("at most {}", time::display(limit)),
        };
        let waiter = named.as_ref().and_then(|named| named.waiter.name());
        let waiter = waiter.map_or_else(|| self.summary(&names), |name| format!(" for {name}"));
        let tally = Tally::new(targets.len(), self.quorum, self.fail_fast);
        let tally = tally.map_err(|error| spelled(&error))?;
        Ok(Plan {
            headline: format!("waiting {time}{waiter}"),
            limit,
            jobs: if self.for_each.is_empty() {
                targets.len()
            } else {
                self.jobs
            },
            tally,
            query,
            is_once: self.once,
            calls,
            targets,
        })
    }

    /// Returns the conditions in words, with `{}` for the names if that is valid as well.
    fn summary(&self, names: &[Option<String>]) -> String {
        let first = names.first().and_then(Option::as_deref);
        let read = |name| self.conditions(name, !self.targets.is_empty()).ok();
        let conditions = [None, first].into_iter().find_map(read);
        conditions.unwrap_or_default().summary()
    }

    /// Rejects options that contradict each other.
    fn check(&self) -> Result<()> {
        self.targets
            .iter()
            .try_for_each(|target| usage::check_target(target))?;
        match (self.targets.first(), self.command.is_empty()) {
            (None, true) => bail!("there is nothing to wait for: add `-- COMMAND` or a URL"),
            (Some(url), false) => bail!(
                "`{url}` cannot be combined with `-- COMMAND`, which is called until it succeeds: to run it afterwards, write `smithy-waiters wait {url} && COMMAND`"
            ),
            _ => {}
        }
        ensure!(
            self.command.first().is_none_or(|name| !name.is_empty()),
            "the command after `--` is empty"
        );
        ensure!(
            self.max_output > 0,
            "`--max-output` must be at least 1, got 0"
        );
        let has_name = self.targets.iter().all(|url| url.contains("{}"));
        ensure!(
            self.for_each.is_empty() || has_name,
            "a URL with `--for-each` needs `{{}}` for the name"
        );
        ensure!(
            self.until_status.is_none() || !self.targets.is_empty(),
            "`--until-status` requires a URL"
        );
        ensure!(self.jobs > 0, "`--jobs` must be at least 1, got 0");
        ensure!(
            !self.http.is_given() || !self.targets.is_empty(),
            "`--header`, `--request`, `--data`, `--insecure` and `--cacert` require a URL"
        );
        ensure!(
            self.fail_text.is_none() || self.until_text.is_some() || !self.until.is_empty(),
            "`--fail-text` requires `--until-text` or `--until`"
        );
        ensure!(
            self.waiter.is_none() && self.botocore.is_none() || self.targets.is_empty(),
            "`--waiter` and `--botocore` require a command"
        );
        Ok(())
    }

    /// Rejects conditions beside a definition, which would not be looked at.
    fn check_named(&self) -> Result<()> {
        let given = [
            ("--until", !self.until.is_empty()),
            ("--fail", !self.fail.is_empty()),
            ("--pending", !self.pending.is_empty()),
            ("--until-exists", self.until_exists),
            ("--until-deleted", self.until_deleted),
            ("--until-status", self.until_status.is_some()),
            ("--until-text", self.until_text.is_some()),
            ("--fail-text", self.fail_text.is_some()),
            ("--until-error", !self.until_error.is_empty()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((option, _)) => bail!(
                "`{option}` cannot be combined with a waiter, whose definition decides: `--preset`, `--waiter`, `--botocore` or `aws … wait`"
            ),
            None => Ok(()),
        }
    }

    /// Returns the names of `--for-each`, or no name for a single wait.
    fn names(&self) -> Result<Vec<Option<String>>> {
        if self.for_each.is_empty() {
            return Ok(vec![None]);
        }
        let mut names = Vec::new();
        for text in &self.for_each {
            if text == "-" {
                let mut lines = String::new();
                ensure!(
                    !std::io::stdin().is_terminal(),
                    "`--for-each -` reads names from standard input, which is a terminal"
                );
                std::io::stdin()
                    .read_to_string(&mut lines)
                    .context("cannot read the names from standard input")?;
                names.extend(lines.lines().map(|name| name.trim().to_owned()));
            } else {
                names.extend(values(text));
            }
        }
        names.retain(|name| !name.is_empty());
        ensure!(
            !names.is_empty() || self.allow_empty,
            "`--for-each` has no names (`--allow-empty` succeeds then)"
        );
        Ok(names.into_iter().map(Some).collect())
    }

    /// Returns the waiter that the options or the command name. An `aws … wait` becomes the call of its operation.
    fn named(&self, line: &mut Vec<OsString>) -> Result<Option<Named>> {
        if let Some(name) = &self.preset {
            return Ok(Some(Named::of(Waiter::preset(name)?)));
        }
        if let Some(file) = &self.waiter {
            return Named::read(file).map(Some);
        }
        match self.botocore.as_deref() {
            Some([service, name]) => aws::named(service, name, None).map(|(named, _)| Some(named)),
            _ => aws::of_line(line),
        }
    }

    /// Returns the call of a URL.
    fn network(&self, url: &str, conditions: &Conditions) -> Result<Box<dyn Call>> {
        if let Some((_, address)) = url.split_once("://").filter(|_| is_scheme(url, "tcp")) {
            ensure!(
                !conditions.reads_json() && !conditions.reads_text() && !self.http.is_given(),
                "`{url}` has no response: it is only opened"
            );
            return Ok(Box::new(Port::read(address)?));
        }
        ensure!(
            is_scheme(url, "http") || is_scheme(url, "https"),
            "`{url}` must begin with `tcp://`, `http://` or `https://`"
        );
        let answer = match () {
            () if self.until_status.is_some() => Answer::Status,
            () if conditions.reads_json() => Answer::Json,
            () if conditions.reads_text() => Answer::Text,
            () if conditions.answer_is_enough() => Answer::Success,
            () => Answer::Found,
        };
        Ok(Box::new(self.http.request(
            url,
            answer,
            conditions.patterns.clone(),
            self.max_output,
        )?))
    }

    /// Returns the call of a URL for several names.
    fn shared_url(&self, url: &str) -> Result<SharedUrl> {
        ensure!(
            is_scheme(url, "http") || is_scheme(url, "https"),
            "`{url}` must begin with `http://` or `https://`, because `--items` is a path of its response"
        );
        Ok(SharedUrl {
            url: url.to_owned(),
            options: self.http.clone(),
            max_output: self.max_output,
        })
    }

    fn conditions(&self, name: Option<&str>, is_network: bool) -> Result<Conditions> {
        let goals = self.until.iter().map(|text| {
            Goal::read(&replaced(text, name))
                .with_context(|| format!("`--until {text}` is invalid"))
        });
        let failures = self.fail.iter().map(|text| {
            Failure::read(&replaced(text, name))
                .with_context(|| format!("`--fail {text}` is invalid"))
        });
        let mut conditions = Conditions {
            goals: goals.collect::<Result<_>>()?,
            failures: failures.collect::<Result<_>>()?,
            pending: self.pending.iter().flat_map(|text| values(text)).collect(),
            any: self.any,
            exists: self.until_exists,
            deleted: self.until_deleted,
            is_network,
            is_preset: self.preset.is_some(),
            until_errors: self.until_error.clone(),
            fail_errors: self.fail_error.clone(),
            retry_errors: self.retry_error.clone(),
            ..Conditions::default()
        };
        conditions.shown = conditions
            .goals
            .iter()
            .filter_map(Goal::path)
            .map(ToOwned::to_owned)
            .collect();
        if let Some(pattern) = &self.until_text {
            let goal = conditions.pattern("--until-text", pattern)?;
            conditions.goals.push(goal);
            conditions.shown.push(format!("\"{LINE}\""));
        }
        if let Some(pattern) = &self.fail_text {
            let goal = conditions.pattern("--fail-text", pattern)?;
            conditions.failures.push(Failure::Goal(goal));
        }
        if let Some(statuses) = &self.until_status {
            let path = format!("\"{STATUS}\"");
            let values = values(statuses);
            let is_status = |text: &String| {
                text.parse()
                    .is_ok_and(|status| (100..600).contains(&status))
            };
            if let Some(status) = values.iter().find(|text| !is_status(text)) {
                bail!("`--until-status` must be HTTP statuses from 100 to 599, got `{status}`");
            }
            conditions.shown.push(path.clone());
            conditions.goals.push(Goal::Equals { path, values });
        }
        Ok(conditions)
    }

    fn wait_options(
        &self,
        max_wait: Duration,
        conditions: &Conditions,
        named: Option<&Named>,
        label: &str,
    ) -> WaitOptions {
        let shown = conditions.shown.iter().chain(&self.show);
        // Without a goal, "no" is the state before, however the command says it.
        let answer_is_enough = named.is_none() && conditions.answer_is_enough();
        let not_found_for =
            self.not_found_for
                .unwrap_or(if self.until_exists || answer_is_enough {
                    time::TEN_YEARS
                } else {
                    NOT_FOUND_FOR
                });
        let mut options = WaitOptions::new(max_wait)
            .label(label)
            .show(shown)
            .not_found_for(not_found_for);
        // A waiter of a file has the specification's last call, one minimum delay before the deadline.
        options = options.final_poll(FinalPoll::Late);
        let named_attempts = named.and_then(|named| named.max_attempts);
        let network_timeout = conditions
            .is_network
            .then_some(NETWORK_TIMEOUT.min(max_wait));
        let interval = self.interval.or(named
            .and_then(|named| named.delay)
            .map(time::Interval::every));
        let is_botocore = named.is_some_and(|named| named.is_botocore);
        if let Some(interval) =
            interval.or_else(|| is_botocore.then(time::Interval::of_short_form).flatten())
        {
            options = interval.apply(options);
        }
        if let Some(deadline) = self.deadline {
            options = options.deadline_in(deadline);
        }
        if let Some(attempts) = self
            .max_attempts
            .or(self.once.then_some(1))
            .or(named_attempts)
        {
            options = options.max_attempts(attempts);
        }
        if let Some(timeout) = self.attempt_timeout.or(network_timeout) {
            options = options.attempt_timeout(timeout);
        }
        if let Some(delay) = self.initial_delay {
            options = options.initial_delay(delay);
        }
        // A request that is cut off counts as unanswered, and what isn't there yet doesn't answer.
        let waits_for_answer = answer_is_enough || conditions.is_network;
        let window = waits_for_answer.then_some(time::TEN_YEARS);
        if let Some(window) = self.transient_window.or(window) {
            options = options.transient_window(window);
        }
        if let Some(seed) = self.seed {
            options = options.seed(seed);
        }
        options
    }
}

/// The calls of the targets.
struct Sources<'o> {
    options: &'o Options,
    line: &'o [OsString],
    named: Option<&'o Named>,
    max_wait: Duration,
    /// The rules for errors by the name of the command: all names of `--for-each` usually share them.
    rules: BTreeMap<String, Arc<Rules>>,
}

impl Sources<'_> {
    /// Returns a target and its own call for each name and URL.
    fn each(&mut self, names: &[Option<String>]) -> Result<(Vec<Target>, Calls)> {
        let (mut targets, mut calls) = (Vec::new(), Vec::new());
        for name in names {
            let name = name.as_deref();
            let urls = self.options.targets.iter().map(Some);
            let urls = urls.chain((!self.line.is_empty()).then_some(None));
            for url in urls {
                let conditions = self.options.conditions(name, url.is_some())?;
                let (call, text): (Box<dyn Call>, String) = match url {
                    Some(url) => {
                        let url = replaced(url, name);
                        (self.options.network(&url, &conditions)?, url)
                    }
                    None => {
                        let name = name.as_ref().map(std::slice::from_ref);
                        let program = self.program(name, &conditions)?;
                        let text = text(&program.line);
                        (Box::new(program), text)
                    }
                };
                let waiter = self.waiter(&conditions)?;
                targets.push(self.target(name, &text, &conditions, &waiter)?);
                calls.push(OwnCall { call, waiter });
            }
        }
        Ok((targets, Calls::Each(calls)))
    }

    /// Returns a target for each name, and one call for all.
    fn shared(&mut self, names: Vec<String>) -> Result<(Vec<Target>, Calls)> {
        let options = self.options;
        for (option, texts) in [("--until", &options.until), ("--fail", &options.fail)] {
            fleet::check_goals(option, texts)?;
        }
        let conditions = options.conditions(None, self.line.is_empty())?;
        let waiter = self.waiter(&conditions)?;
        let call: Box<dyn SharedCall> = match &*options.targets {
            [] => Box::new(self.program(None, &conditions)?),
            [url] => Box::new(options.shared_url(url)?),
            _ => bail!("`--items` requires a single URL, which answers for all names"),
        };
        // What cannot be called with one name cannot be called at all.
        let first: Vec<&str> = names.iter().take(1).map(String::as_str).collect();
        call.of(&first)?;
        let targets = names
            .iter()
            .map(|name| self.target(Some(name), "", &conditions, &waiter));
        let targets: Vec<Target> = targets.collect::<Result<_>>()?;
        let shared = options.fleet.start(&waiter, call, &targets, names)?;
        Ok((targets, Calls::Shared(Box::new(shared))))
    }

    fn waiter(&self, conditions: &Conditions) -> Result<Waiter> {
        match self.named {
            Some(named) => conditions.with_errors(&named.waiter),
            None => conditions.waiter(),
        }
    }

    /// Returns the target of a name, or of a call with this text.
    fn target(
        &self,
        name: Option<&str>,
        text: &str,
        conditions: &Conditions,
        waiter: &Waiter,
    ) -> Result<Target> {
        let options = self.options;
        let label = match (&options.label, name) {
            (Some(label), name) => replaced(label, name),
            (None, Some(name)) => name.to_owned(),
            (None, None) => short(&without_password(text)),
        };
        let wait = options.wait_options(self.max_wait, conditions, self.named, &label);
        let wait = options.add_conditions(wait, |text| replaced(text, name))?;
        // The engine would say it when the wait starts, after the first line.
        waiter.start(&wait, 0).map_err(|error| spelled(&error))?;
        Ok(Target {
            label,
            options: wait,
        })
    }

    /// Returns the call of the command for some names, or without `--for-each`.
    fn program(&mut self, names: Option<&[&str]>, conditions: &Conditions) -> Result<Program> {
        let options = self.options;
        let line = match names {
            Some(names) => with_names(self.line, names),
            None => self.line.to_vec(),
        };
        let rules = self.rules(&errors::tool(&line)?)?;
        let reading = match () {
            () if conditions.reads_json() || options.waiter.is_some() => Reading::Json,
            () if options.fleet.is_given() => Reading::Json,
            () if conditions.reads_text() => Reading::Text,
            () => Reading::Any,
        };
        Ok(Program {
            line,
            reading,
            patterns: conditions.patterns.clone(),
            rules,
            max_output: options.max_output,
            is_botocore: self.named.is_some_and(|named| named.is_botocore),
        })
    }

    fn rules(&mut self, tool: &str) -> Result<Arc<Rules>> {
        if let Some(rules) = self.rules.get(tool) {
            return Ok(Arc::clone(rules));
        }
        let rules = Arc::new(Rules::of(tool, &self.options.error_pattern)?);
        self.rules.insert(tool.to_owned(), Arc::clone(&rules));
        Ok(rules)
    }
}

/// Returns a command as it is written in a shell.
fn text(line: &[OsString]) -> String {
    let words: Vec<String> = line
        .iter()
        .map(|word| quoted(&word.to_string_lossy()))
        .collect();
    words.join(" ")
}

/// Returns a word in the quotes that a shell needs.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "%+,-./:=@_".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

impl Conditions {
    /// Adds a pattern and returns the goal that it matches.
    fn pattern(&mut self, option: &str, pattern: &str) -> Result<Goal> {
        let regex = RegexBuilder::new(pattern).multi_line(true).build();
        let regex = regex.with_context(|| format!("`{option} {pattern}` is invalid"))?;
        let name = format!("a line matches {pattern}");
        // A quoted name of JMESPath is a JSON string.
        let path = serde_json::to_string(&name)?;
        let Patterns(patterns) = &mut self.patterns;
        patterns.push((name, regex));
        Ok(Goal::Equals {
            path,
            values: vec![MATCHES.to_owned()],
        })
    }
}

/// Returns a text with the name instead of `{}`.
fn replaced(text: &str, name: Option<&str>) -> String {
    name.map_or_else(|| text.to_owned(), |name| text.replace("{}", name))
}

fn is_scheme(url: &str, scheme: &str) -> bool {
    let parts = url.split_once("://");
    parts.is_some_and(|(name, _)| name.eq_ignore_ascii_case(scheme))
}

/// Returns a URL without its user and password, or any other text unchanged: logs must not have them.
fn without_password(text: &str) -> String {
    let parts = text
        .split_once("://")
        .filter(|(name, _)| !name.contains(' '));
    let Some((scheme, rest)) = parts else {
        return text.to_owned();
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    match authority.rsplit_once('@') {
        Some((user, _)) => format!(
            "{scheme}://{}",
            rest.get(user.len().saturating_add(1)..).unwrap_or(rest)
        ),
        None => text.to_owned(),
    }
}

/// Returns the beginning of a text, such as a command or URL as a label.
pub(super) fn short(text: &str) -> String {
    output::excerpt(text, 60)
}
