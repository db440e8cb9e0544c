//! Errors that acceptors name, and that no operation of the model has.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::Waiter;
use crate::event::{Event, Severity};
use crate::id;
use crate::model::Model;
use crate::node::Node;
use crate::shape::Kind;
use crate::suggest;

const UNKNOWN: &str = "SmithyWaiters.UnknownErrorType";

/// The names of all errors of a model, as shapes and as services send them, by their namespaces: models of several services
/// may be read at once.
#[derive(Debug)]
pub(super) struct Known<'a> {
    names: FxHashMap<&'a str, BTreeSet<&'a str>>,
}

impl<'a> Known<'a> {
    pub(super) fn of(model: &Model<'a>) -> Self {
        let mut names: FxHashMap<&str, BTreeSet<&str>> = FxHashMap::default();
        let structures = model.of_kind(Kind::Structure);
        for error in structures.filter(|shape| shape.has_trait("smithy.api#error")) {
            let names = names.entry(id::namespace(error.id)).or_default();
            names.insert(id::name(error.id));
            let code = error.find_trait("aws.protocols#awsQueryError");
            names.extend(code.and_then(|code| code.value.member("code")?.as_str()));
        }
        Self { names }
    }

    /// The names that are known where an operation is.
    fn near<'n>(&'n self, waiter: &Waiter<'_, 'n>) -> Vec<&'n str> {
        let own = self.names.get(id::namespace(waiter.operation.id));
        let modeled = waiter.model.errors(waiter.operation);
        let modeled = modeled.into_iter().map(id::name);
        own.into_iter().flatten().copied().chain(modeled).collect()
    }
}

/// Finds an error that nothing in the model has.
pub(super) fn check(
    waiter: &Waiter<'_, '_>,
    index: usize,
    acceptor: &Node<'_>,
    known: &Known<'_>,
    events: &mut Vec<Event>,
) {
    let error = acceptor
        .member("matcher")
        .and_then(|matcher| matcher.member("errorType"));
    let Some((error, name)) = error.and_then(|error| Some((error, error.as_str()?))) else {
        return;
    };
    let names = known.near(waiter);
    if names.contains(&matched(name)) {
        return;
    }
    let near = suggest::did_you_mean(name, names);
    let message = format!("no operation of the model has an error `{name}`{near}");
    events.push(waiter.acceptor_event(index, Severity::Note, UNKNOWN, error.at, &message));
}

/// The part of an error's name that is matched.
pub(super) fn matched(name: &str) -> &str {
    let name = name.split_once(':').map_or(name, |(name, _)| name);
    name.rsplit_once('#').map_or(name, |(_, name)| name)
}
