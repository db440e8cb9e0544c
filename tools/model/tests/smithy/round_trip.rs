//! A round trip from JSON AST to JSON AST does not change a model, and the conversion of IDL to JSON AST equals
//! Smithy's.

use std::path::Path;

use serde_json::{Map, Value};
use smithy_waiters_model::{Model, read};

use crate::common::{entries, fetched, json, name, recorded, sources};

#[test]
fn json_asts_of_real_services_are_written_as_they_are_read() {
    for path in fetched("aws-models") {
        let sources = sources(&path);
        let model = read(&sources);
        assert_eq!(model.events(), [], "{}", path.display());
        compare(&path, json(&path), written(&model));
    }
}

/// Models of 1.0. Smithy converts their sets, `@box` and primitive types to lists and defaults of 2.0; we preserve
/// them.
pub(crate) const NOT_UPGRADED: [&str; 2] = ["edition-1", "edition-1-ast"];

#[test]
fn idl_is_written_as_the_json_ast_that_smithy_writes() {
    for path in entries(&recorded("asts")) {
        let idl = recorded("models").join(format!("{}.smithy", name(&path)));
        let sources = sources(&idl);
        let model = read(&sources);
        assert_eq!(model.events(), [], "{}", idl.display());
        let (expected, found) = (sorted(json(&path)), sorted(written(&model)));
        if NOT_UPGRADED.contains(&&*name(&path)) {
            assert_ne!(expected, found, "{}: no longer different", idl.display());
        } else {
            compare(&idl, expected, found);
        }
    }
}

fn written(model: &Model<'_>) -> Value {
    serde_json::from_str(&model.to_ast()).unwrap()
}

/// Compares models shape by shape, so that the difference in the output is short.
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

/// Sorts the bindings of services, which Smithy writes in the order of their ids.
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
