//! Lookup of waiters and operations in the JSON AST of a Smithy model.
//!
//! Clauses: [JSON AST](https://smithy.io/2.0/spec/json-ast.html), [service
//! closure](https://smithy.io/2.0/spec/service-types.html#service-closure).

mod operation;
mod sensitive;
mod shape;

use serde_json::Value as Json;

use crate::definition::{after_number_sign, by_name};
use crate::error::{DefinitionError, listed};
pub(crate) use operation::Operation;
use shape::{kind, refer};

const WAITABLE: &str = "smithy.waiters#waitable";

/// The members of a service or resource that refer to its operations and resources.
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

/// A waiter's definition, and its location in the model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaiterEntry<'m> {
    pub(crate) name: &'m str,
    pub(crate) definition: &'m Json,
    operation: &'m str,
    /// Empty if the operation does not belong to a service.
    service: &'m str,
}

impl WaiterEntry<'_> {
    /// Prepends the definition's location in the model to the path of an error.
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

/// Returns the only waiter that was found, `None` if there isn't one, or an error if there are several.
fn one_of<'m>(
    found: &[WaiterEntry<'m>],
    waiter: &str,
) -> Option<Result<WaiterEntry<'m>, DefinitionError>> {
    let first = *found.first()?;
    // Services can share an operation. Its waiter is the same in each of them.
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

/// A service and the operations in its closure, sorted by ID.
type Closure<'m> = (&'m str, Vec<&'m str>);

/// Visits a shape and its ID, and appends the IDs of further shapes to visit.
type Visit<'v, 'm> = dyn FnMut(&'m str, &'m Json, &mut Vec<&'m str>) + 'v;

/// The shapes of a JSON AST.
pub(crate) struct Model<'m> {
    /// Sorted by ID.
    shapes: Vec<(&'m str, &'m Json)>,
    /// For each shape, the number of the last walk that visited it.
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
                    "a model must be a JSON AST: an object whose member `shapes` is an object";
                Err(DefinitionError::new("invalid_model", "shapes", message))
            }
        }
    }

    /// Finds a waiter by its case-insensitive name, in one service or in all of them.
    ///
    /// # Errors
    ///
    /// `unknown_service`, `unknown_waiter`, or `ambiguous_waiter` if several operations have a waiter with this name.
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
                // The specification requires names that are unique without regard to case.
                waiters.retain(|found| found.name.eq_ignore_ascii_case(waiter));
                found.append(&mut waiters);
            }
        }
        one_of(&found, waiter).unwrap_or_else(|| Err(self.unknown(waiter, &closures)))
    }

    /// Returns the operations of one service, or of all services.
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
            // A fragment of a model without a service is treated as a single service.
            None if closures.is_empty() => Ok(vec![("", self.of_kind("operation"))]),
            _ => Ok(closures),
        }
    }

    /// Returns the IDs of the shapes of a kind.
    fn of_kind(&self, expected: &str) -> Vec<&'m str> {
        let of_kind =
            |(id, shape): &(&'m str, &'m Json)| (kind(shape) == Some(expected)).then_some(*id);
        self.shapes.iter().filter_map(of_kind).collect()
    }

    /// Returns the operations of a service, including those of its resources.
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

    /// Returns the waiters of an operation, including those of its mixins.
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
                // A trait of the operation replaces the trait of its mixins.
                None => refer(shape, "mixins", open),
            }
        });
        waiters
    }

    pub(crate) fn shape(&self, id: &str) -> Option<&'m Json> {
        let place = self.shapes.binary_search_by_key(&id, |(id, _)| *id);
        self.shapes.get(place.ok()?).map(|(_, shape)| *shape)
    }

    /// Visits a shape and every shape that `visit` appends, each only once.
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
            // Shapes can refer to each other in circles. A number for each walk saves clearing the marks.
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
        let known = listed(&known);
        let message = format!("no waiter `{waiter}`: the model's services have {known}");
        DefinitionError::new("unknown_waiter", "shapes", message)
    }
}

/// Returns `true` if `name` is an absolute shape ID or the name part of it.
fn is_named(id: &str, name: &str) -> bool {
    id == name || after_number_sign(id) == name
}
