//! How numbers print, the same in every language.

use super::Kind;

/// Where the exponent begins: before the first digit that stands further behind the point, and from `1e21` on, as
/// ECMAScript does it.
const PLAIN_PLACES: std::ops::RangeInclusive<i32> = -5..=20;

/// The shortest form of a double: integral values as integers, what is very large or small with an exponent.
pub(crate) fn display(number: f64) -> String {
    if number == 0.0 {
        return "0".to_owned();
    }
    if !number.is_finite() {
        return "null".to_owned();
    }
    // The digits that tell it from its neighbours and no more, the first one before the point: `-1.25e-7`.
    let shortest = format!("{number:e}");
    let (digits, place) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    match place.parse() {
        Ok(place) if PLAIN_PLACES.contains(&place) => plain(digits, place),
        Ok(place) => format!("{digits}e{place:+}"),
        Err(_) => shortest,
    }
}

/// The same digits without an exponent.
fn plain(digits: &str, place: i32) -> String {
    let (sign, digits) = match digits.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits),
    };
    let digits = digits.replace('.', "");
    let Ok(place) = usize::try_from(place) else {
        let zeros = "0".repeat(place.saturating_neg().saturating_sub(1).unsigned_abs() as usize);
        return format!("{sign}0.{zeros}{digits}");
    };
    match digits.split_at_checked(place.saturating_add(1)) {
        None | Some((_, "")) => {
            let zeros = place.saturating_add(1).saturating_sub(digits.len());
            format!("{sign}{digits}{}", "0".repeat(zeros))
        }
        Some((whole, fraction)) => format!("{sign}{whole}.{fraction}"),
    }
}

/// A number of JSON: an integer as it is, whatever its size.
pub(crate) fn display_json(number: &serde_json::Number) -> String {
    match (number.as_u64(), number.as_i64()) {
        (Some(integer), _) => integer.to_string(),
        (_, Some(integer)) => integer.to_string(),
        _ => display(number.as_f64().unwrap_or(f64::NAN)),
    }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::display;

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
            (1.25e-7, "1.25e-7"),
            (1e20, "100000000000000000000"),
            (1.5e21, "1.5e+21"),
            (5e-324, "5e-324"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (f64::NAN, "null"),
        ];
        for (number, text) in printed {
            assert_eq!(display(number), text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_printed_reads_as_the_same_number(bits: u64) {
            let number = f64::from_bits(bits);
            prop_assume!(number.is_finite());
            prop_assert_eq!(display(number).parse::<f64>().unwrap(), number);
            prop_assert_eq!(serde_json::from_str::<f64>(&display(number)).unwrap(), number);
        }

        #[test]
        fn what_is_no_integer_prints_as_shortly_as_json_does(number in -1e12..1e12_f64) {
            prop_assume!(number.fract() != 0.0);
            // Where two shortest forms are equally near, the formatters choose differently: 216793684570.8281[23].
            let json = serde_json::Number::from_f64(number).unwrap().to_string();
            prop_assert_eq!(display(number).len(), json.len());
        }
    }
}
