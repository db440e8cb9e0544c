//! Differences between the versions 1.0 and 2.0, and required parts of shapes.

use crate::{model, problems};

/// Returns the events of the same shapes in versions 1.0 and 2.0, without the file.
fn in_both(idl: &str) -> [Vec<String>; 2] {
    ["1.0", "2.0"].map(|version| {
        let found = problems(&format!("$version: \"{version}\"\nnamespace ns\n{idl}\n"));
        let of = |found: &String| {
            found
                .replace("a.smithy:", "")
                .replace(" requires `$version: \"2.0\"`", " …")
        };
        found.iter().map(of).collect()
    })
}

/// Asserts that a feature of 2.0 is an error in a text of 1.0.
fn is_new(idl: &str, expected: &[&str]) {
    let [one, two] = in_both(idl);
    assert_eq!(one, expected, "{idl}");
    assert_eq!(two, Vec::<String>::new(), "{idl}");
}

#[test]
fn what_is_new_in_2_is_an_error_in_1() {
    is_new(
        "operation O {\n  input := { a: String }\n}",
        &["4:9 `:=` …: the default version is 1.0"],
    );
    is_new(
        "@mixin structure M {}\nstructure S with [M] {}",
        &[
            "3:1 a mixin …, but `M` is defined in version 1.0",
            "4:19 a mixin …, but `S` is defined in version 1.0",
        ],
    );
    is_new(
        "enum E {\n A\n}",
        &["3:1 a shape of the type `enum` …, but `E` is defined in version 1.0"],
    );
    is_new(
        "intEnum E {\n A = 1\n}",
        &["3:1 a shape of the type `intEnum` …, but `E` is defined in version 1.0"],
    );
    is_new(
        "structure S {\n a: String = \"x\"\n}",
        &["4:14 a default value …, but `S` is defined in version 1.0"],
    );
    is_new(
        "structure S for R { $a }\nresource R { identifiers: {a: String} }",
        &["3:17 a structure with `for` …, but `S` is defined in version 1.0"],
    );
    is_new(
        "resource R { properties: {a: String} }",
        &["3:14 a resource with properties …, but `R` is defined in version 1.0"],
    );
}

#[test]
fn what_2_no_longer_has_is_an_error_there() {
    for (idl, expected) in [
        (
            "set S { member: String }",
            "3:1 Smithy 2.0 removed sets: use a list with the trait `uniqueItems`",
        ),
        (
            "structure S {\n @box\n a: Integer }",
            "4:2 Smithy 2.0 removed the trait `box`: members without a default value are nullable",
        ),
    ] {
        let [one, two] = in_both(idl);
        assert_eq!((one, two), (Vec::new(), vec![expected.to_owned()]), "{idl}");
    }
}

#[test]
fn a_text_without_a_version_is_of_version_1() {
    let found = problems("namespace ns\nenum E {\n A\n}\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("is defined in version 1.0"), "{found:?}");
}

#[test]
fn the_ast_has_versions_as_well() {
    let of = |version: &str| {
        let text = format!(
            r#"{{"smithy": "{version}", "shapes": {{
                "ns#E": {{"type": "enum", "members": {{"A": {{"target": "smithy.api#Unit"}}}}}},
                "ns#S": {{"type": "set", "member": {{"target": "smithy.api#String"}}}}
            }}}}"#
        );
        model(&[("a.json", &text)]).1
    };
    assert!(of("1.0")[0].starts_with("a.json:2:17 a shape of the type `enum` requires"));
    assert!(of("2.0")[0].starts_with("a.json:3:17 Smithy 2.0 removed sets"));
    assert_eq!((of("1").len(), of("2").len()), (1, 1));
    assert!(of("3")[0].contains("unsupported version `3`: expected `1.0` or `2.0`"));
    assert!(of("2.0.1")[0].contains("unsupported version `2.0.1`"));
}

#[test]
fn no_shape_lacks_its_members() {
    for (idl, expected) in [
        ("list L {}", "3:1 the list is missing its member `member`"),
        (
            "map M { key: String }",
            "3:1 the map is missing its member `value`",
        ),
        (
            "list L { member: String, key: String }",
            "3:26 a list cannot have a member `key`: expected `member`",
        ),
    ] {
        let expected = vec![expected.to_owned()];
        assert_eq!(in_both(idl), [expected.clone(), expected], "{idl}");
    }
    let [_, two] = in_both("enum E {}");
    assert_eq!(two, ["3:1 the enum must have at least one value"]);
    let [_, two] = in_both("@mixin list M { member: String }\nlist L with [M] {}");
    assert_eq!(two, Vec::<String>::new());
}

#[test]
fn the_parts_of_a_text_come_in_order() {
    let found = problems(
        "namespace ns\n$version: \"2.0\"\nstring A\nuse a#B\nmetadata a = 1\nnamespace other\n$version: \"2.0\"\n",
    );
    assert_eq!(
        found,
        [
            "a.smithy:2:1 a control statement must come before `namespace`",
            "a.smithy:4:1 `use` must come before a shape",
            "a.smithy:5:1 `metadata` must come before a shape",
            "a.smithy:6:1 `namespace` must come before a shape",
            "a.smithy:7:1 a control statement must come before a shape",
            "a.smithy:7:2 duplicate control statement `$version`",
        ]
    );
    assert_eq!(
        problems("namespace one\nnamespace two\n"),
        [
            "a.smithy:2:1 only one `namespace` is allowed per file: move the following shapes to another file"
        ]
    );
}

#[test]
fn a_structure_is_for_a_resource_before_it_has_mixins() {
    let [_, two] = in_both("structure A with [M] for R {}\n@mixin structure M {}\nresource R {}");
    assert_eq!(two, ["3:22 expected `{`, found `for`"]);
    let [_, two] = in_both("structure A with [] {}");
    assert_eq!(two, ["3:13 `with` requires at least one mixin"]);
}

#[test]
fn names_in_the_ast_are_absolute() {
    let text = r#"{"smithy": "2.0", "shapes": {
        "S": {"type": "string"},
        "ns#S$a": {"type": "string"},
        "ns#S": {"type": "string", "traits": {"deprecated": {}}},
        "ns#T-1": {"type": "string"},
        "ns#U": {"type": "structure", "members": {"a-b": {"target": "ns#S"}}}
    }}"#;
    assert_eq!(
        model(&[("a.json", text)]).1,
        [
            "a.json:2:9 `S` is not an absolute shape id: expected `namespace#Name`",
            "a.json:3:9 `ns#S$a` is the id of a member: only `apply` can refer to a member here",
            "a.json:4:47 `deprecated` is not an absolute trait id: expected `namespace#name`",
            "a.json:5:9 `ns#T-1` is not an absolute shape id: expected `namespace#Name`",
            "a.json:6:51 `a-b` is not the name of a member: expected letters, digits and `_`, and no digit at the start",
        ]
    );
}

#[test]
fn versions_of_the_idl_are_two() {
    let of = |version: &str| problems(&format!("$version: {version}\nnamespace ns\n"));
    assert_eq!(of("\"1.0\""), [""; 0]);
    assert_eq!(of("\"2.0\""), [""; 0]);
    for (version, found) in [("\"3.0\"", "3.0"), ("2.0", "a number")] {
        let says = format!("a.smithy:1:11 unsupported version `{found}`: expected `1.0` or `2.0`");
        assert_eq!(of(version), [says]);
    }
}
