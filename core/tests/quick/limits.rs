//! Hostile expressions on a small stack, which are either rejected before a stack overflow or evaluated completely.
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::iter;
use std::thread;

use serde_json::{Value as Json, json};
use smithy_waiters::{CompiledExpression, ExpressionError};

/// The size of a small stack, as in wasm or with musl.
const STACK: usize = 512 * 1024;

/// Parses, compiles, evaluates and drops an expression on a small stack. Returns the code of an error.
fn run(expression: String, value: Json) -> Result<(), &'static str> {
    let all = move || -> Result<(), ExpressionError> {
        CompiledExpression::new(&expression)?
            .search(&value)
            .map(drop)
    };
    let thread = thread::Builder::new().stack_size(STACK).spawn(all).unwrap();
    thread.join().unwrap().map_err(|error| error.code)
}

fn refused(expression: String, code: &str) {
    assert_eq!(run(expression, Json::Null), Err(code));
}

fn served(expression: String, value: Json) {
    let start: String = expression.chars().take(40).collect();
    assert_eq!(run(expression, value), Ok(()), "{start}");
}

fn repeat(part: &str, count: usize) -> String {
    part.repeat(count)
}

fn joined(part: &str, glue: &str, count: usize) -> String {
    iter::repeat_n(part, count).collect::<Vec<_>>().join(glue)
}

/// Returns nested objects, `{"a": {"a": …}}`, or nested arrays.
fn nested(levels: usize, wrap: impl Fn(Json) -> Json) -> Json {
    (0..levels).fold(json!([1]), |value, _| wrap(value))
}

#[test]
fn expressions_that_would_overflow_the_parser_are_refused() {
    refused(repeat("[", 8_000), "expression_too_deep");
    refused(repeat("(", 100), "expression_too_deep");
    refused(repeat("!", 8_000) + "a", "expression_too_deep");
    refused(joined("*", ".", 500), "expression_too_deep");
    refused(joined("a[1:]", ".", 200), "expression_too_deep");
    refused(repeat("a[?", 200), "expression_too_deep");
    refused(joined("&a", "||", 200), "expression_too_deep");
    refused(joined("a", ".", 5_000), "expression_too_long");
    refused(format!("`{}`", repeat("[", 5_000)), "expression_too_deep");
}

#[test]
fn long_expressions_are_refused() {
    refused(repeat("[", 100_000), "expression_too_long");
    refused(repeat("!", 100_000), "expression_too_long");
    refused(joined("a", ".", 20_000), "expression_too_long");
    refused(
        format!("`\"{}\"`", repeat("x", 1_000_000)),
        "expression_too_long",
    );
}

#[test]
fn brackets_in_text_open_and_close_nothing() {
    served(format!("'{}'", repeat("[", 100)), Json::Null);
    served(format!("\"{}\"", repeat("(", 100)), Json::Null);
    served(format!("`\"{}\"`", repeat("{", 100)), Json::Null);
    // Closing brackets in a literal must not be counted against the opening ones before it.
    let hidden = format!("{}`\"{}\"` || ", repeat("(", 60), repeat(")", 60));
    refused(repeat(&hidden, 5), "expression_too_deep");
}

#[test]
fn prefixes_count_through_brackets() {
    let level = format!("{}(a && ", repeat("!", 10));
    refused(repeat(&level, 20), "expression_too_deep");
    served(joined("!a", " || ", 40), json!({"a": 1}));
}

#[test]
fn elements_of_a_list_do_not_nest() {
    let items = format!("[{}]", joined("a[*].b[?c]", ", ", 90));
    served(items, json!({"a": [{"b": [{"c": 1}]}]}));
    served(
        format!("{{{}}}", joined("a: a", ", ", 200)),
        json!({"a": 1}),
    );
    served(joined("a && b", " && ", 50), json!({"a": 1, "b": 2}));
}

#[test]
fn the_worst_that_is_accepted_fits_the_stack() {
    let arrays = || nested(112, |value| json!([value]));
    let objects = || nested(112, |value| json!({"a": value}));
    served(repeat("(", 64) + "a" + &repeat(")", 64), objects());
    served(repeat("[", 64) + "a" + &repeat("]", 64), objects());
    served(repeat("{a:", 64) + "a" + &repeat("}", 64), objects());
    served(repeat("!", 64) + "a", objects());
    served(repeat("to_array(", 64) + "a" + &repeat(")", 64), objects());
    served(repeat("map(&[0],", 32) + "@" + &repeat(")", 32), arrays());
    served(
        format!("`{}{}`", repeat("[", 64), repeat("]", 64)),
        Json::Null,
    );
    served(joined("*", ".", 104), objects());
    served(repeat("[*]", 104), arrays());
    served(repeat("[:]", 104), arrays());
    served(joined("a", ".", 512), objects());
    served(joined("a", "|", 512), objects());
    served(joined("[a]", "|", 120), objects());
    served(repeat("[?@ || ", 40) + "@" + &repeat("]", 40), arrays());
    served(repeat("[?@]", 60), arrays());
    served(repeat("[]", 60), arrays());
    served(joined("a", " || ", 120), Json::Null);
    served(joined("a", " < ", 120), Json::Null);
}

#[test]
fn brackets_projections_and_operators_at_once_fit_the_stack() {
    let arrays = || nested(112, |value| json!([value]));
    served(repeat("[*].[", 48) + "@" + &repeat("]", 48), arrays());
    served(
        repeat("(a || b && c == ", 20) + "d" + &repeat(")", 20),
        Json::Null,
    );
    served(
        repeat("not_null(a | ", 40) + "d" + &repeat(")", 40),
        Json::Null,
    );
    served(
        format!("{}to_string(@){}", repeat("[*].[", 30), repeat("]", 30)),
        arrays(),
    );
    // Expressions within the limits of the text but not of the compiled form.
    refused(
        repeat("not_null(a || ", 64) + "d" + &repeat(")", 64),
        "expression_too_deep",
    );
    refused(
        repeat("(a | b || c && d == ", 64) + "d" + &repeat(")", 64),
        "expression_too_deep",
    );
    refused(
        joined("&a | b || c && d == ", "", 50) + "e",
        "expression_too_deep",
    );
}

#[test]
fn the_compiled_form_has_a_limit_of_its_own() {
    refused(joined("a", " || ", 500), "expression_too_deep");
    refused(joined("a", " < ", 500), "expression_too_deep");
    refused(repeat("[]", 100), "expression_too_deep");
    refused(repeat("[?@]", 100), "expression_too_deep");
}

/// Returns the message of an expression that is refused.
fn refusal(expression: &str) -> Option<String> {
    let error = CompiledExpression::new(expression).err()?;
    Some(error.message)
}

#[test]
fn the_limits_are_those_of_the_documentation() {
    let nested = |open: &str, count: usize, close: &str| {
        format!("{}a{}", repeat(open, count), repeat(close, count))
    };
    let stars = |count| joined("*", ".", count);
    let names = |count| joined("a", ".", count);
    let cases = [
        ("64 levels", nested("(", 64, ")"), nested("(", 65, ")")),
        ("64 levels", nested("!", 64, ""), nested("!", 65, "")),
        ("104 projections", stars(104), stars(105)),
        ("104 projections", repeat("[*]", 104), repeat("[*]", 105)),
        (
            "104 projections",
            format!("({})", repeat("[*]", 104)),
            format!("({})", repeat("[*]", 105)),
        ),
        (
            "104 projections",
            format!("({})", stars(104)),
            format!("({})", stars(105)),
        ),
        (
            "104 projections",
            format!("{{a: {}}}", stars(104)),
            format!("{{a: {}}}", stars(105)),
        ),
        (
            "168 operations",
            nested("(", 64, ")").replace('a', &stars(104)),
            nested("(", 64, ")").replace('a', &format!("a == {}", stars(104))),
        ),
        ("1024 tokens", "!".to_owned() + &names(512), names(513)),
    ];
    for (limit, accepted, refused) in cases {
        assert_eq!(refusal(&accepted), None, "{accepted}");
        let message = refusal(&refused).unwrap_or_default();
        assert!(
            message.contains(&format!(" more than {limit}")),
            "{message}"
        );
    }
}

#[test]
fn brackets_that_are_closed_do_not_count() {
    let stars = joined("*", ".", 100);
    let accepted = [
        format!("[{}]", joined("(*)", " || ", 105)),
        format!("`[{}]`", joined("[]", ",", 70)),
        // A name is one token.
        repeat("a1_", 500),
        // The colons of names are not those of slices.
        format!("{}{stars}{}", repeat("{a: ", 10), repeat("}", 10)),
        // These are comparisons, and not negations.
        joined("a", " != ", 70),
    ];
    for expression in accepted {
        assert_eq!(refusal(&expression), None, "{expression}");
    }
}

#[test]
fn values_and_results_have_128_levels() {
    let compared = |levels| {
        let value = nested(levels, |value| json!([value]));
        run("@ == @".to_owned(), value)
    };
    assert_eq!(compared(127), Ok(()));
    assert_eq!(compared(128), Err("limit_exceeded"));
    let wrapped = |levels| run(joined("[@]", " | ", levels), json!(1));
    assert_eq!(wrapped(128), Ok(()));
    assert_eq!(wrapped(129), Err("limit_exceeded"));
}

#[test]
fn values_have_a_limit_of_depth() {
    let deep = nested(200, |value| json!([value]));
    assert_eq!(
        run("to_string(@)".to_owned(), deep.clone()),
        Err("limit_exceeded")
    );
    assert_eq!(
        run("@ == @".to_owned(), deep.clone()),
        Err("limit_exceeded")
    );
    served("[0][0]".to_owned(), deep);
    served(
        "to_string(@)".to_owned(),
        nested(120, |value| json!({"a": value})),
    );
}

#[test]
fn repeated_doubling_exceeds_the_limit_of_work() {
    for part in ["[@, @]", "join('-', [@, @])"] {
        let expression = format!("'0123456789' | {}", joined(part, " | ", 60));
        assert_eq!(run(expression, Json::Null), Err("limit_exceeded"), "{part}");
    }
}
