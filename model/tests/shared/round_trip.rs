//! JSON AST → model → JSON AST is the same, and IDL → model → JSON AST is what Smithy makes of it.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value};
use smithy_waiters_model::{Model, read};

#[test]
fn json_asts_of_real_services_come_back_as_they_were() {
    let folders = [
        crate::common::fetched("aws-models"),
        crate::common::shared("aws-models"),
    ];
    for path in folders.into_iter().flat_map(crate::common::models) {
        let sources = crate::common::sources(&path);
        let model = read(&sources);
        assert!(
            model.events().is_empty(),
            "{}: {:?}",
            path.display(),
            model.events()
        );
        compare(&path, json(&path), written(&model));
    }
}

#[test]
fn idl_is_written_as_the_json_ast_that_smithy_writes() {
    let mut read_as_idl = 0;
    for case in crate::common::cases() {
        let idl = case.join("model.smithy");
        if idl.exists() {
            let sources = crate::common::sources(&idl);
            let model = read(&sources);
            assert!(
                model.events().is_empty(),
                "{}: {:?}",
                case.display(),
                model.events()
            );
            let mut expected = json(&case.join("model.json"));
            // Smithy adds shapes of its own libraries.
            let shapes = shapes(&mut expected);
            shapes.retain(|id, _| !id.starts_with("smithy.protocols#"));
            compare(&case, sorted(expected), sorted(kept(written(&model))));
            read_as_idl += 1;
        }
    }
    crate::common::say(&format!(
        "{read_as_idl} models in IDL are written as Smithy writes them"
    ));
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn written(model: &Model<'_>) -> Value {
    serde_json::from_str(&model.to_ast()).unwrap()
}

/// Compares shape by shape: the first difference is short enough to read.
fn compare(path: &Path, mut expected: Value, mut found: Value) {
    let (ours, theirs) = (shapes(&mut found).clone(), shapes(&mut expected).clone());
    for (id, shape) in &theirs {
        assert_eq!(ours.get(id), Some(shape), "{}: {id}", path.display());
    }
    assert_eq!(found, expected, "{}", path.display());
}

fn shapes(model: &mut Value) -> &mut Map<String, Value> {
    model["shapes"].as_object_mut().unwrap()
}

/// What a service binds is a set, which Smithy writes in the order of the ids.
fn sorted(mut model: Value) -> Value {
    for shape in shapes(&mut model).values_mut() {
        for list in ["operations", "resources", "collectionOperations"] {
            if let Some(list) = shape.get_mut(list).and_then(Value::as_array_mut) {
                list.sort_by_key(ToString::to_string);
            }
        }
    }
    model
}

/// Smithy leaves out traits whose values lack what they must have.
fn kept(mut model: Value) -> Value {
    const COMPRESSION: &str = "smithy.api#requestCompression";
    for shape in shapes(&mut model).values_mut() {
        let shape = shape.as_object_mut().unwrap();
        let traits = shape.get_mut("traits").and_then(Value::as_object_mut);
        let Some(traits) = traits else { continue };
        if traits
            .get(COMPRESSION)
            .is_some_and(|value| value.get("encodings").is_none())
        {
            traits.remove(COMPRESSION);
        }
        if traits.is_empty() {
            shape.remove("traits");
        }
    }
    model
}
