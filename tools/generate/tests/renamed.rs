//! Shapes that a service renames.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use smithy_waiters_generate::ir;
use smithy_waiters_generate::python::Python;
use smithy_waiters_generate::rust::Rust;
use smithy_waiters_generate::typescript::TypeScript;
use smithy_waiters_generate::{Backend, GenerateError};
use smithy_waiters_model::{Sources, lint, read};

const MODEL: &str = r#"$version: "2.0"
namespace m
use smithy.waiters#waitable
service M { version: "1", operations: [Get], rename: { "o#Thing": "OtherThing", "o#Gone": "OtherGone" } }
structure Thing { name: String }
@error("client") structure Gone {}
@waitable(Named: { acceptors: [
    { state: "success", matcher: { output: { path: "other.name", comparator: "stringEquals", expected: "a" } } }
    { state: "success", matcher: { errorType: "OtherGone" } }
] })
operation Get { input := { thing: o#Thing } output := { thing: Thing, other: o#Thing } errors: [o#Gone, Gone] }
"#;

const OTHER: &str = r#"$version: "2.0"
namespace o
structure Thing { name: String }
@error("server") @retryable structure Gone {}
"#;

const RENAME: &str = r#", rename: { "o#Thing": "OtherThing", "o#Gone": "OtherGone" }"#;

/// Returns the backend for a service without an AWS `sdkId`, with the crate that such an id would imply.
fn rust() -> Rust {
    Rust::for_client(Some("aws_sdk_things".to_owned()))
}

fn sources(model: &str) -> Sources {
    let mut sources = Sources::default();
    sources.add("m.smithy", model);
    sources.add("o.smithy", OTHER);
    sources
}

fn generated(backend: &dyn Backend, text: &str) -> Result<String, GenerateError> {
    let sources = sources(text);
    let model = read(&sources);
    let services = ir::services(&sources, &model, &[])?;
    let files = backend.service(services.first().unwrap())?;
    Ok(files.into_iter().map(|file| file.text).collect())
}

#[test]
fn types_have_the_names_of_the_service() {
    let text = generated(&TypeScript::default(), MODEL).unwrap();
    assert!(text.contains("export interface OtherThing {"), "{text}");
    assert!(text.contains("other?: OtherThing"), "{text}");
    assert!(text.contains("export interface Thing {"), "{text}");
    let text = generated(&Python::default(), MODEL).unwrap();
    assert!(text.contains("class OtherThing(TypedDict"), "{text}");
    assert!(text.contains("other: OtherThing"), "{text}");
    let text = generated(&rust(), MODEL).unwrap();
    assert!(text.contains("sdk::types::OtherThing"), "{text}");
}

#[test]
fn errors_have_the_names_of_the_service() {
    let text = generated(&rust(), MODEL).unwrap();
    let known = text.split_once("pub fn modeled_error").unwrap().1;
    assert!(
        known.contains(r#""OtherGone" => (ErrorFault::Server, true, false)"#),
        "{known}"
    );
    assert!(
        known.contains(r#""Gone" => (ErrorFault::Client, false, false)"#),
        "{known}"
    );
    let text = generated(&Python::default(), MODEL).unwrap();
    assert!(text.contains("m#OtherGone"), "{text}");
    assert!(
        !text.contains("OtherGone#Gone"),
        "`Gone` is another's: {text}"
    );
}

/// The service may send the original name of the shape.
#[test]
fn errors_have_their_own_names_too_where_nothing_else_does() {
    let text = MODEL.replace("[o#Gone, Gone]", "[o#Gone]");
    let rust = generated(&rust(), &text).unwrap();
    let known = rust.split_once("pub fn modeled_error").unwrap().1;
    assert!(
        known.contains(r#""Gone" | "OtherGone" => (ErrorFault::Server, true, false)"#),
        "{known}"
    );
    assert!(
        rust.contains(r#"error.is("OtherGone") || error.is("Gone")"#),
        "{rust}"
    );
    let python = generated(&Python::default(), &text).unwrap();
    assert!(python.contains("OtherGone#Gone"), "{python}");
}

#[test]
fn two_types_of_one_name_are_an_error_with_both() {
    let text = MODEL.replace(RENAME, "").replace("OtherGone", "Gone");
    let backends: [&dyn Backend; 2] = [&TypeScript::default(), &Python::default()];
    for backend in backends {
        let error = generated(backend, &text).unwrap_err().to_string();
        assert!(
            error.starts_with("the shape `m#Thing` and the shape `o#Thing` both become `Thing`"),
            "{error}"
        );
    }
}

#[test]
fn the_linter_knows_errors_by_the_names_of_the_service() {
    let unknown = |text: &str| {
        let sources = sources(text);
        let events = lint(&read(&sources));
        let unknown = events
            .iter()
            .filter(|event| event.id.contains("UnknownErrorType"));
        unknown
            .map(|event| event.message.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(unknown(MODEL), Vec::<String>::new());
    let said = unknown(&MODEL.replace(r#"errorType: "OtherGone""#, r#"errorType: "OtherGon""#));
    assert!(
        said.concat().contains("did you mean `OtherGone`"),
        "{said:?}"
    );
}
