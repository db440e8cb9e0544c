//! Waiters of whole models, found by name in the closure of a service.

use std::fs;
use std::io::{Write, stderr};
use std::path::PathBuf;

use serde_json::{Value, json};
use smithy_waiters::{DefinitionError, Waiter};

fn waitable(names: &[&str]) -> Value {
    let definition = json!({"acceptors": [{"state": "success", "matcher": {"success": true}}]});
    let waiters: serde_json::Map<_, _> = names
        .iter()
        .map(|name| ((*name).to_owned(), definition.clone()))
        .collect();
    json!({"smithy.waiters#waitable": waiters})
}

/// Returns a model with two services: one binds an operation directly, the other through nested resources and a mixin.
fn model() -> Value {
    json!({"smithy": "2.0", "shapes": {
        "a#One": {"type": "service", "operations": [{"target": "a#Get"}, {"target": "a#Shared"}]},
        "a#Two": {"type": "service", "resources": [{"target": "a#Outer"}], "operations": [{"target": "a#Shared"}]},
        "a#Outer": {"type": "resource", "resources": [{"target": "a#Inner"}, {"target": "a#Outer"}]},
        "a#Inner": {"type": "resource", "read": {"target": "a#Read"}},
        "a#Get": {"type": "operation", "traits": waitable(&["ThingExists", "ThingGone"])},
        "a#Read": {"type": "operation", "mixins": [{"target": "a#Mixin"}]},
        "a#Mixin": {"type": "operation", "traits": waitable(&["thingexists"])},
        "a#Shared": {"type": "operation", "traits": waitable(&["SharedReady"])},
        "a#Unbound": {"type": "operation", "traits": waitable(&["Unbound"])},
    }})
}

fn find(waiter: &str, service: Option<&str>) -> Result<Waiter, DefinitionError> {
    Waiter::from_model_value(&model(), waiter, service)
}

#[test]
fn a_waiter_is_found_in_any_case_and_named_as_the_model_does() {
    assert_eq!(find("THINGGONE", None).unwrap().name(), Some("ThingGone"));
    assert_eq!(
        find("thingExists", Some("a#One")).unwrap().name(),
        Some("ThingExists")
    );
}

#[test]
fn an_operation_that_two_services_share_is_one_waiter() {
    assert_eq!(
        find("SharedReady", None).unwrap().name(),
        Some("SharedReady")
    );
}

#[test]
fn a_name_in_two_services_lists_both() {
    let error = find("ThingExists", None).unwrap_err();
    assert_eq!(error.code, "ambiguous_waiter");
    for part in ["a#One", "a#Two", "a#Get", "a#Mixin"] {
        assert!(error.message.contains(part), "{error}");
    }
}

#[test]
fn what_is_not_there_is_named_with_what_is() {
    let error = find("Unbound", None).unwrap_err();
    assert_eq!(error.code, "unknown_waiter");
    assert!(
        error
            .message
            .contains("`SharedReady`, `ThingExists`, `ThingGone`"),
        "{error}"
    );
    assert_eq!(
        find("ThingGone", Some("Three")).unwrap_err().code,
        "unknown_service"
    );
    assert_eq!(
        Waiter::from_model("[]", "A", None).unwrap_err().code,
        "invalid_model"
    );
    assert_eq!(
        Waiter::from_model("{", "A", None).unwrap_err().code,
        "invalid_json"
    );
}

#[test]
fn a_bad_definition_is_placed_in_the_model() {
    // The name of the resource's waiter is invalid, because it starts with a lowercase letter.
    let error = find("thingexists", Some("Two")).unwrap_err();
    assert_eq!(
        (error.code, &*error.path),
        (
            "invalid_name",
            "shapes.a#Mixin.traits.smithy.waiters#waitable.thingexists"
        )
    );
}

#[test]
fn a_fragment_without_a_service_is_searched_whole() {
    let mut model = model();
    let shapes = model["shapes"].as_object_mut().unwrap();
    shapes.retain(|_, shape| shape["type"] != "service");
    assert_eq!(
        Waiter::from_model_value(&model, "Unbound", None)
            .unwrap()
            .name(),
        Some("Unbound")
    );
}

#[test]
fn every_waiter_of_the_real_models_is_found() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/data/aws-models");
    let Ok(entries) = fs::read_dir(&folder) else {
        // `println!` would be captured if the test passes.
        writeln!(
            stderr(),
            "SKIPPED: AWS's models; `cargo xtask data` fetches them"
        )
        .unwrap();
        return;
    };
    let mut found = 0;
    for path in entries.map(|entry| entry.unwrap().path()) {
        let model: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for shape in model["shapes"].as_object().unwrap().values() {
            for name in shape["traits"]["smithy.waiters#waitable"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(name, _)| name)
            {
                let waiter = Waiter::from_model_value(&model, &name.to_lowercase(), None).unwrap();
                assert_eq!(waiter.name(), Some(name.as_str()));
                found += 1;
            }
        }
    }
    writeln!(stderr(), "{found} waiters of the real models found").unwrap();
    assert!(found > 100, "{found}");
}
