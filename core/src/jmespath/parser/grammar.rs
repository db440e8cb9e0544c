//! Rejects invalid texts that the parser accepts: lists without commas (`[a b]`, `f(a b)`), empty lists (`[ ]`), calls
//! of a non-name (`(f)(a)`), and references after a dot (`a.&b`).

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Violation {
    /// The byte offset of the unexpected token.
    pub(super) at: usize,
    /// The description of the expected token.
    pub(super) expected: &'static str,
    /// The description of the unexpected token.
    pub(super) found: &'static str,
}

/// Returns the first violation in a text that the parser accepts. Takes linear time and doesn't recurse.
pub(super) fn check(text: &str) -> Option<Violation> {
    let mut scan = Scan::default();
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        if let Some((expected, found)) = scan.take(char, next) {
            return Some(Violation {
                at,
                expected,
                found,
            });
        }
    }
    None
}

/// The state of the scan before a character.
#[derive(Default)]
struct Scan {
    before: Before,
    /// The open quote.
    quote: Option<char>,
    /// `true` if the next character in the quote is escaped.
    escaped: bool,
    /// `true` if the next character belongs to the same token.
    inside: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Before {
    /// A `[` that opens a list, an index, a slice or a filter.
    Bracket,
    Dot,
    /// A name. A following `(` makes it a function call.
    Name,
    /// The end of any other operand.
    Operand,
    /// The start of the text, an operator or an opening bracket, all of which an operand can follow.
    #[default]
    Start,
}

impl Scan {
    fn take(&mut self, char: char, next: Option<char>) -> Option<(&'static str, &'static str)> {
        if let Some(quote) = self.quote {
            self.quoted(char, quote);
            return None;
        }
        if char.is_whitespace() || std::mem::take(&mut self.inside) {
            self.inside = !char.is_whitespace() && continues(char, next);
            return None;
        }
        let violation = self.violation(char, next);
        self.step(char, next);
        violation
    }

    fn quoted(&mut self, char: char, quote: char) {
        if std::mem::take(&mut self.escaped) {
            return;
        }
        self.escaped = char == '\\';
        if char == quote {
            self.quote = None;
        }
    }

    /// Returns the expected and the actual token if the character must not follow the previous token.
    fn violation(&self, char: char, next: Option<char>) -> Option<(&'static str, &'static str)> {
        match (self.before, operand(char, next)?) {
            (Before::Bracket, "`]`") => Some(("expected an expression", "`]`")),
            (Before::Dot, "`&`") => Some(("expected a name", "`&`")),
            (Before::Operand, "`(`") => Some(("expected an operator", "`(`")),
            (Before::Name, "`(`") | (_, "`]`") => None,
            (Before::Name | Before::Operand, found) => Some(("expected an operator or `,`", found)),
            _ => None,
        }
    }

    fn step(&mut self, char: char, next: Option<char>) {
        self.inside = continues(char, next);
        self.before = match char {
            '"' | '\'' | '`' => {
                self.quote = Some(char);
                Before::Operand
            }
            '@' | '*' | ')' | ']' | '}' => Before::Operand,
            '.' => Before::Dot,
            // `[]` is one token.
            '[' if next == Some(']') => {
                self.inside = true;
                Before::Operand
            }
            '[' => Before::Bracket,
            _ if is_word(char) => Before::Name,
            _ => Before::Start,
        };
    }
}

/// Describes the operand that starts with this character, or the `]` of an empty list.
fn operand(char: char, next: Option<char>) -> Option<&'static str> {
    Some(match char {
        '"' => "a name",
        '\'' | '`' => "a literal",
        '@' => "`@`",
        '&' if next != Some('&') => "`&`",
        '(' => "`(`",
        ']' => "`]`",
        _ if is_word(char) => "a name",
        _ => return None,
    })
}

/// Returns `true` if the next character belongs to the same name or number.
fn continues(char: char, next: Option<char>) -> bool {
    is_word(char) && next.is_some_and(is_word)
}

const fn is_word(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn valid_texts_are_accepted() {
        let texts = [
            "[a, b]",
            "f(a, &b)",
            "a.b[0].c[*].d[?e == 'f' && !g]",
            "[0:1:-1]",
            "[*]",
            "[]",
            "a[]",
            "a[][]",
            "a [ 0 ]",
            "length (a)",
            "{a: b, c: d}",
            "a.{b: c}",
            "a || b | c",
            "a&&b",
            "f(&a)",
            "`[1 2]` == 'a b'",
            "\"a b\".c",
            "'a\\' b'",
            "*.*",
            "a.*",
            "!a",
            "[!a, !b]",
            "(a).b",
            "a == (b)",
            "f(a, (b))",
            "[[0], [1]]",
            "[?a]",
            "@.a",
            "[@]",
        ];
        for text in texts {
            assert_eq!(check(text), None, "{text}");
        }
    }

    #[test]
    fn violations_have_an_offset_and_a_description() {
        let violations = [
            ("[a b]", 3, "a name"),
            ("f(a b)", 4, "a name"),
            ("[a, b 'c']", 6, "a literal"),
            ("[a `1`]", 3, "a literal"),
            ("['a' \"b\"]", 5, "a name"),
            ("['a'\"b\"]", 4, "a name"),
            ("[a[0] b]", 6, "a name"),
            ("[a[] b]", 5, "a name"),
            ("[a @]", 3, "`@`"),
            ("sort_by(a &b)", 10, "`&`"),
            ("[@ a]", 3, "a name"),
            ("[* a]", 3, "a name"),
            ("[(a)(b)]", 4, "`(`"),
            ("(f)(a)", 3, "`(`"),
            ("[f(a) b]", 6, "a name"),
            ("[ ]", 2, "`]`"),
            ("a.[ ]", 4, "`]`"),
            ("a.&b", 2, "`&`"),
        ];
        for (text, at, found) in violations {
            let violation = check(text).unwrap();
            assert_eq!((violation.at, violation.found), (at, found), "{text}");
        }
    }
}
