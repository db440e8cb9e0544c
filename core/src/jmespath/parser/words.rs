//! The words for a syntax error, made of those of the crate `jmespath`.

use ::jmespath::ErrorReason;

/// Returns the parser's own words, with the token as people write it.
pub(super) fn of(reason: &ErrorReason) -> String {
    let ErrorReason::Parse(reason) = reason else {
        return "the expression is not valid".to_owned();
    };
    let (expected, found) = reason.split_once(" -- found ").unwrap_or((reason, ""));
    let is_operand = expected == "Unexpected nud token";
    // Without the token's value, which not every build prints.
    let found = match found.split_once('(').map_or(found, |(kind, _)| kind) {
        "" => String::new(),
        "Eof" => ", found the end".to_owned(),
        // Only indices are numbers without backticks.
        "Number" if is_operand => ", found a number: write it in backticks".to_owned(),
        kind => format!(", found {}", written(kind)),
    };
    let expected = match expected {
        "Unexpected nud token" => "expected an expression".to_owned(),
        "Unexpected led token" => "expected an operator".to_owned(),
        "Did not parse the complete expression" => "expected an operator or the end".to_owned(),
        other => lowercase_first(other),
    };
    format!("{expected}{found}")
}

/// The parser's name of a token as people write the token.
fn written(token: &str) -> &str {
    match token {
        "Ampersand" => "`&`",
        "And" => "`&&`",
        "At" => "`@`",
        "Colon" => "`:`",
        "Comma" => "`,`",
        "Dot" => "`.`",
        "Eq" => "`==`",
        "Filter" => "`[?`",
        "Flatten" => "`[]`",
        "Gt" => "`>`",
        "Gte" => "`>=`",
        "Lbrace" => "`{`",
        "Lbracket" => "`[`",
        "Lparen" => "`(`",
        "Lt" => "`<`",
        "Lte" => "`<=`",
        "Ne" => "`!=`",
        "Not" => "`!`",
        "Or" => "`||`",
        "Pipe" => "`|`",
        "Rbrace" => "`}`",
        "Rbracket" => "`]`",
        "Rparen" => "`)`",
        "Star" => "`*`",
        "Literal" => "a literal",
        "Number" => "a number",
        _ => "a name",
    }
}

fn lowercase_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        std::iter::once(first.to_ascii_lowercase())
            .chain(chars)
            .collect()
    })
}
