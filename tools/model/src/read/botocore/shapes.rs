//! Translates shapes, with the traits that waiters and the behaviour traits depend on.

use rustc_hash::FxHashSet;

use super::place::Place;
use super::reader::{INVALID, Reader};
use super::values::{flag, new_trait};
use crate::duplicates;
use crate::event::Severity;
use crate::messages;
use crate::shapes::{Kind, Member, Node, Shape, Trait, Value};

/// Flags of shapes and their traits.
const FLAGS: [(&str, &str); 4] = [
    ("sensitive", "smithy.api#sensitive"),
    ("sparse", "smithy.api#sparse"),
    ("streaming", "smithy.api#streaming"),
    ("eventstream", "smithy.api#streaming"),
];

impl<'a> Reader<'a> {
    pub(super) fn shape(&mut self, shape: &Place<'_, 'a>) {
        let Some(kind) = self.kind(shape) else {
            return;
        };
        let mut traits = self.common_traits(&shape.node);
        traits.extend(self.flags(&shape.node, &FLAGS));
        traits.extend(self.minimum(kind, &shape.node));
        if flag(&shape.node, "exception").is_some() {
            self.error_traits(&shape.node, &mut traits);
        }
        let streaming = "smithy.api#streaming";
        // If the shape itself has the trait, too, both are merged.
        let streamed = self.uses.is_streamed(shape.name);
        let implied = [self.uses.side(shape.name), streamed.then_some(streaming)];
        for id in implied.into_iter().flatten() {
            traits.push(new_trait(id, self.builder.object(shape.node.at, [])));
        }
        let id = self.shape_id(shape.name);
        let mut made = Shape::empty(kind, id, shape.node.at, traits);
        match kind {
            Kind::Enum => made.members = self.values(&shape.node),
            Kind::List | Kind::Map => {
                let names = kind.fixed_members().iter();
                let members = names.filter_map(|name| self.member(&shape.member(name)?, kind));
                made.members = members.collect();
            }
            Kind::Structure | Kind::Union => {
                if let Some(members) = self.object(shape, "members") {
                    let members = members
                        .members()
                        .filter_map(|place| self.member(&place, kind));
                    made.members = members.collect();
                    // botocore requires members of event streams, which are unions in Smithy.
                    if kind == Kind::Structure {
                        self.require(&shape.node, &mut made.members);
                        self.mark_payload(&shape.node, &mut made.members);
                    }
                }
            }
            _ => {}
        }
        self.definitions.shapes.push(made);
    }

    fn kind(&mut self, shape: &Place<'_, 'a>) -> Option<Kind> {
        let named = self.text(shape, "type")?;
        let is = |name: &str| flag(&shape.node, name).is_some();
        Some(match named {
            "structure" if is("document") => Kind::Document,
            "structure" if is("union") || is("eventstream") => Kind::Union,
            "string" if !self.values(&shape.node).is_empty() => Kind::Enum,
            named => {
                let data_kind = |name: &str| {
                    Kind::from_name(name).filter(|kind| {
                        !matches!(kind, Kind::Operation | Kind::Resource | Kind::Service)
                    })
                };
                let Some(kind) = data_kind(named) else {
                    let path = shape.path("type");
                    let names = Kind::NAMES.iter().copied();
                    let names = names.filter(|name| data_kind(name).is_some());
                    let near = messages::did_you_mean(named, names);
                    let message = format!("`{path}` must be a shape type, got `{named}`{near}");
                    self.problem(INVALID, Severity::Error, shape.node.at, message);
                    return None;
                };
                kind
            }
        })
    }

    /// Returns the values of an enum as members. Returns no members if a value has no valid or unique name.
    fn values(&self, shape: &Node<'a>) -> Vec<Member<'a>> {
        let values = shape.member("enum");
        let values = values.map_or(&[][..], |values| values.elements());
        let member = |value: &Node<'a>| {
            let text = value.as_str()?;
            let name = value_name(text)?;
            let mut traits = Vec::new();
            if name != text {
                traits.push(new_trait("smithy.api#enumValue", *value));
            }
            Some(Member {
                name: self.builder.text(&name),
                target: "smithy.api#Unit",
                at: value.at,
                traits,
                inherited: false,
            })
        };
        let members: Option<Vec<Member<'a>>> = values.iter().map(member).collect();
        let mut members = members.unwrap_or_default();
        if duplicates::has_duplicates(members.iter().map(|member| member.name)) {
            members.clear();
        }
        members
    }

    fn member(&mut self, member: &Place<'_, 'a>, parent: Kind) -> Option<Member<'a>> {
        let target = self.text(member, "shape")?;
        let mut traits = self.common_traits(&member.node);
        let known = [("idempotencyToken", "smithy.api#idempotencyToken")];
        traits.extend(self.flags(&member.node, &known));
        traits.extend(self.wire_traits(&member.node, parent));
        // Names of structure members borrow from the file, those of list and map members from `Kind`.
        Some(Member {
            name: self.builder.text(member.name),
            target: self.shape_id(target),
            at: member.node.at,
            traits,
            inherited: false,
        })
    }

    fn require(&self, shape: &Node<'a>, members: &mut [Member<'a>]) {
        let Some(required) = shape.member("required") else {
            return;
        };
        let names = required.elements().iter().filter_map(|name| name.as_str());
        let names: FxHashSet<&str> = names.collect();
        for member in members.iter_mut() {
            if names.contains(member.name) {
                let value = self.builder.object(required.at, []);
                member.traits.push(new_trait("smithy.api#required", value));
            }
        }
    }

    fn error_traits(&self, shape: &Node<'a>, traits: &mut Vec<Trait<'a>>) {
        let error = shape.member("error");
        let of_error = |name: &str| error.and_then(|error| error.member(name));
        let status = of_error("httpStatusCode");
        let is_server = flag(shape, "fault").is_some()
            || status
                .and_then(|status| status.as_f64())
                .is_some_and(|status| status >= 500.0);
        let fault = if is_server { "server" } else { "client" };
        let fault = Node::new(shape.at, Value::String(fault));
        traits.push(new_trait("smithy.api#error", fault));
        traits.extend(status.map(|status| new_trait("smithy.api#httpError", status)));
        let retryable = shape.member("retryable");
        traits.extend(retryable.map(|value| new_trait("smithy.api#retryable", value)));
        if let (Some(code), Some(status)) = (of_error("code"), status) {
            let members = [("code", code), ("httpResponseCode", status)];
            let value = self.builder.object(code.at, members);
            traits.push(new_trait("aws.protocols#awsQueryError", value));
        }
    }
}

/// Returns the member name for an enum value, as in AWS's models: `t2_micro` for `t2.micro`.
fn value_name(value: &str) -> Option<String> {
    let name = value.chars().map(|character| {
        if character.is_ascii_alphanumeric() {
            character
        } else {
            '_'
        }
    });
    let name: String = name.collect();
    let first = name.trim_start_matches('_').chars().next()?;
    first.is_ascii_alphabetic().then_some(name)
}
