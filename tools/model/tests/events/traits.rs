//! The targets and values of traits, with the events of Smithy 1.73.

use crate::{NONE, events};

/// Returns the ids of the events of a text, with their shapes.
fn found(idl: &str) -> Vec<String> {
    let events = events(idl).into_iter();
    let without_line = |event: String| event.split_once(' ').unwrap().1.to_owned();
    events.map(without_line).collect()
}

#[test]
fn traits_are_where_their_selectors_say() {
    for wrong in [
        "@length(min: 1) integer A",
        "@required string A",
        "@streaming string A",
        "@uniqueItems list A { member: Float }",
        "@httpError(200) structure A {}",
        "@unitType structure A {}",
        "@noReplace resource A {}",
        "@sensitive operation A {}",
        "@trait(selector: \"structure\") structure t {}\n@t string A",
        "@trait(selector: \"[id|name^=B]\") structure t {}\n@t string A",
        "@trait(selector: \"structure <-[input]-\") structure t {}\n@t operation A {}",
        "@trait(selector: \"service -[operation]->\") structure t {}\n@t operation A {}",
    ] {
        assert_eq!(found(wrong), ["ERROR TraitTarget A"], "{wrong}");
    }
    for wrong in [
        "@httpHeader(\"x\") a: T",
        "@httpLabel a: String",
        "@httpQuery(\"a\") a: T",
        "@httpResponseCode a: String",
        "@enumValue(1) a: String",
        "@nestedProperties a: T",
        "@notProperty a: String",
        "@addedDefault a: String",
        "@timestampFormat(\"date-time\") a: String",
        "@pattern(\"a\") a: Integer",
    ] {
        let wrong = format!("structure S {{ {wrong} }}\nstructure T {{}}");
        assert_eq!(found(&wrong), ["ERROR TraitTarget S$a"], "{wrong}");
    }
    for fine in [
        "structure S { @httpHeader(\"x\") a: L, @required @httpLabel b: Integer, @httpPayload c: Blob, @httpQueryParams d: M }\nlist L { member: String }\nmap M { key: String, value: L }",
        "operation O { input := { @notProperty a: String, @httpQuery(\"x\") b: Timestamp } }",
        "operation O { output := { @httpResponseCode a: Integer, @nestedProperties b: T } }\nstructure T {}",
        "@length(min: 1) blob B\n@uniqueItems list L { @pattern(\"a\") member: String }",
        "@trait(selector: \":topdown(structure)\") structure t {}\n@t string A",
        "@trait(selector: \"service -[operation]->\") structure t {}\n@t operation A {}\nservice S { operations: [A] }",
        "@error(\"client\") @httpError(404) @retryable structure A {}",
    ] {
        assert_eq!(found(fine), NONE, "{fine}");
    }
}

#[test]
fn ids_of_shapes_are_there_and_what_their_selector_says() {
    let shapes = "@trait @idRef(failWhenMissing: true) string ref
        @trait @idRef(selector: \"structure\") string loose
        @trait structure config { @idRef(failWhenMissing: true) of: String, list: References }
        list References { member: Reference }
        @idRef(failWhenMissing: true) string Reference
        structure Thing { a: String }\n";
    let found = |applied: &str| found(&format!("{shapes}@{applied} string Applied"));
    for wrong in [
        "ref(\"ns#Nope\")",
        "ref(\"ns#Thing$b\")",
        "ref(\"not an id\")",
        "ref(\"Thing\")",
        "ref(\"#Thing\")",
        "loose(\"ns#Reference\")",
        "loose(\"ns#Thing$a\")",
        "loose(\"3\")",
        "config(of: \"ns#Nope\")",
        "config(list: [Thing, \"ns#Nope\"])",
    ] {
        assert_eq!(found(wrong), ["ERROR TraitValue Applied"], "{wrong}");
    }
    for fine in [
        "ref(Thing)",
        "ref(\"ns#Thing$a\")",
        "ref(\"smithy.api#String\")",
        "loose(Thing)",
        "loose(\"ns#Nope\")",
        "config(of: Thing, list: [\"ns#Applied\"])",
    ] {
        assert_eq!(found(fine), NONE, "{fine}");
    }
}

#[test]
fn traits_that_do_not_go_together_are_said_once_of_a_shape() {
    assert_eq!(
        events("@readonly @idempotent\noperation A {}"),
        ["5 ERROR TraitConflict A"]
    );
    assert_eq!(
        found("structure S { @recommended @required a: String }"),
        ["ERROR TraitConflict S$a"]
    );
    assert_eq!(
        found("@input @output @error(\"client\") structure A {}"),
        ["ERROR TraitConflict A"]
    );
    assert_eq!(
        found("@trait(conflicts: [u]) structure t {}\n@trait structure u {}\n@t @u string A"),
        ["ERROR TraitConflict A"]
    );
}

#[test]
fn exclusive_traits_are_of_one_member() {
    let exclusive = ["ERROR ExclusiveStructureMemberTrait S"];
    assert_eq!(
        found("structure S { @httpPayload a: String, @httpPayload b: String }"),
        exclusive
    );
    assert_eq!(
        found("@streaming blob B\nstructure S { a: B, b: B }"),
        exclusive
    );
    assert_eq!(
        found(
            "@trait(structurallyExclusive: \"member\") structure t {}\nstructure S { @t a: String, @t b: String }"
        ),
        exclusive
    );
    assert_eq!(
        found("structure S { @httpPayload a: String, b: String }"),
        NONE
    );
}

#[test]
fn values_are_what_their_definitions_say() {
    let define = "@trait @uniqueItems list u { member: String }\n@trait list v { member: String }\n@trait map w { key: String, value: String }\n@trait structure x { a: String }\n@trait @sparse list y { member: String }\nstructure Part { a: String }\n@trait @uniqueItems list z { member: Part }\n";
    let value = |applied: &str| found(&format!("{define}{applied} string A"));
    let wrong = ["ERROR TraitValue A"];
    assert_eq!(value("@u([\"a\", \"b\", \"a\"])"), wrong);
    assert_eq!(value("@z([{ a: \"b\" }, { a: \"b\" }])"), wrong);
    assert_eq!(value("@z([{ a: \"b\" }, { a: \"c\" }])"), NONE);
    // Smithy reports a null twice: it must not be present, and it is not a string.
    assert_eq!(value("@v([\"a\", null])"), [wrong, wrong].concat());
    assert_eq!(value("@w(a: null)"), [wrong, wrong].concat());
    assert_eq!(value("@x(a: null)"), wrong);
    assert_eq!(value("@y([\"a\", null])"), wrong);
    assert_eq!(
        found("@auth([httpBasicAuth, httpBasicAuth]) service A {}"),
        wrong
    );
    assert_eq!(found("@timestampFormat(\"x\") timestamp A"), wrong);
    for built in [
        "@tags([null])",
        "@length(min: null)",
        "@length",
        "@pattern(1)",
    ] {
        assert_eq!(value(built), ["ERROR SmithyWaiters.Model A"], "{built}");
    }
    assert_eq!(
        found("@http(method: \"GET\", uri: \"a\") operation A {}"),
        ["ERROR SmithyWaiters.Model A"]
    );
}

#[test]
fn members_that_values_do_not_have_are_said() {
    let unknown = |id: &str| {
        [format!(
            "WARNING TraitValue.UnknownMember.smithy.api#{id} A"
        )]
    };
    assert_eq!(found("@trait(foo: 1) structure A {}"), unknown("trait.foo"));
    assert_eq!(found("@idRef(foo: 1) string A"), unknown("idRef.foo"));
    assert_eq!(
        found("@range(min: 1, foo: 2) integer A"),
        unknown("range.foo")
    );
    assert_eq!(
        found("@examples([{ title: \"a\", foo: 1 }]) operation A {}"),
        unknown("Example.foo")
    );
    // Smithy drops the unknown traits of a mixin.
    assert_eq!(found("@mixin(foo: 1) structure A {}"), NONE);
}
