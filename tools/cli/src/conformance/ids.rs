//! Suggestions for unknown ids.

use std::collections::BTreeSet;

use crate::similar;

/// Returns the end of a message about an unknown id or pattern: the similar ids, and patterns for their first parts.
pub(super) fn did_you_mean<'k>(pattern: &str, ids: impl Iterator<Item = &'k str>) -> String {
    let known: BTreeSet<String> = ids.flat_map(with_patterns).collect();
    // Only the stars at the ends are removed: those of the known patterns have a place, too.
    let word = pattern.trim_start_matches('*');
    let word = match word.strip_suffix('*') {
        Some(word) => format!("{}.*", word.trim_end_matches('.')),
        None => word.to_owned(),
    };
    similar::did_you_mean(&word, known.iter().map(String::as_str))
}

/// Returns an id, and a pattern for each of its first parts, such as `acm.*`.
fn with_patterns(id: &str) -> Vec<String> {
    let ends = id.match_indices('.').filter_map(|(end, _)| id.get(..end));
    let patterns = ends.map(|part| format!("{part}.*"));
    patterns.chain([id.to_owned()]).collect()
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn similar_ids_and_patterns() {
        let ids = ["core.string-equals.match", "core.boolean-equals.match"];
        let of = |pattern| did_you_mean(pattern, ids.into_iter());
        let similar = ": did you mean `core.string-equals.*`";
        assert!(of("core.string-equal.*").starts_with(similar));
        assert!(of("string-equals*").starts_with(similar));
        assert!(of("core.string-equals").starts_with(similar));
        assert!(of("core.string-equals.mach").contains("`core.string-equals.match`"));
        assert_eq!(of("ec2.InstanceRunning.*"), "");
    }
}
