//! Formatting of numbers, with the same result in every language.

use serde_json::{Number, Value as Json};

use super::Kind;

/// Formats a double as ECMAScript does: with the fewest digits that parse to the same double, and with an exponent from
/// `1e21` and below `1e-6`. NaN and the infinities are `null`, as in the data model.
///
/// Clause: [Number::toString](https://tc39.es/ecma262/#sec-numeric-types-number-tostring).
pub(crate) fn display(number: f64) -> String {
    if number.is_finite() {
        ryu_js::Buffer::new().format_finite(number).to_owned()
    } else {
        "null".to_owned()
    }
}

/// The largest integer up to which a double represents every integer.
const GREATEST_INTEGER: f64 = 9_007_199_254_740_991.0;

/// Returns a number as JSON: an integer if it is integral, as in the other languages. NaN and the infinities become null.
pub(crate) fn number_of(number: f64) -> Json {
    if number.fract() == 0.0 && number.abs() <= GREATEST_INTEGER {
        return Json::from(number as i64);
    }
    Number::from_f64(number).map_or(Json::Null, Json::Number)
}

/// Returns the nearest double of an integer above 2^53 in decimal digits. Its own text may have other digits.
pub(crate) fn large_integer(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.starts_with('0') || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    (number.is_finite() && number.abs() > GREATEST_INTEGER).then_some(number)
}

/// Returns `true` if a text stands for a number: its shortest form, or an integer above 2^53 whose nearest double it is.
pub(crate) fn is_text_of(number: f64, text: &str) -> bool {
    display(number) == text || large_integer(text) == Some(number)
}

/// Describes a value in a message: `a string`, `NaN`, `42`.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{display, large_integer};

    #[test]
    fn numbers_print_in_their_shortest_form() {
        let printed = [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-2.5, "-2.5"),
            (100.0, "100"),
            (0.1, "0.1"),
            (0.000015, "0.000015"),
            (0.00001, "0.00001"),
            (0.000_001_5, "0.0000015"),
            (0.000_001, "0.000001"),
            (1.25e-7, "1.25e-7"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1.5e21, "1.5e+21"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (5e-324, "5e-324"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (f64::NAN, "null"),
            // Of two equally close candidates, the even one is chosen, as in JavaScript and Python.
            (216_793_684_570.828_13, "216793684570.82812"),
            (-1e-7, "-1e-7"),
            (123e-20, "1.23e-18"),
            (1e23, "1e+23"),
            (9_007_199_254_740_994.0, "9007199254740994"),
        ];
        for (number, text) in printed {
            assert_eq!(display(number), text);
        }
    }

    #[test]
    fn large_integers_are_their_nearest_doubles() {
        let huge = "9".repeat(400);
        for (text, number) in [
            ("9007199254740992", Some(9_007_199_254_740_992.0)),
            ("9007199254740993", Some(9_007_199_254_740_992.0)),
            ("-9007199254740993", Some(-9_007_199_254_740_992.0)),
            ("1000000000000000000000", Some(1e21)),
            ("9007199254740991", None),
            ("09007199254740993", None),
            ("+9007199254740993", None),
            ("9007199254740993.0", None),
            ("1e21", None),
            ("inf", None),
            ("-", None),
            ("", None),
            (&huge, None),
        ] {
            assert_eq!(large_integer(text), number, "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn printed_numbers_parse_to_the_same_number(bits: u64) {
            let number = f64::from_bits(bits);
            prop_assume!(number.is_finite());
            prop_assert_eq!(display(number).parse::<f64>().unwrap(), number);
            prop_assert_eq!(serde_json::from_str::<f64>(&display(number)).unwrap(), number);
        }

        #[test]
        fn fractions_print_as_in_json(number in -1e12..1e12_f64) {
            prop_assume!(number.fract() != 0.0 && number.abs() >= 1e-5);
            let json = serde_json::Number::from_f64(number).unwrap().to_string();
            prop_assert_eq!(display(number), json);
        }
    }
}
