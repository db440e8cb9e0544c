//! Suggestions for misspelled options and members.

use strsim::osa_distance;

/// The maximum edit distance of a suggestion. It is one less for names of up to `SHORT` letters, because more short
/// names are similar by chance.
const MOST_EDITS: usize = 2;
const SHORT: usize = 5;

/// A name of more bytes is similar to no other: the time of a comparison grows with the product of both lengths.
const LONGEST: usize = 256;

/// Names in other libraries and other languages, each with its counterpart. The first counterpart that is a known name
/// is suggested.
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

/// Returns the known name to suggest for an unknown one: its counterpart in [`OTHER_NAMES`], the same name in another
/// style, or a similar name. Returns `None` if `name` is known.
pub(crate) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    if known.contains(&name) {
        return None;
    }
    let name = letters(name);
    let counterparts = OTHER_NAMES.iter().filter(|(other, _)| *other == name);
    let find = |name: &str| known.iter().find(|known| letters(known) == name);
    if let Some(name) = counterparts.filter_map(|(_, name)| find(name)).next() {
        return Some(name);
    }
    let near = known.iter().filter_map(|known| {
        let is_short = known.len() <= SHORT;
        // One edit of a short name makes another word: `Name` is not `same`.
        let letters = letters(known);
        if is_short && name.chars().next() != letters.chars().next() {
            return None;
        }
        let most = MOST_EDITS.saturating_sub(usize::from(is_short));
        let edits = if name == letters {
            0
        } else if name.len().max(letters.len()) > LONGEST {
            return None;
        } else {
            osa_distance(&name, &letters)
        };
        (edits <= most).then_some((edits, *known))
    });
    near.min().map(|(_, known)| known)
}

/// Returns a name in lower case without separators, to compare names in different styles.
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
            ("deed", None),
            ("deed2", None),
            ("seed", None),
            ("history", None),
        ] {
            assert_eq!(nearest(given, &known), near, "{given}");
        }
    }

    #[test]
    fn a_long_name_is_only_compared_in_another_style() {
        for (length, is_near) in [(255, true), (256, false)] {
            let known = "a".repeat(length) + "b";
            let near = is_near.then_some(&*known);
            assert_eq!(nearest(&"a".repeat(length), &[&*known]), near, "{length}");
            assert!(nearest(&known, &["b", &known.to_uppercase()]).is_some());
        }
        let long = "a".repeat(500_000);
        assert_eq!(nearest(&"a".repeat(250), &[&*long]), None);
        assert_eq!(nearest(&long, &[&*"a".repeat(250)]), None);
    }
}
