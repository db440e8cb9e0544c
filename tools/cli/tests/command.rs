//! The output and exit codes of the command.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

mod common;

use std::fs;
use std::path::PathBuf;

use common::{MODEL, counts, folder, run, stderr, stdout, with_model};

#[test]
fn events_are_shown_with_the_culprit_underlined() {
    let output = run(&with_model("shown"), &["lint", "model.smithy"]);
    let expected = "\
danger[WaitableTraitJmespathProblem.JmespathEventDanger.ThingReady.0]: waiter `ThingReady`, acceptor 0: the path `thing.State`, column 7: unknown member `State`: did you mean `state`?
  --> model.smithy:10:64
   |
10 |             {state: \"success\", matcher: {output: {path: \"thing.State\", comparator: \"stringEquals\", expected: \"ready\"}}}
   |                                                                ^^^^^
";
    assert!(stdout(&output).contains(expected), "{}", stdout(&output));
    assert_eq!(
        counts(&output),
        "1 danger, 1 note (1 not shown: `--show note`)"
    );
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_follows_from_a_missing_member_is_left_out() {
    let folder = folder("consequences");
    let path = folder.join("model.smithy");
    let suppressed = MODEL.replace(
        "@readonly",
        "@suppress([\"WaitableTraitJmespathProblem.JmespathEventDanger\"])",
    );
    for (model, counted) in [(MODEL, "1 danger"), (&suppressed, "1 note")] {
        fs::write(&path, model).unwrap();
        let output = run(&folder, &["lint", "model.smithy", "--show", "danger"]);
        assert!(counts(&output).starts_with(counted), "{}", stdout(&output));
    }
}

#[test]
fn culprits_in_text_blocks_are_underlined_where_they_are() {
    let folder = folder("block");
    let path = "\"\"\"\n                thing\n                    .State\n                \"\"\"";
    fs::write(
        folder.join("model.smithy"),
        MODEL.replace("\"thing.State\"", path),
    )
    .unwrap();
    let shown = stdout(&run(&folder, &["lint", "model.smithy"]));
    let expected = "\
unknown member `State`: did you mean `state`?
  --> model.smithy:12:22
   |
12 |                     .State
   |                      ^^^^^
";
    assert!(shown.contains(expected), "{shown}");
}

#[test]
fn columns_are_those_of_the_file_where_an_excerpt_is_cut() {
    let folder = folder("cut");
    let model = "$version: \"2\"\r\nnamespace ns\r\nstructure A { @requird a: String }\r\n";
    fs::write(folder.join("short.smithy"), model).unwrap();
    let long = model.replace("{ ", &format!("{{{}", " ".repeat(5000)));
    fs::write(folder.join("long.smithy"), long).unwrap();
    let shown = |file: &str| stdout(&run(&folder, &["lint", file]));
    assert!(shown("short.smithy").contains("--> short.smithy:3:15\n"));
    assert!(shown("short.smithy").contains("| structure A { @requird a: String }\n"));
    assert!(shown("long.smithy").contains("--> long.smithy:3:5014\n"));
    assert!(shown("long.smithy").lines().all(|line| line.len() < 200));
}

#[test]
fn lines_end_in_carriage_returns_as_well() {
    let folder = folder("returns");
    let text = "$version: \"2\"\rnamespace ns\rstrcture A {}\r";
    fs::write(folder.join("returns.smithy"), text).unwrap();
    let shown = stdout(&run(&folder, &["lint", "returns.smithy"]));
    assert!(shown.contains(" --> returns.smithy:3:1\n"), "{shown}");
    assert!(shown.contains("\n3 | strcture A {}\n"), "{shown}");
}

#[test]
fn what_is_denied_makes_the_command_fail() {
    let folder = with_model("denied");
    assert_eq!(
        run(&folder, &["lint", "model.smithy", "--deny", "danger"])
            .status
            .code(),
        Some(1)
    );
    assert_eq!(
        run(&folder, &["lint", "model.smithy", "--deny", "error"])
            .status
            .code(),
        Some(0)
    );
    assert_eq!(
        run(&folder, &["lint", "nothing.smithy"]).status.code(),
        Some(2)
    );
    assert_eq!(run(&folder, &["lint"]).status.code(), Some(1));
    assert_eq!(run(&folder, &["lint", "--nothing"]).status.code(), Some(2));
    fs::write(folder.join("broken.smithy"), "namespace a\nstructure {").unwrap();
    let output = run(&folder, &["lint", "broken.smithy"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).starts_with("error[SmithyWaiters.Syntax]: expected a name, found `{`"));
}

#[test]
fn what_takes_no_judgement_is_mended() {
    let folder = with_model("mended");
    let output = run(
        &folder,
        &["lint", "model.smithy", "--fix", "--show", "note"],
    );
    assert_eq!(stdout(&output), "no findings in 1 file\n");
    let id = "ThingReady.0 is fixed";
    let changes = format!(
        "\
model.smithy:10:64: WaitableTraitJmespathProblem.JmespathEventDanger.{id}
model.smithy:10:110: SmithyWaiters.NeverMatches.{id}
model.smithy:11:13: SmithyWaiters.ImplicitAcceptor.ThingReady.1 is fixed
3 changes made\n"
    );
    assert_eq!(stderr(&output), changes);
    let mended = fs::read_to_string(folder.join("model.smithy")).unwrap();
    let expected = MODEL
        .replace("thing.State", "thing.state")
        .replace("expected: \"ready\"", "expected: \"READY\"")
        .replace("            {\n                state: \"retry\"\n                matcher: {success: true}\n            }\n", "");
    assert_eq!(mended, expected);
}

/// Removing these acceptors changes behaviour: a retry strategy handles unmatched errors, and a description is lost.
#[test]
fn what_may_be_missed_stays() {
    let folder = folder("stays");
    let path = folder.join("model.smithy");
    for kept in [
        MODEL
            .replace("state: \"retry\"", "state: \"failure\"")
            .replace("{success: true}", "{errorType: \"Gone\"}"),
        MODEL.replace(
            "state: \"retry\"",
            "state: \"retry\"\n description: \"asleep\"",
        ),
    ] {
        fs::write(&path, kept).unwrap();
        let output = run(
            &folder,
            &["lint", "model.smithy", "--fix", "--show", "note"],
        );
        assert!(stderr(&output).contains("is fixed\n2 changes made\n"));
        assert!(stdout(&output).contains("ImplicitAcceptor.ThingReady.1"));
    }
}

#[test]
fn what_is_not_mended_is_said() {
    let folder = folder("left");
    let model = MODEL.replace("state: \"retry\"", "state: \"retry\" // for ever");
    fs::write(folder.join("model.smithy"), model).unwrap();
    let output = run(&folder, &["lint", "model.smithy", "--fix"]);
    let said = stderr(&output);
    assert!(said.contains(
        " is fixed\nmodel.smithy:11:13: SmithyWaiters.ImplicitAcceptor.ThingReady.1 is not fixed: the change would delete or misplace a comment\n2 changes made\n"
    ), "{said}");
    let mended = fs::read_to_string(folder.join("model.smithy")).unwrap();
    assert!(mended.contains("// for ever"));
}

#[test]
fn the_value_of_a_paginated_trait_is_underlined() {
    let folder = folder("paginated");
    let model = r#"$version: "2"
namespace example
@paginated(inputToken: "tokn")
operation List { input := { token: String }, output := { token: String } }
@paginated(outputToken: "next")
service Things { operations: [ListMore] }
@paginated(inputToken: "token")
operation ListMore { input := { token: String }, output := { token: String } }
"#;
    fs::write(folder.join("model.smithy"), model).unwrap();
    let output = stdout(&run(&folder, &["lint", "model.smithy"]));
    for (line, column, length) in [(3, 24, 6), (5, 25, 6)] {
        let source = model.lines().nth(line - 1).unwrap();
        let underlined = format!(
            "{line} | {source}\n  | {}{}\n",
            " ".repeat(column - 1),
            "^".repeat(length)
        );
        assert!(output.contains(&underlined), "{output}");
    }
}

#[test]
fn events_are_explained() {
    let folder = folder("explained");
    let all = stdout(&run(&folder, &["explain"]));
    assert!(all.contains(
        "\nSmithyWaiters.ComplexPath\n    The path is hard to read and therefore error-prone\n"
    ));
    assert!(all.lines().all(|line| line.chars().count() <= 80));
    for entry in all.trim_end().split("\n\n") {
        let (id, sentence) = entry.split_once('\n').unwrap();
        let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
        let begin = format!("{id}\n\n{sentence}");
        for name in [id, id.trim_start_matches("SmithyWaiters.")] {
            let explained = stdout(&run(&folder, &["explain", name]));
            let explained = explained.replacen("\n\n", "\r", 1).replace('\n', " ");
            let explained = explained.replace('\r', "\n\n");
            assert!(explained.starts_with(&begin), "{explained}");
        }
    }
    let one = stdout(&run(
        &folder,
        &["explain", "PaginatedTrait.DeeplyNested.items"],
    ));
    assert!(one.starts_with("PaginatedTrait.DeeplyNested\n"));
    let misspelt = run(&folder, &["explain", "WaitableTrit"]);
    assert_eq!(
        stderr(&misspelt),
        "error: unknown event or code `WaitableTrit`: did you mean `WaitableTrait`?\n"
    );
    assert_eq!(misspelt.status.code(), Some(2));
    let misspelt = run(&folder, &["explain", "NeverMatch"]);
    assert!(stderr(&misspelt).contains("did you mean `SmithyWaiters.NeverMatches`?"));
}

#[test]
fn presets_are_listed_and_shown() {
    let folder = folder("presets");
    let all = stdout(&run(&folder, &["presets"]));
    let line = "kubernetes/job            A Job is complete. It fails with the condition `Failed`.";
    assert!(all.lines().any(|each| each == line), "{all}");
    assert!(all.lines().all(|line| line.len() <= 150), "{all}");
    let map = stdout(&run(&folder, &["presets", "--format", "json"]));
    let map: serde_json::Value = serde_json::from_str(&map).unwrap();
    for line in all.lines() {
        let (name, documentation) = line.split_once("  ").unwrap();
        let page = stdout(&run(&folder, &["presets", name]));
        let begin = format!("{name}: {}\n", documentation.trim());
        assert!(page.starts_with(&begin), "{page}");
        assert!(page.contains("\nSources:\nhttps://"), "{page}");
        let json = stdout(&run(&folder, &["presets", name, "--format", "json"]));
        assert!(page.ends_with(&format!(":\n{json}")), "{page}");
        smithy_waiters::Waiter::from_json(&json).unwrap();
        assert_eq!(
            map[name],
            serde_json::from_str::<serde_json::Value>(&json).unwrap()
        );
    }
    let page = stdout(&run(&folder, &["presets", "ecs/deployment"]));
    let call =
        "\n  smithy-waiters wait --preset ecs/deployment --same VALUE -- aws ecs describe-services";
    assert!(page.contains(call), "{page}");
    let misspelt = run(&folder, &["presets", "kubernetes/jib"]);
    assert_eq!(
        stderr(&misspelt),
        "error: no preset `kubernetes/jib`: did you mean `kubernetes/job`?\n"
    );
    assert_eq!(misspelt.status.code(), Some(2));
}

#[test]
fn examples_of_explanations_are_linted() {
    let folder = folder("examples");
    let model = r#"$version: "2"
namespace example.jobs
use smithy.waiters#waitable
service Jobs { version: "1", operations: [GetJob] }
@waitable(JobDone: {acceptors: [ACCEPTORS]})
operation GetJob {
    input := {}
    output := { status: Status, jobs: JobList, size: Integer }
    errors: [NotFound]
}
list JobList { member: String }
enum Status { PENDING, RUNNING, DONE }
@error("client")
structure NotFound {}
"#;
    let reported = |acceptors: &str| {
        let matcher = format!("{{state: \"success\", matcher: {{output: {{{acceptors}}}}}}}");
        let is_matcher = acceptors.trim_start().starts_with("path");
        let acceptors = if is_matcher { &matcher } else { acceptors };
        let model = model.replace("ACCEPTORS", acceptors);
        fs::write(folder.join("model.smithy"), model).unwrap();
        let arguments = ["lint", "--show", "note", "model.smithy"];
        stdout(&run(&folder, &arguments))
    };
    let all = stdout(&run(&folder, &["explain"]));
    let mut examples = 0;
    for id in all
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with(' '))
    {
        let explained = stdout(&run(&folder, &["explain", id]));
        let Some((_, example)) = explained.split_once("\nWrong:\n") else {
            continue;
        };
        let (wrong, right) = example.split_once("\nRight:\n").unwrap();
        let [wrong, right] = [wrong, right].map(reported);
        assert!(wrong.contains(id), "{id}: {wrong}");
        assert!(
            !right.contains("SmithyWaiters.") && !right.contains("Trait"),
            "{id}: {right}"
        );
        examples += 1;
    }
    assert_eq!(examples, 9);
}

#[test]
fn what_smithy_says_later_is_explained_with_its_own_id() {
    let folder = folder("explained_later");
    let id = "SmithyWaiters.Later.WaitableTrait.ThingReady";
    let explained = stdout(&run(&folder, &["explain", id]));
    assert!(explained.starts_with("SmithyWaiters.Later\n\n"));
    assert!(explained.contains("\n\nWaitableTrait\n\n"), "{explained}");
    let unknown = run(&folder, &["explain", "SmithyWaiters.Later.WaitableTrit"]);
    assert_eq!(
        stderr(&unknown),
        "error: unknown event or code `SmithyWaiters.Later.WaitableTrit`: did you mean `WaitableTrait`?\n"
    );
    assert_eq!(unknown.status.code(), Some(2));
}

/// Returns the quoted event ids in a source file.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    let beginnings = [
        "SmithyWaiters.",
        "WaitableTrait",
        "PaginatedTrait",
        "RequestCompressionTrait",
    ];
    let quoted = text.split('"').skip(1).step_by(2);
    let is_id = move |text: &&str| {
        let is_part = |char: char| char.is_ascii_alphanumeric() || ".{}_".contains(char);
        beginnings.iter().any(|begin| text.starts_with(begin)) && text.chars().all(is_part)
    };
    quoted.filter(is_id)
}

#[test]
fn every_event_is_explained() {
    let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../model/src");
    let mut found = Vec::new();
    for entry in ignore::Walk::new(sources).map(Result::unwrap) {
        if entry.path().is_file() {
            let text = fs::read_to_string(entry.path()).unwrap();
            found.extend(ids(&text).map(str::to_owned));
        }
    }
    assert!(found.len() > 20, "{found:?}");
    let folder = folder("every");
    found.retain(|id| id != "SmithyWaiters.");
    for id in found {
        let output = run(&folder, &["explain", id.trim_end_matches('.')]);
        assert_eq!(output.status.code(), Some(0), "`{id}`");
    }
}

#[test]
fn codes_of_ends_are_explained_as_in_the_book() {
    let folder = folder("ends");
    let book =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md")).unwrap();
    let (_, codes) = book.split_once("\n## Codes\n").unwrap();
    let (codes, _) = codes.split_once("\n## ").unwrap();
    let links = regex_lite::Regex::new(r"\[([^\]]*)\]\([^)]*\)").unwrap();
    let rows = codes.lines().filter(|line| line.starts_with("| `"));
    let mut explained = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [code, reason, action] = cells[..] else {
            panic!("{row}");
        };
        let code = code.trim_matches('`');
        let text = stdout(&run(&folder, &["explain", code]));
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = format!("{code} {reason} {action}");
        assert_eq!(text, links.replace_all(&expected, "$1"));
        explained += 1;
    }
    assert_eq!(explained, 12);
}

#[test]
fn behaviours_are_listed() {
    let output = run(&with_model("listed"), &["list", "model.smithy"]);
    assert_eq!(
        stdout(&output),
        "example#GetThing: readonly, paginated (inputToken `token`, outputToken `token`)\nexample#GetThing: waiter ThingReady\n"
    );
}

#[test]
fn names_and_values_are_safe_and_short_on_terminals() {
    let folder = folder("control");
    let trait_value = "{\"a\\u001b[2J\\nb\": {\"acceptors\": []}}";
    let model = format!(
        "{{\"smithy\": \"2.0\", \"shapes\": {{\"a#O\": {{\"type\": \"operation\", \"traits\": {{\"smithy.waiters#waitable\": {trait_value}}}}}}}}}"
    );
    fs::write(folder.join("model.json"), model).unwrap();
    let output = run(&folder, &["list", "model.json"]);
    assert_eq!(stdout(&output), "a#O: waiter a [2J b\n");
    let long = "x".repeat(100_000);
    let arguments: [&[&str]; 2] = [&["explain", &long], &["lint", "--deny", &long]];
    for arguments in arguments {
        let output = run(&folder, arguments);
        let said = stderr(&output);
        assert!(
            said.len() < 2_000 && said.contains(" characters) …x"),
            "{said}"
        );
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn operations_that_are_mixins_are_not_listed() {
    let folder = folder("listed_mixin");
    let model = MODEL.replace("@readonly\n", "@readonly\n@mixin\n");
    let model = format!("{model}\noperation GetOther with [GetThing] {{}}\n");
    fs::write(folder.join("model.smithy"), model).unwrap();
    let listed = stdout(&run(&folder, &["list", "model.smithy"]));
    assert!(!listed.contains("GetThing:"), "{listed}");
    assert!(listed.contains("GetOther: readonly"), "{listed}");
}

#[test]
fn what_is_listed_of_a_broken_model_is_said_to_be_a_part() {
    let folder = folder("broken");
    fs::write(folder.join("model.smithy"), format!("{MODEL}structure {{")).unwrap();
    let list = run(&folder, &["list", "model.smithy"]);
    assert!(stdout(&list).contains("waiter ThingReady\n"));
    let note =
        "the model has 1 error, so the output may be incomplete: run `smithy-waiters lint`\n";
    assert_eq!(stderr(&list), note);
    let show = run(&folder, &["show", "ThingReady", "model.smithy"]);
    assert_eq!(stderr(&show), note);
}

#[test]
fn a_paginator_is_listed_with_what_its_service_says() {
    let folder = folder("paginators");
    let model = "$version: \"2\"\nnamespace ns\n\
        @paginated(inputToken: \"from\", outputToken: \"next\", pageSize: \"max\")\n\
        service S { operations: [List, Put] }\n\
        @paginated(items: \"all\", pageSize: \"few\")\n\
        operation List {}\n\
        operation Put { input := { @idempotencyToken token: String }, errors: [Busy] }\n\
        @error(\"client\") @retryable(throttling: true) structure Busy {}";
    fs::write(folder.join("model.smithy"), model).unwrap();
    assert_eq!(
        stdout(&run(&folder, &["list", "model.smithy"])),
        "ns#List: paginated (inputToken `from`, outputToken `next`, items `all`, pageSize `few`)\n\
        ns#Put: idempotency token `token`, retryable errors `Busy` (throttling)\n"
    );
}
