//! Waiters: validated definitions and the evaluation of results.

#[cfg(feature = "botocore")]
pub(crate) mod botocore;
mod extension;
mod failure;
mod json;
pub(crate) mod preset;
mod until;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::definition::{Acceptor, Definition, MAX_DELAY, MIN_DELAY, State, json_of};
use crate::error::{DefinitionError, OptionsError};
use crate::evaluation::{
    self, ErrorMetadata, Hint, Observation, Reason, ReasonData, Redacted, Show, Verdict,
};
use crate::jmespath::{Evaluator, Expression, Item};
use crate::model::Model;
use crate::options::{Conditions, Defaults, ResolvedOptions, Successes};
use crate::value::{Kind, Value};

pub use extension::Extension;
pub use until::Until;

/// A waiter of the specification, parsed and validated.
///
/// Cloning is cheap, and a waiter can be shared between threads.
///
/// Specification: [Waiter structure](https://smithy.io/2.0/additional-specs/waiters.html#waiter-structure).
///
/// # Example: the verdict on a response
///
/// ```
/// use serde_json::{Value, json};
/// use smithy_waiters::{Observation, State, Waiter};
///
/// let table_exists = Waiter::from_json(r#"{
///     "acceptors": [
///         {"state": "success", "matcher": {"output": {
///             "path": "Table.TableStatus", "comparator": "stringEquals", "expected": "ACTIVE"}}},
///         {"state": "retry", "matcher": {"errorType": "ResourceNotFoundException"}}
///     ]
/// }"#)?;
///
/// let response = json!({"Table": {"TableStatus": "ACTIVE"}});
/// let verdict = table_exists.evaluate(&Value::Null, Observation::Response(&response));
/// assert_eq!((verdict.state(), verdict.acceptor()), (State::Success, Some(0)));
/// # Ok::<(), smithy_waiters::DefinitionError>(())
/// ```
#[derive(Clone)]
pub struct Waiter {
    definition: Arc<Definition>,
    /// The redaction of the definition, of the model and of a wait's options.
    redacted: Arc<Redacted>,
    /// The paths to show of a wait's options.
    show: Option<Arc<Show>>,
    defaults: Defaults,
}

impl Waiter {
    /// Parses a waiter from the JSON text of one Waiter structure.
    ///
    /// Unknown members are ignored. With the feature `hints`, a member whose name resembles a valid one (`minDealy`) is
    /// an error.
    ///
    /// # Errors
    ///
    /// Returns a [`DefinitionError`] for any violation of the specification. It contains the JSON path of the culprit
    /// and, for a JMESPath expression, the column. With the feature `hints`, it is `unknown_member` for a misspelled
    /// member.
    pub fn from_json(text: &str) -> Result<Self, DefinitionError> {
        Self::with(Definition::from_json(text, None))
    }

    /// Parses a waiter from JSON text and sets the name that messages contain.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`from_json`](Self::from_json), and `invalid_name` for a name that the specification's
    /// grammar doesn't allow.
    pub fn named(name: &str, text: &str) -> Result<Self, DefinitionError> {
        Self::with(Definition::from_json(text, Some(name)))
    }

    /// Creates a waiter from one Waiter structure as parsed JSON, with an optional name.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`named`](Self::named) except `invalid_json`.
    pub fn from_value(definition: &Json, name: Option<&str>) -> Result<Self, DefinitionError> {
        Self::with(Definition::from_user_value(definition, name))
    }

    /// Creates a waiter from the text of a Smithy model's JSON AST.
    ///
    /// The case of the waiter's name is ignored. `service` is an absolute or relative shape id, which is necessary if
    /// several services have a waiter with this name. Only the parts of the model that lead to its waiters are
    /// validated.
    ///
    /// # Errors
    ///
    /// - `invalid_json` and `invalid_model` for a text that is not a model
    /// - `unknown_service`, and `unknown_waiter` with the available names
    /// - `ambiguous_waiter` with all services that have a waiter with this name
    /// - the errors of [`from_value`](Self::from_value), with their path in the model
    ///
    /// Specification:
    /// [waitable trait](https://smithy.io/2.0/additional-specs/waiters.html#smithy-waiters-waitable-trait).
    pub fn from_model(
        model: &str,
        waiter: &str,
        service: Option<&str>,
    ) -> Result<Self, DefinitionError> {
        Self::from_model_value(&json_of("model", model)?, waiter, service)
    }

    /// Creates a waiter from a parsed Smithy model. See [`from_model`](Self::from_model).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`from_model`](Self::from_model) except `invalid_json`.
    pub fn from_model_value(
        model: &Json,
        waiter: &str,
        service: Option<&str>,
    ) -> Result<Self, DefinitionError> {
        let mut model = Model::new(model)?;
        let found = model.find(waiter, service)?;
        let waiter = Self::with(Definition::from_value(found.definition, Some(found.name)));
        let mut waiter = waiter.map_err(|error| found.place(error))?;
        let sensitive = model.sensitive_paths(&found, waiter.definition_acceptors());
        if waiter.add_redaction(&sensitive).is_err() {
            // A path that is too long to redact: hide the whole response instead.
            let _ = waiter.add_redaction(&["@".to_owned()]);
        }
        Ok(waiter)
    }

    /// Returns the waiter with additional acceptors. The name, the delays, the defaults and the redaction stay the same.
    ///
    /// The redaction of a model's `@sensitive` members covers the input only if one of the waiter's own acceptors reads
    /// it.
    ///
    /// # Errors
    ///
    /// Returns `no_state_path` for a value if the waiter has no path that it could belong to, and any error of an
    /// acceptor. The path of the error begins with `fail` or `first`.
    pub fn extend(&self, extension: &Extension) -> Result<Self, DefinitionError> {
        let mut definition = self.checked_definition()?;
        let acceptors = extension.acceptors(self)?;
        let (acceptors, goals): (Vec<_>, Vec<_>) = acceptors.into_iter().unzip();
        if let Some(members) = definition.as_object_mut() {
            members.insert("acceptors".to_owned(), acceptors.into());
        }
        let extended = Definition::from_user_value(&definition, self.name())?.with_goals(&goals);
        Ok(Self::with(extended)?.with_defaults(self.defaults.clone()))
    }

    /// Returns the waiter with other defaults for the options of its waits.
    #[must_use]
    pub fn with_defaults(self, defaults: Defaults) -> Self {
        Self { defaults, ..self }
    }

    /// Returns the defaults for the options of its waits: the specification's, unless the waiter has the short form or
    /// replaces a waiter of an SDK. See docs/rules.md#defaults.
    #[must_use]
    pub const fn defaults(&self) -> &Defaults {
        &self.defaults
    }

    /// Creates a waiter for a predicate that the host evaluates.
    #[cfg(feature = "driver")]
    pub(crate) fn for_predicate() -> Self {
        Self {
            definition: Arc::new(Definition::of_predicate()),
            redacted: Arc::default(),
            show: None,
            defaults: Defaults::SHORT_FORM,
        }
    }

    pub(crate) fn with(
        definition: Result<Definition, DefinitionError>,
    ) -> Result<Self, DefinitionError> {
        let definition = definition?;
        let mut redacted = Redacted::default();
        let added = redacted.add(&definition.acceptors, &definition.redact);
        added.map_err(|(index, problem)| {
            let message = format!("it {problem}");
            DefinitionError::new("invalid_redact", format!("redact[{index}]"), message)
        })?;
        Ok(Self {
            definition: Arc::new(definition),
            redacted: Arc::new(redacted),
            show: None,
            defaults: Defaults::SPECIFICATION,
        })
    }

    /// Adds paths to redact. Fails with the index of an invalid path and the violated rule.
    fn add_redaction(&mut self, paths: &[String]) -> Result<(), (usize, String)> {
        let mut redacted = Redacted::clone(&self.redacted);
        redacted.add(self.definition_acceptors(), paths)?;
        self.redacted = Arc::new(redacted);
        Ok(())
    }

    /// Returns the name of the waiter, if it has one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.definition.name.as_deref()
    }

    /// Returns the definition's `documentation`.
    #[must_use]
    pub fn documentation(&self) -> Option<&str> {
        self.definition.documentation.as_deref()
    }

    /// Returns `true` if the definition marks the waiter as deprecated.
    #[must_use]
    pub fn deprecated(&self) -> bool {
        self.definition.deprecated
    }

    /// Returns the definition's `tags`.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.definition.tags
    }

    /// Returns the minimum delay between two attempts, by default 2 seconds.
    #[must_use]
    pub fn min_delay(&self) -> Duration {
        self.definition.min_delay.unwrap_or(MIN_DELAY)
    }

    /// Returns the maximum delay between two attempts, by default 120 seconds.
    #[must_use]
    pub fn max_delay(&self) -> Duration {
        self.definition.max_delay.unwrap_or(MAX_DELAY)
    }

    /// Returns the paths of the members that reasons, messages and reports hide: those of the definition and, for a
    /// waiter from a model, the `@sensitive` members of the response. See [docs/rules.md#redaction](https://github.com/smithy-waiters/smithy-waiters/blob/main/docs/rules.md#redaction).
    #[must_use]
    pub fn redact(&self) -> &[String] {
        &self.redacted().paths
    }

    /// Returns the waiter for a wait with the paths of its options. Fails for an invalid path.
    pub(crate) fn for_wait(&self, settings: &ResolvedOptions) -> Result<Self, OptionsError> {
        // The options of one wait must not change the waiter, which other waits use. The clone shares the definition.
        let mut waiter = self.clone();
        let redact = &settings.redact;
        if !redact.is_empty() {
            let added = waiter.add_redaction(redact);
            added.map_err(|(index, problem)| {
                OptionsError::at("redact", format!("redact[{index}]"), format!(" {problem}"))
            })?;
        }
        let conditions = settings.conditions.as_deref();
        let conditions: Vec<_> = conditions.into_iter().flat_map(Conditions::paths).collect();
        if settings.show.is_empty() && conditions.is_empty() {
            return Ok(waiter);
        }
        let names = self.definition.names.clone();
        let response = if self.is_predicate() {
            "response | "
        } else {
            ""
        };
        let paths = (&*settings.show, &*conditions);
        let compiled = Show::new(response, paths, names, &waiter.redacted);
        let compiled = compiled.map_err(|(index, error)| {
            let problem = format!(": {error}");
            match index.checked_sub(settings.show.len()) {
                None => OptionsError::at("show", format!("show[{index}]"), problem),
                Some(index) => {
                    let conditions = settings.conditions.as_deref();
                    let option = conditions.map_or("same", |conditions| conditions.option(index));
                    OptionsError::at(option, option.to_owned(), problem)
                }
            }
        })?;
        waiter.show = Some(Arc::new(compiled));
        Ok(waiter)
    }

    /// Returns what the definition says about its successes.
    pub(crate) fn successes(&self) -> Successes {
        let acceptors = self.definition.acceptors.iter();
        let acceptors = acceptors.filter(|acceptor| acceptor.state() == State::Success);
        let mut paths: Vec<_> = acceptors.clone().map(Acceptor::compared_path).collect();
        paths.dedup();
        Successes {
            path: match *paths {
                [Some(path)] => Some(path.to_owned()),
                _ => None,
            },
            by_response: acceptors
                .clone()
                .any(|acceptor| !acceptor.matcher().is_error_type()),
        }
    }

    /// Returns the verdict of the first success acceptor.
    pub(crate) fn first_success(&self) -> Option<Verdict> {
        let mut acceptors = self.definition.acceptors.iter();
        let index = acceptors.position(|acceptor| acceptor.state() == State::Success)?;
        Some(Verdict::of_acceptor(index, State::Success))
    }

    pub(crate) fn show(&self) -> Option<&Show> {
        self.show.as_deref()
    }

    pub(crate) fn redacted(&self) -> &Redacted {
        &self.redacted
    }

    /// Returns the definition.
    ///
    /// # Errors
    ///
    /// Returns `predicate` if the host evaluates a predicate.
    #[doc(hidden)]
    pub fn checked_definition(&self) -> Result<Json, DefinitionError> {
        if self.is_predicate() {
            let message = "a waiter with a predicate has no definition and cannot be saved, linted or extended: use an expression instead";
            return Err(DefinitionError::new("predicate", "", message));
        }
        Ok(self.definition())
    }

    /// Returns `true` if the host evaluates a predicate. The response of such a host is
    /// `{"predicate": true, "response": …}`.
    #[doc(hidden)]
    #[must_use]
    pub fn is_predicate(&self) -> bool {
        self.definition.is_predicate
    }

    /// Returns the definition: one Waiter structure with all members and the redacted paths.
    ///
    /// A waiter that is created from it is equal to this one, if it has the same name.
    #[must_use]
    pub fn definition(&self) -> Json {
        let Definition {
            documentation,
            deprecated,
            tags,
            ..
        } = &*self.definition;
        let acceptors = self
            .acceptors()
            .filter_map(|text| serde_json::from_str(text).ok());
        let seconds = |delay: Option<Duration>| delay.map(|delay| delay.as_secs());
        let (min_delay, max_delay) = self.delays();
        let members = [
            ("documentation", json!(documentation)),
            ("acceptors", Json::Array(acceptors.collect())),
            ("minDelay", json!(seconds(min_delay))),
            ("maxDelay", json!(seconds(max_delay))),
            ("deprecated", json!(deprecated.then_some(true))),
            ("tags", json!(Some(tags).filter(|tags| !tags.is_empty()))),
            (
                "redact",
                json!(Some(self.redact()).filter(|paths| !paths.is_empty())),
            ),
        ];
        let members = members.into_iter().filter(|(_, value)| !value.is_null());
        members
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    /// Returns the acceptors in order, as compact JSON.
    pub fn acceptors(&self) -> impl ExactSizeIterator<Item = &str> {
        self.definition.acceptors.iter().map(Acceptor::text)
    }

    /// Returns the names of errors that acceptors match.
    #[doc(hidden)]
    pub fn error_types(&self) -> impl Iterator<Item = &str> {
        let acceptors = self.definition.acceptors.iter();
        acceptors.filter_map(|acceptor| acceptor.matcher().error_type())
    }

    /// Returns the member names and expected strings of the paths. The index of a text is the index of its
    /// [`Name`](crate::internal::Name).
    ///
    /// A host can intern its own form of each text once.
    #[doc(hidden)]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        let shown = self.show().map(Show::names);
        let names = shown.unwrap_or(&self.definition.names);
        names.texts().iter().map(|text| &**text)
    }

    /// Evaluates a response or an error.
    ///
    /// The verdict is the state of the first acceptor that matches. If no acceptor matches, it is retry for a response
    /// and failure for an error. `input` is the operation's input, which `inputOutput` matchers read; pass null if it
    /// is unavailable.
    ///
    /// Specification: [Waiter workflow](https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow), steps 3
    /// to 5.
    pub fn evaluate<V: Value>(&self, input: V, seen: Observation<'_, V>) -> Verdict {
        evaluation::evaluate(self.definition_acceptors(), Some(&input), &seen)
    }

    /// Evaluates a response or an error and returns the reasons why each acceptor did or did not match, up to the first
    /// one that matches. See [`evaluate`](Self::evaluate).
    pub fn reasons<V: Value>(&self, input: V, seen: Observation<'_, V>) -> Vec<Reason> {
        let (_, reason_data) = self.find(Some(&input), &seen);
        reason_data.reasons(self.definition_acceptors())
    }

    /// Returns the verdict and the data from which the reasons are created.
    pub(crate) fn find<V: Value>(
        &self,
        input: Option<&V>,
        seen: &Observation<'_, V>,
    ) -> (Verdict, ReasonData) {
        let acceptors = self.definition_acceptors();
        evaluation::evaluate_with_reasons(acceptors, input, seen, self.redacted())
    }

    /// Returns the hints that a result shows. The response of a predicate's host has no members of the caller's.
    pub(crate) fn hints<V: Value>(
        &self,
        input: Option<&V>,
        seen: &Observation<'_, V>,
        verdict: Verdict,
    ) -> Vec<Hint> {
        if self.is_predicate() && matches!(seen, Observation::Response(_)) {
            return Vec::new();
        }
        let (acceptors, names) = (self.definition_acceptors(), &self.definition.names);
        let options = (self.redacted(), self.show());
        evaluation::hints(acceptors, names, (input, seen), verdict, options)
    }

    /// Returns the verdict on an error and the data from which the reasons are created.
    pub(crate) fn evaluate_error(&self, metadata: &ErrorMetadata<'_>) -> (Verdict, ReasonData) {
        let seen = Observation::<&Json>::Error(metadata);
        self.find(None, &seen)
    }

    /// Returns the minimum and maximum delays of the definition.
    pub(crate) fn delays(&self) -> (Option<Duration>, Option<Duration>) {
        (self.definition.min_delay, self.definition.max_delay)
    }

    /// Returns a hash that is equal for two waiters with the same behavior, regardless of their names.
    pub(crate) fn fingerprint(&self) -> String {
        self.definition.fingerprint()
    }

    pub(crate) fn definition_acceptors(&self) -> &[Acceptor] {
        &self.definition.acceptors
    }

    pub(crate) fn acceptor(&self, index: usize) -> Option<&Acceptor> {
        self.definition.acceptors.get(index)
    }

    /// Returns the message of the acceptor that matched a response, if it defines one and the message is a text.
    /// See docs/rules.md#failure-messages.
    pub(crate) fn modeled_message<V: Value>(
        &self,
        verdict: Verdict,
        seen: &Observation<'_, V>,
    ) -> Option<String> {
        let index = verdict.acceptor()?;
        let message = self.acceptor(index)?.message()?;
        let [_, is_redacted] = self.redacted().acceptor(index);
        if is_redacted {
            return None;
        }
        match seen {
            Observation::Response(output) => message_text(message, &Item::Host(output.clone())),
            Observation::Error(_) => None,
        }
    }
}

impl fmt::Debug for Waiter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let acceptors: Vec<_> = self.acceptors().collect();
        f.debug_struct("Waiter")
            .field("name", &self.name())
            .field("acceptors", &acceptors)
            .finish_non_exhaustive()
    }
}

/// Returns a string, or the strings of an array joined by `", "`. Other values are not messages.
fn message_text<V: Value>(message: &Expression, output: &Item<'_, V>) -> Option<String> {
    let evaluator = Evaluator::new();
    // A message that cannot be evaluated must not hide the failure. Rule: docs/rules.md#failure-messages
    let value = evaluator.evaluate(message.root(), output).ok()?;
    match value.kind().ok()? {
        Kind::String => {
            Some(evaluator.text(&value).ok()?.into_owned()).filter(|text| !text.is_empty())
        }
        Kind::Array => {
            let (mut parts, mut are_strings) = (Vec::new(), true);
            let visited = evaluator.each_item(&value, &mut |item| {
                are_strings = item.kind()? == Kind::String;
                if !are_strings {
                    return Ok(ControlFlow::Break(()));
                }
                parts.push(evaluator.text(&item)?.into_owned());
                Ok(ControlFlow::Continue(()))
            });
            (visited.is_ok() && are_strings && !parts.is_empty()).then(|| parts.join(", "))
        }
        _ => None,
    }
}
