//! The waiters of AWS's models, found by name.

use std::fs;
use std::io::{Write, stderr};
use std::path::PathBuf;

use serde_json::Value;
use smithy_waiters::Waiter;

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
