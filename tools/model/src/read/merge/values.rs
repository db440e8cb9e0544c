//! Merges values with the same name: arrays are concatenated, equal values are merged, and different values conflict.

use bumpalo::Bump;
use rustc_hash::FxHashMap;

use crate::shapes::{Entry, Node, Trait, Value};

/// A part of a model that has a value.
pub(super) trait Mergeable<'a>: Copy {
    fn value(&self) -> Node<'a>;
    /// Returns `true` if members of another value are added instead of conflicting.
    fn is_extensible(&self) -> bool;
    fn with_value(self, value: Node<'a>) -> Self;
}

impl<'a> Mergeable<'a> for Entry<'a> {
    fn value(&self) -> Node<'a> {
        self.value
    }

    fn is_extensible(&self) -> bool {
        false
    }

    fn with_value(self, value: Node<'a>) -> Self {
        Self { value, ..self }
    }
}

impl<'a> Mergeable<'a> for Trait<'a> {
    fn value(&self) -> Node<'a> {
        self.value
    }

    fn is_extensible(&self) -> bool {
        self.extensible
    }

    fn with_value(self, value: Node<'a>) -> Self {
        Self { value, ..self }
    }
}

/// Items with values by name, in the order of their first occurrence.
///
/// Arrays are concatenated once at the end, so merging many of them takes linear time and memory.
#[derive(Debug)]
pub(super) struct Merger<'a, T> {
    /// Each item with the arrays or objects that follow its own.
    items: Vec<(T, Vec<Node<'a>>)>,
    places: FxHashMap<&'a str, usize>,
}

impl<T> Default for Merger<'_, T> {
    fn default() -> Self {
        Self {
            items: Vec::new(),
            places: FxHashMap::default(),
        }
    }
}

impl<'a, T: Mergeable<'a>> Merger<'a, T> {
    /// Adds an item. Returns it if its value conflicts with the existing one.
    pub(super) fn add(&mut self, name: &'a str, item: T) -> Option<T> {
        let place = *self.places.entry(name).or_insert(self.items.len());
        let Some((known, more)) = self.items.get_mut(place) else {
            self.items.push((item, Vec::new()));
            return None;
        };
        let (one, two) = (known.value(), item.value());
        let is_merged = match (one.value, two.value) {
            (Value::Array(_), Value::Array(_)) => true,
            (Value::Object(_), Value::Object(_)) => known.is_extensible() && one != two,
            _ => false,
        };
        if is_merged {
            more.push(two);
            return None;
        }
        (one != two).then_some(item)
    }

    /// Returns the item with a name.
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        let place = *self.places.get(name)?;
        self.items.get_mut(place).map(|(item, _)| item)
    }

    /// Returns the items, each with its concatenated arrays.
    pub(super) fn finish(self, arena: &'a Bump) -> Vec<T> {
        let whole = |(item, more): (T, Vec<Node<'a>>)| {
            if more.is_empty() {
                return item;
            }
            let first = item.value();
            let all = std::iter::once(&first).chain(&more);
            let value = if let Value::Object(_) = first.value {
                Value::Object(arena.alloc_slice_copy(&members(all)))
            } else {
                let elements: Vec<_> = all.flat_map(|array| array.elements()).copied().collect();
                Value::Array(arena.alloc_slice_copy(&elements))
            };
            item.with_value(Node { value, ..first })
        };
        self.items.into_iter().map(whole).collect()
    }
}

/// Returns the members of several objects. A later member replaces an earlier one of the same name.
fn members<'n, 'a: 'n>(objects: impl Iterator<Item = &'n Node<'a>>) -> Vec<Entry<'a>> {
    let mut members: Vec<Entry<'a>> = Vec::new();
    for member in objects.flat_map(|object| object.entries()) {
        match members.iter_mut().find(|known| known.key == member.key) {
            Some(known) => *known = *member,
            None => members.push(*member),
        }
    }
    members
}
