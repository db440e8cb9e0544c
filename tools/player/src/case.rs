//! The files of the kit.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use smithy_waiters_conformance::{Answer, Basis, Case, Http, Service, Suite, Verdict, Waiter};

use crate::pattern;

/// The options of a wait for a verdict. The delay is short, because a second request is the only sign of `retry`.
const VERDICT: WaitOptions = WaitOptions {
    max_wait: 20.0,
    min_delay: 0.01,
    max_delay: 0.01,
    cancel_at: None,
};

/// The tasks for a runner.
#[derive(Debug, Default)]
pub struct Kit {
    verdicts: Vec<Loaded<Suite>>,
    behaviours: Vec<Loaded<BehaviourSuite>>,
}

/// A suite and its file.
#[derive(Debug)]
struct Loaded<T> {
    file: PathBuf,
    suite: T,
}

/// A case for a runner.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Task {
    /// The id of the case.
    pub id: String,
    /// The name of the suite of the waiter.
    pub suite: String,
    /// The service.
    pub service: Service,
    /// The name of the operation.
    pub operation: String,
    /// The name of the waiter.
    pub waiter: String,
    /// The definition of the waiter.
    pub definition: Json,
    /// The input.
    pub params: Map<String, Json>,
    /// The options of the wait.
    pub options: WaitOptions,
    /// The script of the service.
    #[serde(skip)]
    pub(crate) script: Vec<Scene>,
    /// What the wait must do.
    #[serde(skip)]
    pub(crate) expectation: Expectation,
    /// The reasons for the expectation.
    #[serde(skip)]
    pub(crate) grounds: Grounds,
}

/// The reasons for an expectation.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Grounds {
    /// Why the expectation follows.
    pub reason: String,
    /// The weight of the expectation.
    pub basis: Basis,
    /// The clause of the specification.
    pub clause: String,
    /// The file with the case.
    pub file: PathBuf,
}

/// The options of a wait, in seconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct WaitOptions {
    /// The longest duration of the wait.
    pub max_wait: f64,
    /// The shortest delay.
    pub min_delay: f64,
    /// The longest delay.
    pub max_delay: f64,
    /// When the caller cancels the wait.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cancel_at: Option<f64>,
}

/// A part of a script: the answers to some requests.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) reaction: Reaction,
    pub(crate) takes: Duration,
    pub(crate) lasts: Lasts,
}

#[derive(Clone, Debug)]
pub(crate) enum Reaction {
    Answer(Http),
    Hang,
    Reset,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Lasts {
    Times(usize),
    Until(Duration),
}

/// What a wait must do: one of these.
#[derive(Clone, Debug)]
pub(crate) enum Expectation {
    Verdict(Vec<Verdict>),
    Behaviour(Vec<Constraints>),
}

#[derive(Debug, Deserialize)]
struct BehaviourSuite {
    cases: Vec<Behaviour>,
}

#[derive(Debug, Deserialize)]
struct Behaviour {
    id: String,
    options: WaitOptions,
    script: Vec<Step>,
    expect: Constraints,
    #[serde(default)]
    also: Vec<Constraints>,
    reason: String,
    clause: String,
    basis: Basis,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    role: Option<String>,
    status: Option<u16>,
    connection: Option<String>,
    #[serde(default)]
    takes: f64,
    times: Option<usize>,
    until: Option<f64>,
}

/// The constraints on a wait.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Constraints {
    pub(crate) end: String,
    pub(crate) requests: Option<Range>,
    pub(crate) elapsed: Option<Range>,
    #[serde(default)]
    pub(crate) delays: Vec<Range>,
    pub(crate) last_request: Option<Range>,
    pub(crate) distinct_delays: Option<usize>,
    #[serde(default)]
    pub(crate) carries: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Range {
    pub(crate) min: Option<f64>,
    pub(crate) max: Option<f64>,
}

impl Kit {
    /// Reads the files of folders, such as `conformance/core`. Folders without JSON files are an error.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read or is not a suite. The message names the file.
    pub fn read(folders: &[PathBuf]) -> Result<Self> {
        let mut kit = Self::default();
        for folder in folders {
            let files = files(folder)?;
            if files.is_empty() {
                bail!(
                    "`{}` contains no suites: derive those of AWS with `smithy-waiters conformance --out FOLDER`",
                    folder.display()
                );
            }
            for file in files {
                kit.add(&file)
                    .with_context(|| format!("`{}` is not a suite", file.display()))?;
            }
        }
        Ok(kit)
    }

    fn add(&mut self, file: &Path) -> Result<()> {
        let value: Json = serde_json::from_str(&fs::read_to_string(file)?)?;
        match value.get("kind").and_then(Json::as_str) {
            Some("verdicts") => self.verdicts.push(Loaded::new(file, value)?),
            Some("behaviours") => self.behaviours.push(Loaded::new(file, value)?),
            // The synthetic model lies beside its suite.
            None if value.get("smithy").is_some() => {}
            kind => bail!(
                "`kind` must be \"verdicts\" or \"behaviours\", got {}",
                kind.unwrap_or("nothing")
            ),
        }
        Ok(())
    }

    /// Returns the tasks whose ids match one of the patterns, for the suites that a runner announces; all if they are `None`.
    /// `favourite` is the waiter for behaviours, such as `acm.CertificateValidated`; by default it is the first with the
    /// answers that a script needs.
    #[must_use]
    pub fn tasks(
        &self,
        suites: Option<&[String]>,
        favourite: Option<&str>,
        patterns: &[String],
    ) -> Vec<Task> {
        let mut chosen: Vec<&Loaded<Suite>> = self.verdicts.iter().collect();
        if let Some(names) = suites {
            let place =
                |one: &&Loaded<Suite>| names.iter().position(|name| *name == one.suite.suite);
            chosen.retain(|one| place(one).is_some());
            chosen.sort_by_key(place);
        }
        let verdicts = chosen.iter().flat_map(|one| {
            let cases = one.suite.cases.iter();
            cases.filter_map(|case| verdict(&one.file, &one.suite, case))
        });
        let subjects: Vec<&Suite> = chosen.iter().map(|one| &one.suite).collect();
        let behaviours = self.behaviours.iter().flat_map(|one| {
            let cases = one.suite.cases.iter();
            cases.filter_map(|case| behaviour(&one.file, &subjects, favourite, case))
        });
        let is_chosen = |task: &Task| {
            patterns.is_empty()
                || patterns
                    .iter()
                    .any(|pattern| pattern::matches(pattern, &task.id))
        };
        verdicts.chain(behaviours).filter(is_chosen).collect()
    }

    /// Returns the ids of all cases with their files.
    pub fn ids(&self) -> impl Iterator<Item = (&str, &Path)> {
        let verdicts = self.verdicts.iter().flat_map(|one| {
            let cases = one.suite.cases.iter();
            cases.map(|case| (&*case.id, &*one.file))
        });
        let behaviours = self.behaviours.iter().flat_map(|one| {
            let cases = one.suite.cases.iter();
            cases.map(|case| (&*case.id, &*one.file))
        });
        verdicts.chain(behaviours)
    }

    /// Returns the first pattern that matches no id.
    #[must_use]
    pub fn unmatched<'p>(&self, patterns: &'p [String]) -> Option<&'p str> {
        let is_known = |one: &str| self.ids().any(|(id, _)| pattern::matches(one, id));
        patterns.iter().map(|one| &**one).find(|one| !is_known(one))
    }
}

impl<T: DeserializeOwned> Loaded<T> {
    fn new(file: &Path, value: Json) -> Result<Self> {
        let suite = serde_json::from_value(value)?;
        let file = file.to_owned();
        Ok(Self { file, suite })
    }
}

/// Returns the JSON files of a folder in alphabetical order.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))?;
    let paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    let mut files: Vec<PathBuf> = paths
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    Ok(files)
}

/// Returns the task of a case, or `None` if its answer has no bytes.
fn verdict(file: &Path, suite: &Suite, case: &Case) -> Option<Task> {
    let waiter = suite.waiters.get(&case.waiter)?;
    let first = Reaction::Answer(case.answer.http.clone()?);
    // The wait has polled again, which is all there is to see: end it, whatever its definition is.
    let second = ["ready", "failed"]
        .iter()
        .find_map(|role| waiter.answers.get(*role)?.http.clone())
        .map(Reaction::Answer);
    let reactions = [Some(first), second, Some(Reaction::Reset)];
    let script = reactions.into_iter().flatten().map(Scene::once).collect();
    let subject = Subject {
        suite,
        name: &case.waiter,
        waiter,
    };
    let expectation = Expectation::Verdict(alternatives(&case.expect, &case.also));
    let grounds = Grounds::new(&case.reason, case.basis, &case.clause, file);
    let mut task = subject.task(&case.id, VERDICT, script, expectation, grounds);
    if let Some(params) = &case.params {
        task.params.clone_from(params);
    }
    Some(task)
}

/// Returns the task of a behaviour with a waiter that has the answers of the script.
fn behaviour(
    file: &Path,
    suites: &[&Suite],
    favourite: Option<&str>,
    case: &Behaviour,
) -> Option<Task> {
    let subjects = suites.iter().flat_map(|suite| {
        let waiters = suite.waiters.iter();
        waiters.map(move |(name, waiter)| Subject {
            suite,
            name,
            waiter,
        })
    });
    let able = subjects.filter_map(|subject| {
        let script = script(&case.script, &subject.waiter.answers)?;
        Some((subject, script))
    });
    // The minimum is the first of those that are equal.
    let (subject, script) = able.min_by_key(|(subject, _)| {
        favourite != Some(&*format!("{}.{}", subject.suite.suite, subject.name))
    })?;
    let expectation = Expectation::Behaviour(alternatives(&case.expect, &case.also));
    let options = case.options.clone();
    let grounds = Grounds::new(&case.reason, case.basis, &case.clause, file);
    Some(subject.task(&case.id, options, script, expectation, grounds))
}

impl Grounds {
    fn new(reason: &str, basis: Basis, clause: &str, file: &Path) -> Self {
        Self {
            reason: reason.to_owned(),
            basis,
            clause: clause.to_owned(),
            file: file.to_owned(),
        }
    }
}

fn alternatives<T: Clone>(expect: &T, also: &[T]) -> Vec<T> {
    [expect].into_iter().chain(also).cloned().collect()
}

/// A waiter to play a case with.
struct Subject<'k> {
    suite: &'k Suite,
    name: &'k str,
    waiter: &'k Waiter,
}

impl Subject<'_> {
    fn task(
        &self,
        id: &str,
        options: WaitOptions,
        script: Vec<Scene>,
        expectation: Expectation,
        grounds: Grounds,
    ) -> Task {
        Task {
            id: id.to_owned(),
            suite: self.suite.suite.clone(),
            service: self.suite.service.clone(),
            operation: self.waiter.operation.clone(),
            waiter: self.name.to_owned(),
            definition: self.waiter.definition.clone(),
            params: self.waiter.params.clone(),
            options,
            script,
            expectation,
            grounds,
        }
    }
}

fn script(steps: &[Step], answers: &BTreeMap<String, Answer>) -> Option<Vec<Scene>> {
    steps.iter().map(|step| step.scene(answers)).collect()
}

impl Step {
    /// Returns `None` if the waiter lacks the answer.
    fn scene(&self, answers: &BTreeMap<String, Answer>) -> Option<Scene> {
        let reaction = match (&self.role, self.status, self.connection.as_deref()) {
            (Some(role), ..) => Reaction::Answer(answers.get(role)?.http.clone()?),
            (_, Some(status), _) => Reaction::Answer(Http {
                status,
                ..Http::default()
            }),
            (_, _, Some("reset")) => Reaction::Reset,
            _ => Reaction::Hang,
        };
        let until = self
            .until
            .map(|until| Lasts::Until(Duration::from_secs_f64(until.max(0.0))));
        let lasts = until.unwrap_or(Lasts::Times(self.times.unwrap_or(1)));
        let takes = Duration::from_secs_f64(self.takes.max(0.0));
        Some(Scene {
            reaction,
            takes,
            lasts,
        })
    }
}

impl Scene {
    const fn once(reaction: Reaction) -> Self {
        Self {
            reaction,
            takes: Duration::ZERO,
            lasts: Lasts::Times(1),
        }
    }
}
