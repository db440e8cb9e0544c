//! What our own analysis finds in waiters, and what it lets be.

use smithy_waiters_model::{Sources, lint, read};

const SHAPES: &str = r#"
operation GetThings {
    input := { id: String, count: Integer }
    output := {
        state: State
        name: String
        count: Integer
        @required size: Integer
        done: Boolean
        when: Timestamp
        @required things: Things
        maybe: Things
        byName: ByName
        either: Either
        anything: Document
        old: Old
        texts: Texts
        numbers: Numbers
    }
    errors: [NotFound]
}
enum State {
    CREATING = "creating"
    READY = "ready"
    FAILED = "failed"
}
@enum([{value: "on"}, {value: "off"}])
string Old
list Things { member: Thing }
@length(min: 1)
list Texts { member: String }
list Numbers { member: Integer }
map ByName { key: String, value: Thing }
union Either { thing: Thing, text: String }
structure Thing { state: State, @required tags: Texts, parts: Things }
@error("client")
structure NotFound {}
operation Other { errors: [Elsewhere] }
@error("client")
structure Elsewhere {}
operation RunThings {}
"#;

/// The ids of our findings in a waiter, without the waiter's name.
fn findings(name: &str, acceptors: &str) -> Vec<String> {
    let text = format!(
        "$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n{SHAPES}\napply GetThings @waitable({name}: {{acceptors: [{acceptors}]}})"
    );
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", text));
    let model = read(&sources);
    assert!(model.events().is_empty(), "{:?}", model.events());
    let events = lint(&model);
    let broken = events
        .iter()
        .find(|event| event.message.contains("does not parse"));
    assert_eq!(broken, None);
    let ours = events
        .iter()
        .filter_map(|event| event.id.strip_prefix("SmithyWaiters."));
    ours.map(|id| id.replacen(&format!(".{name}"), "", 1))
        .collect()
}

fn of_path(path: &str, comparator: &str, expected: &str) -> Vec<String> {
    let matcher =
        format!("output: {{path: {path:?}, comparator: {comparator:?}, expected: {expected:?}}}");
    findings(
        "ThingsReady",
        &format!("{{state: \"success\", matcher: {{{matcher}}}}}"),
    )
}

fn of_condition(path: &str) -> Vec<String> {
    of_path(path, "booleanEquals", "true")
}

#[test]
fn paths_that_fit_are_let_be() {
    let fits = [
        ("state", "stringEquals", "ready"),
        ("old", "stringEquals", "on"),
        ("name", "stringEquals", "anything"),
        ("things[].state", "anyStringEquals", "ready"),
        ("things[0].state", "stringEquals", "ready"),
        ("byName.*.state", "anyStringEquals", "failed"),
        ("byName.x.state", "stringEquals", "failed"),
        ("either.thing.state", "stringEquals", "ready"),
        ("anything.any.thing", "stringEquals", "x"),
        ("anything[].any", "anyStringEquals", "x"),
        ("texts", "allStringEquals", "x"),
        ("things[].tags[]", "anyStringEquals", "x"),
        (
            "things[?state == 'ready'].state",
            "anyStringEquals",
            "ready",
        ),
        ("done", "booleanEquals", "true"),
        ("size > `3`", "booleanEquals", "true"),
        ("when > `1700000000`", "booleanEquals", "true"),
        ("length(things) == `0`", "booleanEquals", "true"),
        ("length(things) > `0`", "booleanEquals", "false"),
        (
            "length(things[?state != 'ready']) == `0`",
            "booleanEquals",
            "true",
        ),
        (
            "state == 'ready' || state == 'failed'",
            "booleanEquals",
            "true",
        ),
        ("state != 'creating' && done", "booleanEquals", "true"),
        ("!done", "booleanEquals", "true"),
        ("maybe == null", "booleanEquals", "true"),
        ("contains(things[].state, 'ready')", "booleanEquals", "true"),
        ("not_null(name, 'none')", "stringEquals", "none"),
        ("[state, name][0]", "stringEquals", "ready"),
        ("{a: state}.a", "stringEquals", "ready"),
        (
            "max_by(things, &length(tags)).state",
            "stringEquals",
            "ready",
        ),
        ("sort_by(things, &state)[-1].state", "stringEquals", "ready"),
        ("to_string(size)", "stringEquals", "3"),
        ("type(anything)", "stringEquals", "object"),
        ("keys(byName || `{}`)[0]", "stringEquals", "x"),
    ];
    for (path, comparator, expected) in fits {
        let mut found = of_path(path, comparator, expected);
        // Notes of another test.
        found.retain(|id| !id.starts_with("NullArgument") && !id.starts_with("EmptyList"));
        assert_eq!(found, Vec::<String>::new(), "{path}");
    }
}

#[test]
fn values_that_an_enum_does_not_have_never_match() {
    assert_eq!(of_path("state", "stringEquals", "redy"), ["NeverMatches.0"]);
    assert_eq!(of_path("old", "stringEquals", "ready"), ["NeverMatches.0"]);
    assert_eq!(
        of_path("things[].state", "anyStringEquals", "READY"),
        ["NeverMatches.0"]
    );
    assert_eq!(
        of_path("byName.*.state", "allStringEquals", "done"),
        ["NeverMatches.0"]
    );
    assert_eq!(
        of_path("numbers", "anyStringEquals", "1"),
        ["NeverMatches.0"]
    );
    assert_eq!(of_condition("state == 'redy'"), ["UnknownEnumValue.0"]);
    assert_eq!(of_condition("state != 'redy'"), ["UnknownEnumValue.0"]);
    assert_eq!(of_condition("'redy' == state"), ["UnknownEnumValue.0"]);
    assert_eq!(
        of_condition("things[?state == 'redy'] == `[]`"),
        ["UnknownEnumValue.0"]
    );
}

#[test]
fn conditions_that_are_always_so_are_found() {
    assert_eq!(
        of_condition("length(things) >= `0`"),
        ["ConstantCondition.0"]
    );
    assert_eq!(
        of_condition("`0` > length(things)"),
        ["ConstantCondition.0"]
    );
    assert_eq!(of_condition("`true`"), ["ConstantCondition.0"]);
    assert_eq!(of_condition("'a' == 'b'"), ["ConstantCondition.0"]);
    assert_eq!(of_condition("!`true` || `false`"), ["ConstantCondition.0"]);
    assert_eq!(
        of_condition("length(things[?`true`]) > `1`"),
        ["ConstantCondition.0"]
    );
}

#[test]
fn wrong_types_are_found() {
    assert_eq!(of_condition("size == 'ready'"), ["WrongType.0"]);
    assert_eq!(of_condition("done == 'true'"), ["WrongType.0"]);
    assert_eq!(of_condition("when == '2024'"), ["WrongType.0"]);
    // Smithy's own sample of a filter is empty here, and it does not look further.
    assert_eq!(
        of_condition("things[?state == 'ready'].state.more | [0] == `1`"),
        ["WrongType.0"]
    );
    assert_eq!(
        of_path("things[?state == 'ready'].stat", "anyStringEquals", "ready"),
        ["UnknownMember.0"]
    );
}

#[test]
fn null_and_empty_lists_are_noted() {
    assert_eq!(of_condition("length(maybe) == `0`"), ["NullArgument.0"]);
    assert_eq!(of_condition("length(things) == `0`"), Vec::<String>::new());
    assert_eq!(
        of_path("things[].state", "allStringEquals", "ready"),
        ["EmptyList.0"]
    );
    assert_eq!(
        of_path("things[].state", "anyStringEquals", "ready"),
        Vec::<String>::new()
    );
    assert_eq!(
        of_path("texts", "allStringEquals", "ready"),
        Vec::<String>::new()
    );
}

#[test]
fn acceptors_that_cannot_be_reached_are_found() {
    let output = |comparator: &str, expected: &str| {
        format!(
            "{{output: {{path: \"things[].state\", comparator: \"{comparator}\", expected: \"{expected}\"}}}}"
        )
    };
    let acceptors = |matchers: &[&str]| {
        let each = matchers
            .iter()
            .map(|matcher| format!("{{state: \"success\", matcher: {matcher}}}"));
        let mut found = findings("ThingsReady", &each.collect::<Vec<_>>().join(" "));
        found.retain(|id| id.starts_with("Unreachable"));
        found
    };
    let (any, all, other) = (
        output("anyStringEquals", "ready"),
        output("allStringEquals", "ready"),
        output("anyStringEquals", "failed"),
    );
    assert_eq!(
        acceptors(&["{success: true}", &any]),
        ["UnreachableAcceptor.1"]
    );
    assert_eq!(acceptors(&[&any, "{success: true}"]), Vec::<String>::new());
    assert_eq!(acceptors(&[&any, &all]), ["UnreachableAcceptor.1"]);
    assert_eq!(acceptors(&[&all, &any]), Vec::<String>::new());
    assert_eq!(acceptors(&[&any, &other, &any]), ["UnreachableAcceptor.2"]);
    assert_eq!(
        acceptors(&["{errorType: \"NotFound\"}", "{errorType: \"ns#NotFound\"}"]),
        ["UnreachableAcceptor.1"]
    );
    assert_eq!(
        acceptors(&["{success: false}", "{errorType: \"NotFound\"}"]),
        ["UnreachableAcceptor.1"]
    );
    assert_eq!(
        acceptors(&["{success: false}", "{success: true}"]),
        Vec::<String>::new()
    );
}

#[test]
fn errors_that_nothing_has_are_noted() {
    let of = |error: &str| {
        findings(
            "ThingsReady",
            &format!("{{state: \"success\", matcher: {{errorType: \"{error}\"}}}}"),
        )
    };
    assert_eq!(of("NotFound"), Vec::<String>::new());
    assert_eq!(of("ns#NotFound"), Vec::<String>::new());
    assert_eq!(of("Elsewhere"), Vec::<String>::new());
    assert_eq!(of("Nowhere"), ["UnknownErrorType.0"]);
}

#[test]
fn the_specifications_advice_is_given() {
    let success = "{state: \"success\", matcher: {success: true}}";
    assert_eq!(findings("RunThingsComplete", success), ["WaiterName"]);
    assert_eq!(findings("ThingsExist", success), Vec::<String>::new());
    let failing = format!("{{state: \"failure\", matcher: {{errorType: \"NotFound\"}}}} {success}");
    assert_eq!(findings("ThingsReady", &failing), ["ImplicitAcceptor.0"]);
    let kept = format!(
        "{{state: \"failure\", matcher: {{errorType: \"NotFound\"}}}} {{state: \"retry\", matcher: {{success: false}}}} {success}"
    );
    assert_eq!(findings("ThingsReady", &kept), Vec::<String>::new());
    let retrying = "{state: \"success\", matcher: {errorType: \"NotFound\"}} {state: \"retry\", matcher: {success: true}}";
    assert_eq!(findings("ThingsGone", retrying), ["ImplicitAcceptor.1"]);
    let on_its_way = "{state: \"failure\", matcher: {output: {path: \"name\", comparator: \"stringEquals\", expected: \"stopping\"}}}";
    assert_eq!(
        findings("ThingsReady", &format!("{on_its_way} {success}")),
        ["IntermediateFailure.0"]
    );
    let long = (0..12)
        .map(|number| format!("name == 'x{number}'"))
        .collect::<Vec<_>>()
        .join(" || ");
    assert_eq!(of_condition(&long), ["ComplexPath.0"]);
}

#[test]
fn the_place_in_a_path_of_several_lines_has_a_line() {
    let text = format!(
        "$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n{SHAPES}\napply GetThings @waitable(Ready: {{acceptors: [{{state: \"success\", matcher: {{output: {{
            path: \"\"\"
                length(things) == `0` ||
                  size == 'ready'\"\"\", comparator: \"booleanEquals\", expected: \"true\"
        }}}}}}]}})"
    );
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", text));
    let events = lint(&read(&sources));
    let messages: Vec<&str> = events.iter().map(|event| &*event.message).collect();
    assert_eq!(
        messages,
        [
            "waiter `Ready`, acceptor 0: “length(things) == `0` || size == 'ready'”, line 2, column 3: a number is compared with a string: they are never equal"
        ]
    );
}
