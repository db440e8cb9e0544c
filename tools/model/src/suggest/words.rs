//! Splits names into words, and compares nouns.

/// Returns the words of a name in lowercase: `DBInstanceStatus` and `db-instance_status` have the same ones.
pub(super) fn split(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut is_inside = false;
    for (place, character) in characters.iter().enumerate() {
        if !character.is_alphanumeric() {
            is_inside = false;
            continue;
        }
        let before = place
            .checked_sub(1)
            .and_then(|before| characters.get(before));
        let after = characters.get(place.saturating_add(1));
        let starts = character.is_uppercase()
            && (before.is_some_and(|before| !before.is_uppercase())
                || after.is_some_and(|after| after.is_lowercase()));
        let lowercase = character.to_lowercase();
        match words.last_mut() {
            Some(word) if is_inside && !starts => word.extend(lowercase),
            _ => words.push(lowercase.collect()),
        }
        is_inside = true;
    }
    words
}

/// Returns a text that nouns have in common with their plurals.
pub(super) fn key(words: &[String]) -> String {
    let joined = words.concat();
    joined.trim_end_matches(['e', 'i', 's', 'y']).to_owned()
}

/// Returns the singular of a noun, keeping its case.
pub(super) fn singular(noun: &str) -> &str {
    let is = |end: &str| noun.to_ascii_lowercase().ends_with(end);
    let kept = if ["ss", "us", "is", "ias", "as"].iter().any(|end| is(end)) || !is("s") {
        0
    } else if ["sses", "shes", "xes", "iases", "uses", "tches"]
        .iter()
        .any(|end| is(end))
    {
        2
    } else {
        1
    };
    let end = noun.len().saturating_sub(kept);
    noun.get(..end).unwrap_or(noun)
}

/// Returns words as a name: `CREATE_COMPLETE` as `CreateComplete`.
pub(super) fn camel_case<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    let mut name = String::new();
    for word in words {
        let mut characters = word.chars();
        name.extend(characters.next().into_iter().flat_map(char::to_uppercase));
        name.push_str(characters.as_str());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        assert_eq!(split("DBInstanceStatus"), ["db", "instance", "status"]);
        assert_eq!(split("CREATE_IN-progress"), ["create", "in", "progress"]);
        assert_eq!(split("InService"), ["in", "service"]);
    }

    #[test]
    fn plurals_have_the_key_of_their_singular() {
        for (one, many) in [
            ("policy", "policies"),
            ("database", "databases"),
            ("alias", "aliases"),
        ] {
            assert_eq!(key(&[one.to_owned()]), key(&[many.to_owned()]));
        }
        let plurals = [
            "DBInstances",
            "Aliases",
            "Alias",
            "Statuses",
            "Addresses",
            "Caches",
            "Databases",
        ];
        let singulars = [
            "DBInstance",
            "Alias",
            "Alias",
            "Status",
            "Address",
            "Cache",
            "Database",
        ];
        assert_eq!(plurals.map(singular), singulars);
    }
}
