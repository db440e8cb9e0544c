//! Resolves mixins and elided targets.
//!
//! Clauses: [mixins](https://smithy.io/2.0/spec/mixins.html), [target
//! elision](https://smithy.io/2.0/spec/idl.html#target-elision).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::event::ids::MODEL;
use crate::event::{Culprit, Event};
use crate::shapes::{Member, Model, Node, Reference, Shape, Trait, id};
use crate::source::At;

const MIXIN: &str = "smithy.api#mixin";

/// The maximum number of members and traits that a model inherits from mixins. Without a limit, a chain of mixins with
/// one member each would take quadratic time and memory. Real models stay far below it.
const MAX_INHERITED: usize = 250_000;

/// The progress of resolving a shape.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    Untouched,
    Open,
    Done,
}

impl<'a> Model<'a> {
    /// Adds the members and traits of mixins to every shape, and the targets that its resource defines.
    pub(super) fn resolve_mixins(&mut self) {
        let mut stages = vec![Stage::Untouched; self.shapes.len()];
        let mut budget = Budget {
            left: MAX_INHERITED,
            is_reported: false,
        };
        for place in 0..self.shapes.len() {
            let uses_others = self.shapes.get(place).is_some_and(|shape| {
                !shape.mixins.is_empty() || shape.resource.is_some() || has_elided_targets(shape)
            });
            if uses_others {
                self.complete(place, &mut stages, &mut budget);
            }
        }
    }

    /// Resolves a shape after its mixins. The explicit stack keeps long chains of mixins from overflowing the call
    /// stack.
    fn complete(&mut self, place: usize, stages: &mut [Stage], budget: &mut Budget) {
        let mut open = vec![place];
        while let Some(place) = open.last().copied() {
            let stage = stages.get(place).copied();
            if stage == Some(Stage::Untouched) {
                set(stages, place, Stage::Open);
                open.extend(self.unresolved_mixins(place, stages));
                continue;
            }
            open.pop();
            if stage == Some(Stage::Open) {
                set(stages, place, Stage::Done);
                self.apply_mixins(place, budget);
            }
        }
    }

    /// Returns the indices of a shape's mixins that are not yet resolved, and reports cycles and unknown mixins.
    fn unresolved_mixins(&mut self, place: usize, stages: &[Stage]) -> Vec<usize> {
        let mut untouched = Vec::new();
        let mixins = self
            .shapes
            .get(place)
            .map(|shape| (shape.id, shape.at, shape.mixins.clone()));
        let Some((id, at, mixins)) = mixins else {
            return untouched;
        };
        for mixin in mixins {
            let place = self.places.get(mixin.id).copied();
            let message = match place.and_then(|place| stages.get(place)) {
                Some(Stage::Untouched) => {
                    untouched.extend(place);
                    continue;
                }
                Some(Stage::Done) => continue,
                Some(Stage::Open) => format!("cycle of mixins: `{}` uses `{id}`", mixin.id),
                None => format!("unknown mixin `{}`", mixin.id),
            };
            let event = Event::error(MODEL, message).at(at).on(id);
            self.events.push(event.because_of(Culprit::whole(mixin.at)));
        }
        untouched
    }

    fn apply_mixins(&mut self, place: usize, budget: &mut Budget) {
        let Some(mut shape) = self.shapes.get(place).cloned() else {
            return;
        };
        self.check_kinds(&shape);
        let mut members = Members::new(std::mem::take(&mut shape.members));
        for reference in shape.mixins.clone() {
            let Some(mixin) = self.shape(reference.id) else {
                continue;
            };
            if !budget.reserve(mixin) {
                let message = format!(
                    "mixins add more than {MAX_INHERITED} members and traits: those of `{}` and some later ones are left out",
                    reference.id
                );
                let event = Event::error(MODEL, message).at(reference.at).on(shape.id);
                let is_reported = std::mem::replace(&mut budget.is_reported, true);
                self.events.extend((!is_reported).then_some(event));
                continue;
            }
            let conflicts = members.inherit(mixin);
            inherit_traits(&mut shape.traits, &inheritable_traits(mixin));
            let conflicts = conflicts.into_iter();
            let conflicts = conflicts.map(|member| member.event(shape.id, reference));
            self.events.extend(conflicts);
        }
        shape.members = members.into_vec();
        self.complete_targets(&mut shape);
        if let Some(slot) = self.shapes.get_mut(place) {
            *slot = shape;
        }
    }

    /// Reports a mixin whose kind differs from the kind of the shape.
    fn check_kinds(&mut self, shape: &Shape<'a>) {
        let mixins = shape.mixins.iter();
        let other = mixins
            .filter_map(|reference| self.shape(reference.id))
            .find(|mixin| mixin.kind != shape.kind);
        let message = other.map(|mixin| {
            let (id, kind, wanted) = (mixin.id, mixin.kind.name(), shape.kind.name());
            format!(
                "the type of the mixin `{id}` must be `{wanted}` as for `{}`, got `{kind}`",
                shape.id
            )
        });
        let event = message.map(|message| Event::error(MODEL, message).at(shape.at).on(shape.id));
        self.events.extend(event);
    }

    /// Sets the targets that members elide, from the identifiers and properties of the resource.
    fn complete_targets(&mut self, shape: &mut Shape<'a>) {
        let resource = shape.resource.map(|resource| self.with_mixins(resource.id));
        let elided_target = |name: &str| -> Option<&'a str> {
            let reference = resource.iter().flatten().find_map(|resource| {
                let of = |property: &str| resource.property(property)?.member(name);
                of("identifiers").or_else(|| of("properties"))
            });
            reference?.member("target")?.as_str()
        };
        let mut missing = Vec::new();
        for member in shape
            .members
            .iter_mut()
            .filter(|member| member.target.is_empty())
        {
            match elided_target(member.name) {
                Some(target) => member.target = target,
                None => missing.push((member.name, member.at)),
            }
        }
        for (name, at) in missing {
            let message = format!("missing target of the member `{name}`");
            let member = format!("{}${name}", shape.id);
            self.events
                .push(Event::error(MODEL, message).at(at).on(&member));
        }
    }

    /// Returns a shape and all of its mixins, direct and indirect.
    fn with_mixins(&self, id: &str) -> Vec<&Shape<'a>> {
        let mut shapes: Vec<&Shape<'a>> = self.shape(id).into_iter().collect();
        // Mixins can form a cycle, which is reported elsewhere.
        let mut seen = FxHashSet::from_iter([id]);
        let mut next = 0;
        while let Some(shape) = shapes.get(next).copied() {
            let mixins = shape.mixins.iter().filter(|mixin| seen.insert(mixin.id));
            shapes.extend(mixins.filter_map(|mixin| self.shape(mixin.id)));
            next = next.saturating_add(1);
        }
        shapes
    }
}

fn set(stages: &mut [Stage], place: usize, stage: Stage) {
    if let Some(slot) = stages.get_mut(place) {
        *slot = stage;
    }
}

fn has_elided_targets(shape: &Shape<'_>) -> bool {
    shape.members.iter().any(|member| member.target.is_empty())
}

/// The number of members and traits that mixins can still add.
struct Budget {
    left: usize,
    is_reported: bool,
}

impl Budget {
    /// Reserves room for the members and traits of a mixin. Returns `false` without a change if there is too little.
    fn reserve(&mut self, mixin: &Shape<'_>) -> bool {
        let of_members = mixin.members.iter().map(|member| member.traits.len());
        let traits = of_members.fold(mixin.traits.len(), usize::saturating_add);
        let needed = traits.saturating_add(mixin.members.len());
        let rest = self.left.checked_sub(needed);
        self.left = rest.unwrap_or(self.left);
        rest.is_some()
    }
}

/// The members of a shape. Members of mixins come before the shape's own, in the order of the mixins.
struct Members<'a> {
    inherited: Vec<Member<'a>>,
    own: Vec<Member<'a>>,
    /// The list and index of each member by name. `true` is the list of inherited members.
    places: FxHashMap<&'a str, (bool, usize)>,
}

impl<'a> Members<'a> {
    fn new(own: Vec<Member<'a>>) -> Self {
        let places = own.iter().map(|member| member.name).zip(0..);
        Self {
            places: places.map(|(name, place)| (name, (false, place))).collect(),
            inherited: Vec::new(),
            own,
        }
    }

    /// Adds the members of a mixin. Returns those that already exist with a different target.
    fn inherit(&mut self, mixin: &Shape<'a>) -> Vec<Conflict<'a>> {
        let mut conflicts = Vec::new();
        for member in &mixin.members {
            let known = self.places.get(member.name).copied();
            let known = known.and_then(|(is_inherited, place)| {
                let members = if is_inherited {
                    &mut self.inherited
                } else {
                    &mut self.own
                };
                members.get_mut(place)
            });
            if let Some(known) = known {
                if known.target.is_empty() {
                    known.target = member.target;
                } else if !member.target.is_empty() && known.target != member.target {
                    conflicts.push(Conflict {
                        name: known.name,
                        at: (!known.inherited).then_some(known.at),
                        targets: [known.target, member.target],
                    });
                }
                inherit_traits(&mut known.traits, &member.traits);
                continue;
            }
            self.places
                .insert(member.name, (true, self.inherited.len()));
            self.inherited.push(Member {
                traits: member.traits.iter().map(from_mixin).collect(),
                inherited: true,
                ..*member
            });
        }
        conflicts
    }

    fn into_vec(mut self) -> Vec<Member<'a>> {
        self.inherited.append(&mut self.own);
        self.inherited
    }
}

/// A member with different targets in a shape and a mixin.
struct Conflict<'a> {
    name: &'a str,
    /// The position of the member if the shape itself defines it.
    at: Option<At>,
    targets: [&'a str; 2],
}

impl Conflict<'_> {
    fn event(&self, shape: &str, mixin: Reference<'_>) -> Event {
        let (name, [target, other]) = (self.name, self.targets);
        let message = format!(
            "conflicting targets of the member `{name}`: `{target}`, and `{other}` in the mixin `{}`",
            mixin.id
        );
        let event = Event::error(MODEL, message);
        match self.at {
            Some(at) => event.at(at).on(&format!("{shape}${name}")),
            None => event.at(mixin.at).on(shape),
        }
    }
}

/// Returns the traits that shapes inherit from a mixin.
fn inheritable_traits<'a>(mixin: &Shape<'a>) -> Vec<Trait<'a>> {
    let own = mixin.find_trait(MIXIN);
    let local = own.and_then(|own| own.value.member("localTraits"));
    let local: Vec<&str> = local
        .map_or(&[][..], |local| local.elements())
        .iter()
        .filter_map(Node::as_str)
        .collect();
    let is_local = |applied: &Trait<'a>| {
        // The specification uses absolute ids for local traits in JSON AST. Some tools omit the namespace.
        let relative = id::name(applied.id);
        applied.id == MIXIN || local.iter().any(|id| *id == applied.id || *id == relative)
    };
    let traits = mixin.traits.iter().filter(|applied| !is_local(applied));
    traits.copied().collect()
}

/// Adds the traits of a mixin. The shape's own traits take precedence, then those of its last mixin.
fn inherit_traits<'a>(own: &mut Vec<Trait<'a>>, mixin: &[Trait<'a>]) {
    for applied in mixin {
        match own.iter_mut().find(|known| known.id == applied.id) {
            Some(known) if known.inherited => *known = from_mixin(applied),
            Some(_) => {}
            None => own.push(from_mixin(applied)),
        }
    }
}

const fn from_mixin<'a>(applied: &Trait<'a>) -> Trait<'a> {
    Trait {
        inherited: true,
        extensible: false,
        ..*applied
    }
}
