//! Infers the result of `contains`, `starts_with` and `ends_with`.

use smithy_waiters::internal::jmespath::{Ast, Variable};

use super::{CONSTANT, ENUM_VALUE, Inference, WRONG_TYPE};
use crate::messages;
use crate::path;
use crate::types::calls::common_value;
use crate::types::infer::compare::kind;
use crate::types::{Form, Type};

impl<'m, 'a> Inference<'m, 'a> {
    pub(crate) fn contains(&mut self, arguments: &[Ast], types: &[Type<'m, 'a>]) -> Type<'m, 'a> {
        let truth = match (arguments, types) {
            ([of_node, wanted_node], [of, wanted]) => {
                let offset = path::start_of(wanted_node);
                match &of.form {
                    Form::Array { .. } if is_literal_list(of_node) => {
                        self.check_listed(of_node, &of.element(self.model), wanted)
                    }
                    Form::Array { .. } => {
                        self.check_element(offset, &of.element(self.model), wanted)
                    }
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

    /// Returns the result of a string test if it is the same for all possible strings. Reports such a result for an
    /// enum.
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
                self.warning(id, path::start_of(node), message);
            }
            Some(truth)
        });
        Form::Boolean(truth).into()
    }

    /// Tests a value against a literal list. Reports each element that the value's enum doesn't have. Returns
    /// `Some(false)` if the value can have none of them.
    fn check_listed(
        &mut self,
        list: &Ast,
        written: &Type<'m, 'a>,
        value: &Type<'m, 'a>,
    ) -> Option<bool> {
        let (Some(written), Some(known)) = (written.strings(), value.strings()) else {
            return self.check_element(path::start_of(list), written, value);
        };
        let names = || known.iter().map(AsRef::as_ref);
        let is_known = |text: &&str| names().any(|name| name == *text);
        let texts = written.iter().map(AsRef::as_ref);
        let (there, lacking): (Vec<&str>, Vec<&str>) = texts.partition(is_known);
        for text in lacking {
            let near = self.suggest(text, names());
            let message = format!("the value is never `{text}`{near}");
            self.warning(ENUM_VALUE, listed_offset(list, text), message);
        }
        there.is_empty().then_some(false)
    }

    /// Returns `Some(false)` and reports it if no element can be equal to `wanted`.
    fn check_element(
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
                let near = self.suggest(value, names());
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
                let message = format!("every element is {one}, never {two}");
                self.warning(WRONG_TYPE, offset, message);
                Some(false)
            }
            _ => None,
        }
    }
}

/// Returns the position of a string in a literal list: its own position in a multi-select list, or that of the whole
/// JSON literal.
fn listed_offset(list: &Ast, text: &str) -> usize {
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

/// Returns `true` if an array is a literal in the expression.
fn is_literal_list(node: &Ast) -> bool {
    match node {
        Ast::Literal { value, .. } => matches!(&**value, Variable::Array(_)),
        Ast::MultiList { elements, .. } => {
            let mut elements = elements.iter();
            elements.all(|element| matches!(element, Ast::Literal { .. }))
        }
        _ => false,
    }
}
