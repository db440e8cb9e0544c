//! Translation of function calls.

use super::{Lower, LowerResult, NotPlain};
use crate::context::{Context, is_scalar, is_set_literal};
use crate::ir::{Expression, Form, Function};
use crate::typescript::tree::Ts;

impl<'m> Lower<'_, 'm> {
    pub(super) fn call(
        &self,
        function: Function,
        arguments: &[Expression<'m>],
        current: &Ts,
        context: Context,
    ) -> LowerResult {
        let name = match (function, arguments) {
            (Function::Length, [of]) if is_array(of) || is_string(of) => {
                return self.length(of, current, context);
            }
            (Function::Contains, [of, item]) if has_plain_items(of, item) => "contains",
            (Function::EndsWith, [text, part]) if is_string(text) && is_string(part) => "endsWith",
            (Function::Keys, [map]) if matches!(map.gives.form, Form::Map(_)) => "keysOf",
            (Function::StartsWith, [text, part]) if is_string(text) && is_string(part) => {
                "startsWith"
            }
            _ => return Err(NotPlain),
        };
        let value = |argument| self.value(argument, current, context.value());
        let arguments = arguments.iter().map(value);
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        Ok(self.required_unless_lenient(Ts::call_untyped(name, arguments), context))
    }

    fn length(&self, of: &Expression<'m>, current: &Ts, context: Context) -> LowerResult {
        let of = self.value(of, current, context.value())?;
        if of.is_list() {
            return Ok(self.required_unless_lenient(of, context).member("length"));
        }
        Ok(self.required_unless_lenient(Ts::call_untyped("lengthOf", [of]), context))
    }

    /// Adds a check for a value that is undefined after a failure. A lenient context needs no check.
    fn required_unless_lenient(&self, value: Ts, context: Context) -> Ts {
        if context.lenient {
            return value;
        }
        self.throws.set(true);
        Ts::call("required", vec![value])
    }
}

/// Returns `true` if the language's own equality suffices to find `item` in a list or a string.
fn has_plain_items(of: &Expression<'_>, item: &Expression<'_>) -> bool {
    let is_plain = is_set_literal(item) && is_scalar(&item.gives.form);
    is_plain && (is_array(of) || is_string(of) && is_string(item))
}

const fn is_array(argument: &Expression<'_>) -> bool {
    matches!(argument.gives.form, Form::Array { .. })
}

const fn is_string(argument: &Expression<'_>) -> bool {
    matches!(argument.gives.form, Form::String(_))
}
