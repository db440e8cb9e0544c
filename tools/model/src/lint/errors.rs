//! Reports errors in acceptors that no operation of the service has.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::event::{Event, Severity};
use crate::messages;
use crate::shapes::{
    Kind, Model, Node, Shape,
    id::{self, ERROR, WAITABLE},
};
use crate::waiter::Waiter;

/// The maximum number of events with suggestions. Thousands of unknown errors are not typing errors.
const SUGGESTED: usize = 500;

const UNKNOWN: &str = "SmithyWaiters.UnknownErrorType";

/// The names of modeled errors, as shapes and as codes.
#[derive(Debug)]
pub(super) struct ErrorNames<'a> {
    /// The services of each operation.
    services: FxHashMap<&'a str, Vec<Rc<Service<'a>>>>,
    /// The errors of each namespace, for operations that belong to no service.
    namespaces: FxHashMap<&'a str, BTreeSet<&'a str>>,
}

/// A service and the names of all errors of the service and its operations.
#[derive(Debug)]
struct Service<'a> {
    id: &'a str,
    errors: BTreeSet<&'a str>,
}

impl<'a> ErrorNames<'a> {
    pub(super) fn new(model: &Model<'a>) -> Self {
        let mut namespaces: FxHashMap<&str, BTreeSet<&str>> = FxHashMap::default();
        let structures = model.of_kind(Kind::Structure);
        for error in structures.filter(|shape| shape.has_trait(ERROR)) {
            let names = namespaces.entry(id::namespace(error.id)).or_default();
            names.extend(names_of(model, None, error.id));
        }
        let mut services: FxHashMap<&str, Vec<Rc<Service<'a>>>> = FxHashMap::default();
        for service in model.of_kind(Kind::Service) {
            let operations = model.operations(service);
            let bound = operations.iter().copied().chain([service]);
            let ids: BTreeSet<&str> = bound.flat_map(|shape| model.errors(shape)).collect();
            let names = ids
                .into_iter()
                .flat_map(|id| names_of(model, Some(service), id));
            let service = Rc::new(Service {
                id: service.id,
                errors: names.collect(),
            });
            let has_waiters = |operation: &&Shape<'a>| operation.has_trait(WAITABLE);
            for operation in operations.into_iter().filter(has_waiters) {
                let known = services.entry(operation.id).or_default();
                known.push(Rc::clone(&service));
            }
        }
        Self {
            services,
            namespaces,
        }
    }

    /// Returns the subject for a message if nothing defines an error: the services of the operation, or its namespace.
    fn lacks(&self, waiter: &Waiter<'_, 'a>, error: &str) -> Option<String> {
        let of_id = error
            .split(':')
            .next()
            .and_then(|id| waiter.model.shape(id));
        let is_there = of_id.is_some_and(|shape| shape.has_trait(ERROR));
        let name = error_name(error);
        if is_there || self.applicable_names(waiter).any(|known| known == name) {
            return None;
        }
        let services = self.services_of(waiter);
        if services.is_empty() {
            let namespace = id::namespace(waiter.operation.id);
            return Some(format!("the namespace `{namespace}` does not define"));
        }
        let services = messages::list(services.iter().map(|service| service.id));
        Some(format!("no operation of {services} has"))
    }

    /// Returns the error names that apply to an operation.
    fn applicable_names<'n>(&'n self, waiter: &Waiter<'_, 'a>) -> impl Iterator<Item = &'n str> {
        let services = self.services_of(waiter);
        let own = self.namespaces.get(id::namespace(waiter.operation.id));
        let own = own.filter(|_| services.is_empty());
        let of_services = services.iter().flat_map(|service| &service.errors);
        let modeled = waiter.model.errors(waiter.operation).into_iter();
        // In a service, errors can be renamed, so only the service's names count.
        let modeled = modeled.filter(|_| services.is_empty());
        let modeled = modeled.flat_map(|id| names_of(waiter.model, None, id));
        let known = own.into_iter().flatten().chain(of_services).copied();
        known.chain(modeled)
    }

    fn services_of(&self, waiter: &Waiter<'_, 'a>) -> &[Rc<Service<'a>>] {
        let services = self.services.get(waiter.operation.id);
        services.map_or(&[], Vec::as_slice)
    }
}

/// Returns the names of an error: its shape's name in a service, and its code in the AWS Query protocol.
fn names_of<'a>(
    model: &Model<'a>,
    service: Option<&Shape<'a>>,
    error: &'a str,
) -> impl Iterator<Item = &'a str> + use<'a> {
    let code = model.shape(error).and_then(Shape::query_code);
    let name = service.map_or_else(|| id::name(error), |service| model.name_in(service, error));
    std::iter::once(name).chain(code)
}

/// Reports an error that no operation of the service has.
pub(super) fn check<'a>(
    waiter: &Waiter<'_, 'a>,
    index: usize,
    acceptor: &Node<'_>,
    known: &ErrorNames<'a>,
    events: &mut Vec<Event>,
) {
    let error = acceptor
        .member("matcher")
        .and_then(|matcher| matcher.member("errorType"));
    let Some((error, name)) = error.and_then(|error| Some((error, error.as_str()?))) else {
        return;
    };
    let Some(lacking) = known.lacks(waiter, name) else {
        return;
    };
    let near = if events.len() < SUGGESTED {
        messages::did_you_mean(name, known.applicable_names(waiter))
    } else {
        String::new()
    };
    let message = format!("{lacking} the error `{name}`{near}");
    events.push(waiter.acceptor_event(index, Severity::Note, UNKNOWN, error.at, &message));
}

/// Returns the part of an error name that is compared.
pub(super) fn error_name(name: &str) -> &str {
    let name = name.split_once(':').map_or(name, |(name, _)| name);
    name.rsplit_once('#').map_or(name, |(_, name)| name)
}
