//! A waiter: its definition, and what it says of one response or error.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::definition::{Acceptor, Definition, Extension, MAX_DELAY, MIN_DELAY, json_of};
use crate::error::DefinitionError;
use crate::evaluation::{
    self, ErrorMetadata, Findings, Observation, Reason, Redacted, Show, Verdict,
};
use crate::jmespath::{Evaluator, Expression, Item};
use crate::model::Model;
use crate::value::{Kind, Value};

/// One waiter of the specification, parsed once; an invalid one cannot exist.
///
/// Cheap to clone, and shared between threads as it is.
///
/// Clause: [Waiter structure](https://smithy.io/2.0/additional-specs/waiters.html#waiter-structure).
///
/// # Example: a verdict on a response
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
    /// The redaction: of the definition, of the model and of the options of a wait.
    redacted: Arc<Redacted>,
    /// What the caller of a wait wants to see.
    show: Option<Arc<Show>>,
}

impl Waiter {
    /// A waiter from the JSON text of one Waiter structure.
    ///
    /// # Errors
    ///
    /// Whatever the specification does not allow, with the JSON path of the culprit and, in a JMESPath expression, its
    /// column. With the feature `hints` also `unknown_member` for a member that looks like one that is not there
    /// (`minDealy`); any other that is unknown is ignored.
    pub fn from_json(text: &str) -> Result<Self, DefinitionError> {
        Self::with(Definition::from_json(text, None))
    }

    /// The same with a name, which messages use.
    ///
    /// # Errors
    ///
    /// As [`from_json`](Self::from_json), and `invalid_name` where the name is not of the specification's grammar.
    pub fn named(name: &str, text: &str) -> Result<Self, DefinitionError> {
        Self::with(Definition::from_json(text, Some(name)))
    }

    /// A waiter from one Waiter structure as parsed JSON, with or without a name.
    ///
    /// # Errors
    ///
    /// As [`named`](Self::named).
    pub fn from_value(definition: &Json, name: Option<&str>) -> Result<Self, DefinitionError> {
        Self::with(Definition::written(definition, name))
    }

    /// A waiter of a Smithy model: its JSON AST as text, the waiter's name in any case, and the service's absolute or
    /// relative shape id where the model has several with such a waiter.
    ///
    /// Nothing else of the model is looked at than what leads to its waiters.
    ///
    /// # Errors
    ///
    /// `invalid_json` and `invalid_model` for what is no model, `unknown_service`, `unknown_waiter` with the names there
    /// are, `ambiguous_waiter` with all services that have one of the name, and whatever
    /// [`from_value`](Self::from_value) refuses, with its path in the model.
    ///
    /// Clause: [waitable trait](https://smithy.io/2.0/additional-specs/waiters.html#smithy-waiters-waitable-trait).
    pub fn from_model(
        model: &str,
        waiter: &str,
        service: Option<&str>,
    ) -> Result<Self, DefinitionError> {
        Self::from_model_value(&json_of("model", model)?, waiter, service)
    }

    /// The same from a model that is parsed already.
    ///
    /// # Errors
    ///
    /// As [`from_model`](Self::from_model).
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
        if waiter.redact_further(&sensitive).is_err() {
            // A path that is too long: nothing of the response is shown.
            let _ = waiter.redact_further(&["@".to_owned()]);
        }
        Ok(waiter)
    }

    /// Returns the waiter with further acceptors, and with the same name, delays and redaction.
    ///
    /// A matcher of a further acceptor may quote what its path gives: members that are `@sensitive` in the model of the waiter are
    /// hidden only on the paths of the waiter's own acceptors.
    ///
    /// # Errors
    ///
    /// `no_state_path` for a value without a path that it could be of; whatever is wrong with an acceptor. The path of the error
    /// begins with `fail` or `first`.
    pub fn extend(&self, extension: &Extension) -> Result<Self, DefinitionError> {
        let mut definition = self.checked_definition()?;
        if let Some(members) = definition.as_object_mut() {
            let acceptors = extension.acceptors(self)?.into();
            members.insert("acceptors".to_owned(), acceptors);
        }
        Self::from_value(&definition, self.name())
    }

    /// Returns a waiter whose host evaluates a predicate.
    #[cfg(feature = "driver")]
    pub(crate) fn of_predicate() -> Self {
        Self {
            definition: Arc::new(Definition::of_predicate()),
            redacted: Arc::default(),
            show: None,
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
        })
    }

    /// Adds paths to redact. Fails with the index of an invalid path, and the rule.
    fn redact_further(&mut self, paths: &[String]) -> Result<(), (usize, String)> {
        let mut redacted = Redacted::clone(&self.redacted);
        redacted.add(self.definition_acceptors(), paths)?;
        self.redacted = Arc::new(redacted);
        Ok(())
    }

    /// The name it was made with.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.definition.name.as_deref()
    }

    /// The definition's `documentation`.
    #[must_use]
    pub fn documentation(&self) -> Option<&str> {
        self.definition.documentation.as_deref()
    }

    /// Whether the definition says that the waiter is deprecated.
    #[must_use]
    pub fn deprecated(&self) -> bool {
        self.definition.deprecated
    }

    /// The definition's `tags`.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.definition.tags
    }

    /// The least delay between two attempts: the definition's, 2 seconds where it has none.
    #[must_use]
    pub fn min_delay(&self) -> Duration {
        self.definition.min_delay.unwrap_or(MIN_DELAY)
    }

    /// The greatest delay between two attempts: the definition's, 120 seconds where it has none.
    #[must_use]
    pub fn max_delay(&self) -> Duration {
        self.definition.max_delay.unwrap_or(MAX_DELAY)
    }

    /// The paths of the members that reasons, messages and reports do not show (D12): the definition's own, and those that are
    /// `@sensitive` in the model that it is from and that its acceptors read.
    #[must_use]
    pub fn redact(&self) -> &[String] {
        &self.redacted().paths
    }

    /// Returns the waiter of a wait, with further paths to redact and with paths to show. Fails with the option of an invalid path,
    /// its index, and the problem.
    pub(crate) fn of_wait(
        &self,
        redact: &[String],
        show: &[String],
    ) -> Result<Self, (&'static str, usize, String)> {
        let mut waiter = self.clone();
        if !redact.is_empty() {
            let added = waiter.redact_further(redact);
            added.map_err(|(index, problem)| ("redact", index, format!(" {problem}")))?;
        }
        if !show.is_empty() {
            let names = self.definition.names.clone();
            let response = if self.is_predicate() {
                "response | "
            } else {
                ""
            };
            let compiled = Show::new((response, show), names, &waiter.redacted);
            let compiled =
                compiled.map_err(|(index, error)| ("show", index, format!(": {error}")))?;
            waiter.show = Some(Arc::new(compiled));
        }
        Ok(waiter)
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
    /// `predicate` for a waiter that has none, because its host evaluates a predicate.
    #[doc(hidden)]
    pub fn checked_definition(&self) -> Result<Json, DefinitionError> {
        if self.is_predicate() {
            let message = "a waiter with a predicate has no definition: it cannot be saved, linted or extended; an expression can";
            return Err(DefinitionError::new("predicate", "", message));
        }
        Ok(self.definition())
    }

    /// Returns `true` if the host evaluates a predicate, and hands in `{"predicate": true, "response": …}` as the response.
    #[doc(hidden)]
    #[must_use]
    pub fn is_predicate(&self) -> bool {
        self.definition.is_predicate
    }

    /// Returns the definition: one Waiter structure, with the members that it was made with and its redacted paths.
    ///
    /// It makes an equal waiter, whose name is given beside it.
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

    /// The texts of its acceptors, as compact JSON, in order.
    pub fn acceptors(&self) -> impl ExactSizeIterator<Item = &str> {
        self.definition.acceptors.iter().map(Acceptor::text)
    }

    /// Every member name and expected string that its paths use, at the index of its [`Name`](crate::value::Name).
    ///
    /// A host interns its own form of each once.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        let shown = self.show().map(Show::names);
        let names = shown.unwrap_or(&self.definition.names);
        names.texts().iter().map(|text| &**text)
    }

    /// What follows from a response or an error: the state of the first acceptor that matches, else retry after a
    /// response and failure after an error.
    ///
    /// `input` is the operation's input, which `inputOutput` matchers look at; null where there is none to look at.
    ///
    /// Clause: [Waiter workflow](https://smithy.io/2.0/additional-specs/waiters.html#waiter-workflow), steps 3 to 5.
    pub fn evaluate<V: Value>(&self, input: V, seen: Observation<'_, V>) -> Verdict {
        evaluation::evaluate(self.definition_acceptors(), Some(&input), &seen)
    }

    /// Evaluates as [`evaluate`](Self::evaluate) does, and returns why each acceptor, up to the one that matched, did or did not
    /// match.
    pub fn reasons<V: Value>(&self, input: V, seen: Observation<'_, V>) -> Vec<Reason> {
        let (_, findings) = self.find(Some(&input), &seen);
        findings.reasons(self.definition_acceptors())
    }

    /// The verdict, and what the reasons are made of.
    pub(crate) fn find<V: Value>(
        &self,
        input: Option<&V>,
        seen: &Observation<'_, V>,
    ) -> (Verdict, Findings) {
        let acceptors = self.definition_acceptors();
        evaluation::evaluate_with_findings(acceptors, input, seen, self.redacted())
    }

    /// The verdict on an error, and what the reasons are made of.
    pub(crate) fn find_error(&self, facts: &ErrorMetadata<'_>) -> (Verdict, Findings) {
        let seen = Observation::<&Json>::Error(facts);
        self.find(None, &seen)
    }

    /// The delays of the definition.
    pub(crate) fn delays(&self) -> (Option<Duration>, Option<Duration>) {
        (self.definition.min_delay, self.definition.max_delay)
    }

    /// Tells definitions apart: equal for two waiters that decide alike, whatever their names.
    pub(crate) fn fingerprint(&self) -> String {
        self.definition.fingerprint()
    }

    pub(crate) fn definition_acceptors(&self) -> &[Acceptor] {
        &self.definition.acceptors
    }

    /// The acceptor at an index.
    pub(crate) fn acceptor(&self, index: usize) -> Option<&Acceptor> {
        self.definition.acceptors.get(index)
    }

    /// D9: the failure's own message, where the acceptor that matched the response has one and it gives a text.
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
            Observation::Response(output) => text_of(message, &Item::Host(output.clone())),
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

/// A string, or an array of strings joined by `", "`; nothing else is a message.
fn text_of<V: Value>(message: &Expression, output: &Item<'_, V>) -> Option<String> {
    let evaluator = Evaluator::new();
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
