//! The name that a misspelt one may stand for: an option's, or that of a definition's member.

use strsim::osa_distance;

/// How many letters may differ; fewer in short names, of which there are many alike.
const MOST_EDITS: usize = 2;
const SHORT: usize = 5;

/// What other libraries call options, and what we do; of several, the first that is known.
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

/// Returns the name among the known ones that a given one may stand for: the same in another style, what we call it, or one with
/// a letter or two changed. A name that is known stands for itself, so there is none.
#[must_use]
pub fn nearest<'k>(given: &str, known: &[&'k str]) -> Option<&'k str> {
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

/// A name's letters, whatever the style it is written in.
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
