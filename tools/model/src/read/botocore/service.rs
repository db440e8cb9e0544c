//! Translates the service and its operations.

use rustc_hash::FxHashSet;

use super::place::Place;
use super::reader::Reader;
use super::uses::Uses;
use super::values::{OperationTraits, new_trait, reference_name};
use crate::shapes::{Entry, Kind, Node, Shape, Trait};
use crate::source::At;

/// Flags of operations and their traits.
const FLAGS: [(&str, &str); 2] = [
    ("readonly", "smithy.api#readonly"),
    ("idempotent", "smithy.api#idempotent"),
];

impl<'a> Reader<'a> {
    pub(super) fn service(
        &mut self,
        whole: &Place<'_, 'a>,
        waiters: Option<Place<'_, 'a>>,
        paginators: Option<Place<'_, 'a>>,
    ) {
        let Some(metadata) = self.object(whole, "metadata") else {
            return;
        };
        let (Some(name), Some(operations), Some(shapes)) = (
            self.text(&metadata, "serviceId"),
            self.object(whole, "operations"),
            self.object(whole, "shapes"),
        ) else {
            return;
        };
        self.namespace = format!("com.amazonaws.{}", remove_punctuation(name).to_lowercase());
        let names = operations.node.entries().iter().map(|entry| entry.key);
        self.operations = names.collect::<FxHashSet<_>>();
        self.shapes = self.sources.uses_protocols().then_some(shapes.node);
        self.uses = Uses::new(&operations.node, &shapes.node);
        self.header(&metadata, name, &operations, &shapes.node, &whole.node);
        let mut waitable = waiters.map_or_else(OperationTraits::default, |waiters| {
            self.waiters(&waiters, &operations.node, &shapes.node)
        });
        let mut paginated = paginators.map_or_else(OperationTraits::default, |paginators| {
            self.suppress_advice(paginators.node.at);
            self.paginators(&paginators, &operations.node, &shapes.node)
        });
        for operation in operations.members() {
            let mut traits = self.common_traits(&operation.node);
            traits.extend(self.flags(&operation.node, &FLAGS));
            traits.extend(
                operation
                    .node
                    .member("requestcompression")
                    .map(|value| new_trait("smithy.api#requestCompression", value)),
            );
            if self.shapes.is_some() {
                traits.extend(self.http_trait(&operation.node));
            }
            traits.extend(paginated.remove(operation.name));
            traits.extend(waitable.remove(operation.name));
            let shape = self.operation(&operation, traits);
            self.definitions.shapes.push(shape);
        }
        for shape in shapes.members() {
            self.shape(&shape);
        }
    }

    /// Suppresses advice on paginators, as AWS's models do, because their tokens can be maps.
    fn suppress_advice(&mut self, at: At) {
        let namespace = self.builder.string(at, &self.namespace);
        let id = self.builder.string(at, "PaginatedTrait");
        let rule = self
            .builder
            .object(at, [("id", id), ("namespace", namespace)]);
        let rules = self.builder.array(at, &[rule]);
        self.definitions
            .metadata
            .push(property("suppressions", rules));
    }

    /// Adds the service shape. Its name differs from AWS's models, because botocore's files don't contain that name.
    fn header(
        &mut self,
        metadata: &Place<'_, 'a>,
        name: &'a str,
        operations: &Place<'_, 'a>,
        shapes: &Node<'a>,
        whole: &Node<'a>,
    ) {
        let mut id = remove_punctuation(name);
        while shapes.member(&id).is_some() || operations.node.member(&id).is_some() {
            id.push_str("Service");
        }
        let at = metadata.node.at;
        let mut traits = self.common_traits(whole);
        let sdk = self
            .builder
            .object(at, [("sdkId", self.builder.string(at, name))]);
        traits.push(new_trait("aws.api#service", sdk));
        let title = metadata.node.member("serviceFullName");
        traits.extend(title.map(|title| new_trait("smithy.api#title", title)));
        if self.shapes.is_some() {
            traits.extend(self.protocol_traits(&metadata.node));
        }
        let mut shape = Shape::empty(Kind::Service, self.operation_id(&id), at, traits);
        let version = metadata.node.member("apiVersion");
        shape
            .properties
            .extend(version.map(|version| property("version", version)));
        let targets = operations.node.entries().iter();
        let targets = targets.map(|operation| {
            let id = self.operation_id(operation.key);
            self.builder.target(operation.key_at, id)
        });
        let targets: Vec<Node<'a>> = targets.collect();
        let targets = self.builder.array(operations.node.at, &targets);
        shape.properties.push(property("operations", targets));
        self.definitions.shapes.push(shape);
    }

    fn operation(&mut self, operation: &Place<'_, 'a>, traits: Vec<Trait<'a>>) -> Shape<'a> {
        let id = self.operation_id(operation.name);
        let mut shape = Shape::empty(Kind::Operation, id, operation.node.at, traits);
        for side in ["input", "output"] {
            let Some(reference) = operation.member(side) else {
                continue;
            };
            if let Some(name) = self.text(&reference, "shape") {
                let target = self.builder.target(reference.node.at, self.shape_id(name));
                shape.properties.push(property(side, target));
            }
        }
        let errors = operation.node.member("errors");
        if let Some(errors) = errors.filter(|errors| !errors.elements().is_empty()) {
            let names = errors.elements().iter().filter_map(reference_name);
            let targets = names.map(|name| self.builder.target(errors.at, self.shape_id(name)));
            let targets: Vec<Node<'a>> = targets.collect();
            let targets = self.builder.array(errors.at, &targets);
            shape.properties.push(property("errors", targets));
        }
        shape
    }
}

const fn property<'a>(key: &'a str, value: Node<'a>) -> Entry<'a> {
    Entry {
        key,
        key_at: value.at,
        value,
    }
}

/// Returns a name without spaces and punctuation.
fn remove_punctuation(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).collect()
}
