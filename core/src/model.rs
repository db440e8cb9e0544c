//! Waiters of a Smithy model: its JSON AST, walked from the services to their operations.
//!
//! Clauses: [JSON AST](https://smithy.io/2.0/spec/json-ast.html), [service
//! closure](https://smithy.io/2.0/spec/service-types.html#service-closure).

mod operation;
mod sensitive;
mod shape;

use serde_json::Value as Json;

use crate::definition::{after_number_sign, by_name};
use crate::error::DefinitionError;
pub(crate) use operation::Operation;
use shape::{kind, refer};

const WAITABLE: &str = "smithy.waiters#waitable";

/// How a shape of the AST refers to the operations and resources of its closure.
const MEMBERS: [&str; 10] = [
    "collectionOperations",
    "create",
    "delete",
    "list",
    "mixins",
    "operations",
    "put",
    "read",
    "resources",
    "update",
];

/// How many names a message lists.
const LISTED: usize = 20;

/// A definition, and where it stands in the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaiterEntry<'m> {
    pub(crate) name: &'m str,
    pub(crate) definition: &'m Json,
    operation: &'m str,
    /// Empty for none.
    service: &'m str,
}

impl WaiterEntry<'_> {
    /// An error of the definition, with its path in the model.
    pub(crate) fn place(&self, mut error: DefinitionError) -> DefinitionError {
        let inside = if error.path.is_empty() {
            String::new()
        } else {
            format!(".{}", error.path)
        };
        error.path = format!(
            "shapes.{}.traits.{WAITABLE}.{}{inside}",
            self.operation, self.name
        );
        error
    }
}

/// The one that was found; an error where there are several, nothing where there is none.
fn one_of<'m>(
    found: &[WaiterEntry<'m>],
    waiter: &str,
) -> Option<Result<WaiterEntry<'m>, DefinitionError>> {
    let first = *found.first()?;
    // An operation that several services share is one waiter.
    let is_first =
        |other: &WaiterEntry<'_>| other.operation == first.operation && other.name == first.name;
    if found.iter().all(is_first) {
        return Some(Ok(first));
    }
    let place = |found: &WaiterEntry<'_>| {
        let (name, operation, service) = (found.name, found.operation, found.service);
        format!("`{name}` of `{operation}` in service `{service}`")
    };
    let places: Vec<_> = found.iter().map(place).collect();
    let message = format!("the waiter `{waiter}` is ambiguous: {}", places.join(", "));
    Some(Err(DefinitionError::new("ambiguous_waiter", "", message)))
}

/// A service and the operations that it leads to, in the order of their ids.
type Closure<'m> = (&'m str, Vec<&'m str>);

/// Takes a shape, by its id, and opens further ones.
type Visit<'v, 'm> = dyn FnMut(&'m str, &'m Json, &mut Vec<&'m str>) + 'v;

/// The shapes of a JSON AST.
pub(crate) struct Model<'m> {
    /// In the order of their ids.
    shapes: Vec<(&'m str, &'m Json)>,
    /// The number of the walk that each of them was seen on last.
    seen: Vec<usize>,
    walks: usize,
}

impl<'m> Model<'m> {
    pub(crate) fn new(model: &'m Json) -> Result<Self, DefinitionError> {
        match model.get("shapes") {
            Some(Json::Object(shapes)) => Ok(Self {
                shapes: by_name(shapes),
                seen: vec![0; shapes.len()],
                walks: 0,
            }),
            _ => {
                let message =
                    "a model is a JSON AST: an object with the member `shapes`, an object";
                Err(DefinitionError::new("invalid_model", "shapes", message))
            }
        }
    }

    /// Finds a waiter by its name, in any case, in the closure of a service.
    pub(crate) fn find(
        &mut self,
        waiter: &str,
        service: Option<&str>,
    ) -> Result<WaiterEntry<'m>, DefinitionError> {
        let closures = self.closures(service)?;
        let mut found = Vec::new();
        for (service, operations) in &closures {
            for operation in operations {
                let mut waiters = self.waiters(operation, service);
                waiters.retain(|found| found.name.eq_ignore_ascii_case(waiter));
                found.append(&mut waiters);
            }
        }
        one_of(&found, waiter).unwrap_or_else(|| Err(self.unknown(waiter, &closures)))
    }

    /// The operations of every service, or of the one that is named.
    fn closures(&mut self, service: Option<&str>) -> Result<Vec<Closure<'m>>, DefinitionError> {
        let mut services = self.of_kind("service");
        services.retain(|id| service.is_none_or(|service| is_named(id, service)));
        let closures: Vec<_> = services
            .into_iter()
            .map(|id| (id, self.closure(id)))
            .collect();
        match service {
            Some(service) if closures.is_empty() => {
                let message = format!("the model has no service `{service}`");
                Err(DefinitionError::new("unknown_service", "shapes", message))
            }
            // A fragment of a model that names no service is taken as one.
            None if closures.is_empty() => Ok(vec![("", self.of_kind("operation"))]),
            _ => Ok(closures),
        }
    }

    /// The ids of the shapes of one kind.
    fn of_kind(&self, wanted: &str) -> Vec<&'m str> {
        let of_kind =
            |(id, shape): &(&'m str, &'m Json)| (kind(shape) == Some(wanted)).then_some(*id);
        self.shapes.iter().filter_map(of_kind).collect()
    }

    /// The operations that a shape leads to, by itself and by the resources it binds.
    fn closure(&mut self, id: &'m str) -> Vec<&'m str> {
        let mut operations = Vec::new();
        self.walk(id, &mut |id, shape, open| {
            if kind(shape) == Some("operation") {
                operations.push(id);
            } else {
                MEMBERS.iter().for_each(|member| refer(shape, member, open));
            }
        });
        operations.sort_unstable();
        operations
    }

    /// The waiters of an operation, its own and those of its mixins.
    fn waiters(&mut self, operation: &'m str, service: &'m str) -> Vec<WaiterEntry<'m>> {
        let mut waiters = Vec::new();
        self.walk(operation, &mut |operation, shape, open| {
            let waitable = shape.get("traits").and_then(|traits| traits.get(WAITABLE));
            match waitable.and_then(Json::as_object) {
                Some(trait_value) => {
                    waiters.extend(trait_value.iter().map(|(name, definition)| WaiterEntry {
                        name,
                        definition,
                        operation,
                        service,
                    }));
                }
                // A trait of the shape itself takes the place of its mixins'.
                None => refer(shape, "mixins", open),
            }
        });
        waiters
    }

    /// The shape with this id.
    pub(crate) fn shape(&self, id: &str) -> Option<&'m Json> {
        let place = self.shapes.binary_search_by_key(&id, |(id, _)| *id);
        self.shapes.get(place.ok()?).map(|(_, shape)| *shape)
    }

    /// Visits a shape and all that visits open, each once.
    fn walk(&mut self, id: &'m str, visit: &mut Visit<'_, 'm>) {
        self.walks = self.walks.saturating_add(1);
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let Ok(place) = self.shapes.binary_search_by_key(&id, |(id, _)| *id) else {
                continue;
            };
            let (shape, seen) = (self.shapes.get(place), self.seen.get_mut(place));
            let (Some((id, shape)), Some(seen)) = (shape, seen) else {
                continue;
            };
            if std::mem::replace(seen, self.walks) != self.walks {
                visit(id, shape, &mut open);
            }
        }
    }

    fn unknown(&mut self, waiter: &str, closures: &[Closure<'m>]) -> DefinitionError {
        let mut known = Vec::new();
        for (service, operation) in closures.iter().flat_map(|(service, operations)| {
            operations.iter().map(move |operation| (service, operation))
        }) {
            let waiters = self.waiters(operation, service).into_iter();
            known.extend(waiters.map(|found| found.name));
        }
        known.sort_unstable();
        known.dedup();
        let more = known.len().saturating_sub(LISTED);
        let mut listed: Vec<String> = known
            .into_iter()
            .take(LISTED)
            .map(|name| format!("`{name}`"))
            .collect();
        if more > 0 {
            listed.push(format!("{more} more"));
        }
        let known = if listed.is_empty() {
            "none at all".to_owned()
        } else {
            listed.join(", ")
        };
        let message = format!("no waiter `{waiter}`: the model's services have {known}");
        DefinitionError::new("unknown_waiter", "shapes", message)
    }
}

/// Whether a shape id is the one that is asked for, absolute or by its name alone.
fn is_named(id: &str, asked: &str) -> bool {
    id == asked || after_number_sign(id) == asked
}
