//! Checks shapes against the Smithy version of their text, and for required members.
//!
//! Clause: [the 2.0 migration guide](https://smithy.io/2.0/guides/migrating-idl-1-to-2.html).

use super::definitions::Definitions;
use super::idl_version::IdlVersion;
use crate::event::Event;
use crate::event::ids::MODEL;
use crate::messages;
use crate::shapes::{Kind, Shape, Trait, id};
use crate::source::At;

/// Reports shapes that the version doesn't support or that lack required members. All ids are absolute here.
pub(crate) fn check(definitions: &mut Definitions<'_>) {
    let version = definitions.version;
    for shape in &definitions.shapes {
        let mut check = ShapeCheck {
            shape,
            events: &mut definitions.events,
        };
        match version {
            IdlVersion::One => check.of_two_only(),
            IdlVersion::Two => check.of_one_only(),
        }
        check.incomplete();
    }
}

struct ShapeCheck<'f, 'a> {
    shape: &'f Shape<'a>,
    events: &'f mut Vec<Event>,
}

impl<'f> ShapeCheck<'f, '_> {
    /// Reports features that Smithy 1.0 doesn't have.
    fn of_two_only(&mut self) {
        let shape = self.shape;
        if matches!(shape.kind, Kind::Enum | Kind::IntEnum) {
            let kind = shape.kind.name();
            self.needs_two(shape.at, &format!("a shape of the type `{kind}`"));
        }
        if let Some(applied) = shape.find_trait("smithy.api#mixin") {
            self.needs_two(applied.at, "a mixin");
        }
        if let Some(mixin) = shape.mixins.first() {
            self.needs_two(mixin.at, "a mixin");
        }
        if let Some(resource) = shape.resource {
            self.needs_two(resource.at, "a structure of a resource");
        }
        let mut properties = shape.properties.iter();
        if let Some(entry) =
            properties.find(|entry| shape.kind == Kind::Resource && entry.key == "properties")
        {
            self.needs_two(entry.key_at, "a resource with properties");
        }
        for applied in of_members(self.shape, "smithy.api#default") {
            self.needs_two(applied.at, "a default value");
        }
    }

    /// Reports features that Smithy 2.0 removed.
    fn of_one_only(&mut self) {
        if self.shape.kind == Kind::Set {
            let message = "Smithy 2.0 has no sets: a list with the trait `uniqueItems` is one";
            self.problem(self.shape.at, message.to_owned());
        }
        for applied in of_members(self.shape, "smithy.api#box") {
            let message = "Smithy 2.0 has no trait `box`: what has no default may be missing";
            self.problem(applied.at, message.to_owned());
        }
    }

    /// Reports missing and unexpected members of lists, maps and enums. A mixin can define the required ones.
    fn incomplete(&mut self) {
        let shape = self.shape;
        let fixed = shape.kind.fixed_members();
        for member in &shape.members {
            if !fixed.is_empty() && !fixed.contains(&member.name) {
                let message = format!(
                    "{} has no member `{}`: it has {}",
                    messages::with_article(shape.kind.name()),
                    member.name,
                    messages::list(fixed.iter().copied())
                );
                self.problem(member.at, message);
            }
        }
        if !shape.mixins.is_empty() {
            return;
        }
        for name in fixed.iter().filter(|name| shape.member(name).is_none()) {
            let message = format!("the {} lacks its member `{name}`", shape.kind.name());
            self.problem(shape.at, message);
        }
        if matches!(shape.kind, Kind::Enum | Kind::IntEnum) && shape.members.is_empty() {
            let message = format!("the {} has no values", shape.kind.name());
            self.problem(shape.at, message);
        }
    }

    fn needs_two(&mut self, at: At, what: &str) {
        let message = format!(
            "{what} needs `$version: \"2.0\"`, and `{}` is of version 1.0",
            id::name(self.shape.id)
        );
        self.problem(at, message);
    }

    fn problem(&mut self, at: At, message: String) {
        let event = Event::error(MODEL, message).at(at).on(self.shape.id);
        self.events.push(event);
    }
}

/// Returns the applications of a trait to the members of a shape.
fn of_members<'f, 'a>(
    shape: &'f Shape<'a>,
    id: &'static str,
) -> impl Iterator<Item = &'f Trait<'a>> {
    let members = shape.members.iter();
    members.filter_map(move |member| member.find_trait(id))
}
