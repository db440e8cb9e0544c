//! Joins types: the type of a value that has one of two types.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::{Element, Form, Type};
use crate::shapes::Model;

/// The maximum depth to which nested arrays are compared. Recursive shapes can nest without end.
const MAX_DEPTH: usize = 16;

impl<'m, 'a> Type<'m, 'a> {
    /// Returns the type of a value that has one of two types.
    pub(crate) fn join(self, other: Self, model: &'m Model<'a>) -> Self {
        self.join_within(other, model, MAX_DEPTH)
    }

    fn join_within(self, other: Self, model: &'m Model<'a>, depth: usize) -> Self {
        let nullable = self.nullable || other.nullable;
        let form = match (self.form, other.form) {
            (one, two) if one == two => one,
            (Form::Null, form) | (form, Form::Null) => form,
            (Form::Boolean(_), Form::Boolean(_)) => Form::Boolean(None),
            (Form::Number(one), Form::Number(two)) => Form::Number(one.join(&two)),
            (Form::String(Some(one)), Form::String(Some(two))) => {
                Form::String(Some(one_or_other(&one, &two)))
            }
            (Form::String(_), Form::String(_)) => Form::String(None),
            (
                Form::Array {
                    element: one,
                    length,
                },
                Form::Array {
                    element: two,
                    length: other,
                },
            ) => Form::Array {
                // The element type of an empty array is arbitrary.
                element: match (length.only(), other.only()) {
                    (Some(0.0), _) => two,
                    (_, Some(0.0)) => one,
                    _ => one.join(two, model, depth),
                },
                length: length.join(&other),
            },
            _ => Form::Any,
        };
        // `Any` includes null.
        let nullable = nullable || matches!(form, Form::Any);
        Self { form, nullable }
    }
}

impl<'m, 'a> Element<'m, 'a> {
    fn join(self, other: Self, model: &'m Model<'a>, depth: usize) -> Self {
        if self == other {
            return self;
        }
        let joined = depth.checked_sub(1).map(|depth| {
            let (one, two) = (self.get(model), other.get(model));
            one.join_within(two, model, depth)
        });
        joined.unwrap_or_else(|| Form::Any.into()).into()
    }
}

fn one_or_other(one: &[Rc<str>], two: &[Rc<str>]) -> Rc<[Rc<str>]> {
    let known: FxHashSet<&str> = one.iter().map(AsRef::as_ref).collect();
    let more = two.iter().filter(|value| !known.contains(value.as_ref()));
    one.iter().chain(more).cloned().collect()
}
