//! The elements of an array; those that are the same one after the other are kept once, with how many there are.

use std::rc::Rc;

use super::Sample;

/// An element, and how many of it come one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Run<'m, 'a> {
    pub(crate) value: Sample<'m, 'a>,
    pub(crate) count: usize,
}

/// The elements of an array. None of the runs is empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Runs<'m, 'a>(Rc<Vec<Run<'m, 'a>>>);

impl<'m, 'a> Runs<'m, 'a> {
    /// As many of one element as there are.
    pub(crate) fn of(value: Sample<'m, 'a>, count: usize) -> Self {
        std::iter::once(Run { value, count }).collect()
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Run<'m, 'a>> {
        self.0.iter()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many elements there are.
    pub(crate) fn len(&self) -> usize {
        let counts = self.iter().map(|run| run.count);
        counts.fold(0, usize::saturating_add)
    }

    /// An element by its place; one below 0 counts from the end.
    pub(crate) fn get(&self, index: i32) -> Option<&Sample<'m, 'a>> {
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

impl<'m, 'a> FromIterator<Run<'m, 'a>> for Runs<'m, 'a> {
    fn from_iter<I: IntoIterator<Item = Run<'m, 'a>>>(given: I) -> Self {
        let mut runs: Vec<Run<'m, 'a>> = Vec::new();
        for run in given.into_iter().filter(|run| run.count > 0) {
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

impl<'m, 'a> FromIterator<Sample<'m, 'a>> for Runs<'m, 'a> {
    fn from_iter<I: IntoIterator<Item = Sample<'m, 'a>>>(given: I) -> Self {
        let runs = given.into_iter().map(|value| Run { value, count: 1 });
        runs.collect()
    }
}
