//! Combines the traits of a shape: those at its definition, at an identical definition, and from `apply`.

use bumpalo::Bump;
use rustc_hash::FxHashMap;

use super::values::Merger;
use crate::duplicates::has_duplicates;
use crate::event::Event;
use crate::event::ids::MODEL;
use crate::read::definitions::Application;
use crate::shapes::{Model, Shape, Trait, id};

/// The owner of traits: the index of a shape, and of a member if it is one.
type Place = (usize, Option<usize>);

impl<'a> Model<'a> {
    /// Merges traits that are applied twice to a shape or to one of its members.
    pub(super) fn join_traits(&mut self, shape: &mut Shape<'a>, arena: &'a Bump) {
        if has_duplicates(shape.traits.iter().map(|applied| applied.id)) {
            let traits = std::mem::take(&mut shape.traits);
            shape.traits = self.join_all(shape.id, traits, Vec::new(), arena);
        }
        for member in &mut shape.members {
            if has_duplicates(member.traits.iter().map(|applied| applied.id)) {
                let traits = std::mem::take(&mut member.traits);
                let target = format!("{}${}", shape.id, member.name);
                member.traits = self.join_all(&target, traits, Vec::new(), arena);
            }
        }
    }

    /// Applies traits to shapes and members. Returns the applications to members that do not exist yet.
    pub(super) fn apply(
        &mut self,
        applications: Vec<Application<'a>>,
        arena: &'a Bump,
    ) -> Vec<Application<'a>> {
        let mut left = Vec::new();
        let mut members = FxHashMap::default();
        for application in group_by_target(applications) {
            let target = application.target.id;
            let Some(place) = self.find_place(target, &mut members) else {
                left.push(application);
                continue;
            };
            let traits = self.traits_at(place).map(std::mem::take);
            let joined = self.join_all(
                target,
                traits.unwrap_or_default(),
                application.traits,
                arena,
            );
            if let Some(traits) = self.traits_at(place) {
                *traits = joined;
            }
        }
        left
    }

    /// Merges traits by id. A trait applied to the shape itself replaces one from a mixin.
    fn join_all(
        &mut self,
        target: &str,
        own: Vec<Trait<'a>>,
        applied: Vec<Trait<'a>>,
        arena: &'a Bump,
    ) -> Vec<Trait<'a>> {
        let mut joined: Merger<'a, Trait<'a>> = Merger::default();
        for applied in own.into_iter().chain(applied) {
            if let Some(known) = joined.get_mut(applied.id).filter(|known| known.inherited) {
                *known = applied;
            } else if let Some(other) = joined.add(applied.id, applied) {
                self.events.push(conflict_event(&other, target));
            }
        }
        joined.finish(arena)
    }

    fn find_place(
        &self,
        target: &'a str,
        members: &mut FxHashMap<&'a str, FxHashMap<&'a str, usize>>,
    ) -> Option<Place> {
        let id = id::shape(target);
        let place = *self.places.get(id)?;
        let Some(name) = id::member(target) else {
            return Some((place, None));
        };
        let places = members.entry(id).or_insert_with(|| {
            let shape = self.shapes.get(place);
            let members = shape.map_or(&[][..], |shape| &shape.members);
            let names = members.iter().map(|member| member.name);
            names.zip(0..).collect()
        });
        Some((place, Some(*places.get(name)?)))
    }

    fn traits_at(&mut self, (shape, member): Place) -> Option<&mut Vec<Trait<'a>>> {
        let shape = self.shapes.get_mut(shape)?;
        match member {
            Some(member) => Some(&mut shape.members.get_mut(member)?.traits),
            None => Some(&mut shape.traits),
        }
    }
}

/// Groups applications by target, so that each target's traits are merged once.
fn group_by_target(applications: Vec<Application<'_>>) -> Vec<Application<'_>> {
    let mut places = FxHashMap::default();
    let mut grouped: Vec<Application<'_>> = Vec::new();
    for application in applications {
        let place = *places.entry(application.target.id).or_insert(grouped.len());
        match grouped.get_mut(place) {
            Some(known) => known.traits.extend(application.traits),
            None => grouped.push(application),
        }
    }
    grouped
}

fn conflict_event(applied: &Trait<'_>, target: &str) -> Event {
    let message = format!("conflicting values of the trait `{}`", applied.id);
    Event::error(MODEL, message).at(applied.at).on(target)
}
