//! The diagrams of the verb `show`.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

const MODEL: &str = r#"$version: "2.0"
namespace example
use smithy.waiters#waitable

@waitable(
    ThingReady: { acceptors: [
        { state: "success", matcher: { output: {
            path: """
                things[?kind == "a;b" &&
                    size < `5` && name != '<%#:{}>'].state
                """
            comparator: "allStringEquals"
            expected: "ready"
        } } }
        { state: "failure", matcher: { errorType: "Gone" } }
    ] }
    Shared: { acceptors: [{ state: "retry", matcher: { success: true } }] }
    ThingThere: { acceptors: [
        { state: "success", matcher: { output: { path: "thing", comparator: "stringEquals", expected: "" } } }
        { state: "success", matcher: { success: true } }
        { state: "failure", matcher: { output: { path: "thing", comparator: "stringEquals", expected: " a" } } }
        { state: "retry", matcher: { errorType: "Gone" } }
    ] }
    ThingDone: { acceptors: [{ state: "success", matcher: { success: true } }, { state: "success", matcher: { success: false } }] }
    ThingIsDoneAndCanBeUsedByAll: { acceptors: [{ state: "success", matcher: { success: true } }, { state: "success", matcher: { success: false } }] }
)
operation GetThing {}

@waitable(Shared: { acceptors: [{ state: "success", matcher: { success: true } }] })
operation GetOther {}
"#;

/// Runs `show` on the model in a new folder.
fn show(test: &str, arguments: &[&str]) -> Output {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("model.smithy"), MODEL).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_smithy-waiters"));
    let command = command.current_dir(folder).arg("show");
    command
        .args(arguments)
        .arg("model.smithy")
        .output()
        .unwrap()
}

fn stdout(output: Output) -> String {
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn text_has_a_line_for_each_transition() {
    let expected = "\
ThingReady (example#GetThing)
  after each call, the first match decides:
    0  ✔ success  things[?kind == \"a;b\" && size < `5` && name != '<%#:{}>'].state are all ready
    1  ✘ failure  error Gone
    -  ↻ retry    a transient error, such as throttling (by default)
    -  ✘ failure  any other error
    -  ↻ retry    any other response
  between calls: 2 s to 120 s
";
    assert_eq!(stdout(show("text", &["thingready"])), expected);
}

#[test]
fn what_cannot_happen_is_not_drawn() {
    let expected = "\
ThingThere (example#GetThing)
  after each call, the first match decides:
    0  ✔ success  thing is \"\"
    1  ✔ success  any response
    3  ↻ retry    error Gone
    -  ↻ retry    a transient error, such as throttling (by default)
    -  ✘ failure  any other error
    2  - never    thing is \" a\"
  between calls: 2 s to 120 s
";
    assert_eq!(stdout(show("there", &["ThingThere"])), expected);
    let expected = "\
stateDiagram-v2
    [*] --> call
    call: example#35;GetThing
    call --> success: 0 any response
    call --> success: 1 any error
    success --> [*]
";
    let shown = show("done", &["ThingDone", "--format", "mermaid"]);
    assert_eq!(stdout(shown), expected);
    let picture = stdout(show("drawn", &["ThingDone", "--format", "svg"]));
    assert!(!picture.contains("failure"), "{picture}");
    assert_eq!(picture.matches("marker-end=\"url(#head)\"").count(), 3);
}

#[test]
fn no_sign_of_a_path_is_one_of_mermaid() {
    let expected = "\
stateDiagram-v2
    [*] --> call
    call: example#35;GetThing
    call --> success: 0 things#91;#63;kind == #34;a#59;b#34; #38;#38; size #60; #96;5#96; #38;#38; name #33;= '#60;#37;#35;#58;#123;#125;#62;'#93;.state are all ready
    call --> failure: 1 error Gone
    call --> wait: a transient error, such as throttling (by default)
    call --> failure: any other error
    call --> wait: any other response
    wait: wait 2 s to 120 s
    wait --> call
    success --> [*]
    failure --> [*]
";
    let shown = show("mermaid", &["ThingReady", "--format", "mermaid"]);
    assert_eq!(stdout(shown), expected);
}

#[test]
fn a_picture_has_states_and_arrows() {
    let picture = stdout(show("picture", &["ThingReady", "--format", "svg"]));
    let tags = svg::read(&picture).unwrap().collect::<Vec<_>>();
    assert!(
        !tags
            .iter()
            .any(|event| matches!(event, svg::parser::Event::Error(_)))
    );
    // One arrow to the call, three to the states, one back from the wait, and two to the end.
    assert_eq!(picture.matches("marker-end=\"url(#head)\"").count(), 7);
    let texts = tags.iter().filter_map(|event| match event {
        svg::parser::Event::Text(text) => Some(text.trim()),
        _ => None,
    });
    let texts: Vec<&str> = texts.collect();
    let expected = [
        "ThingReady of example#GetThing",
        "ThingReady",
        "call example#GetThing",
        "success",
        "0 things[?kind == \"a;b\" &amp;&amp; size &lt; `5` &amp;&amp; name !=",
        "'&lt;%#:{}&gt;'].state are all ready",
        "failure",
        "1 error Gone",
        "- any other error",
        "wait 2 s to 120 s",
        "- a transient error, such as throttling (by default)",
        "- any other response",
    ];
    let texts: Vec<&str> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    assert_eq!(texts, expected);
    // The labels are in their frames, and the conditions between the frames and right of their arrows.
    let places = |name: &str, of: &[&str]| -> Vec<Vec<f64>> {
        let tags = tags.iter().filter_map(|event| match event {
            svg::parser::Event::Tag(tag, _, attributes) if *tag == name => Some(
                of.iter()
                    .filter_map(|of| attributes.get(*of)?.parse().ok())
                    .collect::<Vec<f64>>(),
            ),
            _ => None,
        });
        tags.filter(|numbers| numbers.len() == of.len()).collect()
    };
    let frames = places("rect", &["x", "y", "width", "height"]);
    let is_inside = |text: &[f64], frame: &[f64]| {
        (0..2).all(|axis| frame[axis] < text[axis] && text[axis] < frame[axis] + frame[axis + 2])
    };
    let texts = places("text", &["x", "y"]);
    let labels = texts
        .iter()
        .filter(|text| frames.iter().any(|frame| is_inside(text, frame)));
    assert_eq!((labels.count(), frames.len()), (4, 4), "{picture}");
    let ways = tags.iter().filter_map(|event| match event {
        svg::parser::Event::Tag("path", _, attributes) => attributes.get("d")?.strip_prefix("M"),
        _ => None,
    });
    let number = |text: &str| text.trim_start_matches('L').parse::<f64>();
    let ways: Vec<Vec<f64>> = ways
        .filter_map(|way| way.split(' ').map(number).collect::<Result<_, _>>().ok())
        .collect();
    for way in &ways {
        let mut steps = way.windows(4).step_by(2);
        let is_straight = steps.all(|step| step[0] == step[2] || step[1] == step[3]);
        assert!(is_straight, "{way:?}: {picture}");
    }
    for way in ways.iter().filter(|way| way.len() == 4) {
        assert_eq!(way[0], way[2], "an arrow down: {picture}");
    }
    let down = |text: &[f64]| {
        ways.iter().any(|way| {
            way.len() == 4 && way[0] + 10.0 == text[0] && way[1] < text[1] && text[1] < way[3]
        })
    };
    assert_eq!(
        texts.iter().filter(|text| down(text)).count(),
        6,
        "{picture}"
    );
    let right = frames
        .iter()
        .map(|frame| frame[0] + frame[2])
        .fold(0.0, f64::max);
    let back = ways.iter().find(|way| way.len() > 4).unwrap();
    assert!(back[2] > right, "the way back is outside: {picture}");
    let is_edge = |x: f64, y: f64| {
        let is_edge =
            |frame: &Vec<f64>| is_inside(&[x - 1.0, y], frame) && !is_inside(&[x, y], frame);
        frames.iter().any(is_edge)
    };
    let [x, y] = back[back.len() - 2..] else {
        panic!("{back:?}")
    };
    assert!(
        is_edge(back[0], back[1]) && is_edge(x, y),
        "the way back starts and ends at a frame: {picture}"
    );
    let width = places("svg", &["width"])[0][0];
    assert!(back[2] < width && width < back[2] + 100.0, "{picture}");
    let ends = places("circle", &["cx", "cy"]);
    assert!(
        !ends
            .iter()
            .any(|end| frames.iter().any(|frame| is_inside(end, frame))),
        "{picture}"
    );
    assert_eq!(
        places("circle", &["cx"])[0][0],
        ways[1][0],
        "the start: {picture}"
    );
}

#[test]
fn each_part_of_a_picture_has_its_place() {
    let picture = stdout(show("places", &["ThingThere", "--format", "svg"]));
    assert_eq!(picture, include_str!("pictures/thing_there.svg"));
    // The call is wider than what leads to the only state, and so may be the name.
    let picture = stdout(show("narrow", &["ThingDone", "--format", "svg"]));
    assert!(picture.contains("viewBox=\"0 0 239 266\""), "{picture}");
    let name = "ThingIsDoneAndCanBeUsedByAll";
    let picture = stdout(show("named", &[name, "--format", "svg"]));
    assert!(picture.contains("viewBox=\"0 0 277 266\""), "{picture}");
}

#[test]
fn a_picture_is_of_one_waiter() {
    let both = stdout(show("both", &["Shared"]));
    assert_eq!(both.matches("Shared (example#Get").count(), 2);
    let several = show("several", &["Shared", "--format", "svg"]);
    assert_eq!(
        String::from_utf8(several.stderr).unwrap(),
        "error: several operations have a waiter `Shared`: choose one of `example#GetThing`, `example#GetOther` with `--operation`\n"
    );
    assert_eq!(several.status.code(), Some(2));
    let one = ["Shared", "--format", "mermaid", "--operation", "GetOther"];
    assert!(stdout(show("one", &one)).contains("call --> success: 0 any response\n"));
    for (name, hint) in [
        ("Nothing", "run `smithy-waiters list` to list all waiters"),
        ("thingredy", "did you mean `ThingReady`?"),
    ] {
        let none = show("none", &[name]);
        assert_eq!(none.status.code(), Some(2));
        let message = format!("error: no operation has a waiter `{name}`: {hint}\n");
        assert_eq!(String::from_utf8(none.stderr).unwrap(), message);
    }
}
