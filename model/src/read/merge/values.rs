//! Merges values of the same name: arrays are joined, equal values are one, others conflict.

use bumpalo::Bump;
use rustc_hash::FxHashMap;

use crate::shapes::{Entry, Node, Trait, Value};

/// Something with a value.
pub(super) trait Mergeable<'a>: Copy {
    fn value(&self) -> Node<'a>;
    fn with(self, value: Node<'a>) -> Self;
}

impl<'a> Mergeable<'a> for Entry<'a> {
    fn value(&self) -> Node<'a> {
        self.value
    }

    fn with(self, value: Node<'a>) -> Self {
        Self { value, ..self }
    }
}

impl<'a> Mergeable<'a> for Trait<'a> {
    fn value(&self) -> Node<'a> {
        self.value
    }

    fn with(self, value: Node<'a>) -> Self {
        Self { value, ..self }
    }
}

/// Things with values, each of a name, in the order in which the names come.
///
/// Arrays are joined at the end, so that many of them take no more than they hold.
#[derive(Debug)]
pub(super) struct Merger<'a, T> {
    /// With the arrays that come after the first.
    things: Vec<(T, Vec<Node<'a>>)>,
    places: FxHashMap<&'a str, usize>,
}

impl<T> Default for Merger<'_, T> {
    fn default() -> Self {
        Self {
            things: Vec::new(),
            places: FxHashMap::default(),
        }
    }
}

impl<'a, T: Mergeable<'a>> Merger<'a, T> {
    /// Adds a thing; gives it back where its value is in conflict with the one that is there.
    pub(super) fn add(&mut self, name: &'a str, thing: T) -> Option<T> {
        let place = *self.places.entry(name).or_insert(self.things.len());
        let Some((known, more)) = self.things.get_mut(place) else {
            self.things.push((thing, Vec::new()));
            return None;
        };
        let (one, two) = (known.value(), thing.value());
        if let (Value::Array(_), Value::Array(_)) = (one.value, two.value) {
            more.push(two);
            return None;
        }
        (one != two).then_some(thing)
    }

    /// The thing of a name.
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        let place = *self.places.get(name)?;
        self.things.get_mut(place).map(|(thing, _)| thing)
    }

    /// The things, each with all that its arrays have.
    pub(super) fn finish(self, arena: &'a Bump) -> Vec<T> {
        let whole = |(thing, more): (T, Vec<Node<'a>>)| {
            if more.is_empty() {
                return thing;
            }
            let first = thing.value();
            let all = std::iter::once(&first).chain(&more);
            let elements: Vec<Node<'a>> = all.flat_map(|array| array.elements()).copied().collect();
            let value = Value::Array(arena.alloc_slice_copy(&elements));
            thing.with(Node { value, ..first })
        };
        self.things.into_iter().map(whole).collect()
    }
}
