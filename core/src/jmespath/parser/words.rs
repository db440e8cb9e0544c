//! Messages for syntax errors, derived from those of the crate `jmespath`.

use ::jmespath::ErrorReason;

/// Returns a message with tokens in the syntax of expressions.
pub(super) fn describe(reason: &ErrorReason) -> String {
    let ErrorReason::Parse(reason) = reason else {
        return "the expression is not valid".to_owned();
    };
    let (expected, found) = reason.split_once(" -- found ").unwrap_or((reason, ""));
    let is_operand = expected == "Unexpected nud token";
    // The token's value is removed, because not every build of the crate prints it.
    let found = match found.split_once('(').map_or(found, |(kind, _)| kind) {
        "" => String::new(),
        "Eof" => ", found the end".to_owned(),
        // A number without backticks is only valid as an index.
        "Number" if is_operand => ", found a number: write it in backticks".to_owned(),
        kind => format!(", found {}", describe_token(kind)),
    };
    let expected = match expected {
        "Unexpected nud token" => "expected an expression".to_owned(),
        "Unexpected led token" => "expected an operator".to_owned(),
        "Did not parse the complete expression" => "expected an operator or the end".to_owned(),
        other => lowercase_first(other),
    };
    format!("{expected}{found}")
}

/// Converts the crate's name of a token to the syntax of expressions.
fn describe_token(token: &str) -> &str {
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
