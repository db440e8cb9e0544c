//! Validates the values of traits against their definitions.
//!
//! Smithy builds the traits of waiters and behaviours before it validates their values. A value that lacks a required
//! member or has the wrong type fails the build, which is not an event of a validator. These events have the id
//! `SmithyWaiters.Model`.
//!
//! Clause: [trait values](https://smithy.io/2.0/spec/model.html#trait-node-values).

mod build_rules;
mod check;
mod constraints;
mod references;

use crate::event::{Event, Severity};
use crate::messages;
use crate::selector::{Graph, Selection};
use crate::shapes::id::WAITABLE;
use crate::shapes::{Kind, Member, Model, Node, Shape, Trait, Value};
use crate::source::At;
use check::{Check, TRAIT_VALUE, Violation, describe};

const TRAIT: &str = "smithy.api#trait";
const SPARSE: &str = "smithy.api#sparse";
const REQUIRED: &str = "smithy.api#required";

/// Validates the values of all traits that the model or the prelude defines.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let graph = Graph::new(model);
    let selection = Selection::new(&graph);
    let mut events = Vec::new();
    for shape in model.shapes() {
        for applied in &shape.traits {
            check_trait((model, &selection), shape.id, applied, &mut events);
        }
        for member in &shape.members {
            let checked = member
                .traits
                .iter()
                .filter(|applied| is_defined(model, applied));
            for applied in checked {
                let target = format!("{}${}", shape.id, member.name);
                check_trait((model, &selection), &target, applied, &mut events);
            }
        }
    }
    events
}

fn is_defined(model: &Model<'_>, applied: &Trait<'_>) -> bool {
    model
        .shape(applied.id)
        .is_some_and(|shape| shape.has_trait(TRAIT))
}

fn check_trait<'m, 'a>(
    (model, selection): (&'m Model<'a>, &Selection<'_, 'm, 'a>),
    target: &str,
    applied: &Trait<'_>,
    events: &mut Vec<Event>,
) {
    let definition = model
        .shape(applied.id)
        .filter(|shape| shape.has_trait(TRAIT));
    let Some(definition) = definition else { return };
    let mut check = Check {
        model,
        selection,
        target,
        id: applied.id,
        // Smithy builds the traits of the prelude and of waiters. It does not interpret the values of other traits.
        is_built: is_built(applied.id),
        path: vec![
            applied
                .id
                .strip_prefix("smithy.api#")
                .unwrap_or(applied.id)
                .to_owned(),
        ],
        events,
    };
    check.value(&applied.value, definition);
    if let Some(problem) = build_rules::problem(applied.id, &applied.value) {
        check.report(Violation::Type, applied.value.at, problem);
    }
}

/// Returns `true` if Smithy has a class for a trait.
fn is_built(id: &str) -> bool {
    id == WAITABLE || id.starts_with("smithy.api#")
}

impl<'a> Check<'_, 'a, '_> {
    fn value(&mut self, node: &Node<'_>, shape: &Shape<'a>) {
        if !self.is_of_kind(node, shape) {
            return;
        }
        self.constraints(node, shape.kind, ("Target", &shape.traits));
        match shape.kind {
            Kind::List | Kind::Set => self.elements(node, shape),
            Kind::Map => self.map(node, shape),
            Kind::Structure => self.structure(node, shape),
            Kind::Union => self.union(node, shape),
            Kind::Enum | Kind::IntEnum => self.one_of(node, shape),
            _ => {}
        }
    }

    fn is_of_kind(&mut self, node: &Node<'_>, shape: &Shape<'_>) -> bool {
        let (expected, fits) = expected(shape.kind, &node.value);
        if !fits {
            let found = describe(node);
            self.report(
                Violation::Type,
                node.at,
                &format!("expected {expected}, found {found}"),
            );
            return false;
        }
        if is_integer(shape.kind)
            && matches!(node.value, Value::Number(text) if text.contains(['.', 'e', 'E']))
        {
            let found = describe(node);
            self.report(
                Violation::Rule,
                node.at,
                &format!("expected an integer, found {found}"),
            );
            return false;
        }
        if let Some(bound) = constraints::beyond(shape.kind, node) {
            self.report(Violation::Rule, node.at, &bound);
            return false;
        }
        true
    }

    fn member(&mut self, name: &str, node: &Node<'_>, member: &Member<'a>) {
        let Some(target) = self.model.shape(member.target) else {
            return;
        };
        self.path.push(name.to_owned());
        self.constraints(node, target.kind, ("Member", &member.traits));
        self.value(node, target);
        self.path.pop();
    }

    fn elements(&mut self, node: &Node<'_>, shape: &Shape<'a>) {
        let Some(member) = shape.member("member") else {
            return;
        };
        for (place, element) in node.elements().iter().enumerate() {
            let place = place.to_string();
            self.null(&place, element, shape);
            self.member(&place, element, member);
        }
    }

    /// Reports a null in a list or map that is not sparse. Like Smithy, this is in addition to an event about the wrong
    /// type.
    fn null(&mut self, name: &str, node: &Node<'_>, shape: &Shape<'_>) {
        let is_held = self.is_built || shape.has_trait(SPARSE);
        if matches!(node.value, Value::Null) && !is_held {
            let message = format!(
                "{} without the trait `sparse` cannot contain null",
                messages::with_article(shape.kind.name())
            );
            self.path.push(name.to_owned());
            self.report(Violation::Rule, node.at, &message);
            self.path.pop();
        }
    }

    fn map(&mut self, node: &Node<'_>, shape: &Shape<'a>) {
        for entry in node.entries() {
            if let Some(member) = shape.member("key") {
                let key = Node::new(entry.key_at, Value::String(entry.key));
                self.member(&format!("{} (key)", entry.key), &key, member);
            }
            if let Some(member) = shape.member("value") {
                self.null(entry.key, &entry.value, shape);
                self.member(entry.key, &entry.value, member);
            }
        }
    }

    fn structure(&mut self, node: &Node<'_>, shape: &Shape<'a>) {
        for entry in node.entries() {
            match shape.member(entry.key) {
                Some(member) => self.member(entry.key, &entry.value, member),
                None => self.unknown(entry.key, node.at, shape),
            }
        }
        for member in shape
            .members
            .iter()
            .filter(|member| member.has_trait(REQUIRED))
        {
            match node.member(member.name) {
                None => {
                    let message = format!("missing member `{}`", member.name);
                    self.report(Violation::Type, node.at, &message);
                }
                Some(value) if matches!(value.value, Value::Null) && !self.is_built => {
                    let message = format!("the required member `{}` must not be null", member.name);
                    self.report(Violation::Rule, value.at, &message);
                }
                Some(_) => {}
            }
        }
    }

    fn unknown(&mut self, key: &str, at: At, shape: &Shape<'_>) {
        if build_rules::ignores_unknown_members(self.id) {
            return;
        }
        let names = shape.members.iter().map(|member| member.name);
        let near = messages::did_you_mean_one_of(key, names);
        let message = format!("unknown member `{key}`{near}");
        let id = format!("{TRAIT_VALUE}.UnknownMember.{}.{key}", shape.id);
        self.event(Severity::Warning, id, at, &message);
    }

    fn union(&mut self, node: &Node<'_>, shape: &Shape<'a>) {
        let names = || messages::list(shape.members.iter().map(|member| member.name));
        // As in Smithy, an empty union is an error only in the traits that Smithy builds. This differs from the
        // specification, which requires one member: see docs/rules.md#validator-differences.
        if node.entries().is_empty() && !self.is_built {
            return;
        }
        let [entry] = node.entries() else {
            let found = node.entries().len();
            let message = format!("expected exactly one of {}, found {found}", names());
            return self.report(Violation::Type, node.at, &message);
        };
        match shape.member(entry.key) {
            Some(member) => self.member(entry.key, &entry.value, member),
            None => {
                let members = shape.members.iter().map(|member| member.name);
                let near = messages::did_you_mean_one_of(entry.key, members);
                let message = format!("unknown member `{}`{near}", entry.key);
                let id = format!("{TRAIT_VALUE}.UnknownMember.{}.{}", shape.id, entry.key);
                self.event(Severity::Error, id, node.at, &message);
            }
        }
    }

    fn one_of(&mut self, node: &Node<'_>, shape: &Shape<'_>) {
        let values = shape.members.iter().filter_map(|member| {
            let value = member.find_trait("smithy.api#enumValue")?;
            Some(value.value)
        });
        if values.clone().any(|value| value == *node) {
            return;
        }
        let texts: Vec<&str> = values.filter_map(|value| value.as_str()).collect();
        let near = messages::did_you_mean(node.as_str().unwrap_or_default(), texts.iter().copied());
        let found = describe(node);
        let message = format!(
            "expected one of {}, found {found}{near}",
            messages::list(texts)
        );
        let wrong = if build_rules::is_lenient(self.id) {
            Violation::Rule
        } else {
            Violation::Type
        };
        self.report(wrong, node.at, &message);
    }
}

/// Returns the expected kind of value for messages, and whether a value has that kind.
fn expected(kind: Kind, value: &Value<'_>) -> (&'static str, bool) {
    let is_text = matches!(value, Value::String(_) | Value::ShapeId(_));
    let is_number = matches!(value, Value::Number(_));
    let is_no_real = matches!(value, Value::String("NaN" | "Infinity" | "-Infinity"));
    match kind {
        Kind::Blob | Kind::Enum | Kind::String => ("a string", is_text),
        Kind::Boolean => ("a boolean", matches!(value, Value::Boolean(_))),
        Kind::List | Kind::Set => ("an array", matches!(value, Value::Array(_))),
        Kind::Map | Kind::Structure | Kind::Union => {
            ("an object", matches!(value, Value::Object(_)))
        }
        Kind::Double | Kind::Float => ("a number", is_number || is_no_real),
        Kind::BigDecimal => ("a number", is_number),
        Kind::Timestamp => ("a timestamp", is_number || is_text),
        Kind::Document | Kind::Operation | Kind::Resource | Kind::Service => ("a value", true),
        _ => ("an integer", is_number),
    }
}

const fn is_integer(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::BigInteger | Kind::Byte | Kind::IntEnum | Kind::Integer | Kind::Long | Kind::Short
    )
}
