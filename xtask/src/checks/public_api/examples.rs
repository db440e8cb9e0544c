//! Finds public items without an example.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::Value;

/// The kinds of items that need an example. The example of a type covers its methods, fields and variants.
const KINDS: &[&str] = &["enum", "function", "struct", "trait"];

/// The parts of rustdoc's JSON that this module reads.
#[derive(Deserialize)]
struct Crate {
    root: Value,
    index: BTreeMap<String, Item>,
}

#[derive(Deserialize)]
struct Item {
    name: Option<String>,
    docs: Option<String>,
    /// The item's data, by its kind.
    inner: BTreeMap<String, Value>,
}

/// Returns the names of the public items without an example, sorted.
pub(super) fn without(json: &str) -> Result<Vec<String>> {
    let documented: Crate = serde_json::from_str(json).context("this is not rustdoc's JSON")?;
    let mut names = Vec::new();
    documented.visit(&documented.root, &mut names);
    names.sort_unstable();
    names.dedup();
    Ok(names)
}

impl Crate {
    /// Collects a module's items and its re-exports.
    fn visit(&self, id: &Value, names: &mut Vec<String>) {
        let Some(item) = self.index.get(&id.to_string()) else {
            return;
        };
        for (kind, inner) in &item.inner {
            match &**kind {
                "module" => {
                    for id in inner
                        .get("items")
                        .and_then(Value::as_array)
                        .into_iter()
                        .flatten()
                    {
                        self.visit(id, names);
                    }
                }
                "use" => self.visit(inner.get("id").unwrap_or(&Value::Null), names),
                kind if KINDS.contains(&kind) => names.extend(item.name_without_example()),
                _ => {}
            }
        }
    }
}

impl Item {
    fn name_without_example(&self) -> Option<String> {
        let has_one = self.docs.as_ref().is_some_and(|docs| docs.contains("```"));
        (!has_one).then(|| self.name.clone()).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn types_and_functions_without_an_example_are_named_once() {
        let json = r#"{"root": 0, "index": {
            "0": {"name": "crate", "docs": null, "inner": {"module": {"items": [1, 2, 3, 4, 6]}}},
            "1": {"name": "Shown", "docs": "A\n```\nb\n```", "inner": {"struct": {}}},
            "2": {"name": "Bare", "docs": "A", "inner": {"struct": {}}},
            "3": {"name": null, "docs": null, "inner": {"use": {"id": 2}}},
            "4": {"name": "inside", "docs": null, "inner": {"module": {"items": [5]}}},
            "5": {"name": "bare", "docs": null, "inner": {"function": {}}},
            "6": {"name": null, "docs": null, "inner": {"use": {"id": 99}}}}}"#;
        assert_eq!(without(json).unwrap(), ["Bare", "bare"]);
    }
}
