//! `contains`: what can be in the array or the string.

use jmespath::ast::Ast;

use super::{ENUM_VALUE, Inference, WRONG_TYPE};
use crate::analyse::calls::always;
use crate::analyse::infer::compare::kind;
use crate::analyse::types::{Form, Type};
use crate::path;
use crate::suggest;

impl<'m, 'a> Inference<'m, 'a> {
    pub(in crate::analyse) fn contains(
        &mut self,
        arguments: &[Ast],
        types: &[Type<'m, 'a>],
    ) -> Type<'m, 'a> {
        let truth = match (arguments, types) {
            ([_, wanted_node], [of, wanted]) => {
                let offset = path::start_of(wanted_node);
                match &of.form {
                    Form::Array { .. } => self.element_is(offset, &of.element(self.model), wanted),
                    Form::String(Some(values)) => wanted
                        .only_string()
                        .and_then(|part| always(values.iter().map(|value| value.contains(part)))),
                    _ => None,
                }
            }
            _ => None,
        };
        Form::Boolean(truth).into()
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
                let near = suggest::did_you_mean_one_of(value, names());
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
