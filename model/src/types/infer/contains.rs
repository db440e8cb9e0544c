//! `contains`: what can be in the array or the string.

use smithy_waiters::internal::jmespath::{Ast, Variable};

use super::{CONSTANT, ENUM_VALUE, Inference, WRONG_TYPE};
use crate::messages;
use crate::path;
use crate::types::calls::always;
use crate::types::infer::compare::kind;
use crate::types::{Form, Type};

impl<'m, 'a> Inference<'m, 'a> {
    pub(crate) fn contains(&mut self, arguments: &[Ast], types: &[Type<'m, 'a>]) -> Type<'m, 'a> {
        let truth = match (arguments, types) {
            ([of_node, wanted_node], [of, wanted]) => {
                let offset = path::start_of(wanted_node);
                match &of.form {
                    Form::Array { .. } if is_written(of_node) => {
                        self.one_of(of_node, &of.element(self.model), wanted)
                    }
                    Form::Array { .. } => self.element_is(offset, &of.element(self.model), wanted),
                    Form::String(_) => {
                        let test = |text: &str, part: &str| text.contains(part);
                        return self.compare_strings(arguments, types, ("contains", test));
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        Form::Boolean(truth).into()
    }

    /// Whether every string that may come, or none, has another one in it. Said of the values of an enum.
    pub(crate) fn compare_strings(
        &mut self,
        arguments: &[Ast],
        types: &[Type<'m, 'a>],
        (verb, test): (&str, fn(&str, &str) -> bool),
    ) -> Type<'m, 'a> {
        let known = match (arguments, types) {
            ([_, node], [text, part]) => text.strings().zip(part.only_string()).zip(Some(node)),
            _ => None,
        };
        let truth = known.and_then(|((texts, part), node)| {
            let truth = always(texts.iter().map(|text| test(text, part)))?;
            let (id, every) = if truth {
                (CONSTANT, "every")
            } else {
                (ENUM_VALUE, "no")
            };
            // One text that is written is meant to be what it is.
            if texts.len() > 1 {
                let listed = messages::list(texts.iter().map(AsRef::as_ref));
                let message =
                    format!("{every} value that there can be {verb} `{part}`: there are {listed}");
                self.warning(id, path::start_of(node), message);
            }
            Some(truth)
        });
        Form::Boolean(truth).into()
    }

    /// Whether it is certain that a value is none of a list that is written. Said of each that an enum does not have.
    fn one_of(&mut self, list: &Ast, written: &Type<'m, 'a>, value: &Type<'m, 'a>) -> Option<bool> {
        let (Some(written), Some(known)) = (written.strings(), value.strings()) else {
            return self.element_is(path::start_of(list), written, value);
        };
        let names = || known.iter().map(AsRef::as_ref);
        let is_known = |text: &&str| names().any(|name| name == *text);
        let texts = written.iter().map(AsRef::as_ref);
        let (there, lacking): (Vec<&str>, Vec<&str>) = texts.partition(is_known);
        for text in lacking {
            let near = self.near(text, names());
            let message = format!("the value is never `{text}`{near}");
            self.warning(ENUM_VALUE, place_of(list, text), message);
        }
        there.is_empty().then_some(false)
    }

    /// Whether it is certain that no element is what is looked for. Said, as it cannot be meant.
    fn element_is(
        &mut self,
        offset: usize,
        element: &Type<'m, 'a>,
        wanted: &Type<'m, 'a>,
    ) -> Option<bool> {
        if element.nullable && wanted.nullable {
            return None;
        }
        match (&element.form, &wanted.form) {
            (Form::Any | Form::Null, _) | (_, Form::Any | Form::Null) => None,
            (Form::String(Some(values)), Form::String(Some(_))) => {
                let value = wanted.only_string()?;
                let names = || values.iter().map(AsRef::as_ref);
                if names().any(|name| name == value) {
                    return None;
                }
                let near = self.near(value, names());
                let message = format!("no element is ever `{value}`{near}");
                self.warning(ENUM_VALUE, offset, message);
                Some(false)
            }
            (Form::Number(numbers), Form::Number(wanted)) => {
                let number = wanted.only().filter(|number| !numbers.has(*number))?;
                let message = format!("no element is ever `{number}`");
                self.warning(ENUM_VALUE, offset, message);
                Some(false)
            }
            (one, two) if kind(one) != kind(two) => {
                let (one, two) = (element.name(), wanted.name());
                let message = format!("every element is {one}, and none is ever {two}");
                self.warning(WRONG_TYPE, offset, message);
                Some(false)
            }
            _ => None,
        }
    }
}

/// Where a text stands in a list that is written: at its own place, or anywhere in a literal.
fn place_of(list: &Ast, text: &str) -> usize {
    let is = |element: &&Ast| match element {
        Ast::Literal { value, .. } => value.as_string().is_some_and(|value| value == text),
        _ => false,
    };
    let element = match list {
        Ast::MultiList { elements, .. } => elements.iter().find(is),
        _ => None,
    };
    path::start_of(element.unwrap_or(list))
}

/// Returns `true` if an array stands in the path itself.
fn is_written(node: &Ast) -> bool {
    match node {
        Ast::Literal { value, .. } => matches!(&**value, Variable::Array(_)),
        Ast::MultiList { elements, .. } => {
            let mut elements = elements.iter();
            elements.all(|element| matches!(element, Ast::Literal { .. }))
        }
        _ => false,
    }
}
