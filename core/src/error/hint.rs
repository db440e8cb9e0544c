//! Hints for misspelt options and members of definitions.

use strsim::osa_distance;

/// The most letters that may differ; one less in short names, because many are alike.
const MOST_EDITS: usize = 2;
const SHORT: usize = 5;

/// Names of options in other libraries, and ours; of several, the first known one counts.
const OTHER_NAMES: [(&str, &str); 11] = [
    ("abortsignal", "cancel"),
    ("cancel", "abortsignal"),
    ("maxwait", "maxwaittime"),
    ("maxwaittime", "maxwait"),
    ("onprogress", "onattempt"),
    ("retries", "maxretries"),
    ("retries", "maxattempts"),
    ("signal", "abortsignal"),
    ("signal", "cancel"),
    ("timeout", "maxwait"),
    ("timeout", "maxwaittime"),
];

/// Returns the known name that a given one may stand for: the same in another style, our name for it, or one with a letter or two
/// changed. Returns `None` for a known name.
pub(crate) fn nearest<'k>(given: &str, known: &[&'k str]) -> Option<&'k str> {
    if known.contains(&given) {
        return None;
    }
    let given = letters(given);
    let called = OTHER_NAMES.iter().filter(|(other, _)| *other == given);
    let named = |name: &str| known.iter().find(|known| letters(known) == name);
    if let Some(name) = called.filter_map(|(_, name)| named(name)).next() {
        return Some(name);
    }
    let near = known.iter().filter_map(|name| {
        let most = MOST_EDITS.saturating_sub(usize::from(name.len() <= SHORT));
        let edits = osa_distance(&given, &letters(name));
        (edits <= most).then_some((edits, *name))
    });
    near.min().map(|(_, name)| name)
}

/// Returns the letters of a name, without its style.
pub(crate) fn letters(name: &str) -> String {
    name.replace(['_', '-', ' '], "").to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_name_stands_for_one_that_is_near() {
        let known = ["maxWait", "maxDelay", "seed", "cancel"];
        for (given, near) in [
            ("max_wait", Some("maxWait")),
            ("maxWiat", Some("maxWait")),
            ("timeout", Some("maxWait")),
            ("signal", Some("cancel")),
            ("sed", Some("seed")),
            ("deed2", None),
            ("seed", None),
            ("history", None),
        ] {
            assert_eq!(nearest(given, &known), near, "{given}");
        }
    }
}
