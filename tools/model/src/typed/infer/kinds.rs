//! Sets of types.

use crate::types::Form;

/// A set of the types of JMESPath.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub(super) const ARRAY: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(2);
    pub(super) const EXPRESSION: Self = Self(4);
    pub(super) const NULL: Self = Self(8);
    pub(super) const NUMBER: Self = Self(16);
    pub(super) const OBJECT: Self = Self(32);
    pub(super) const STRING: Self = Self(64);

    /// Returns the type of a value, or `None` if it can be any.
    pub(super) const fn of(form: &Form<'_, '_>) -> Option<Self> {
        Some(match form {
            Form::Any => return None,
            Form::Array { .. } => Self::ARRAY,
            Form::Boolean(_) => Self::BOOLEAN,
            Form::Expression => Self::EXPRESSION,
            Form::Map(_) | Form::Record(_) | Form::Structure(_) => Self::OBJECT,
            Form::Null => Self::NULL,
            Form::Number(_) => Self::NUMBER,
            Form::String(_) => Self::STRING,
        })
    }

    pub(super) const fn contains(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
