//! The kinds of sentences to avoid.

/// A kind of sentence to avoid. What follows a match's group must not begin with one of `except`.
pub(super) struct Pattern {
    pub(super) name: &'static str,
    pub(super) regex: &'static str,
    pub(super) except: &'static [&'static str],
    /// Whether only the first line of each doc comment counts, as a percentage; otherwise the rate is per 1,000 words.
    pub(super) of_summaries: bool,
}

const fn of_words(name: &'static str, regex: &'static str) -> Pattern {
    Pattern {
        name,
        regex,
        except: &[],
        of_summaries: false,
    }
}

const fn of_summaries(name: &'static str, regex: &'static str) -> Pattern {
    Pattern {
        of_summaries: true,
        ..of_words(name, regex)
    }
}

pub(super) const PATTERNS: [Pattern; 10] = [
    Pattern {
        except: &[
            "longer", "more", "such", "less", "greater", "other", "further",
        ],
        ..of_words("is no NOUN", r"\b(?:is|are|was|were) no ([a-z`]+)")
    },
    Pattern {
        except: &["is the", "if"],
        ..of_words(
            "clause as noun",
            r"(?:^|[.:;,] )(?:[Ww]hat|[Ww]ho|[Ww]hoever) ([a-z]+)",
        )
    },
    of_words(
        "where for if",
        r"\bwhere (?:an?|its?|that|there|they|no|none|nobody|nothing|neither|one|the caller)\b",
    ),
    of_words(
        "code that speaks",
        r"\b(?:says|said|tells|told|asks|asked|knows|knew|hears|heard|look(?:s|ed) at)\b",
    ),
    of_words("of its own", r"\bof (?:its|their|your|his|one's) own\b"),
    of_words(
        "archaism",
        r"\b(?:anew|by heart|dear|for so long|held against|likewise|mend(?:s|ed)?|one's own|thereof|whoever)\b",
    ),
    of_words(
        "as it is",
        r"\bas (?:it|they) (?:is|are|was|were|stands?)\b",
    ),
    of_words("but for", r"\b(?:but for|(?:any|no)thing but|none but)\b"),
    of_summaries(
        "summary asks",
        r"^(?:What|Which|Who|Whether|Where|When|Why|How|By what|Of what)\b",
    ),
    of_summaries("summary leans", r"^(?:The same\b|As \[?`|Likewise)"),
];
