//! Options of the interface, as values that the core reads and validates like those of any host.

use std::borrow::Cow;
use std::ops::ControlFlow;

use smithy_waiters::value::{Kind, ReadError, Value};

/// The value of an option, or an object of all options.
#[derive(Clone, Debug)]
pub(crate) enum OptionValue {
    Boolean(bool),
    List(Vec<String>),
    Number(f64),
    Object(Vec<(Cow<'static, str>, Self)>),
    Text(Cow<'static, str>),
}

impl OptionValue {
    /// Creates an object of the options that are present.
    pub(crate) fn object<const N: usize>(options: [(&'static str, Option<Self>); N]) -> Self {
        let options = options.into_iter();
        Self::Object(
            options
                .filter_map(|(name, value)| Some((name.into(), value?)))
                .collect(),
        )
    }
}

impl From<bool> for OptionValue {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl From<f64> for OptionValue {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<u32> for OptionValue {
    fn from(value: u32) -> Self {
        Self::Number(value.into())
    }
}

impl From<u64> for OptionValue {
    fn from(value: u64) -> Self {
        Self::Number(value as f64)
    }
}

impl From<&'static str> for OptionValue {
    fn from(value: &'static str) -> Self {
        Self::Text(value.into())
    }
}

impl From<String> for OptionValue {
    fn from(value: String) -> Self {
        Self::Text(value.into())
    }
}

impl From<Vec<String>> for OptionValue {
    fn from(value: Vec<String>) -> Self {
        Self::List(value)
    }
}

/// Implements only the methods with which the core reads options.
impl Value for OptionValue {
    fn kind(&self) -> Result<Kind, ReadError> {
        Ok(match self {
            Self::Boolean(value) => Kind::Boolean(*value),
            Self::List(_) => Kind::Array,
            Self::Number(number) => Kind::Number(*number),
            Self::Object(_) => Kind::Object,
            Self::Text(_) => Kind::String,
        })
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        match self {
            Self::Text(text) => Ok(Cow::Borrowed(text)),
            _ => Ok(Cow::Borrowed("")),
        }
    }

    fn len(&self) -> Result<usize, ReadError> {
        Ok(match self {
            Self::List(items) => items.len(),
            Self::Object(members) => members.len(),
            _ => 0,
        })
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        Ok(match self {
            Self::List(items) => items.get(index).cloned().map(Self::from),
            _ => None,
        })
    }

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        Ok(match self {
            Self::Object(members) => {
                let mut members = members.iter();
                let member = members.find(|(member, _)| *member == name);
                member.map(|(_, value)| value.clone())
            }
            _ => None,
        })
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        if let Self::Object(members) = self {
            let mut members = members.iter();
            let _ = members.try_for_each(|(name, value)| visit(name, value.clone()));
        }
        Ok(())
    }
}
