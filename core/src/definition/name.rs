//! The name part of shape ids, by which errors are matched.

/// Returns the part of a shape id, code or class that errors are matched by.
// SPEC: D4. "If an absolute shape ID is provided, the error is matched only based on the name part of the shape ID"; on
// both sides, and without what some protocols append after a colon.
pub(crate) fn base_name(name: &str) -> &str {
    let (name, _) = name.split_once(':').unwrap_or((name, ""));
    after_number_sign(name)
}

/// Returns the name part of an absolute shape id.
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
