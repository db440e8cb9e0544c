//! The presets: their files, their page, and the states that the code of kubectl and kstatus gives random objects.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a panic fails the test, and the number of objects is for people"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use serde_json::Value as Json;
use smithy_waiters::internal::PRESETS;
use smithy_waiters::{Observation, Waiter};

/// Returns the names of the files of presets.
fn files(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for system in fs::read_dir(folder).unwrap() {
        let system = system.unwrap();
        for file in fs::read_dir(system.path()).unwrap() {
            let (system, file) = (system.file_name(), file.unwrap().path());
            let (system, stem) = (system.to_str().unwrap(), file.file_stem().unwrap());
            names.push(format!("{system}/{}", stem.to_str().unwrap()));
        }
    }
    names.sort();
    names
}

#[test]
fn every_file_is_a_preset_with_documentation_sources_and_a_line_on_the_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(files(&root.join("presets")), PRESETS.map(|(name, _)| name));
    let page = fs::read_to_string(root.join("../docs/presets.md")).unwrap();
    for (name, text) in PRESETS {
        assert!(page.contains(&format!("`{name}`")), "{name}");
        let waiter = Waiter::preset(name).unwrap();
        assert!(waiter.name().is_some() && waiter.documentation().is_some());
        let preset: Json = serde_json::from_str(text).unwrap();
        let sources = preset["sources"].as_array().unwrap();
        let is_link = |source: &Json| source.as_str().unwrap().starts_with("https://");
        assert!(!sources.is_empty() && sources.iter().all(is_link), "{name}");
        let again = Waiter::from_value(&waiter.definition(), waiter.name()).unwrap();
        assert_eq!(again.definition(), waiter.definition());
    }
}

/// `cargo xtask deep --only presets` writes the objects, by the program in `tests/presets`.
#[test]
#[ignore = "needs Go: `cargo xtask deep --only presets` runs it"]
fn objects_have_the_states_of_the_peers() {
    let file = env::var_os("SMITHY_WAITERS_PRESET_OBJECTS").unwrap();
    let waiters = PRESETS.map(|(name, _)| (name, Waiter::preset(name).unwrap()));
    let waiters = BTreeMap::from(waiters);
    let mut counts = BTreeMap::new();
    for line in fs::read_to_string(file).unwrap().lines() {
        let line: Json = serde_json::from_str(line).unwrap();
        let waiter = &waiters[line["preset"].as_str().unwrap()];
        let seen = Observation::Response(&line["object"]);
        let state = waiter.evaluate(&Json::Null, seen).state().as_str();
        assert_eq!(line["state"], state, "{line}");
        let case = format!("{} {state}", line["preset"]);
        let count = counts.entry(case).or_insert(0_u32);
        *count = count.saturating_add(1);
    }
    println!("{counts:#?}");
    // Four presets, each with all states.
    assert_eq!(counts.len(), 12);
}
