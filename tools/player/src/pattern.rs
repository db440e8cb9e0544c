//! Patterns of ids.

/// Returns `true` if a pattern, in which `*` stands for any text, matches all of a text.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(text) = text.strip_prefix(first) else {
        return false;
    };
    let starts = text
        .char_indices()
        .map(|(index, _)| index)
        .chain([text.len()]);
    starts
        .into_iter()
        .any(|start| text.get(start..).is_some_and(|text| matches(rest, text)))
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_is_any_text() {
        assert!(matches(
            "acm.*.other-case",
            "acm.CertificateValidated.a0.other-case"
        ));
        assert!(matches("*", "core.a"));
        assert!(matches("acm.A", "acm.A"));
        assert!(!matches("acm.A", "acm.AB"));
        assert!(!matches("acm.*.match", "ec2.A.a0.match"));
        assert!(!matches("*.match", "ec2.A.a0.match-no"));
    }
}
