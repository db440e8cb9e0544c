//! Detection of duplicate names.

use rustc_hash::FxHashSet;

/// The number of names up to which comparing all pairs is faster than filling a set.
const FEW: usize = 16;

/// Returns `true` if two of the names are equal.
pub(crate) fn has_duplicates<'n>(names: impl ExactSizeIterator<Item = &'n str> + Clone) -> bool {
    if names.len() > FEW {
        let mut seen = FxHashSet::default();
        return names.into_iter().any(|name| !seen.insert(name));
    }
    let mut rest = names;
    while let Some(first) = rest.next() {
        if rest.clone().any(|other| other == first) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_duplicates;

    #[test]
    fn duplicates_are_found_among_few_and_many_names() {
        for count in [0, 1, 2, 16, 17, 100] {
            let mut names: Vec<String> = (0..count).map(|number| number.to_string()).collect();
            let has = |names: &[String]| has_duplicates(names.iter().map(String::as_str));
            assert!(!has(&names), "{count}");
            if let Some(last) = names.last().cloned() {
                names.push(last);
                assert!(has(&names), "{count}");
            }
        }
    }
}
