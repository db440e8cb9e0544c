//! The whole text of the code for a small model and a definition, in each language and for each kind of client.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::fs;
use std::path::{Path, PathBuf};

use smithy_waiters_generate::ir::{self, Definition, Selection};
use smithy_waiters_generate::python::Python;
use smithy_waiters_generate::rust::{self, Rust};
use smithy_waiters_generate::typescript::TypeScript;
use smithy_waiters_generate::{Backend, File};
use smithy_waiters_model::Sources;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Returns the files of a backend for all waiters, or for one.
fn files(backend: &dyn Backend, only: Option<&str>) -> Vec<File> {
    let mut sources = Sources::default();
    let text = fs::read_to_string(folder().join("things.smithy")).unwrap();
    sources.add("things.smithy", text);
    let selection = Selection {
        only: only.map(str::to_owned).into_iter().collect(),
        ..Selection::default()
    };
    let model = ir::read(&sources, &selection).unwrap();
    let mut services = ir::services(&sources, &model, &[]).unwrap();
    selection.reduce(&mut services);
    smithy_waiters_generate::files(backend, &services).unwrap()
}

#[test]
fn rust_names_the_crates_that_its_code_needs() {
    let engine = concat!(
        "smithy-waiters = { version = \"",
        env!("CARGO_PKG_VERSION"),
        "\""
    );
    let json = r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#;
    let definition = Definition::new("JobDone", json).unwrap();
    let cases = [
        (
            files(&Rust::default(), None),
            "aws-sdk-testthings = \"1\"\nENGINE, features = [\"aws-sdk\", \"stream\", \"tokio\"] }",
        ),
        (
            files(&Rust::plain(), None),
            "serde = { version = \"1\", features = [\"derive\"] }\nENGINE }",
        ),
        (
            vec![Rust::default().untyped(&definition).unwrap()],
            "ENGINE, features = [\"tokio\"] }",
        ),
    ];
    for (files, expected) in cases {
        let lines: Vec<String> = rust::dependencies(&files).into_iter().collect();
        assert_eq!(lines.join("\n"), expected.replace("ENGINE", engine));
    }
}

#[test]
fn the_code_is_as_in_the_files() {
    let one = Some("ThingReady");
    let cases: [(_, &dyn Backend, _, _); 5] = [
        ("all.rs", &Rust::default(), None, "testthings.rs"),
        ("plain.rs", &Rust::plain(), one, "testthings.rs"),
        ("all.ts", &TypeScript::default(), None, "test-things.ts"),
        (
            "plain.ts",
            &TypeScript::without_client(),
            one,
            "test-things.ts",
        ),
        ("all.py", &Python::default(), None, "test_things.py"),
    ];
    let new = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("golden");
    fs::create_dir_all(&new).unwrap();
    let mut differing = Vec::new();
    for (name, backend, only, path) in cases {
        let files = files(backend, only);
        let file = files.first().unwrap();
        assert_eq!((files.len(), &*file.path), (1, path), "{name}");
        fs::write(new.join(name), &file.text).unwrap();
        let golden = fs::read_to_string(folder().join(name)).unwrap_or_default();
        if golden.replace("\r\n", "\n") != file.text {
            differing.push(name);
        }
    }
    assert!(
        differing.is_empty(),
        "{differing:?} differ. If that is right, copy them from `{}` to `tests/golden`.",
        new.display()
    );
}
