//! Pagination: tokens, page sizes and items are members that are there and of the right type.
//!
//! Clause: [paginated](https://smithy.io/2.0/spec/behavior-traits.html#paginated-trait).

use crate::event::{Event, Severity};
use crate::messages;
use crate::shapes::{Kind, Member, Model, Node, Shape, Trait};

const PAGINATED: &str = "smithy.api#paginated";
const REQUIRED: &str = "smithy.api#required";
const ID: &str = "PaginatedTrait";

/// A property of the trait, and what it asks of the member that it names.
struct Property {
    name: &'static str,
    /// Whether the member is one of the output, and at the end of a path.
    of_output: bool,
    /// Whether an operation in a service must have it.
    is_needed: bool,
    /// How bad it is that the member is required.
    required: Option<Severity>,
    recommended: &'static [Kind],
    discouraged: &'static [Kind],
}

const INPUT_TOKEN: Property = Property {
    name: "inputToken",
    of_output: false,
    is_needed: true,
    required: Some(Severity::Error),
    recommended: &[Kind::String],
    discouraged: &[Kind::Map],
};
const OUTPUT_TOKEN: Property = Property {
    name: "outputToken",
    of_output: true,
    is_needed: true,
    required: Some(Severity::Danger),
    recommended: &[Kind::String],
    discouraged: &[Kind::Map],
};
const PAGE_SIZE: Property = Property {
    name: "pageSize",
    of_output: false,
    is_needed: false,
    required: Some(Severity::Warning),
    recommended: &[Kind::Integer],
    discouraged: &[Kind::Byte, Kind::Long, Kind::Short],
};
const ITEMS: Property = Property {
    name: "items",
    of_output: true,
    is_needed: false,
    required: None,
    recommended: &[Kind::List, Kind::Map],
    discouraged: &[],
};

/// In the order in which they are looked at.
const PROPERTIES: [Property; 4] = [INPUT_TOKEN, PAGE_SIZE, OUTPUT_TOKEN, ITEMS];

/// Checks the trait on every operation; what is right alone is checked again within each service.
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

/// One operation, alone or within a service.
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
        let Some(path) = self.path(property) else {
            let is_missing = property.is_needed && self.service.is_some();
            let missing = || {
                let message = format!(
                    "neither the operation nor the service says what its `{}` is",
                    property.name
                );
                self.event(Severity::Error, "", message)
            };
            return is_missing.then(missing).into_iter().collect();
        };
        if !property.of_output && path.contains('.') {
            let message = format!(
                "`{}` is a member of the input itself, not a path: `{path}`",
                property.name
            );
            return vec![self.event(Severity::Error, "", message)];
        }
        // What is missing is said where references are looked at.
        if self.side(property).is_none() {
            return Vec::new();
        }
        match self.member(property, path) {
            Ok(member) => self.of_member(property, path, member),
            Err(message) => vec![self.event(Severity::Error, "", message)],
        }
    }

    /// What the operation, or else the service, says.
    fn path(&self, property: &Property) -> Option<&'a str> {
        let path = |applied: &Trait<'a>| {
            applied
                .value
                .member(property.name)
                .and_then(|node: Node<'a>| node.as_str())
        };
        let of_service = || path(self.service?.find_trait(PAGINATED)?);
        path(self.applied).or_else(of_service)
    }

    /// The input or output that a property names a member of.
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
        // As Smithy splits them: empty names at the end are none.
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

    fn of_member(&self, property: &Property, path: &str, member: &Member<'_>) -> Vec<Event> {
        let mut events = Vec::new();
        let (name, of) = (member.name, property.name);
        events.extend(self.required(property, member));
        if let Some(target) = self.model.shape(member.target) {
            let kind = messages::with_article(target.kind.name());
            let wanted = || messages::list(property.recommended.iter().map(|kind| kind.name()));
            let is_fine = property.recommended.contains(&target.kind);
            if property.discouraged.contains(&target.kind) {
                let message = format!(
                    "`{of}` should be {}: the member `{name}` targets {kind}",
                    wanted()
                );
                events.push(
                    self.event(Severity::Danger, "WrongShapeType", message)
                        .of_part(of),
                );
            } else if !is_fine {
                let all = property.recommended.iter().chain(property.discouraged);
                let all = messages::list(all.map(|kind| kind.name()));
                let message =
                    format!("`{of}` must be one of {all}: the member `{name}` targets {kind}");
                events.push(self.event(Severity::Error, "", message));
            }
        }
        // SPEC: Smithy counts empty names at the end here, and nowhere else.
        if property.of_output && path.split('.').count() > 2 {
            let message = format!(
                "`{of}` is a path of more than two members, which is cumbersome to use: `{path}`"
            );
            events.push(
                self.event(Severity::Warning, "DeeplyNested", message)
                    .of_part(of),
            );
        }
        events
    }

    fn required(&self, property: &Property, member: &Member<'_>) -> Option<Event> {
        let severity = property.required.filter(|_| member.has_trait(REQUIRED))?;
        let (name, of) = (member.name, property.name);
        match severity {
            Severity::Error => {
                let message = format!(
                    "`{of}` must not be required: the first request has none, and the member `{name}` is required"
                );
                Some(self.event(severity, "", message))
            }
            _ => {
                let message = format!("`{of}` should not be required: the member `{name}` is");
                Some(
                    self.event(severity, "ShouldNotBeRequired", message)
                        .of_part(of),
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
            Some(service) => format!("within the service `{}`: {message}", service.id),
            None => message,
        };
        Event::new(severity, id, message)
            .at(self.applied.at)
            .on(self.operation.id)
    }
}

impl Event {
    /// The same event, of a part.
    fn of_part(mut self, part: &str) -> Self {
        self.id.push('.');
        self.id.push_str(part);
        self
    }
}

fn missing(property: &Property, path: &str, name: &str, members: &[Member<'_>]) -> String {
    let names = members.iter().map(|member| member.name);
    let near = messages::did_you_mean(name, names.clone());
    let near = if near.is_empty() {
        format!(": there are {}", messages::list(names))
    } else {
        near
    };
    let of = property.name;
    if path == name {
        return format!("`{of}` names the member `{name}`, which does not exist{near}");
    }
    format!("`{of}` is the path `{path}`, and `{name}` does not exist{near}")
}
