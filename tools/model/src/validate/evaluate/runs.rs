//! Arrays with run-length encoding: consecutive identical elements are stored once.

use std::rc::Rc;

/// A value with an identity.
pub(crate) trait Identity {
    /// Returns `true` if both values are the same object. Equal values can have different identities.
    fn is_same(&self, other: &Self) -> bool;
}

/// An element and the number of its consecutive occurrences.
#[derive(Clone, Debug)]
pub(crate) struct Run<T> {
    pub(crate) value: T,
    pub(crate) count: usize,
}

/// The elements of an array. No run is empty.
#[derive(Debug)]
pub(crate) struct Runs<T>(Rc<Vec<Run<T>>>);

impl<T> Clone for Runs<T> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self(Rc::default())
    }
}

impl<T: Identity> Runs<T> {
    /// Creates an array of `count` identical elements.
    pub(crate) fn of(value: T, count: usize) -> Self {
        std::iter::once(Run { value, count }).collect()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Run<T>> {
        self.0.iter()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of elements.
    pub(crate) fn len(&self) -> usize {
        let counts = self.iter().map(|run| run.count);
        counts.fold(0, usize::saturating_add)
    }

    /// Returns an element by index. A negative index counts from the end.
    pub(crate) fn get(&self, index: i32) -> Option<&T> {
        let back = || {
            let back = usize::try_from(index.unsigned_abs()).ok()?;
            self.len().checked_sub(back)
        };
        let mut place = usize::try_from(index).ok().or_else(back)?;
        for run in self.iter() {
            match place.checked_sub(run.count) {
                Some(rest) => place = rest,
                None => return Some(&run.value),
            }
        }
        None
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: Identity> FromIterator<Run<T>> for Runs<T> {
    fn from_iter<I: IntoIterator<Item = Run<T>>>(items: I) -> Self {
        let mut runs: Vec<Run<T>> = Vec::new();
        for run in items.into_iter().filter(|run| run.count > 0) {
            match runs.last_mut() {
                Some(last) if last.value.is_same(&run.value) => {
                    last.count = last.count.saturating_add(run.count);
                }
                _ => runs.push(run),
            }
        }
        Self(Rc::new(runs))
    }
}

impl<T: Identity> FromIterator<T> for Runs<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let runs = items.into_iter().map(|value| Run { value, count: 1 });
        runs.collect()
    }
}
