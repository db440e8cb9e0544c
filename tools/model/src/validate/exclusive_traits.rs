//! Validates structurally exclusive traits: `idempotencyToken`, `httpPayload` and others that only one member of a
//! structure can have.
//!
//! Clause: [structurally exclusive traits](https://smithy.io/2.0/spec/model.html#structurally-exclusive-traits).

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::event::Event;
use crate::messages;
use crate::shapes::{Kind, Model, Shape, Trait};

const TRAIT: &str = "smithy.api#trait";

/// Reports structures in which several members have such a trait.
pub(super) fn check(model: &Model<'_>) -> Vec<Event> {
    let exclusive = ExclusiveTraits::new(model);
    let structures = model.of_kind(Kind::Structure);
    structures
        .flat_map(|shape| exclusive.check(model, shape))
        .collect()
}

/// Exclusive traits by id. The value is `true` if they are exclusive for the targets of members.
struct ExclusiveTraits<'m>(FxHashMap<&'m str, bool>);

impl<'m> ExclusiveTraits<'m> {
    fn new(model: &'m Model<'_>) -> Self {
        let exclusive = model.all().iter().filter_map(|shape| {
            let definition = shape.find_trait(TRAIT)?.value;
            let of = definition.member("structurallyExclusive")?.as_str()?;
            Some((shape.id, of == "target"))
        });
        Self(exclusive.collect())
    }

    fn check(&self, model: &Model<'_>, shape: &Shape<'_>) -> Vec<Event> {
        let mut having: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for member in &shape.members {
            let target = model.shape(member.target);
            let of_target = target.map_or(&[][..], |target| &target.traits);
            for (traits, by_target) in [(&*member.traits, false), (of_target, true)] {
                let is = |applied: &&Trait<'_>| self.0.get(applied.id) == Some(&by_target);
                for applied in traits.iter().filter(is) {
                    having.entry(applied.id).or_default().push(member.name);
                }
            }
        }
        let several = having.into_iter().filter(|(_, names)| names.len() > 1);
        several
            .map(|(id, names)| self.event(shape, id, names))
            .collect()
    }

    fn event(&self, shape: &Shape<'_>, id: &str, names: Vec<&str>) -> Event {
        let what = match (id, self.0.get(id)) {
            ("smithy.api#idempotencyToken", _) => "can be its idempotency token".to_owned(),
            ("smithy.api#streaming", _) => "can target a stream".to_owned(),
            (id, by_target) => {
                let name = id.strip_prefix("smithy.api#").unwrap_or(id);
                let verb = if by_target == Some(&true) {
                    "target a shape with"
                } else {
                    "have"
                };
                format!("can {verb} the trait `{name}`")
            }
        };
        let count = names.len();
        let names = messages::list(names);
        let message = format!("only one member of a structure {what}, got {count}: {names}");
        Event::error("ExclusiveStructureMemberTrait", message)
            .at(shape.at)
            .on(shape.id)
    }
}
