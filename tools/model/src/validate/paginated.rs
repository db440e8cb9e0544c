//! Validates `paginated`: tokens, page size and items must be members of the right type.
//!
//! Clause: [paginated](https://smithy.io/2.0/spec/behavior-traits.html#paginated-trait).

use crate::event::{Culprit, Event, Severity};
use crate::messages;
use crate::shapes::id::PAGINATED;
use crate::shapes::{Kind, Member, Model, Node, Shape, Trait};

const REQUIRED: &str = "smithy.api#required";
const ID: &str = "PaginatedTrait";

/// A property of the trait, and the rules for the member that it names.
struct Property {
    name: &'static str,
    /// `true` if the value is a path in the output, `false` if it is a member of the input.
    of_output: bool,
    /// `true` if the operation or the service must define the property.
    is_required: bool,
    /// The severity of an event for a required member.
    required: Option<Severity>,
    recommended: &'static [Kind],
    discouraged: &'static [Kind],
}

const INPUT_TOKEN: Property = Property {
    name: "inputToken",
    of_output: false,
    is_required: true,
    required: Some(Severity::Error),
    recommended: &[Kind::String],
    discouraged: &[Kind::Map],
};
const OUTPUT_TOKEN: Property = Property {
    name: "outputToken",
    of_output: true,
    is_required: true,
    required: Some(Severity::Danger),
    recommended: &[Kind::String],
    discouraged: &[Kind::Map],
};
const PAGE_SIZE: Property = Property {
    name: "pageSize",
    of_output: false,
    is_required: false,
    required: Some(Severity::Warning),
    recommended: &[Kind::Integer],
    discouraged: &[Kind::Byte, Kind::Long, Kind::Short],
};
const ITEMS: Property = Property {
    name: "items",
    of_output: true,
    is_required: false,
    required: None,
    recommended: &[Kind::List, Kind::Map],
    discouraged: &[],
};

/// In Smithy's order.
const PROPERTIES: [Property; 4] = [INPUT_TOKEN, PAGE_SIZE, OUTPUT_TOKEN, ITEMS];

/// Validates the trait on each operation. If there are no events, the operation is validated again for each service
/// with that service's defaults.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let mut events = Vec::new();
    let services: Vec<_> = model
        .of_kind(Kind::Service)
        .map(|service| (service, model.operations(service)))
        .collect();
    for operation in model.of_kind(Kind::Operation) {
        let Some(applied) = operation.find_trait(PAGINATED) else {
            continue;
        };
        let alone = Check {
            model,
            operation,
            applied,
            service: None,
        };
        let found = alone.all();
        if !found.is_empty() {
            events.extend(found);
            continue;
        }
        for (service, operations) in &services {
            if operations.iter().any(|bound| bound.id == operation.id) {
                let service = Some(*service);
                events.extend(Check { service, ..alone }.all());
            }
        }
    }
    events
}

/// An operation, alone or with the defaults of a service.
#[derive(Clone, Copy)]
struct Check<'m, 'a> {
    model: &'m Model<'a>,
    operation: &'m Shape<'a>,
    applied: &'m Trait<'a>,
    service: Option<&'m Shape<'a>>,
}

impl<'m, 'a> Check<'m, 'a> {
    fn all(&self) -> Vec<Event> {
        let each = PROPERTIES.iter();
        each.flat_map(|property| self.property(property)).collect()
    }

    fn property(&self, property: &Property) -> Vec<Event> {
        let Some((node, path)) = self.path(property) else {
            let is_missing = property.is_required && self.service.is_some();
            let missing = || {
                let message = format!(
                    "missing `{}`: define it on the operation or the service",
                    property.name
                );
                self.event(Severity::Error, "", message)
            };
            return is_missing.then(missing).into_iter().collect();
        };
        let events = self.check_path(property, path).into_iter();
        let culprit = Culprit::whole(node.at);
        events.map(|event| event.because_of(culprit)).collect()
    }

    fn check_path(&self, property: &Property, path: &'a str) -> Vec<Event> {
        if !property.of_output && path.contains('.') {
            let message = format!(
                "`{}` must be a member of the input, got the path `{path}`",
                property.name
            );
            return vec![self.event(Severity::Error, "", message)];
        }
        // A missing input or output is reported with the references.
        if self.side(property).is_none() {
            return Vec::new();
        }
        match self.member(property, path) {
            Ok(member) => self.check_member(property, path, member),
            Err(message) => vec![self.event(Severity::Error, "", message)],
        }
    }

    /// Returns the value of a property from the operation or the service.
    fn path(&self, property: &Property) -> Option<(Node<'a>, &'a str)> {
        let path = |applied: &Trait<'a>| {
            let node: Node<'a> = applied.value.member(property.name)?;
            Some((node, node.as_str()?))
        };
        let of_service = || path(self.service?.find_trait(PAGINATED)?);
        path(self.applied).or_else(of_service)
    }

    /// Returns the input or output that the property refers to.
    fn side(&self, property: &Property) -> Option<&'m Shape<'a>> {
        let side = if property.of_output {
            "output"
        } else {
            "input"
        };
        self.model.input_or_output(self.operation, side)
    }

    fn member(&self, property: &Property, path: &str) -> Result<&'m Member<'a>, String> {
        let mut shape = self.side(property);
        let mut found = None;
        // Smithy ignores empty names at the end of a path here.
        for name in path.trim_end_matches('.').split('.') {
            let structure = shape.filter(|shape| shape.kind == Kind::Structure);
            let member = structure.and_then(|structure| structure.member(name));
            let Some(member) = member else {
                let names = structure.map_or(&[][..], |structure| &structure.members);
                return Err(missing(property, path, name, names));
            };
            shape = self.model.shape(member.target);
            found = Some(member);
        }
        found.ok_or_else(|| missing(property, path, path, &[]))
    }

    fn check_member(&self, property: &Property, path: &str, member: &Member<'_>) -> Vec<Event> {
        let mut events = Vec::new();
        let (name, of) = (member.name, property.name);
        events.extend(self.check_required(property, member));
        if let Some(target) = self.model.shape(member.target) {
            let kind = messages::with_article(target.kind.name());
            let wanted = || messages::list(property.recommended.iter().map(|kind| kind.name()));
            let is_fine = property.recommended.contains(&target.kind);
            if property.discouraged.contains(&target.kind) {
                let message = format!(
                    "`{of}` should have the type {}: the member `{name}` targets {kind}",
                    wanted()
                );
                events.push(
                    self.event(Severity::Danger, "WrongShapeType", message)
                        .with_part(of),
                );
            } else if !is_fine {
                let all = property.recommended.iter().chain(property.discouraged);
                let all = messages::list(all.map(|kind| kind.name()));
                let message = format!(
                    "`{of}` must have one of the types {all}: the member `{name}` targets {kind}"
                );
                events.push(self.event(Severity::Error, "", message));
            }
        }
        // Unlike above, Smithy counts empty names at the end of a path here, and this validator does the same.
        if property.of_output && path.split('.').count() > 2 {
            let message = format!("`{of}` should be a path of at most two members, got `{path}`");
            events.push(
                self.event(Severity::Warning, "DeeplyNested", message)
                    .with_part(of),
            );
        }
        events
    }

    fn check_required(&self, property: &Property, member: &Member<'_>) -> Option<Event> {
        let severity = property.required.filter(|_| member.has_trait(REQUIRED))?;
        let (name, of) = (member.name, property.name);
        match severity {
            Severity::Error => {
                let message = format!(
                    "`{of}` must not be required, but the member `{name}` is: the first request has no token"
                );
                Some(self.event(severity, "", message))
            }
            _ => {
                let message = format!("`{of}` should not be required, but the member `{name}` is");
                Some(
                    self.event(severity, "ShouldNotBeRequired", message)
                        .with_part(of),
                )
            }
        }
    }

    fn event(&self, severity: Severity, part: &str, message: String) -> Event {
        let id = if part.is_empty() {
            ID.to_owned()
        } else {
            format!("{ID}.{part}")
        };
        let message = match self.service {
            Some(service) => format!("in the service `{}`: {message}", service.id),
            None => message,
        };
        Event::new(severity, id, message)
            .at(self.applied.at)
            .on(self.operation.id)
    }
}

impl Event {
    /// Appends a part to the id.
    fn with_part(mut self, part: &str) -> Self {
        self.id.push('.');
        self.id.push_str(part);
        self
    }
}

fn missing(property: &Property, path: &str, name: &str, members: &[Member<'_>]) -> String {
    let names = members.iter().map(|member| member.name);
    let near = messages::did_you_mean_one_of(name, names);
    let of = property.name;
    if path == name {
        return format!("`{of}` refers to the unknown member `{name}`{near}");
    }
    format!("`{of}` is the path `{path}` with the unknown member `{name}`{near}")
}
