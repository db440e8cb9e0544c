//! The closure of a service: its operations, errors and names.
//!
//! Clause: [service closure](https://smithy.io/2.0/spec/service-types.html#service-closure).

use rustc_hash::FxHashSet;

use super::id;
use super::model::Model;
use super::shape::{Kind, Shape};

/// The properties with which services and resources bind operations and resources.
const LISTS: [&str; 3] = ["operations", "collectionOperations", "resources"];
const LIFECYCLE: [&str; 6] = ["create", "put", "read", "update", "delete", "list"];

impl<'a> Model<'a> {
    /// Returns the operations in the closure of a service or resource, sorted by id.
    #[must_use]
    pub fn operations(&self, entry: &Shape<'a>) -> Vec<&Shape<'a>> {
        let mut operations = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![entry.id];
        while let Some(id) = open.pop() {
            let Some(shape) = self.shape(id).filter(|_| seen.insert(id)) else {
                continue;
            };
            if shape.kind == Kind::Operation {
                operations.push(shape);
                continue;
            }
            open.extend(LISTS.iter().flat_map(|list| shape.references(list)));
            open.extend(LIFECYCLE.iter().filter_map(|step| shape.reference(step)));
            open.extend(shape.mixins.iter().map(|mixin| mixin.id));
        }
        operations.sort_by_key(|operation| operation.id);
        operations
    }

    /// Returns the ids of the errors of an operation or service, including those of its mixins.
    #[must_use]
    pub fn errors(&self, shape: &Shape<'a>) -> Vec<&'a str> {
        let mut errors = Vec::new();
        let mut seen = FxHashSet::default();
        let mut open = vec![shape];
        while let Some(shape) = open.pop() {
            if seen.insert(shape.id) {
                errors.extend(shape.references("errors"));
                open.extend(shape.mixins.iter().filter_map(|mixin| self.shape(mixin.id)));
            }
        }
        errors
    }

    /// Returns the name of a shape in the closure of a service: its new name in the service's `rename`, or the name in
    /// its id.
    #[must_use]
    pub fn name_in<'i>(&self, service: &Shape<'a>, id: &'i str) -> &'i str
    where
        'a: 'i,
    {
        let renamed = |service: &Shape<'a>| service.property("rename")?.member(id)?.as_str();
        let mixins = || service.mixins.iter();
        let of_mixin = || mixins().find_map(|mixin| renamed(self.shape(mixin.id)?));
        renamed(service)
            .or_else(of_mixin)
            .unwrap_or_else(|| id::name(id))
    }
}
