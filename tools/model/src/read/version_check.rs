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
            IdlVersion::One => check.check_for_version_1(),
            IdlVersion::Two => check.check_for_version_2(),
        }
        check.check_members();
    }
}

struct ShapeCheck<'f, 'a> {
    shape: &'f Shape<'a>,
    events: &'f mut Vec<Event>,
}

impl<'f> ShapeCheck<'f, '_> {
    /// Reports features that Smithy 1.0 doesn't have.
    fn check_for_version_1(&mut self) {
        let shape = self.shape;
        if matches!(shape.kind, Kind::Enum | Kind::IntEnum) {
            let kind = shape.kind.name();
            self.requires_version_2(shape.at, &format!("a shape of the type `{kind}`"));
        }
        if let Some(applied) = shape.find_trait("smithy.api#mixin") {
            self.requires_version_2(applied.at, "a mixin");
        }
        if let Some(mixin) = shape.mixins.first() {
            self.requires_version_2(mixin.at, "a mixin");
        }
        if let Some(resource) = shape.resource {
            self.requires_version_2(resource.at, "a structure with `for`");
        }
        let mut properties = shape.properties.iter();
        if let Some(entry) =
            properties.find(|entry| shape.kind == Kind::Resource && entry.key == "properties")
        {
            self.requires_version_2(entry.key_at, "a resource with properties");
        }
        for applied in member_traits(self.shape, "smithy.api#default") {
            self.requires_version_2(applied.at, "a default value");
        }
    }

    /// Reports features that Smithy 2.0 removed.
    fn check_for_version_2(&mut self) {
        if self.shape.kind == Kind::Set {
            let message = "Smithy 2.0 removed sets: use a list with the trait `uniqueItems`";
            self.problem(self.shape.at, message.to_owned());
        }
        for applied in member_traits(self.shape, "smithy.api#box") {
            let message =
                "Smithy 2.0 removed the trait `box`: members without a default value are nullable";
            self.problem(applied.at, message.to_owned());
        }
    }

    /// Reports missing and unexpected members of lists, maps and enums. A mixin can define the required ones.
    fn check_members(&mut self) {
        let shape = self.shape;
        let fixed = shape.kind.fixed_members();
        for member in &shape.members {
            if !fixed.is_empty() && !fixed.contains(&member.name) {
                let message = format!(
                    "{} cannot have a member `{}`: expected {}",
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
            let message = format!("the {} is missing its member `{name}`", shape.kind.name());
            self.problem(shape.at, message);
        }
        if matches!(shape.kind, Kind::Enum | Kind::IntEnum) && shape.members.is_empty() {
            let message = format!("the {} must have at least one value", shape.kind.name());
            self.problem(shape.at, message);
        }
    }

    fn requires_version_2(&mut self, at: At, what: &str) {
        let message = format!(
            "{what} requires `$version: \"2.0\"`, but `{}` is defined in version 1.0",
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
fn member_traits<'f, 'a>(
    shape: &'f Shape<'a>,
    id: &'static str,
) -> impl Iterator<Item = &'f Trait<'a>> {
    let members = shape.members.iter();
    members.filter_map(move |member| member.find_trait(id))
}
