//! The parts of shape ids, `namespace#Name$member`.
//!
//! Clause: [shape id](https://smithy.io/2.0/spec/model.html#shape-id).

use smithy_waiters::internal::is_identifier;

pub(crate) const ERROR: &str = "smithy.api#error";
pub(crate) const IDEMPOTENCY_TOKEN: &str = "smithy.api#idempotencyToken";
pub(crate) const PAGINATED: &str = "smithy.api#paginated";
pub(crate) const REQUEST_COMPRESSION: &str = "smithy.api#requestCompression";
pub(crate) const RETRYABLE: &str = "smithy.api#retryable";

/// The id of the trait for waiters.
pub const WAITABLE: &str = "smithy.waiters#waitable";

/// Returns the namespace of an absolute id, or an empty string for a relative one.
#[must_use]
pub fn namespace(id: &str) -> &str {
    id.split_once('#').map_or("", |(namespace, _)| namespace)
}

/// Returns the name of an id, without its namespace and member.
#[must_use]
pub fn name(id: &str) -> &str {
    let relative = id.split_once('#').map_or(id, |(_, name)| name);
    shape(relative)
}

/// Returns the id without its member.
#[must_use]
pub fn shape(id: &str) -> &str {
    id.split_once('$').map_or(id, |(shape, _)| shape)
}

/// Returns the name of the member of an id.
#[must_use]
pub fn member(id: &str) -> Option<&str> {
    id.split_once('$').map(|(_, member)| member)
}

/// Returns `true` for an absolute id, whose parts are identifiers.
pub(crate) fn is_absolute(id: &str) -> bool {
    let mut parts = namespace(id).split('.').chain([name(id)]).chain(member(id));
    parts.all(is_identifier)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_parts() {
        let id = "a.b#Name$member";
        assert_eq!((namespace(id), name(id)), ("a.b", "Name"));
        assert_eq!((shape(id), member(id)), ("a.b#Name", Some("member")));
        assert_eq!((namespace("Name"), name("Name")), ("", "Name"));
        assert_eq!((shape("Name"), member("Name")), ("Name", None));
    }

    #[test]
    fn an_absolute_id_has_identifiers() {
        for id in ["a#B", "a.b2.c_#_B2", "a.b#Name$member"] {
            assert!(is_absolute(id), "{id}");
        }
        for id in [
            "", "Name", "#B", "a#", "a#_", "a..b#C", "a-b#C", "a#B-C", "a#B$", "a#B$c-d", "a.2b#C",
            "a#Bé",
        ] {
            assert!(!is_absolute(id), "{id}");
        }
    }
}
