//! Comparisons with a literal.

use crate::ir::Form;
use crate::typescript::tree::Ts;

/// Returns `value === true` or `value === false`.
pub(super) fn equals_boolean(value: Ts, form: &Form<'_, '_>, literal: &str) -> Ts {
    let value = match form {
        Form::Boolean(_) => value,
        _ => value.cast("unknown"),
    };
    value.binary("===", Ts::name(literal))
}

/// Returns `value === literal`, with a cast if the value's type excludes the literal.
pub(super) fn equals_text(value: Ts, form: &Form<'_, '_>, literal: &str) -> Ts {
    let value = match form {
        Form::String(Some(values)) if !values.iter().any(|value| &**value == literal) => {
            value.cast("unknown")
        }
        // The sides of `a && b` may have different enum types.
        Form::String(_) if !matches!(value, Ts::Binary(..)) => value,
        _ => value.cast("unknown"),
    };
    value.binary("===", Ts::string(literal))
}
