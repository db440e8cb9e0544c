//! Tests of selectors.

use super::*;
use crate::Sources;
use crate::read;

const MODEL: &str = r#"
    $version: "2"
    namespace ns
    service S { operations: [O], resources: [R] }
    resource R { identifiers: { id: String }, put: P }
    resource Q {}
    @idempotent
    operation P { input := for R { @required $id } }
    operation O { input: I, output: J, errors: [E] }
    structure I { @required name: String, list: L }
    structure J { map: M, deep: I, flag: Boolean }
    @error("client")
    structure E {}
    list L { member: F }
    map M { key: String, value: L }
    enum F { A, B }
    intEnum G {
        C = 1
    }
    union U { one: String, other: U }
    float H
"#;

/// Returns the ids that a selector selects, without the namespace.
fn select(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    assert!(sources.add("a.smithy", MODEL));
    let model = read(&sources);
    assert!(model.events().is_empty(), "{:?}", model.events());
    let graph = Graph::new(&model);
    let selection = Selection::new(&graph);
    let selector = parse(text).unwrap();
    let mut found = Vec::new();
    for shape in model.shapes() {
        let members = shape.members.iter().map(Some);
        for member in std::iter::once(None).chain(members) {
            let place = Place { shape, member };
            if selection.selects(&selector, place).unwrap() {
                found.push(place.id().replace("ns#", ""));
            }
        }
    }
    found
}

#[test]
fn shapes_are_selected_by_type_and_attribute() {
    assert_eq!(select("resource"), ["R", "Q"]);
    assert_eq!(select("string"), ["F"]);
    assert_eq!(select("string :not(enum)"), NONE);
    assert_eq!(select("number"), ["G", "H"]);
    assert_eq!(select("simpleType :not(float)"), ["F", "G"]);
    assert_eq!(select("[trait|error]"), ["E"]);
    assert_eq!(select("[trait|error = 'client']"), ["E"]);
    assert_eq!(select("structure[trait|error='server']"), NONE);
    assert_eq!(select("[trait|required]"), ["PInput$id", "I$name"]);
    assert_eq!(select("member[id|member=value]"), ["M$value"]);
    assert_eq!(select("[id=ns#U]"), ["U"]);
    assert_eq!(select("*[id|namespace='other']"), NONE);
    assert_eq!(select("structure[id|name ^= 'P']"), ["PInput"]);
    assert_eq!(select("structure[id|name$=put]"), ["PInput"]);
    assert_eq!(select("resource[id|name!='R']"), ["Q"]);
    assert_eq!(select("[id*='#L$']"), ["L$member"]);
}

#[test]
fn shapes_are_selected_by_their_neighbours() {
    assert_eq!(select("structure > member > list"), ["L"]);
    assert_eq!(
        select(":is(list, map) > member"),
        ["L$member", "M$key", "M$value"]
    );
    assert_eq!(select("structure > :test(member > list)"), ["I$list"]);
    assert_eq!(
        select("map > member[id|member=value] :test(> list)"),
        ["M$value"]
    );
    assert_eq!(select("resource :test(-[put]->)"), ["R"]);
    assert_eq!(select("resource:not(-[put]->)"), ["Q"]);
    assert_eq!(
        select("operation -[input, output]-> structure > member"),
        ["PInput$id", "I$name", "I$list", "J$map", "J$deep", "J$flag"]
    );
    assert_eq!(select("operation -[error]->"), ["E"]);
    assert_eq!(select("list <"), ["I$list", "M$value"]);
    assert_eq!(select("enum <-[input]-"), NONE);
    assert_eq!(select("structure <-[input]-"), ["P", "O"]);
    assert_eq!(select("map ~> enum"), ["F"]);
    assert_eq!(select("union ~> union"), ["U"]);
    assert_eq!(
        select("structure :not(~> map) :not([trait|error])"),
        ["PInput", "I"]
    );
    assert_eq!(
        select(":is(service > operation, [trait|idempotent])"),
        ["P", "O"]
    );
}

#[test]
fn unsupported_selectors_are_not_parsed() {
    for text in [
        "",
        "banana",
        ":topdown(service)",
        "$a(structure)",
        "[trait|range|min > 1]",
        "[id=",
        "-[banana]->",
        ":is()",
        "structure)",
        &":is(".repeat(1000),
        &"> ".repeat(1000),
    ] {
        assert_eq!(parse(text), None, "{text}");
    }
}

#[test]
fn expensive_selectors_are_not_evaluated() {
    let mut sources = Sources::default();
    let members: String = (0..40).map(|n| format!("m{n}: A, ")).collect();
    let text = format!("$version: \"2\"\nnamespace ns\nstructure A {{ {members} }}");
    assert!(sources.add("a.smithy", text));
    let model = read(&sources);
    let graph = Graph::new(&model);
    let selection = Selection::new(&graph);
    let selector = parse(&format!("structure {}integer", "> ".repeat(60))).unwrap();
    let shape = model.shape("ns#A").unwrap();
    let place = Place {
        shape,
        member: None,
    };
    assert_eq!(selection.selects(&selector, place), Some(false));
    let selector = parse(&format!("structure :test({}integer)", "> ".repeat(60))).unwrap();
    assert_eq!(selection.selects(&selector, place), None);
}

const NONE: [&str; 0] = [];
