//! The operations of a model, and their traits, members and errors.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::shape::{kind, refer, target};
use super::{Model, is_named};
use crate::error::DefinitionError;

/// The target of an operation without an input or output.
const UNIT: &str = "smithy.api#Unit";

/// The namespace of Smithy's prelude.
const PRELUDE: &str = "smithy.api#";

/// An operation, and the IDs of its service, input and output.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation<'m> {
    pub(crate) id: &'m str,
    pub(crate) service: Option<&'m str>,
    pub(crate) input: Option<&'m str>,
    pub(crate) output: Option<&'m str>,
}

impl<'m> Model<'m> {
    /// Finds an operation by its absolute or relative shape ID, in one service or in all of them.
    ///
    /// # Errors
    ///
    /// `unknown_service`, `unknown_operation`, or `ambiguous_operation` if several operations have this name.
    pub(crate) fn operation(
        &mut self,
        operation: &str,
        service: Option<&str>,
    ) -> Result<Operation<'m>, DefinitionError> {
        let mut found: Vec<(&'m str, &'m str)> = Vec::new();
        for (service, operations) in self.closures(service)? {
            let named = operations.into_iter().filter(|id| is_named(id, operation));
            found.extend(named.map(|id| (service, id)));
        }
        let Some((service, id)) = found.first().copied() else {
            let message = format!("the model's services have no operation `{operation}`");
            return Err(DefinitionError::new("unknown_operation", "shapes", message));
        };
        if found.len() > 1 {
            let places: Vec<_> = found
                .iter()
                .map(|(service, id)| format!("`{id}` in service `{service}`"))
                .collect();
            let message = format!(
                "the operation `{operation}` is ambiguous: {}",
                places.join(", ")
            );
            return Err(DefinitionError::new(
                "ambiguous_operation",
                "shapes",
                message,
            ));
        }
        Ok(self.parts(id, service))
    }

    /// Returns an existing operation in the closure of a service, which is empty if there isn't one.
    pub(super) fn parts(&self, id: &'m str, service: &'m str) -> Operation<'m> {
        Operation {
            id,
            service: (!service.is_empty()).then_some(service),
            input: self.structure(id, "input"),
            output: self.structure(id, "output"),
        }
    }

    /// Returns the IDs of the errors of an operation, its service, and the mixins of both.
    pub(crate) fn errors(&self, operation: &Operation<'m>) -> Vec<&'m str> {
        let mut errors = Vec::new();
        let shapes = [Some(operation.id), operation.service];
        for id in shapes.into_iter().flatten() {
            self.first(id, &mut |_, shape| {
                refer(shape, "errors", &mut errors);
                None
            });
        }
        errors
    }

    /// Returns a trait of a shape or of its mixins.
    pub(crate) fn trait_of(&self, id: &str, name: &str) -> Option<&'m Json> {
        self.first(id, &mut |_, shape| shape.get("traits")?.get(name))
    }

    /// Returns a trait of a member. It may be applied to the member's definition, to a redefinition in a structure with
    /// mixins, or by an `apply` statement on the member's ID.
    pub(super) fn trait_of_member(&self, id: &str, member: &str, name: &str) -> Option<&'m Json> {
        let of = |member: &'m Json| member.get("traits")?.get(name);
        self.first(id, &mut |id, shape| {
            let of_structure = shape.get("members").and_then(|members| members.get(member));
            let own = of_structure.or_else(|| shape.get(member)).and_then(of);
            own.or_else(|| of(self.shape(&format!("{id}${member}"))?))
        })
    }

    /// Returns the target of a structure's member, including members of mixins.
    pub(crate) fn member(&self, structure: &str, name: &str) -> Option<&'m str> {
        target(self.own_member(structure, name)?)
    }

    /// Returns a member of a structure or union, including members of mixins.
    pub(super) fn own_member(&self, structure: &str, name: &str) -> Option<&'m Json> {
        self.first(structure, &mut |_, shape| shape.get("members")?.get(name))
    }

    /// Returns the value of a key of a shape or of its mixins.
    pub(super) fn own(&self, id: &str, key: &str) -> Option<&'m Json> {
        self.first(id, &mut |_, shape| shape.get(key))
    }

    /// Visits every member of a structure or union, including members of mixins.
    pub(super) fn each_member(&self, structure: &str, visit: &mut dyn FnMut(&'m str, &'m Json)) {
        self.find_member(structure, &mut |name, member| {
            visit(name, member);
            None
        });
    }

    /// Returns the first member of a structure that has a trait, including members of mixins.
    pub(crate) fn member_with(&self, structure: &str, name: &str) -> Option<&'m str> {
        self.find_member(structure, &mut |member, _| {
            self.trait_of_member(structure, member, name)
        })
    }

    /// Returns `true` if the target of a member of a structure has a trait, including members of mixins.
    pub(crate) fn leads_to(&self, structure: &str, name: &str) -> bool {
        let found = self.find_member(structure, &mut |_, member| {
            self.trait_of(target(member)?, name)
        });
        found.is_some()
    }

    /// Returns the first member of a structure for which `find` returns a value, including members of mixins.
    fn find_member(
        &self,
        structure: &str,
        find: &mut dyn FnMut(&'m str, &'m Json) -> Option<&'m Json>,
    ) -> Option<&'m str> {
        let mut found = None;
        self.first(structure, &mut |_, shape| {
            let mut members = shape.get("members")?.as_object()?.iter();
            let (name, member) = members.find(|(name, member)| find(name, member).is_some())?;
            found = Some(name.as_str());
            Some(member)
        });
        found
    }

    /// Returns the type of a shape: `string`, `structure`, …. The type of a shape of the prelude is derived from its
    /// name.
    pub(crate) fn kind(&self, id: &str) -> String {
        if let Some(shape) = self.shape(id) {
            return kind(shape).unwrap_or_default().to_owned();
        }
        let Some(name) = id.strip_prefix(PRELUDE) else {
            return "an undefined shape".to_owned();
        };
        let mut kind = name.strip_prefix("Primitive").unwrap_or(name).to_owned();
        if let Some(first) = kind.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        kind
    }

    fn structure(&self, operation: &str, member: &str) -> Option<&'m str> {
        let id = target(self.own(operation, member)?)?;
        (id != UNIT).then_some(id)
    }

    /// Returns the first value that `find` returns for a shape or one of its mixins.
    pub(super) fn first(
        &self,
        id: &str,
        find: &mut dyn FnMut(&str, &'m Json) -> Option<&'m Json>,
    ) -> Option<&'m Json> {
        let (mut seen, mut open) = (BTreeSet::new(), vec![id]);
        while let Some(id) = open.pop() {
            let Some(shape) = self.shape(id).filter(|_| seen.insert(id)) else {
                continue;
            };
            if let Some(value) = find(id, shape) {
                return Some(value);
            }
            // In the specification, the last mixin takes precedence.
            refer(shape, "mixins", &mut open);
        }
        None
    }
}
