//! Rules of Smithy's own traits that their definitions do not contain.

use crate::shapes::Node;

/// Returns the reason that Smithy cannot build a trait from a value of the right type.
pub(super) fn problem(id: &str, value: &Node<'_>) -> Option<&'static str> {
    let text = |name| value.member(name).and_then(|node| node.as_str());
    match id.strip_prefix("smithy.api#")? {
        "enum" if value.elements().is_empty() => Some("expected at least one value"),
        "http" if text("uri").is_some_and(|uri| !uri.starts_with('/')) => {
            Some("the `uri` must start with `/`")
        }
        "httpHeader" | "httpQuery" if value.as_str() == Some("") => Some("expected a name"),
        "length" | "range"
            if value
                .member("min")
                .or_else(|| value.member("max"))
                .is_none() =>
        {
            Some("expected `min`, `max`, or both")
        }
        _ => None,
    }
}

/// Returns `true` if Smithy validates the enum values of a trait only after building it.
pub(super) fn is_lenient(id: &str) -> bool {
    id == "smithy.api#timestampFormat"
}

/// Returns `true` if Smithy ignores unknown members of a trait.
pub(super) fn ignores_unknown_members(id: &str) -> bool {
    id == "smithy.api#mixin"
}
