//! Comparisons with a literal.

use crate::ir::Form;
use crate::typescript::tree::Ts;

/// `value === true`, `value === false`
pub(super) fn equals_boolean(value: Ts, form: &Form<'_, '_>, literal: &str) -> Ts {
    let value = match form {
        Form::Boolean(_) => value,
        _ => value.cast("unknown"),
    };
    value.binary("===", Ts::name(literal))
}

/// `value === literal`, in the words of the value's type.
pub(super) fn equals_text(value: Ts, form: &Form<'_, '_>, literal: &str) -> Ts {
    let value = match form {
        Form::String(Some(values)) if !values.iter().any(|value| &**value == literal) => {
            value.cast("unknown")
        }
        // One side of `a && b` may be an enum's.
        Form::String(_) if !matches!(value, Ts::Binary(..)) => value,
        _ => value.cast("unknown"),
    };
    value.binary("===", Ts::string(literal))
}
