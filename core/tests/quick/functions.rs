//! Cases of functions that the official suite does not cover: type names, code points, numbers, and unread values.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a panic fails the test")]

use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::ControlFlow;

use serde_json::{Value as Json, json};
use smithy_waiters::value::{Kind, ReadError, Value};
use smithy_waiters::{CompiledExpression, ExpressionError, SearchResult};

fn search<'v>(
    expression: &str,
    value: &'v Json,
) -> Result<SearchResult<&'v Json>, ExpressionError> {
    CompiledExpression::new(expression)?.search(value)
}

/// Evaluates an expression, and returns the result as `to_string` formats it.
fn text(expression: &str, value: &Json) -> String {
    match search(&format!("to_string({expression})"), value).unwrap() {
        SearchResult::String(text) => text.to_string(),
        SearchResult::Host(text) => text.as_str().unwrap().to_owned(),
        other => panic!("`{expression}` gives {other:?}"),
    }
}

fn error(expression: &str, value: &Json) -> (&'static str, String) {
    let error = search(expression, value).unwrap_err();
    (error.code, error.message)
}

#[test]
fn type_errors_name_the_function_and_the_types() {
    let value = json!({"mixed": [1, "a"], "list": [{"n": 1}, {"n": "a"}, {}], "text": "abc"});
    for (expression, message) in [
        (
            "length(missing)",
            "`length` takes a string, array or object, got null",
        ),
        (
            "length(`true`)",
            "`length` takes a string, array or object, got a boolean",
        ),
        ("abs(text)", "`abs` takes a number, got a string"),
        (
            "sum(mixed)",
            "`sum` takes an array of numbers, got an array with a string",
        ),
        ("sum(`5`)", "`sum` takes an array of numbers, got 5"),
        (
            "join(`1`, mixed)",
            "`join` takes a string as argument 1, got 1",
        ),
        (
            "join('', mixed)",
            "`join` takes an array of strings as argument 2, got an array with 1",
        ),
        (
            "contains(missing, 'a')",
            "`contains` takes an array or a string as argument 1, got null",
        ),
        (
            "sort(mixed)",
            "`sort` takes an array of numbers or an array of strings, got an array with 1 and a string",
        ),
        (
            "max(list)",
            "`max` takes an array of numbers or an array of strings, got an array with an object",
        ),
        (
            "sort_by(list, &n)",
            "`sort_by` takes an expression that returns numbers or strings as argument 2, got one that returns 1 and a string",
        ),
        (
            "max_by(missing, &n)",
            "`max_by` takes an array as argument 1, got null",
        ),
        ("keys(list)", "`keys` takes an object, got an array"),
        (
            "reverse(`1`)",
            "`reverse` takes an array or a string, got 1",
        ),
        (
            "reverse(list[0])",
            "`reverse` takes an array or a string, got an object",
        ),
        (
            "merge(@, text)",
            "`merge` takes an object as argument 2, got a string",
        ),
        (
            "map(&n, text)",
            "`map` takes an array as argument 2, got a string",
        ),
        (
            "not_null(text, abs(text))",
            "`abs` takes a number, got a string",
        ),
    ] {
        assert_eq!(
            error(expression, &value),
            ("evaluation_error", message.to_owned())
        );
    }
}

#[test]
fn calls_are_checked_when_they_are_compiled() {
    for (expression, code, message) in [
        (
            "not_null()",
            "invalid_arity",
            "`not_null()` calls `not_null` with 0 arguments, it takes 1 or more (column 1)",
        ),
        (
            "a || &b",
            "invalid_expression",
            "`a || &b` has an expression reference (`&…`) that is not an argument of a function (column 6)",
        ),
    ] {
        assert_eq!(error(expression, &Json::Null), (code, message.to_owned()));
    }
    assert_eq!(text("merge()", &Json::Null), "{}");
    assert_eq!(text("contains('a', `1`)", &Json::Null), "false");
}

#[test]
fn to_number_accepts_numbers_of_json_only() {
    for (expression, expected) in [
        ("to_number('1e2')", "100"),
        ("to_number('-0.5')", "-0.5"),
        ("to_number('9007199254740993')", "9007199254740992"),
        ("to_number('0.1')", "0.1"),
        ("to_number('1e999')", "null"),
        ("to_number(' 1')", "null"),
        ("to_number('1 ')", "null"),
        ("to_number('+1')", "null"),
        ("to_number('01')", "null"),
        ("to_number('.5')", "null"),
        ("to_number('5.')", "null"),
        ("to_number('-')", "null"),
        ("to_number('NaN')", "null"),
        ("to_number('0x10')", "null"),
        ("to_number('')", "null"),
    ] {
        assert_eq!(text(expression, &Json::Null), expected, "{expression}");
    }
}

#[test]
fn computed_numbers_are_doubles_and_finite() {
    let value = json!({"huge": [1e308, 1e308], "halves": [0.5, 1.5], "some": [1, 2]});
    assert_eq!(search("sum(huge)", &value).unwrap(), SearchResult::Null);
    assert_eq!(search("avg(huge)", &value).unwrap(), SearchResult::Null);
    assert_eq!(search("avg(`[]`)", &value).unwrap(), SearchResult::Null);
    assert_eq!(text("sum(halves)", &value), "2");
    assert_eq!(text("avg(some)", &value), "1.5");
    assert_eq!(text("sum(`[]`)", &value), "0");
    let SearchResult::Number(zero) = search("ceil(`-0.5`)", &value).unwrap() else {
        panic!("no number")
    };
    assert!(zero == 0.0 && zero.is_sign_positive());
}

#[test]
fn untouched_values_come_back_as_they_were() {
    let value = json!({"list": [{"n": 2}, {"n": 1.0}, {"n": 1}], "big": 9_007_199_254_740_993_u64, "text": "1"});
    let list = value["list"].as_array().unwrap();
    let hosts = |order: [usize; 3]| {
        SearchResult::Array(
            order
                .iter()
                .map(|place| SearchResult::Host(&list[*place]))
                .collect(),
        )
    };
    // Sorting is stable, and `min_by` and `max_by` return the first of the items with equal keys.
    assert_eq!(
        search("sort_by(list, &n)", &value).unwrap(),
        hosts([1, 2, 0])
    );
    assert_eq!(search("reverse(list)", &value).unwrap(), hosts([2, 1, 0]));
    assert_eq!(
        search("min_by(list, &n)", &value).unwrap(),
        SearchResult::Host(&list[1])
    );
    assert_eq!(
        search("max_by(list[1:], &n)", &value).unwrap(),
        SearchResult::Host(&list[1])
    );
    assert_eq!(
        search("to_array(list)", &value).unwrap(),
        SearchResult::Host(&value["list"])
    );
    assert_eq!(
        search("to_number(big)", &value).unwrap(),
        SearchResult::Host(&value["big"])
    );
    assert_eq!(
        search("not_null(x, text)", &value).unwrap(),
        SearchResult::Host(&value["text"])
    );
}

#[test]
fn to_string_writes_compact_json() {
    let value = json!({"a": [1.0, 1e21, 0.1, null, true, "\"\n\u{7f}é"], "b": {}, "c": []});
    assert_eq!(
        text("a", &value),
        "[1,1e+21,0.1,null,true,\"\\\"\\n\u{7f}é\"]"
    );
    assert_eq!(text("[b, c, {x: c}]", &value), "[{},[],{\"x\":[]}]");
    assert_eq!(
        text("merge(`{\"x\": 1, \"y\": 2}`, `{\"x\": 3}`)", &value),
        "{\"x\":3,\"y\":2}"
    );
}

#[test]
fn projections_are_counted_without_being_built() {
    let value =
        json!({"list": [{"state": "up", "n": [1, 2]}, {"state": "down", "n": [3]}, {"n": null}]});
    assert_eq!(text("length(list[?state=='up'])", &value), "1");
    assert_eq!(text("length(list[].n[])", &value), "3");
    assert_eq!(text("length(list[].state)", &value), "2");
    assert_eq!(text("sum(list[].n[])", &value), "6");
    assert_eq!(
        error("length(nothing[])", &value).1,
        "`length` takes a string, array or object, got null"
    );
}

#[test]
fn values_that_are_not_needed_are_not_read() {
    let value = json!({"list": ["a", "b", "c", "d"], "other": [1]});
    let reads = |expression: &str| {
        let log = RefCell::new(Vec::new());
        CompiledExpression::new(expression)
            .unwrap()
            .search(Logged {
                value: &value,
                log: &log,
            })
            .unwrap();
        log.into_inner()
    };
    assert_eq!(reads("length(list)"), ["list", "len 4"]);
    assert_eq!(reads("contains(list, 'b')"), ["list", "a", "b"]);
    assert_eq!(reads("contains(list[], 'a')"), ["list", "a"]);
    // A function in the projection can fail. Whether it fails must not depend on the position of the match.
    assert_eq!(
        reads("contains(list[].length(@), `1`)"),
        ["list", "a", "b", "c", "d"]
    );
}

/// A host value that records the members, lengths and items that are read.
#[derive(Clone)]
struct Logged<'v> {
    value: &'v Json,
    log: &'v RefCell<Vec<String>>,
}

impl<'v> Logged<'v> {
    fn at(&self, value: &'v Json, note: impl Into<String>) -> Self {
        self.log.borrow_mut().push(note.into());
        Self {
            value,
            log: self.log,
        }
    }
}

impl Value for Logged<'_> {
    fn kind(&self) -> Result<Kind, ReadError> {
        self.value.kind()
    }

    fn text(&self) -> Result<Cow<'_, str>, ReadError> {
        Ok(Cow::Borrowed(self.value.as_str().unwrap_or_default()))
    }

    fn len(&self) -> Result<usize, ReadError> {
        let len = self.value.len()?;
        self.log.borrow_mut().push(format!("len {len}"));
        Ok(len)
    }

    fn item(&self, index: usize) -> Result<Option<Self>, ReadError> {
        Ok(self
            .value
            .get(index)
            .map(|item| self.at(item, item.to_string())))
    }

    fn member(&self, name: &str) -> Result<Option<Self>, ReadError> {
        Ok(self.value.get(name).map(|member| self.at(member, name)))
    }

    fn items(&self, visit: &mut dyn FnMut(Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        let mut items = self.value.as_array().into_iter().flatten();
        let _ = items.try_for_each(|item| visit(self.at(item, item.as_str().unwrap_or_default())));
        Ok(())
    }

    fn members(&self, _: &mut dyn FnMut(&str, Self) -> ControlFlow<()>) -> Result<(), ReadError> {
        Ok(())
    }
}

#[test]
fn an_expression_lists_the_members_that_it_reads() {
    let names = |text| CompiledExpression::new(text).unwrap().names().to_vec();
    let read = names("a.b[?c == 'd'].a");
    let texts: Vec<&str> = read.iter().map(|name| &**name).collect();
    assert_eq!(texts, ["a", "b", "c"]);
    assert!(names("length(@)").is_empty());
    assert_eq!(CompiledExpression::new("a . b").unwrap().text(), "a . b");
}

#[test]
fn syntax_errors_name_the_token_that_was_found() {
    // An operator without its left side.
    for token in [
        "&&", ":", ",", ".", "==", ">", ">=", "<", "<=", "!=", "||", "|", "}", ")",
    ] {
        let text = format!("{token} a");
        let message = CompiledExpression::new(&text).unwrap_err().message;
        let expected = format!("expected an expression, found `{token}`");
        assert!(message.ends_with(&expected), "{message}");
    }
    // An operand without an operator before it.
    for (token, found) in [
        ("&b", "`&`"),
        ("@", "`@`"),
        ("{b: c}", "`{`"),
        ("!b", "`!`"),
        ("*", "`*`"),
        ("`1`", "a literal"),
        ("1", "a number"),
        ("b", "a name"),
    ] {
        let text = format!("a {token}");
        let message = CompiledExpression::new(&text).unwrap_err().message;
        assert!(message.contains(" expected an operator"), "{message}");
        assert!(message.ends_with(&format!(", found {found}")), "{message}");
    }
    // An operand instead of a name.
    for (token, found) in [
        ("[?b]", "`[?`"),
        ("[]", "`[]`"),
        ("[0]", "`[`"),
        ("(b)", "`(`"),
    ] {
        let text = format!("{{{token}: a}}");
        let message = CompiledExpression::new(&text).unwrap_err().message;
        assert!(message.ends_with(&format!(", found {found}")), "{message}");
    }
}
