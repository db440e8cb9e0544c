//! The functions that plain code has.

use super::{Lower, Lowered, NotPlain};
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
    ) -> Lowered {
        let of = |argument: &Expression<'m>| self.argument(argument, current, context);
        match (function, arguments) {
            (Function::Length, [array]) if is_array(array) => Ok(of(array)?.member("length")),
            (Function::Length, [text]) if is_string(text) => {
                // Code points, not halves of them.
                let text = self.required(text, current)?;
                let points = Ts::name("Array").dot("from");
                Ok(Ts::Call(Box::new(points), vec![text]).dot("length"))
            }
            (Function::Contains, [array, item])
                if is_array(array) && is_set_literal(item) && is_scalar(&item.gives.form) =>
            {
                let item = self.value(item, current, Context::STRICT)?;
                let test = |value: Ts| value.cast("unknown").binary("===", item);
                let name = self.variable();
                self.leave();
                let array = of(array)?;
                Ok(array.method("some", vec![test(Ts::name(&name)).of_element(&name)]))
            }
            // What may be null is in no string, and no failure.
            (Function::Contains, [text, part])
                if is_string(text) && is_string(part) && is_set_literal(part) =>
            {
                let part = self.value(part, current, Context::STRICT)?;
                let text = self.required(text, current)?;
                Ok(text.method("includes", vec![part]))
            }
            (Function::StartsWith | Function::EndsWith, [text, part])
                if is_string(text) && is_string(part) =>
            {
                let name = match function {
                    Function::StartsWith => "startsWith",
                    _ => "endsWith",
                };
                let text = self.required(text, current)?;
                Ok(text.method(name, vec![self.required(part, current)?]))
            }
            (Function::Keys, [map]) if matches!(map.gives.form, Form::Map(_)) => {
                let map = self.required(map, current)?;
                let keys = Ts::name("Object").dot("keys");
                Ok(Ts::Call(Box::new(keys), vec![map]))
            }
            _ => Err(NotPlain),
        }
    }

    /// An argument that fails the path where it is null: as null, where nobody tells the two apart.
    fn argument(&self, argument: &Expression<'m>, current: &Ts, context: Context) -> Lowered {
        if context.lenient {
            return self.value(argument, current, context.value());
        }
        self.required(argument, current)
    }

    fn required(&self, argument: &Expression<'m>, current: &Ts) -> Lowered {
        let value = self.value(argument, current, Context::STRICT)?;
        if let Ts::String(_) = value {
            return Ok(value);
        }
        self.throws.set(true);
        Ok(Ts::call("required", vec![value]))
    }
}

const fn is_array(argument: &Expression<'_>) -> bool {
    matches!(argument.gives.form, Form::Array { .. })
}

const fn is_string(argument: &Expression<'_>) -> bool {
    matches!(argument.gives.form, Form::String(_))
}
