//! Recursive shapes, long chains and wide values: the analysis ends, with a small stack. An analysis that takes
//! exponential time would not end.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fmt::Write as _;

use smithy_waiters_model::{Sources, lint, read};

/// Analyses a path over an output with the member `a` on a small stack, and ignores the findings.
fn look(shapes: &str, target: &str, comparator: &str, path: &str) {
    let text = format!(
            "$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n{shapes}\n@waitable(ThingReady: {{acceptors: [{{
                state: \"success\", matcher: {{output: {{path: {path:?}, comparator: {comparator:?}, expected: \"true\"}}}}
            }}]}})\noperation GetThing {{ output := {{ @required a: {target} }} }}"
        );
    let look = move || {
        let mut sources = Sources::default();
        assert!(sources.add("a.smithy", text));
        let model = read(&sources);
        assert_eq!(model.events(), []);
        let events = lint(&model);
        assert!(
            events.iter().all(|event| event.id != "WaitableTrait"),
            "{events:?}"
        );
    };
    let thread = std::thread::Builder::new().stack_size(512 * 1024);
    thread.spawn(look).unwrap().join().unwrap()
}

/// Returns many shapes, each of which targets the next one. The last one is a string.
fn chain(length: usize, shape: impl Fn(usize, usize) -> String) -> String {
    let mut shapes: String = (0..length)
        .map(|number| shape(number, number.saturating_add(1)))
        .collect();
    write!(shapes, "string S{length}").unwrap();
    shapes
}

#[test]
fn shapes_of_themselves_are_looked_into() {
    let list = "list L { member: L }";
    look(list, "L", "anyStringEquals", "a[][][]");
    let lists = "list L { member: M } list M { member: L }";
    look(
        &lists.replace(" list", "\nlist"),
        "L",
        "booleanEquals",
        "a == a[0][0]",
    );
    let map = "map M { key: String, value: L }\nlist L { member: M }";
    look(
        map,
        "M",
        "booleanEquals",
        "a.*[].*[] == a || a.b[0].c[0] == a",
    );
    let values = "map M { key: String, value: M }";
    look(values, "M", "booleanEquals", "[a, a.*][] == a.*.*.*");
    let structure = "structure S { s: S, t: S, l: L }\nlist L { member: S }";
    look(
        structure,
        "S",
        "booleanEquals",
        "a.s.t.l[].s == a.l && a == a.s",
    );
}

#[test]
fn chains_of_shapes_can_be_long() {
    let lists = |number, next| format!("list S{number} {{ member: S{next} }}\n");
    look(&chain(20_000, lists), "S0", "anyStringEquals", "a[][]");
    look(&chain(20_000, lists), "S0", "booleanEquals", "a == a");
    let maps = |number, next| format!("map S{number} {{ key: String, value: S{next} }}\n");
    look(&chain(20_000, maps), "S0", "booleanEquals", "a == a.*");
}

#[test]
fn projections_in_projections_take_no_longer_than_their_text() {
    let lists = |number, next| format!("list S{number} {{ member: S{next} }}\n");
    let flat = format!("a{}", "[]".repeat(60));
    look(&chain(59, lists), "S0", "anyStringEquals", &flat);
    let maps = |number, next| format!("map S{number} {{ key: String, value: S{next} }}\n");
    let values = format!("a{}[]", ".*".repeat(60));
    look(&chain(60, maps), "S0", "anyStringEquals", &values);
    let structures = |number, next| format!("structure S{number} {{ b: S{next}, c: S{next} }}\n");
    let members = format!("a{}[]", ".*".repeat(60));
    look(&chain(60, structures), "S0", "anyStringEquals", &members);
    let filters = format!("a{}", "[?@ == @][]".repeat(30));
    look(&chain(60, lists), "S0", "anyStringEquals", &filters);
    let doubled = format!("a{}", ".[@, @][]".repeat(30));
    look("string S0", "S0", "anyStringEquals", &doubled);
}

#[test]
fn acceptors_can_be_thousands() {
    let output = |comparator: &str, path: &str, expected: &str| {
        format!(
            "{{ output: {{ path: \"{path}\", comparator: \"{comparator}\", expected: \"{expected}\" }} }}"
        )
    };
    type Matcher<'m> = &'m dyn Fn(usize) -> String;
    let kinds: [(&str, Matcher<'_>); 3] = [
        ("success", &|number| {
            output("anyStringEquals", "things[].state", &format!("s{number}"))
        }),
        ("success", &|number| {
            let path = format!("count == `{number}` && things[0].state == 's{number}'");
            output("booleanEquals", &path, "true")
        }),
        ("failure", &|number| {
            format!("{{ errorType: \"E{number}\" }}")
        }),
    ];
    for (state, matcher) in kinds {
        let acceptors = (0..1000).map(|number| {
            let matcher = matcher(number);
            format!("{{ state: \"{state}\", matcher: {matcher} }}\n")
        });
        let acceptors: String = acceptors.collect();
        let text = format!(
            "$version: \"2\"\nnamespace ns\nuse smithy.waiters#waitable\n@waitable(ThingReady: {{ acceptors: [\n{acceptors}] }})\noperation GetThing {{ output := {{ things: Things, count: Integer }} }}\nlist Things {{ member: Thing }}\nstructure Thing {{ state: String }}\n"
        );
        let mut sources = Sources::default();
        assert!(sources.add("a.smithy", text));
        let events = lint(&read(&sources));
        let unreachable = |id: &str| id.starts_with("SmithyWaiters.UnreachableAcceptor");
        assert!(!events.iter().any(|event| unreachable(&event.id)));
    }
}

#[test]
fn mixins_that_take_from_mixins_give_only_so_much() {
    let mixin = |number: usize| {
        let next = number.saturating_add(1);
        format!("@mixin\nstructure M{number} with [M{next}] {{ @required m{number}: String }}\n")
    };
    let length = 20_000;
    let chain: String = (0..length).map(mixin).collect();
    let last = length.saturating_sub(3);
    let text = format!(
        "$version: \"2\"\nnamespace ns\nstructure S with [M{last}] {{}}\n{chain}@mixin\nstructure M{length} {{}}"
    );
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", text));
    let model = read(&sources);
    assert_eq!(model.shape("ns#S").unwrap().members.len(), 3);
    let members = model.shapes().iter().map(|shape| shape.members.len());
    assert!(members.sum::<usize>() < 300_000);
    let messages: Vec<&str> = model.events().iter().map(|event| &*event.message).collect();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].starts_with("mixins add more than 250000 members and traits"));
}
