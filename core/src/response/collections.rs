//! [`Response`] for collections of the standard library.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::view::{Items, Members, Response, View, Visitor};

// Collections with random access.
macro_rules! lists {
    ($({$($generics:tt)*} $list:ty),+) => {$(
        impl<$($generics)*> Response for $list {
            fn view(&self) -> View<'_> {
                View::Array(self)
            }
        }

        impl<$($generics)*> Items for $list {
            fn len(&self) -> usize {
                self.iter().len()
            }

            fn item(&self, index: usize) -> Option<View<'_>> {
                self.get(index).map(T::view)
            }
        }
    )+};
}

lists!(
    {T: Response} &[T],
    {T: Response} Arc<[T]>,
    {T: Response} Box<[T]>,
    {T: Response} Vec<T>,
    {T: Response} VecDeque<T>,
    {T: Response, const N: usize} [T; N]
);

// Collections without random access. Visiting the items in order avoids one search per item.
macro_rules! sets {
    ($({$($generics:tt)*} $set:ty),+) => {$(
        impl<$($generics)*> Response for $set {
            fn view(&self) -> View<'_> {
                View::Array(self)
            }
        }

        impl<$($generics)*> Items for $set {
            fn len(&self) -> usize {
                Self::len(self)
            }

            fn item(&self, index: usize) -> Option<View<'_>> {
                self.iter().nth(index).map(T::view)
            }

            fn items<'a>(
                &'a self,
                visit: &mut dyn FnMut(View<'a>) -> ControlFlow<()>,
            ) -> ControlFlow<()> {
                self.iter().map(T::view).try_for_each(visit)
            }
        }
    )+};
}

sets!({T: Response} BTreeSet<T>, {T: Response, S} HashSet<T, S>);

// Maps with a fast lookup by name.
macro_rules! maps {
    ($({$($generics:tt)*} $map:ty),+) => {$(
        impl<$($generics)*> Response for $map {
            fn view(&self) -> View<'_> {
                View::Object(self)
            }
        }

        impl<$($generics)*> Members for $map {
            fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()> {
                self.iter()
                    .try_for_each(|(name, member)| to.entry(name.borrow(), member))
            }

            fn member(&self, name: &str) -> Option<View<'_>> {
                self.get(name).map(V::view)
            }

            fn len(&self) -> usize {
                Self::len(self)
            }
        }
    )+};
}

maps!(
    {K: Borrow<str> + Ord, V: Response} BTreeMap<K, V>,
    {K: Borrow<str> + Eq + Hash, V: Response, S: BuildHasher} HashMap<K, V, S>
);

impl Response for Map<String, Json> {
    fn view(&self) -> View<'_> {
        View::Object(self)
    }
}

impl Members for Map<String, Json> {
    fn members<'a>(&'a self, to: &mut Visitor<'_, 'a>) -> ControlFlow<()> {
        self.iter()
            .try_for_each(|(name, member)| to.entry(name, member))
    }

    fn member(&self, name: &str) -> Option<View<'_>> {
        self.get(name).map(View::Json)
    }
}
