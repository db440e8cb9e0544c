//! Validates the values of the traits of waiters and behaviours against their definitions in the prelude.
//!
//! Smithy builds these traits before it validates their values. A value that lacks a required member or has the wrong
//! type fails the build, which is not an event of a validator. These events have the id `SmithyWaiters.Model`.
//!
//! Clause: [trait values](https://smithy.io/2.0/spec/model.html#trait-node-values).

mod constraints;

use crate::event::ids::MODEL;
use crate::event::{Event, Severity};
use crate::messages;
use crate::shapes::id::{IDEMPOTENCY_TOKEN, PAGINATED, REQUEST_COMPRESSION, RETRYABLE, WAITABLE};
use crate::shapes::{Kind, Member, Model, Node, Shape, Trait, Value};
use crate::source::At;

const REQUIRED: &str = "smithy.api#required";

/// The id of values that violate a constraint.
const TRAIT_VALUE: &str = "TraitValue";

/// The traits whose values are validated.
const CHECKED: [&str; 5] = [
    IDEMPOTENCY_TOKEN,
    PAGINATED,
    REQUEST_COMPRESSION,
    RETRYABLE,
    WAITABLE,
];

/// Validates the values of the traits of waiters and behaviours.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let mut events = Vec::new();
    for shape in model.shapes() {
        for applied in checked(&shape.traits) {
            check_trait(model, shape.id, applied, &mut events);
        }
        for member in &shape.members {
            for applied in checked(&member.traits) {
                let target = format!("{}${}", shape.id, member.name);
                check_trait(model, &target, applied, &mut events);
            }
        }
    }
    events
}

fn checked<'t, 'a>(traits: &'t [Trait<'a>]) -> impl Iterator<Item = &'t Trait<'a>> {
    traits
        .iter()
        .filter(|applied| CHECKED.contains(&applied.id))
}

fn check_trait(model: &Model<'_>, target: &str, applied: &Trait<'_>, events: &mut Vec<Event>) {
    let Some(definition) = model.shape(applied.id) else {
        return;
    };
    let name = applied.id.strip_prefix("smithy.api#").unwrap_or(applied.id);
    let mut check = Check {
        model,
        target,
        path: vec![name.to_owned()],
        events,
    };
    check.value(&applied.value, definition);
}

/// The validation of one trait value.
struct Check<'m, 'a, 'e> {
    model: &'m Model<'a>,
    /// The id of the shape or member that the trait is applied to.
    target: &'e str,
    /// The name of the trait, followed by the members that lead to the current value.
    path: Vec<String>,
    events: &'e mut Vec<Event>,
}

impl<'a> Check<'_, 'a, '_> {
    fn value(&mut self, node: &Node<'_>, shape: &Shape<'a>) {
        let (expected, fits) = expected(shape.kind, &node.value);
        if !fits {
            let found = describe(node);
            return self.report(
                MODEL,
                node.at,
                &format!("expected {expected}, found {found}"),
            );
        }
        if let Some(problem) = constraints::integer(shape.kind, node) {
            return self.report(TRAIT_VALUE, node.at, &problem);
        }
        self.constraints(node, shape);
        match shape.kind {
            Kind::List => self.elements(node, shape),
            Kind::Map => self.map(node, shape),
            Kind::Structure => self.structure(node, shape),
            Kind::Union => self.union(node, shape),
            Kind::Enum => self.one_of(node, shape),
            _ => {}
        }
    }

    fn constraints(&mut self, node: &Node<'_>, shape: &Shape<'_>) {
        for applied in &shape.traits {
            let (id, problem) = match applied.id {
                "smithy.api#length" => (TRAIT_VALUE, constraints::length(node, &applied.value)),
                "smithy.api#pattern" => (TRAIT_VALUE, constraints::pattern(node, &applied.value)),
                "smithy.api#range" => (
                    "TraitValue.Target.InvalidRange",
                    constraints::range(node, &applied.value),
                ),
                _ => continue,
            };
            if let Some(problem) = problem {
                self.report(id, node.at, &problem);
            }
        }
    }

    fn member(&mut self, name: &str, node: &Node<'_>, member: &Member<'a>) {
        let Some(target) = self.model.shape(member.target) else {
            return;
        };
        self.path.push(name.to_owned());
        self.value(node, target);
        self.path.pop();
    }

    fn elements(&mut self, node: &Node<'_>, shape: &Shape<'a>) {
        let Some(member) = shape.member("member") else {
            return;
        };
        for (place, element) in node.elements().iter().enumerate() {
            self.member(&place.to_string(), element, member);
        }
    }

    fn map(&mut self, node: &Node<'_>, shape: &Shape<'a>) {
        for entry in node.entries() {
            if let Some(member) = shape.member("key") {
                let key = Node::new(entry.key_at, Value::String(entry.key));
                self.member(&format!("{} (key)", entry.key), &key, member);
            }
            if let Some(member) = shape.member("value") {
                self.member(entry.key, &entry.value, member);
            }
        }
    }

    fn structure(&mut self, node: &Node<'_>, shape: &Shape<'a>) {
        for entry in node.entries() {
            match shape.member(entry.key) {
                Some(member) => self.member(entry.key, &entry.value, member),
                None => self.unknown(Severity::Warning, entry.key, node.at, shape),
            }
        }
        let required = shape.members.iter();
        let required = required.filter(|member| member.has_trait(REQUIRED));
        for member in required.filter(|member| node.member(member.name).is_none()) {
            let message = format!("missing member `{}`", member.name);
            self.report(MODEL, node.at, &message);
        }
    }

    fn union(&mut self, node: &Node<'_>, shape: &Shape<'a>) {
        let [entry] = node.entries() else {
            let found = node.entries().len();
            let names = messages::list(shape.members.iter().map(|member| member.name));
            let message = format!("expected exactly one of {names}, found {found}");
            return self.report(MODEL, node.at, &message);
        };
        match shape.member(entry.key) {
            Some(member) => self.member(entry.key, &entry.value, member),
            None => self.unknown(Severity::Error, entry.key, node.at, shape),
        }
    }

    fn unknown(&mut self, severity: Severity, key: &str, at: At, shape: &Shape<'_>) {
        let names = shape.members.iter().map(|member| member.name);
        let near = messages::did_you_mean_one_of(key, names);
        let id = format!("{TRAIT_VALUE}.UnknownMember.{}.{key}", shape.id);
        self.event(severity, id, at, &format!("unknown member `{key}`{near}"));
    }

    fn one_of(&mut self, node: &Node<'_>, shape: &Shape<'_>) {
        let values = shape.members.iter().filter_map(|member| {
            let value = member.find_trait("smithy.api#enumValue")?;
            value.value.as_str()
        });
        let found = node.as_str().unwrap_or_default();
        if values.clone().any(|value| value == found) {
            return;
        }
        let near = messages::did_you_mean(found, values.clone());
        let message = format!(
            "expected one of {}, found {}{near}",
            messages::list(values),
            describe(node)
        );
        self.report(MODEL, node.at, &message);
    }

    fn report(&mut self, id: &str, at: At, message: &str) {
        self.event(Severity::Error, id.to_owned(), at, message);
    }

    fn event(&mut self, severity: Severity, id: String, at: At, message: &str) {
        let (name, inside) = self
            .path
            .split_first()
            .map_or(("", &[][..]), |(name, inside)| (name.as_str(), inside));
        let place = if inside.is_empty() {
            String::new()
        } else {
            format!(", `{}`", inside.join("."))
        };
        let message = format!("trait `{name}`{place}: {message}");
        self.events
            .push(Event::new(severity, id, message).at(at).on(self.target));
    }
}

/// Returns the expected kind of value for messages, and whether a value has that kind.
const fn expected(kind: Kind, value: &Value<'_>) -> (&'static str, bool) {
    match kind {
        Kind::Boolean => ("a boolean", matches!(value, Value::Boolean(_))),
        Kind::Integer => ("an integer", matches!(value, Value::Number(_))),
        Kind::List => ("an array", matches!(value, Value::Array(_))),
        Kind::Map | Kind::Structure | Kind::Union => {
            ("an object", matches!(value, Value::Object(_)))
        }
        // The definitions of these traits have no other kinds.
        _ => (
            "a string",
            matches!(value, Value::String(_) | Value::ShapeId(_)),
        ),
    }
}

/// Describes a value for messages.
fn describe(node: &Node<'_>) -> String {
    match node.value {
        Value::Number(text) => format!("`{text}`"),
        Value::String(text) | Value::ShapeId(text) => {
            format!("the string `{}`", messages::excerpt(text))
        }
        Value::Boolean(value) => format!("`{value}`"),
        _ => node.kind().to_owned(),
    }
}
