//! Options of the interface as values that the core reads, so that it checks them as those of any host.

use std::borrow::Cow;
use std::ops::ControlFlow;

use smithy_waiters::Value;
use smithy_waiters::value::{Kind, Name, ReadError};

/// One option, or all of them as an object.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    Boolean(bool),
    List(Vec<String>),
    Number(f64),
    Object(Vec<(&'static str, Self)>),
    Text(Cow<'static, str>),
}

impl Given {
    /// Returns an object of the options that are present.
    pub(crate) fn object<const N: usize>(options: [(&'static str, Option<Self>); N]) -> Self {
        let options = options.into_iter();
        Self::Object(
            options
                .filter_map(|(name, given)| Some((name, given?)))
                .collect(),
        )
    }
}

impl From<bool> for Given {
    fn from(given: bool) -> Self {
        Self::Boolean(given)
    }
}

impl From<f64> for Given {
    fn from(given: f64) -> Self {
        Self::Number(given)
    }
}

impl From<u32> for Given {
    fn from(given: u32) -> Self {
        Self::Number(given.into())
    }
}

impl From<u64> for Given {
    fn from(given: u64) -> Self {
        Self::Number(given as f64)
    }
}

impl From<&'static str> for Given {
    fn from(given: &'static str) -> Self {
        Self::Text(given.into())
    }
}

impl From<String> for Given {
    fn from(given: String) -> Self {
        Self::Text(given.into())
    }
}

impl From<Vec<String>> for Given {
    fn from(given: Vec<String>) -> Self {
        Self::List(given)
    }
}

/// The core reads options by their kinds, texts, items and members.
impl Value for Given {
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

    fn member(&self, name: &Name) -> Result<Option<Self>, ReadError> {
        Ok(match self {
            Self::Object(members) => {
                let mut members = members.iter();
                let found = members.find(|(member, _)| *member == name.as_str());
                found.map(|(_, given)| given.clone())
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
            let _ = members.try_for_each(|(name, given)| visit(name, given.clone()));
        }
        Ok(())
    }
}
