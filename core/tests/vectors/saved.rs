//! Changes to the text of a saved wait.

use serde_json::Value as Json;

use crate::values::plain;

/// `{cut}`, `{replace}`, `{version}`, `{indent}` or `{text}`.
pub(crate) fn changed(saved: &str, change: Option<&Json>) -> String {
    let Some((kind, how)) = change.and_then(|change| change.as_object()?.iter().next()) else {
        return saved.to_owned();
    };
    match &**kind {
        "cut" => saved
            .chars()
            .take(saved.chars().count() - how.as_u64().unwrap() as usize)
            .collect(),
        "replace" => {
            let replaced = saved.replacen(how[0].as_str().unwrap(), how[1].as_str().unwrap(), 1);
            assert_ne!(replaced, saved, "nothing to replace");
            replaced
        }
        "version" => with_version(saved, how).to_string(),
        "indent" => serde_json::to_string_pretty(&parsed(saved)).unwrap(),
        _ => plain(how).as_str().unwrap().to_owned(),
    }
}

fn with_version(saved: &str, version: &Json) -> Json {
    let mut saved = parsed(saved);
    saved["version"] = version.clone();
    saved
}

fn parsed(saved: &str) -> Json {
    serde_json::from_str(saved).unwrap()
}
