//! Validates the names of waiters, which must be unique in the closure of a service, ignoring case.
//!
//! Clause: [waiter names](https://smithy.io/2.0/additional-specs/waiters.html#waiter-names).

use std::collections::BTreeMap;

use crate::event::Event;
use crate::messages;
use crate::shapes::{Kind, Model, Shape, id::WAITABLE};

/// Reports names that several operations of a service use.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let services = model.of_kind(Kind::Service);
    services
        .flat_map(|service| in_service(model, service))
        .collect()
}

fn in_service(model: &Model<'_>, service: &Shape<'_>) -> Vec<Event> {
    let mut users: BTreeMap<String, Vec<&Shape<'_>>> = BTreeMap::new();
    for operation in model.operations(service) {
        let waiters = operation.find_trait(WAITABLE);
        for entry in waiters.map_or(&[][..], |waiters| waiters.value.entries()) {
            let users = users.entry(entry.key.to_lowercase()).or_default();
            if users.last().is_none_or(|user| user.id != operation.id) {
                users.push(operation);
            }
        }
    }
    let mut events = Vec::new();
    for (name, users) in users.iter().filter(|(_, users)| users.len() > 1) {
        for user in users {
            let others = users
                .iter()
                .map(|other| other.id)
                .filter(|id| *id != user.id);
            let message = format!(
                "the waiter name `{name}` is also used by {} in the service `{}`: names must be unique, ignoring case",
                messages::list(others),
                service.id
            );
            let at = user
                .find_trait(WAITABLE)
                .map_or(user.at, |applied| applied.at);
            events.push(
                Event::error("UniqueWaiterNames", message)
                    .at(at)
                    .on(user.id),
            );
        }
    }
    events
}
