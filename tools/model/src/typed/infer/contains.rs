//! Infers the result of `contains`, `starts_with` and `ends_with`.

use serde_json::Value as Json;

use super::kinds::Kinds;
use super::{CONSTANT, ENUM_VALUE, Inference, Type, WRONG_TYPE};
use crate::messages;
use crate::typed::{Expression, Op};
use crate::types::Form;

impl<'m> Inference<'m> {
    pub(super) fn contains(&mut self, arguments: &[Expression<'m>]) -> Type<'m> {
        let truth = match arguments {
            [of, wanted] => match &of.gives.form {
                Form::Array { .. } if is_literal_list(of) => {
                    self.check_listed(of, &of.gives.element(self.model), &wanted.gives)
                }
                Form::Array { .. } => {
                    let element = of.gives.element(self.model);
                    self.check_element(wanted.start(), &element, &wanted.gives)
                }
                Form::String(_) => {
                    return self
                        .compare_strings(arguments, "contains", |text, part| text.contains(part));
                }
                _ => None,
            },
            _ => None,
        };
        Form::Boolean(truth).into()
    }

    /// Returns the result of a string test if it is the same for all possible strings. Reports such a result for an
    /// enum.
    pub(super) fn compare_strings(
        &mut self,
        arguments: &[Expression<'m>],
        verb: &str,
        test: fn(&str, &str) -> bool,
    ) -> Type<'m> {
        let known = match arguments {
            [text, part] => {
                let known = text.gives.strings().zip(part.gives.only_string());
                known.zip(Some(part.start()))
            }
            _ => None,
        };
        let truth = known.and_then(|((texts, part), offset)| {
            let truth = common_value(texts.iter().map(|text| test(text, part)))?;
            let (id, every) = if truth {
                (CONSTANT, "every")
            } else {
                (ENUM_VALUE, "no")
            };
            // For a single possible string, the result is as intended.
            if texts.len() > 1 {
                let listed = messages::list(texts.iter().map(AsRef::as_ref));
                let message =
                    format!("{every} possible value {verb} `{part}`: the values are {listed}");
                self.warning(id, offset, message);
            }
            Some(truth)
        });
        Form::Boolean(truth).into()
    }

    /// Tests a value against a literal list. Reports each element that the value's enum doesn't have. Returns
    /// `Some(false)` if the value can have none of them.
    fn check_listed(
        &mut self,
        list: &Expression<'m>,
        written: &Type<'m>,
        value: &Type<'m>,
    ) -> Option<bool> {
        let (Some(written), Some(known)) = (written.strings(), value.strings()) else {
            return self.check_element(list.start(), written, value);
        };
        let names = || known.iter().map(AsRef::as_ref);
        let is_known = |text: &&str| names().any(|name| name == *text);
        let texts = written.iter().map(AsRef::as_ref);
        let (there, lacking): (Vec<&str>, Vec<&str>) = texts.partition(is_known);
        for text in lacking {
            let near = messages::did_you_mean_one_of(text, names());
            let message = format!("the value is never `{text}`{near}");
            self.warning(ENUM_VALUE, listed_offset(list, text), message);
        }
        there.is_empty().then_some(false)
    }

    /// Returns `Some(false)` and reports it if no element can be equal to `wanted`.
    fn check_element(
        &mut self,
        offset: usize,
        element: &Type<'m>,
        wanted: &Type<'m>,
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
                let near = messages::did_you_mean_one_of(value, names());
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
            (one, two) if Kinds::of(one) != Kinds::of(two) => {
                let (one, two) = (element.name(), wanted.name());
                let message = format!("every element is {one}, never {two}");
                self.warning(WRONG_TYPE, offset, message);
                Some(false)
            }
            _ => None,
        }
    }
}

/// Returns the common value of all booleans, if they are equal.
fn common_value(mut truths: impl Iterator<Item = bool>) -> Option<bool> {
    let first = truths.next()?;
    truths.all(|truth| truth == first).then_some(first)
}

/// Returns the position of a string in a literal list: its own position in a multi-select list, or that of the whole
/// JSON literal.
fn listed_offset(list: &Expression<'_>, text: &str) -> usize {
    let element = match &list.op {
        Op::List(elements) => elements.iter().find(
            |element| matches!(&element.op, Op::Literal(Json::String(value)) if value == text),
        ),
        _ => None,
    };
    element.unwrap_or(list).start()
}

/// Returns `true` if an array is a literal in the expression.
fn is_literal_list(list: &Expression<'_>) -> bool {
    match &list.op {
        Op::Literal(value) => value.is_array(),
        Op::List(elements) => {
            let mut elements = elements.iter();
            elements.all(|element| matches!(element.op, Op::Literal(_)))
        }
        _ => false,
    }
}
