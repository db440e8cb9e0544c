//! The verb `generate`: its errors, its files and `--check`.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MODEL: &str = r#"$version: "2.0"
namespace example
use smithy.waiters#waitable

service Things { operations: [GetThing] }
@waitable(
    ThingReady: { acceptors: [{ state: "success", matcher: { output: {
        path: "thing.state", comparator: "stringEquals", expected: "READY" } } }] }
)
operation GetThing { input := { name: String }, output := { thing: Thing } }
structure Thing { state: String }
"#;

/// Creates a folder with a model for a test.
fn folder(test: &str, model: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("model.smithy"), model).unwrap();
    folder
}

fn generate(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smithy-waiters"));
    let command = command.current_dir(folder).arg("generate");
    command.args(arguments).output().unwrap()
}

fn of_model(folder: &Path, more: &[&str]) -> Output {
    let model = [
        "--model",
        "model.smithy",
        "--language",
        "rust",
        "--out",
        "out",
    ];
    generate(folder, &[&model[..], more].concat())
}

fn of_definition(folder: &Path, file: &str, language: &str, more: &[&str]) -> Output {
    let definition = ["--definition", file, "--language", language, "--out", "out"];
    generate(folder, &[&definition[..], more].concat())
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_model_that_lint_refuses_is_refused_in_its_words() {
    let folder = folder("refused", &MODEL.replace("thing.state", "thing.stat"));
    let output = of_model(&folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    let last = "^\nerror: the model has errors: fix them or exclude the affected waiters\n";
    assert!(said.ends_with(last), "{said}");
    assert!(said.contains("did you mean `state`?"), "{said}");
    assert!(said.contains("--> model.smithy:8:22\n"), "{said}");
    assert!(!folder.join("out").exists());
}

#[test]
fn a_model_without_waiters_says_so_and_succeeds() {
    let folder = folder(
        "none",
        "$version: \"2\"\nnamespace example\nservice Things {}\n",
    );
    let output = of_model(&folder, &[]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "`example#Things` has no waiters\n");
}

#[test]
fn a_model_is_files_and_folders() {
    let folder = folder("generate-folder", MODEL);
    let output = generate(
        &folder,
        &["--model", ".", "--language", "python", "--out", "out"],
    );
    assert_eq!(stderr(&output), "");
    assert!(folder.join("out/things.py").exists());
}

#[test]
fn what_is_generated_from_must_be_said_once() {
    let folder = folder("from", MODEL);
    let none = generate(&folder, &["--language", "rust", "--out", "out"]);
    assert_eq!(none.status.code(), Some(2));
    let both = of_model(&folder, &["--definition", "model.smithy"]);
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn a_client_that_python_has_no_use_for_is_refused() {
    let folder = folder("generate-client", MODEL);
    let model = ["--model", "model.smithy", "--language", "python"];
    let rest = ["--out", "out", "--client", "things"];
    let output = generate(&folder, &[&model[..], &rest].concat());
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("`--client` cannot be used for Python"));
    assert!(!folder.join("out").exists());
}

#[test]
fn a_client_that_only_aws_has_is_not_used_for_others() {
    let folder = folder("generate-aws", MODEL);
    let needs = |lines: &str| format!("`Cargo.toml` needs:\n{lines}\n");
    let engine = concat!(
        "smithy-waiters = { version = \"",
        env!("CARGO_PKG_VERSION"),
        "\""
    );
    let sdk = format!("{engine}, features = [\"aws-sdk\", \"stream\", \"tokio\"] }}");
    let of_client = of_model(&folder, &["--client", "things"]);
    assert_eq!(stderr(&of_client), needs(&sdk));
    let plain = of_model(&folder, &["--no-client"]);
    let serde = "serde = { version = \"1\", features = [\"derive\"] }";
    let lines = needs(&format!("{serde}\n{engine} }}"));
    assert_eq!(stderr(&plain), lines);
    let note = "`example#Things` has no AWS `sdkId`: the code has only matchers, as with `--no-client`; name a crate with `--client`\n";
    let default = of_model(&folder, &[]);
    assert_eq!(stderr(&default), format!("{note}{lines}"));
    assert_eq!(default.stdout, b"", "it is the same code");
    let text = fs::read_to_string(folder.join("out/things.rs")).unwrap();
    assert!(!text.contains("sdk"), "{text}");
}

#[test]
fn the_name_of_a_definition_may_differ_from_its_files() {
    let folder = folder("generate-name", MODEL);
    let definition = r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#;
    fs::write(folder.join("job_done.json"), definition).unwrap();
    let unnamed = of_definition(&folder, "job_done.json", "python", &[]);
    let hint = "; set the waiter's name with `--name`\n";
    assert!(stderr(&unnamed).ends_with(hint), "{}", stderr(&unnamed));
    let named = of_definition(&folder, "job_done.json", "python", &["--name", "JobDone"]);
    assert_eq!(
        (stderr(&named), named.status.code()),
        (String::new(), Some(0))
    );
    assert!(folder.join("out/job_done.py").exists());
    let more = ["--name", "JobDone", "--definition", "job_done.json"];
    let two = of_definition(&folder, "job_done.json", "python", &more);
    assert_eq!(
        stderr(&two),
        "error: `--name` requires a single definition, got 2\n"
    );
    assert_eq!(of_model(&folder, &["--name", "A"]).status.code(), Some(2));
}

#[test]
fn a_client_in_rust_is_a_crate_or_a_module() {
    let folder = folder("generate-path", MODEL);
    let imported = |client: &str| {
        let out = of_model(&folder, &["--client", client]);
        assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
        let text = fs::read_to_string(folder.join("out/things.rs")).unwrap();
        let import = text.lines().find(|line| line.ends_with("sdk;"));
        import.map(str::to_owned).unwrap()
    };
    assert_eq!(imported("my-things"), "use ::my_things as sdk;");
    assert_eq!(imported("my::inner"), "use ::my::inner as sdk;");
    assert_eq!(imported("::my"), "use ::my as sdk;");
    assert_eq!(imported("crate::sdk"), "use crate::sdk;");
    assert_eq!(imported("super::super::sdk"), "use super::super::sdk;");
}

#[test]
fn a_client_that_is_none_is_refused() {
    let folder = folder("generate-none", MODEL);
    for client in ["", "a b", "a/b", "super", "a::", "1a"] {
        let out = of_model(&folder, &["--client", client]);
        assert_eq!(out.status.code(), Some(2), "{client}: {}", stderr(&out));
        let said = format!(
            "`client` must be a crate or a module, such as `aws_sdk_dynamodb` or `crate::sdk`, got `{client}`"
        );
        assert!(stderr(&out).contains(&said), "{}", stderr(&out));
    }
    let model = ["--model", "model.smithy", "--language", "typescript"];
    for client in ["", "a b", "a\"b", "a\n"] {
        let rest = ["--out", "out", "--client", client];
        let out = generate(&folder, &[&model[..], &rest].concat());
        assert_eq!(out.status.code(), Some(2), "{client}: {}", stderr(&out));
        assert!(stderr(&out).contains("`client` must be a package or a file"));
    }
}

#[test]
fn services_and_waiters_are_of_models_only() {
    let folder = folder("generate-of-models", MODEL);
    for option in ["--service", "--exclude", "--only"] {
        let output = of_definition(&folder, "ready.json", "rust", &[option, "A"]);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(
            said.contains("cannot be used with") && said.contains(option),
            "{said}"
        );
    }
}

#[test]
fn files_are_written_checked_and_never_somebody_elses() {
    let folder = folder("written", MODEL);
    let out = of_model(&folder, &["--client", "things"]);
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    let file = folder.join("out/things.rs");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("use ::things as sdk;") && text.contains("fn wait_until_thing_ready"));
    assert!(
        text.contains("\n#![allow(") && text.contains("dead_code,"),
        "a binary that calls only one waiter gets no warning about the others: {text}"
    );
    let check = ["--client", "things", "--check"];
    assert_eq!(of_model(&folder, &check).status.code(), Some(0));

    let older = text.replace("thing_ready", "thing_red");
    fs::write(&file, &older).unwrap();
    let outdated = of_model(&folder, &check);
    assert_eq!(outdated.status.code(), Some(1));
    assert!(stderr(&outdated).contains("out of date: `out/things.rs`"));
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        older,
        "`--check` writes nothing"
    );
    of_model(&folder, &["--client", "things"]);
    assert_eq!(
        fs::read_to_string(&file).unwrap(),
        text,
        "the same model, the same bytes"
    );

    fs::write(&file, "// mine\n").unwrap();
    let foreign = of_model(&folder, &["--client", "things"]);
    assert_eq!(foreign.status.code(), Some(2));
    assert!(stderr(&foreign).contains("was not generated by smithy-waiters"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "// mine\n");
}

#[test]
fn a_definition_without_a_model_has_code_without_types() {
    let folder = folder("definition", MODEL);
    let definition = r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#;
    fs::write(folder.join("JobDone.json"), definition).unwrap();
    let generated = || of_definition(&folder, "JobDone.json", "rust", &[]);
    let output = generated();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = fs::read_to_string(folder.join("out/job_done.rs")).unwrap();
    assert!(
        text.contains("pub async fn wait_until_job_done<C, F, T, E>("),
        "{text}"
    );

    fs::write(folder.join("JobDone.json"), r#"{"acceptors": []}"#).unwrap();
    let output = generated();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("in `JobDone.json`"),
        "{}",
        stderr(&output)
    );
}

/// The definitions start with a byte order mark, as some editors on Windows write it.
#[test]
fn a_definition_leaves_the_code_of_others() {
    let folder = folder("others", MODEL);
    let definition = r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#;
    for name in ["JobDone", "JobGone"] {
        let file = format!("{name}.json");
        fs::write(folder.join(&file), format!("\u{feff}{definition}")).unwrap();
        let output = of_definition(&folder, &file, "python", &[]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let text = fs::read_to_string(folder.join("out/job_done.py")).unwrap();
    assert!(text.contains("def wait_until_job_done("), "{text}");
}

#[test]
fn two_definitions_of_one_name_are_refused_with_both_files() {
    let folder = folder("twice", MODEL);
    let definition = r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#;
    fs::create_dir_all(folder.join("old")).unwrap();
    for file in ["JobDone.json", "old/JobDone.json"] {
        fs::write(folder.join(file), definition).unwrap();
    }
    let other = ["--definition", "old/JobDone.json"];
    let output = of_definition(&folder, "JobDone.json", "python", &other);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(
        said.contains("`JobDone.json` and `old/JobDone.json` both define `JobDone`"),
        "{said}"
    );
}

#[test]
fn a_waiter_that_is_refused_is_said_with_its_place_and_can_be_excluded() {
    let folder = folder(
        "excluded",
        &MODEL.replace("thing.state", "join('', [thing.state])"),
    );
    let output = of_model(&folder, &[]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("model.smithy:8:15: `join("), "{said}");
    let output = of_model(&folder, &["--exclude", "ThingReady"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let file = fs::read_to_string(folder.join("out/things.rs")).unwrap_or_default();
    assert!(!file.contains("use ::"), "nothing is imported: {file}");

    let folder = self::folder(
        "excluded-of-lint",
        &MODEL.replace("thing.state", "thing.stat"),
    );
    let output = of_model(&folder, &["--exclude", "ThingReady"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = of_model(&folder, &["--exclude", "ThingRed"]);
    let unknown = "error: the model has no waiter `ThingRed`: did you mean `ThingReady`?\n";
    assert_eq!(stderr(&output), unknown);
}

#[test]
fn only_the_named_waiters_are_generated() {
    let model = MODEL.replace(
        "@waitable(",
        r#"@paginated(inputToken: "name", outputToken: "next")
@idempotent
@waitable(
    ThingBroken: { acceptors: [{ state: "success", matcher: { output: {
        path: "no.such", comparator: "stringEquals", expected: "READY" } } }] }
    ThingGone: { acceptors: [{ state: "success", matcher: { success: false } }] }"#,
    );
    let model = model.replace("{ thing: Thing }", "{ thing: Thing, next: String }");
    let folder = folder("only", &model);
    for (language, file) in [
        ("python", "things.py"),
        ("rust", "things.rs"),
        ("typescript", "things.ts"),
    ] {
        let only = |names: &str| {
            let model = ["--model", "model.smithy", "--language", language];
            let output = generate(
                &folder,
                &[&model[..], &["--out", "out", "--only", names]].concat(),
            );
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            fs::read_to_string(folder.join("out").join(file))
                .unwrap()
                .to_lowercase()
        };
        let one = only("ThingReady");
        let two = only("ThingGone,ThingReady");
        for text in [&one, &two] {
            for name in ["broken", "paginat", "idempoten", "behaviour"] {
                assert!(!text.contains(name), "{name}: {text}");
            }
            assert!(text.contains("ready"));
        }
        assert!(two.contains("gone") && !one.contains("gone"), "{one}");
    }
    let unknown = of_model(&folder, &["--only", "ThingReady,ThingGon"]);
    let message = "error: the model has no waiter `ThingGon`: did you mean `ThingGone`?\n";
    assert_eq!(
        (&*stderr(&unknown), unknown.status.code()),
        (message, Some(2))
    );
    let both = of_model(&folder, &["--only", "ThingReady", "--exclude", "ThingGone"]);
    assert_eq!(both.status.code(), Some(2));
}

/// `cargo fmt` does not change the generated file in the project.
#[test]
fn rust_is_formatted_by_the_settings_and_the_edition_of_the_project() {
    for (edition, width) in [("2021", "100"), ("2024", "120")] {
        let folder = folder(&format!("formatted-{edition}"), MODEL);
        fs::write(
            folder.join("rustfmt.toml"),
            format!("max_width = {width}\n"),
        )
        .unwrap();
        let manifest = format!("[package]\nname = \"a\"\nedition = \"{edition}\"\n");
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        let output = of_model(&folder, &[]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let mut check = Command::new("rustfmt");
        let check = check
            .current_dir(&folder)
            .args(["--edition", edition, "--check"]);
        let checked = check.arg("out/things.rs").output().unwrap();
        assert!(checked.status.success(), "{checked:?}");
    }
}

#[test]
fn without_rustfmt_nothing_is_written() {
    let folder = folder("unformatted", MODEL);
    let mut command = Command::new(env!("CARGO_BIN_EXE_smithy-waiters"));
    let command = command
        .current_dir(&folder)
        .env("RUSTFMT", "no-such-rustfmt");
    let model = ["generate", "--model", "model.smithy", "--out", "out"];
    let output = command
        .args(model)
        .args(["--language", "rust"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("rustup component add rustfmt"));
    assert!(!folder.join("out").exists());
}

/// `rustfmt --check` accepts the code of every fetched AWS service.
#[test]
fn the_rust_of_all_services_is_formatted() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/data/aws-models");
    let Ok(files) = fs::read_dir(&models) else {
        eprintln!("SKIPPED: AWS's models; `cargo xtask data` fetches them");
        return;
    };
    let folder = folder("all", MODEL);
    let mut command = Command::new("rustfmt");
    command
        .args(["--edition", "2024", "--check"])
        .current_dir(&folder);
    for file in files.map(|file| file.unwrap().path()) {
        let name = file.to_str().unwrap();
        let output = generate(
            &folder,
            &["--model", name, "--language", "rust", "--out", "out"],
        );
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        command.arg(String::from_utf8(output.stdout).unwrap().trim());
    }
    assert_eq!(command.get_args().count(), 3 + 32);
    let checked = command.output().unwrap();
    let said = String::from_utf8_lossy(&checked.stdout);
    assert!(
        checked.status.success(),
        "{}",
        said.lines().take(20).collect::<Vec<_>>().join("\n")
    );
}
