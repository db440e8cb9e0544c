//! What every model can name without defining it: the shapes of `smithy.api`, and the traits of waiters.
//!
//! Clause: [the prelude](https://smithy.io/2.0/spec/model.html#prelude).

use crate::shape::Kind;

/// The shapes and traits that are defined here, so that values of these traits can be checked.
pub(crate) const TEXTS: [&str; 2] = [
    include_str!("prelude/prelude.smithy"),
    include_str!("prelude/waiters.smithy"),
];

/// The names of the shapes that models target.
const SHAPES: [&str; 21] = [
    "BigDecimal",
    "BigInteger",
    "Blob",
    "Boolean",
    "Byte",
    "Document",
    "Double",
    "Float",
    "Integer",
    "Long",
    "PrimitiveBoolean",
    "PrimitiveByte",
    "PrimitiveDouble",
    "PrimitiveFloat",
    "PrimitiveInteger",
    "PrimitiveLong",
    "PrimitiveShort",
    "Short",
    "String",
    "Timestamp",
    "Unit",
];

/// The traits whose values are structures: without a value they are `{}`.
const STRUCTURES: [&str; 55] = [
    "addedDefault",
    "authDefinition",
    "box",
    "clientOptional",
    "cors",
    "deprecated",
    "endpoint",
    "eventHeader",
    "eventPayload",
    "externalDocumentation",
    "hostLabel",
    "http",
    "httpApiKeyAuth",
    "httpBasicAuth",
    "httpBearerAuth",
    "httpChecksumRequired",
    "httpDigestAuth",
    "httpLabel",
    "httpPayload",
    "httpQueryParams",
    "httpResponseCode",
    "idRef",
    "idempotencyToken",
    "idempotent",
    "input",
    "internal",
    "length",
    "mixin",
    "nestedProperties",
    "noReplace",
    "notProperty",
    "optionalAuth",
    "output",
    "paginated",
    "private",
    "property",
    "protocolDefinition",
    "range",
    "readonly",
    "recommended",
    "requestCompression",
    "required",
    "requiresLength",
    "retryable",
    "sensitive",
    "sparse",
    "streaming",
    "trait",
    "traitValidators",
    "uniqueItems",
    "unitType",
    "unstable",
    "xmlAttribute",
    "xmlFlattened",
    "xmlNamespace",
];

/// The traits whose values are lists: without a value they are `[]`.
const LISTS: [&str; 6] = ["auth", "enum", "examples", "references", "suppress", "tags"];

/// The traits of any other value.
const OTHERS: [&str; 16] = [
    "default",
    "documentation",
    "enumValue",
    "error",
    "httpError",
    "httpHeader",
    "httpPrefixHeaders",
    "httpQuery",
    "jsonName",
    "mediaType",
    "pattern",
    "resourceIdentifier",
    "since",
    "timestampFormat",
    "title",
    "xmlName",
];

/// Whether the prelude has a name that models can use.
pub(crate) fn has(name: &str) -> bool {
    SHAPES.contains(&name) || traits().any(|known| known == name)
}

/// The names of the traits.
pub(crate) fn traits() -> impl Iterator<Item = &'static str> {
    STRUCTURES.iter().chain(&LISTS).chain(&OTHERS).copied()
}

/// What the value of a trait of the prelude is, as far as its absence matters.
pub(crate) fn kind_of_trait(id: &str) -> Option<Kind> {
    let name = id.strip_prefix("smithy.api#")?;
    if STRUCTURES.contains(&name) {
        Some(Kind::Structure)
    } else if LISTS.contains(&name) {
        Some(Kind::List)
    } else {
        OTHERS.contains(&name).then_some(Kind::String)
    }
}
