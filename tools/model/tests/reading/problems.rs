//! Syntax errors, after which parsing continues.

use crate::{model, problems};

#[test]
fn reading_goes_on_after_a_problem() {
    let found = problems(
        "$version: \"2\"
namespace ns
strcture A {}
structure B { a String }
string C
list D { member: }
operation E {
    inptu: B
}
@required(
string F
string G ?
structure H { a: B, a: C }
",
    );
    assert_eq!(
        found,
        [
            "a.smithy:12:10 unexpected `?`",
            "a.smithy:3:1 unknown shape type `strcture`: did you mean `structure`?",
            "a.smithy:4:17 expected `:`, found `String`",
            "a.smithy:6:18 expected a name, found `}`",
            "a.smithy:8:5 unknown property `inptu` of an operation: expected `input`, `output` or `errors`",
            "a.smithy:11:8 expected `)`, found `F`",
            "a.smithy:13:21 duplicate member `a`",
        ]
    );
}

#[test]
fn every_misspelt_keyword_is_said() {
    let found = problems(
        "$version: \"2\"
namespace ns
strcture A {
    a: String
    /// said
    @required
    list: String
}
  // Further in than the statement that is broken.
/// said
@tags([\"b\"])
enm B { C }
oepration D {}
string E
unoin F { a: String }
",
    );
    assert_eq!(
        found,
        [
            "a.smithy:3:1 unknown shape type `strcture`: did you mean `structure`?",
            "a.smithy:12:1 unknown shape type `enm`: did you mean `enum`?",
            "a.smithy:13:1 unknown shape type `oepration`: did you mean `operation`?",
            "a.smithy:15:1 unknown shape type `unoin`: did you mean `union`?",
        ]
    );
}

#[test]
fn what_ends_with_the_line_has_nothing_after_it() {
    assert_eq!(
        problems("namespace ns string A\nstring B // said\nstring C string D\nenum E { A = 1 }"),
        [
            "a.smithy:1:14 expected the end of the line, found `string`",
            "a.smithy:3:10 expected the end of the line, found `string`",
            "a.smithy:4:16 expected the end of the line, found `}`",
        ]
    );
}

#[test]
fn a_comma_ends_no_statement() {
    let found = |text: &str| problems(&format!("$version: \"2\"\n{text}"));
    let comma = |place: &str| {
        [format!(
            "a.smithy:{place} expected the end of the line, found `,`"
        )]
    };
    assert_eq!(found("metadata a = 1,\nnamespace ns"), comma("2:15"));
    assert_eq!(found("namespace ns ,"), comma("2:14"));
    assert_eq!(found("namespace ns\nuse a#b, use a#c"), comma("3:8"));
    assert_eq!(found("namespace ns\nstring A,\nstring B"), comma("3:9"));
    assert_eq!(found("namespace ns\nstructure A {},"), comma("3:15"));
    assert_eq!(
        found("namespace ns\nstring A\napply A @sensitive,"),
        comma("4:19")
    );
    for fine in [
        "namespace ns // a, b",
        "namespace ns\nstring A\n, string B",
        "namespace ns\n@length(min: 1), @pattern(\"a\"), string A",
        "namespace ns\nstructure A { a: String = \"b\" , // what\n c: String, }",
    ] {
        assert_eq!(found(fine), Vec::<String>::new(), "{fine}");
    }
}

#[test]
fn what_has_another_form_is_said() {
    for (text, says) in [
        (
            "namespace ns\nuse a",
            "2:5 expected an absolute shape id, found `a`",
        ),
        (
            "namespace ns\nuse a#b$c",
            "2:5 expected an absolute shape id, found `a#b$c`",
        ),
        (
            "metadata a = {1: 2}",
            "1:15 expected the name of a member, found `1`",
        ),
    ] {
        assert_eq!(problems(text), [format!("a.smithy:{says}")]);
    }
}

#[test]
fn what_ends_too_early_is_said_at_the_end() {
    assert_eq!(
        problems("namespace ns\nstructure A {"),
        ["a.smithy:2:14 expected `}`, found the end of the file"]
    );
    assert_eq!(
        problems("namespace ns\nstring A \"abc"),
        ["a.smithy:2:10 unterminated string"]
    );
    assert_eq!(
        problems("string A"),
        ["a.smithy:1:1 expected `namespace` before the first shape"]
    );
    assert_eq!(problems("/// Nothing follows."), Vec::<String>::new());
}

#[test]
fn texts_that_do_not_fit_together_are_said() {
    let a = "$version: \"2\"\nnamespace ns\nstring A\nstructure M with [M, Gone] {}\napply Nothing @required\nstructure E { $x }";
    let b = "$version: \"2\"\nnamespace ns\nblob A";
    let (_, events) = model(&[("a.smithy", a), ("b.smithy", b)]);
    assert_eq!(
        events,
        [
            "b.smithy:3:1 conflicting definitions of the shape `ns#A`",
            "a.smithy:4:1 cycle of mixins: `ns#M` uses `ns#M`",
            "a.smithy:4:1 unknown mixin `ns#Gone`",
            "a.smithy:6:15 missing target of the member `x`",
            "a.smithy:5:15 `apply` refers to `ns#Nothing`, which does not exist",
        ]
    );
}

#[test]
fn mixins_that_do_not_fit_are_said() {
    let text = "$version: \"2\"
namespace ns
@mixin structure M { a: String, b: smithy.api#String }
@mixin structure N { b: Integer }
@mixin union U { a: String }
structure Two with [M, N] {}
structure Same with [M] { a: smithy.api#String, $b }
structure Other with [M] { c: String, a: Integer }
structure Kind with [U] {}
@mixin list Ls { member: String }
list L with [Ls] { member: Integer }
@mixin enum E {
    A = \"a\"
}
enum F with [E] {
    A = \"a\"
    B
}
";
    assert_eq!(
        problems(text),
        [
            "a.smithy:6:24 conflicting targets of the member `b`: `smithy.api#String`, and `smithy.api#Integer` in the mixin `ns#N`",
            "a.smithy:8:39 conflicting targets of the member `a`: `smithy.api#Integer`, and `smithy.api#String` in the mixin `ns#M`",
            "a.smithy:9:1 the type of the mixin `ns#U` must be `structure` as for `ns#Kind`, got `union`",
            "a.smithy:11:20 conflicting targets of the member `member`: `smithy.api#Integer`, and `smithy.api#String` in the mixin `ns#Ls`",
        ]
    );
}

#[test]
fn problems_of_the_ast_have_their_places() {
    let text = "{\"smithy\": \"3.0\",\n \"shapes\": {\n  \"ns#A\": {\"type\": \"strng\"},\n  \"ns#B\": {},\n  \"ns#C\": {\"type\": \"list\", \"member\": {}},\n  \"ns#D\": {\"type\": \"structure\", \"members\": 1}}}";
    assert_eq!(
        model(&[("a.json", text)]).1,
        [
            "a.json:1:12 unsupported version `3.0`: expected `1.0` or `2.0`",
            "a.json:3:20 unknown shape type `strng`: did you mean `string`?",
            "a.json:4:3 the shape `ns#B` is missing its `type`",
            "a.json:5:38 expected `{\"target\": …}` with the id of a shape",
            "a.json:6:44 `members` must be an object, got a number",
            "a.json:5:3 the list is missing its member `member`",
        ]
    );
}

#[test]
fn a_byte_order_mark_is_said_and_read_over() {
    let said = "unexpected byte order mark: save the file as UTF-8 without it";
    let idl = "\u{feff}$version: \"2\"\nnamespace ns\nstring S";
    let json = "\u{feff}{\"smithy\": \"2.0\", \"shapes\": {\"ns#S\": {\"type\": \"string\"}}}";
    for (file, text) in [("a.smithy", idl), ("a.json", json)] {
        let (ast, events) = model(&[(file, text)]);
        assert_eq!(events, [format!("{file}:1:1 {said}")]);
        assert!(ast["shapes"]["ns#S"].is_object(), "{ast}");
    }
}

#[test]
fn carriage_returns_alone_end_lines() {
    let text = "$version: \"2\"\rnamespace ns\r// what?\r/// said\rstring A\r\nstring B ?\rstructure C {\r a Integer\r}\r";
    let (ast, events) = model(&[("a.smithy", text)]);
    assert_eq!(
        events,
        [
            "a.smithy:6:10 unexpected `?`",
            "a.smithy:8:4 expected `:`, found `Integer`",
        ]
    );
    let traits = &ast["shapes"]["ns#A"]["traits"];
    assert_eq!(traits["smithy.api#documentation"], "said");
    assert_eq!(ast["shapes"]["ns#B"]["type"], "string");
}

/// A text that is no model gives few errors, although each of its characters is one.
#[test]
fn errors_of_a_text_are_bounded() {
    assert_eq!(problems(&"\0".repeat(1_000)).len(), 1);
    let errors = problems(&"# ".repeat(1_000));
    assert_eq!(errors.len(), 101);
    assert!(errors[100].ends_with("further errors of this text are not listed"));
}

#[test]
fn the_name_of_a_shape_has_no_namespace() {
    for name in ["a.b", "a#b", "a$b"] {
        let found = problems(&format!("$version: \"2\"\nnamespace ns\nstring {name}\n"));
        let says = format!("a.smithy:3:8 expected a name, found `{name}`");
        assert_eq!(found, [says]);
    }
}

/// An identifier has a letter or digit.
#[test]
fn underscores_alone_are_no_name() {
    let text = "$version: \"2\"\nnamespace ns\nstring _1\nstring __a_\nstring __\n";
    let (ast, events) = model(&[("a.smithy", text)]);
    let end = "a.smithy:6:1 expected a name, found the end of the file";
    assert_eq!(events, ["a.smithy:5:8 unexpected `__`", end]);
    let shapes = ast["shapes"].as_object().unwrap();
    assert!(shapes.keys().eq(["ns#_1", "ns#__a_"]), "{ast}");
}
