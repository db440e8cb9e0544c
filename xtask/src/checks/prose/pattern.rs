//! The kinds of sentences to avoid, with their limits.

/// A kind of sentence to avoid.
pub(super) struct Pattern {
    pub(super) name: &'static str,
    pub(super) regex: &'static str,
    /// Words that make a match acceptable if the regex's group begins with one of them.
    pub(super) except: &'static [&'static str],
    /// The highest rate that is allowed: per 1,000 words, or as a percentage of summaries.
    pub(super) limit: f64,
    /// `true` if only the first line of each doc comment counts.
    pub(super) of_summaries: bool,
}

const fn of_words(name: &'static str, limit: f64, regex: &'static str) -> Pattern {
    Pattern {
        name,
        regex,
        except: &[],
        limit,
        of_summaries: false,
    }
}

const fn of_summaries(name: &'static str, limit: f64, regex: &'static str) -> Pattern {
    Pattern {
        of_summaries: true,
        ..of_words(name, limit, regex)
    }
}

/// The limits are about twice the highest rates of well-written Rust crates (jiff, quinn-proto, ureq-proto).
pub(super) const PATTERNS: [Pattern; 10] = [
    Pattern {
        except: &[
            "longer", "more", "such", "less", "greater", "other", "further",
        ],
        ..of_words("is no NOUN", 0.5, r"\b(?:is|are|was|were) no ([a-z`]+)")
    },
    Pattern {
        except: &["is the", "if"],
        ..of_words(
            "clause as noun",
            0.5,
            r"(?:^|[.:;,] )(?:[Ww]hat|[Ww]ho|[Ww]hoever) ([a-z]+)",
        )
    },
    of_words(
        "where for if",
        0.4,
        r"\bwhere (?:an?|its?|that|there|they|no|none|nobody|nothing|neither|one|the caller)\b",
    ),
    of_words(
        "code that speaks",
        1.0,
        r"\b(?:says|said|tells|told|asks|asked|knows|knew|hears|heard|look(?:s|ed) at)\b",
    ),
    of_words(
        "of its own",
        0.3,
        r"\bof (?:its|their|your|his|one's) own\b",
    ),
    of_words(
        "archaism",
        0.2,
        r"\b(?:anew|by heart|dear|for so long|held against|likewise|mend(?:s|ed)?|one's own|thereof|whoever)\b",
    ),
    of_words(
        "as it is",
        0.2,
        r"\bas (?:it|they) (?:is|are|was|were|stands?)\b",
    ),
    of_words(
        "but for",
        0.2,
        r"\b(?:but for|(?:any|no)thing but|none but)\b",
    ),
    of_summaries(
        "summary asks",
        7.0,
        r"^(?:What|Which|Who|Whether|Where|When|Why|How|By what|Of what)\b",
    ),
    of_summaries("summary leans", 0.5, r"^(?:The same\b|As \[?`|Likewise)"),
];
