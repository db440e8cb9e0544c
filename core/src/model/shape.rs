//! Shapes of the JSON AST.

use serde_json::Value as Json;

pub(super) fn kind(shape: &Json) -> Option<&str> {
    shape.get("type").and_then(Json::as_str)
}

/// Returns the ID of a reference, `{"target": id}`.
pub(super) fn target(reference: &Json) -> Option<&str> {
    reference.get("target")?.as_str()
}

/// Appends the IDs that a member refers to: one `{"target": …}` or a list of them.
pub(super) fn refer<'m>(shape: &'m Json, member: &str, open: &mut Vec<&'m str>) {
    let Some(member) = shape.get(member) else {
        return;
    };
    let list = member
        .as_array()
        .map_or(std::slice::from_ref(member), Vec::as_slice);
    open.extend(list.iter().filter_map(target));
}
