//! Errors that acceptors name, and that no operation of the model has.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Waiter;
use crate::event::{Event, Severity};
use crate::id;
use crate::model::Model;
use crate::node::Node;
use crate::shape::{Kind, Shape};
use crate::suggest;

/// Up to how many events there are suggestions: where there are thousands, they are no typing errors.
const SUGGESTED: usize = 500;

const ERROR: &str = "smithy.api#error";
const UNKNOWN: &str = "SmithyWaiters.UnknownErrorType";

/// The names of errors, as shapes and as services send them.
#[derive(Debug)]
pub(super) struct Known<'a> {
    /// Those of each namespace: models of several services may be read at once.
    namespaces: FxHashMap<&'a str, BTreeSet<&'a str>>,
    /// Those of all operations of a service and of itself, by the ids of its operations.
    services: FxHashMap<&'a str, Vec<Rc<BTreeSet<&'a str>>>>,
}

impl<'a> Known<'a> {
    pub(super) fn of(model: &Model<'a>) -> Self {
        let mut namespaces: FxHashMap<&str, BTreeSet<&str>> = FxHashMap::default();
        let structures = model.of_kind(Kind::Structure);
        for error in structures.filter(|shape| shape.has_trait(ERROR)) {
            let names = namespaces.entry(id::namespace(error.id)).or_default();
            names.extend(names_of(model, error.id));
        }
        let mut services: FxHashMap<&str, Vec<Rc<BTreeSet<&str>>>> = FxHashMap::default();
        for service in model.of_kind(Kind::Service) {
            let operations = model.operations(service);
            let bound = operations.iter().copied().chain([service]);
            let ids: BTreeSet<&str> = bound.flat_map(|shape| model.errors(shape)).collect();
            let names = ids.into_iter().flat_map(|id| names_of(model, id));
            let names: Rc<BTreeSet<&str>> = Rc::new(names.collect());
            let has_waiters = |operation: &&Shape<'a>| operation.has_trait(super::WAITABLE);
            for operation in operations.into_iter().filter(has_waiters) {
                let known = services.entry(operation.id).or_default();
                known.push(Rc::clone(&names));
            }
        }
        Self {
            namespaces,
            services,
        }
    }

    /// Whether an error is known where a waiter is, or anywhere by its absolute id.
    fn has(&self, waiter: &Waiter<'_, 'a>, error: &str) -> bool {
        let of_id = || {
            let shape = waiter.model.shape(error.split(':').next()?)?;
            shape.has_trait(ERROR).then_some(())
        };
        let name = matched(error);
        let own = self.namespaces.get(id::namespace(waiter.operation.id));
        let mut services = self.services.get(waiter.operation.id).into_iter().flatten();
        let is_modeled = || {
            let mut modeled = waiter.model.errors(waiter.operation).into_iter();
            modeled.any(|id| names_of(waiter.model, id).any(|known| known == name))
        };
        of_id().is_some()
            || own.is_some_and(|names| names.contains(name))
            || services.any(|names| names.contains(name))
            || is_modeled()
    }

    /// The names that are known where an operation is.
    fn near<'n>(&'n self, waiter: &Waiter<'_, 'a>) -> impl Iterator<Item = &'n str> {
        let own = self.namespaces.get(id::namespace(waiter.operation.id));
        let services = self.services.get(waiter.operation.id).into_iter().flatten();
        let of_service = services.flat_map(|names| names.iter());
        let modeled = waiter.model.errors(waiter.operation).into_iter();
        let modeled = modeled.flat_map(|id| names_of(waiter.model, id));
        let known = own.into_iter().flatten().chain(of_service).copied();
        known.chain(modeled)
    }
}

/// The names of an error: its shape's, and the code by which services of one protocol send it.
fn names_of<'a>(model: &Model<'a>, error: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
    let shape = model.shape(error);
    let code = shape.and_then(|shape| {
        let applied = shape.find_trait("aws.protocols#awsQueryError")?;
        applied.value.member("code")?.as_str()
    });
    std::iter::once(id::name(error)).chain(code)
}

/// Finds an error that nothing in the model has.
pub(super) fn check<'a>(
    waiter: &Waiter<'_, 'a>,
    index: usize,
    acceptor: &Node<'_>,
    known: &Known<'a>,
    events: &mut Vec<Event>,
) {
    let error = acceptor
        .member("matcher")
        .and_then(|matcher| matcher.member("errorType"));
    let Some((error, name)) = error.and_then(|error| Some((error, error.as_str()?))) else {
        return;
    };
    if known.has(waiter, name) {
        return;
    }
    let near = if events.len() < SUGGESTED {
        suggest::did_you_mean(name, known.near(waiter))
    } else {
        String::new()
    };
    let message = format!("no operation of the model has an error `{name}`{near}");
    events.push(waiter.acceptor_event(index, Severity::Note, UNKNOWN, error.at, &message));
}

/// The part of an error's name that is matched.
pub(super) fn matched(name: &str) -> &str {
    let name = name.split_once(':').map_or(name, |(name, _)| name);
    name.rsplit_once('#').map_or(name, |(_, name)| name)
}
