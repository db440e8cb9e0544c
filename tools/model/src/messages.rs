//! Text for messages: suggestions, lists, excerpts.

use std::fmt::Display;

/// The maximum length of an excerpt in code points.
const EXCERPT_LENGTH: usize = 40;

/// The maximum number of names in a list.
const MAX_LISTED: usize = 10;

/// The maximum number of names that are compared with a misspelled one.
const MAX_COMPARED: usize = 1_000;

/// Returns `: did you mean …?` with the most similar name, or an empty string if no name is similar.
pub(crate) fn did_you_mean<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest(word, names).map_or_else(String::new, |name| format!(": did you mean `{name}`?"))
}

/// Returns `: did you mean …?` with the most similar name, or lists all names if none is similar.
pub(crate) fn did_you_mean_one_of<'n>(
    word: &str,
    names: impl Iterator<Item = &'n str> + Clone,
) -> String {
    let near = did_you_mean(word, names.clone());
    if near.is_empty() {
        return expected_one_of(names);
    }
    near
}

/// Returns `: expected one of …`, or `: there are none` without names.
pub(crate) fn expected_one_of<'n>(names: impl Iterator<Item = &'n str> + Clone) -> String {
    if names.clone().next().is_none() {
        return ": there are none".to_owned();
    }
    format!(": expected one of {}", list(names))
}

/// Returns the names that are similar to a misspelled one, at most three, with the most similar first.
///
/// # Example: a service of AWS
///
/// ```
/// let names = ["dynamodb", "dynamodbstreams", "ec2"];
/// assert_eq!(smithy_waiters_model::similar_names("dynamo", names), ["dynamodb", "dynamodbstreams"]);
/// ```
pub fn similar_names<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let word = word.to_lowercase();
    let allowed = word.chars().count().div_ceil(3).min(4);
    let similar = names.into_iter().filter_map(|name| {
        let lowercase = name.to_lowercase();
        let distance = strsim::osa_distance(&lowercase, &word);
        let contains = word.len() > 2 && lowercase.contains(&word);
        (contains || distance <= allowed).then_some((distance, name))
    });
    let mut similar: Vec<(usize, &str)> = similar.collect();
    similar.sort_unstable();
    similar.into_iter().map(|(_, name)| name).take(3).collect()
}

/// Returns the name that is most similar to `word`, if one is similar enough.
pub(crate) fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let length = word.chars().count();
    let allowed = length.div_ceil(3).min(4);
    // A greater difference in length already exceeds the limit, so such names need no comparison.
    let may_be_near = |name: &&'n str| name.chars().count().abs_diff(length) <= allowed;
    let names = names.into_iter().filter(may_be_near).take(MAX_COMPARED);
    let word = word.to_lowercase();
    let distance = |name: &&'n str| strsim::osa_distance(&name.to_lowercase(), &word);
    let near = names.map(|name| (distance(&name), name));
    let (distance, name) = near.min()?;
    (distance <= allowed).then_some(name)
}

/// Returns the name that differs from `word` only in the case of its letters, if there is exactly one.
pub(crate) fn with_other_case<'n>(
    word: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let names = names.into_iter();
    let mut same = names.filter(|name| name.eq_ignore_ascii_case(word));
    same.next().filter(|_| same.next().is_none())
}

/// Returns a noun with its indefinite article.
pub(crate) fn with_article(noun: &str) -> String {
    let article = if noun.starts_with(['a', 'e', 'i', 'o']) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}

/// Returns a number with a noun in the singular or plural.
pub(crate) fn count(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

/// Returns names as a list for messages: `a`, `b`, 3 more.
pub(crate) fn list<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let mut listed: Vec<String> = names
        .iter()
        .take(MAX_LISTED)
        .map(|name| format!("`{name}`"))
        .collect();
    let more = names.len().saturating_sub(MAX_LISTED);
    if more > 0 {
        listed.push(format!("{more} more"));
    }
    if listed.is_empty() {
        return "none".to_owned();
    }
    listed.join(", ")
}

/// Returns the start of an expression in backticks, or in quotation marks if it contains backticks.
pub(crate) fn quote(text: &str) -> String {
    let excerpt = excerpt(text);
    if excerpt.contains('`') {
        return format!("\u{201c}{excerpt}\u{201d}");
    }
    format!("`{excerpt}`")
}

/// Returns the start of a text on one line.
pub(crate) fn excerpt(text: &str) -> String {
    let words: Vec<&str> = text.split(['\r', '\n']).map(str::trim).collect();
    let text = if let [text] = words.as_slice() {
        (*text).to_owned()
    } else {
        words.join(" ").trim().to_owned()
    };
    let mut excerpt: String = text.chars().take(EXCERPT_LENGTH).collect();
    if excerpt.len() < text.len() {
        excerpt.push('…');
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested() {
        assert_eq!(
            did_you_mean("strcture", ["string", "structure"]),
            ": did you mean `structure`?"
        );
        assert_eq!(did_you_mean("banana", ["string", "structure"]), "");
        assert_eq!(list(["a", "b"]), "`a`, `b`");
        assert_eq!(list([]), "none");
        assert_eq!(similar_names("dynamo", ["ec2", "dynamodb"]), ["dynamodb"]);
        assert_eq!(similar_names("ab", ["abacus"]), [""; 0]);
    }
}
