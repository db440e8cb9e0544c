//! The name part of shape IDs.

/// Returns the part of a shape ID, error code or class name that is compared to match an error.
///
/// The specification matches only the name part of an absolute shape ID. This applies to the expected and to the
/// actual name. Some protocols append a colon and a URI to the code, which is removed. See
/// docs/rules.md#error-names.
pub(crate) fn base_name(name: &str) -> &str {
    let (name, _) = name.split_once(':').unwrap_or((name, ""));
    after_number_sign(name)
}

/// Returns the name part of an absolute shape ID.
pub(crate) fn after_number_sign(id: &str) -> &str {
    let place = id.bytes().rposition(|byte| byte == b'#');
    place
        .and_then(|place| id.get(place.saturating_add(1)..))
        .unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_at_the_colon_then_after_the_number_sign() {
        for name in [
            "com.example#NotFound",
            "NotFound:http://example.com/#x",
            "a#NotFound:b",
            "NotFound",
        ] {
            assert_eq!(base_name(name), "NotFound");
        }
    }
}
