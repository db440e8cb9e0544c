//! How numbers print, the same in every language.

use super::Kind;

/// The shortest form of a double: integral values as integers, what is very large or small with an exponent.
pub(crate) fn display(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    // From 1e21 on, ECMAScript too prints an exponent.
    if number.fract() == 0.0 && number.abs() < 1e21 {
        return format!("{number:.0}");
    }
    serde_json::Number::from_f64(number)
        .map_or_else(|| "null".to_owned(), |number| number.to_string())
}

/// A kind in a message: `a string`, `NaN`, `42`.
pub(crate) fn describe(kind: Kind) -> String {
    match kind {
        Kind::Null => "null".to_owned(),
        Kind::Number(number) if number.is_nan() => "NaN".to_owned(),
        Kind::Number(number) if number.is_infinite() => if number > 0.0 {
            "infinity"
        } else {
            "-infinity"
        }
        .to_owned(),
        Kind::Number(number) => display(number),
        Kind::Array | Kind::Object => format!("an {}", kind.as_str()),
        Kind::Boolean(_) | Kind::String => format!("a {}", kind.as_str()),
    }
}
