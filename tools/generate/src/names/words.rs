//! The words in a name, split as in the generators of the AWS SDKs.

/// Words that the rules would split.
const WHOLE: [&str; 9] = [
    "ipv4", "ipv6", "sigv4", "mib", "gib", "kib", "ttl", "iot", "s3",
];

/// Returns the words of a name in lower case: `DBInstanceARNs` becomes `db`, `instance`, `arns`.
///
/// A new word begins at a capital after a lowercase letter or digit, and at the last of several capitals before a
/// lowercase letter.
#[must_use]
pub fn words(name: &str) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let is_lower = name.chars().all(|char| !char.is_ascii_uppercase());
    let mut words = Vec::new();
    let mut word = String::new();
    for (at, char) in chars.iter().enumerate() {
        let rest = chars.get(at..).unwrap_or_default();
        if !char.is_ascii_alphanumeric() {
            words.push(std::mem::take(&mut word));
            continue;
        }
        if begins_word(&word, rest, is_lower) {
            words.push(std::mem::take(&mut word));
        }
        word.push(*char);
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words.iter().map(|word| word.to_ascii_lowercase()).collect()
}

/// Returns `true` if `rest` begins a new word after `word`.
fn begins_word(word: &str, rest: &[char], is_lower: bool) -> bool {
    let (Some(last), Some(next)) = (word.chars().last(), rest.first()) else {
        return false;
    };
    if is_inside_whole(word, rest) {
        return false;
    }
    let after_small = last.is_ascii_lowercase() || last.is_ascii_digit();
    (after_small && next.is_ascii_uppercase())
        || (is_lower && last.is_ascii_digit() && next.is_ascii_alphabetic())
        || ends_acronym(last, rest)
}

fn is_inside_whole(word: &str, rest: &[char]) -> bool {
    let word = word.to_ascii_lowercase();
    if WHOLE.contains(&&*word) {
        return false;
    }
    let text: String = word.chars().chain(rest.iter().copied()).collect();
    let text = text.to_ascii_lowercase();
    WHOLE.iter().any(|whole| text.starts_with(whole))
}

/// Returns `true` at the end of an acronym: after `DB` in `DBProxy`, but not after `AC` in `ACLs`.
fn ends_acronym(last: char, rest: &[char]) -> bool {
    let [next, peek, beyond @ ..] = rest else {
        return false;
    };
    if !(last.is_ascii_uppercase() && next.is_ascii_uppercase()) || peek.is_ascii_uppercase() {
        return false;
    }
    let is_plural = *peek == 's' && !beyond.first().is_some_and(char::is_ascii_lowercase);
    peek.is_ascii_lowercase() && !is_plural
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_are_cut_where_people_read_them() {
        let names = [
            ("TableExists", "table exists"),
            ("DBInstanceAvailable", "db instance available"),
            ("VpcIPv4Cidr", "vpc ipv4 cidr"),
            ("SSEKMSKeyId", "ssekms key id"),
            ("ACLs", "acls"),
            ("DBId", "db id"),
            ("DBClusterARNs", "db cluster arns"),
            ("s3Key", "s3 key"),
            ("ChecksumCRC32C", "checksum crc32_c"),
            ("snake_case", "snake case"),
            ("TimeToLiveSpecification", "time to live specification"),
            ("", ""),
        ];
        for (name, expected) in names {
            assert_eq!(words(name).join(" "), expected.replace('_', " "), "{name}");
        }
    }
}
