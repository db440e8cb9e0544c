//! Sorting. There is one sort for all types: each type's own would be half a kilobyte of the wasm.

use std::cmp::Ordering;

/// The items in their order; equal ones stay in the order that they have.
pub(crate) fn sorted<T: Clone>(items: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let places = places(items, compare).into_iter();
    let items = places.filter_map(|place| items.get(place));
    items.cloned().collect()
}

/// The places of the items in the items' order.
pub(crate) fn places<T>(items: &[T], compare: impl Fn(&T, &T) -> Ordering) -> Vec<usize> {
    by_place(
        items.len(),
        &mut |one, other| match (items.get(one), items.get(other)) {
            (Some(one), Some(other)) => compare(one, other),
            _ => Ordering::Equal,
        },
    )
}

fn by_place(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|one, other| compare(*one, *other));
    places
}
