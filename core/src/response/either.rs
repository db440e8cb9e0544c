//! A value type that combines the types of an input and a response.

use std::borrow::Cow;
use std::ops::ControlFlow;

use crate::value::{ItemAt, Kind, Name, ReadError, Value};

/// A value of the input or of the response. An evaluation needs one type for both.
#[derive(Clone, Debug)]
pub(crate) enum Either<I, R> {
    Input(I),
    Response(R),
}

impl<I: Value, R: Value> Value for Either<I, R> {
    fn kind(&self) -> Result<Kind, ReadError> {
        match self {
            Self::Input(value) => value.kind(),
            Self::Response(value) => value.kind(),
        }
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        match self {
            Self::Input(value) => value.text(),
            Self::Response(value) => value.text(),
        }
    }

    fn text_start(&self, code_points: usize) -> Result<Cow<'_, str>, ReadError> {
        match self {
            Self::Input(value) => value.text_start(code_points),
            Self::Response(value) => value.text_start(code_points),
        }
    }

    fn text_len(&self) -> Result<usize, ReadError> {
        match self {
            Self::Input(value) => value.text_len(),
            Self::Response(value) => value.text_len(),
        }
    }

    fn text_is(&self, expected: &Name) -> Result<bool, ReadError> {
        match self {
            Self::Input(value) => value.text_is(expected),
            Self::Response(value) => value.text_is(expected),
        }
    }

    fn len(&self) -> Result<usize, ReadError> {
        match self {
            Self::Input(value) => value.len(),
            Self::Response(value) => value.len(),
        }
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        Ok(match self {
            Self::Input(value) => value.item(index)?.map(Self::Input),
            Self::Response(value) => value.item(index)?.map(Self::Response),
        })
    }

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        Ok(match self {
            Self::Input(value) => value.member(name)?.map(Self::Input),
            Self::Response(value) => value.member(name)?.map(Self::Response),
        })
    }

    fn member_at(&self, path: &[Name]) -> Result<Option<Self>, ReadError> {
        Ok(match self {
            Self::Input(value) => value.member_at(path)?.map(Self::Input),
            Self::Response(value) => value.member_at(path)?.map(Self::Response),
        })
    }

    fn items_at(
        &self,
        path: &[Name],
        keep_arrays: bool,
        visit: &mut dyn FnMut(Result<ItemAt<Self>, ReadError>) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        match self {
            Self::Input(value) => value.items_at(path, keep_arrays, &mut |item| {
                visit(item.map(|item| item.map(Self::Input)))
            }),
            Self::Response(value) => value.items_at(path, keep_arrays, &mut |item| {
                visit(item.map(|item| item.map(Self::Response)))
            }),
        }
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        match self {
            Self::Input(value) => value.items(&mut |item| visit(Self::Input(item))),
            Self::Response(value) => value.items(&mut |item| visit(Self::Response(item))),
        }
    }

    fn members(
        &self,
        visit: &mut dyn FnMut(&str, Self) -> ControlFlow<()>,
    ) -> Result<(), ReadError> {
        match self {
            Self::Input(value) => {
                value.members(&mut |name, member| visit(name, Self::Input(member)))
            }
            Self::Response(value) => {
                value.members(&mut |name, member| visit(name, Self::Response(member)))
            }
        }
    }
}
