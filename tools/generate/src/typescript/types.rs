//! Translation of shapes to interfaces, for services without a client.

use smithy_waiters_model::{Kind, Member, Shape, id};

use super::print::{self, Interface, Member as Printed, Type, escape_tags};
use crate::docs::{sentence, summary};
use crate::document::Doc;
use crate::error::GenerateError;
use crate::ir::{
    Deprecation, Operation, Service, documentation, element, enum_values, member_documentation,
};
use crate::names::Scope;

/// The types that generated modules use for themselves.
const USED: [&str; 20] = [
    "AbortSignal",
    "Date",
    "ErrorOutcome",
    "Omit",
    "Operation",
    "OperationName",
    "Outcome",
    "Pages",
    "PagesOptions",
    "PaginationConfiguration",
    "Paginator",
    "Promise",
    "PromiseLike",
    "ReadonlyArray",
    "Record",
    "ResponseOutcome",
    "Uint8Array",
    "WaitOptions",
    "Waiter",
    "WaiterConfiguration",
];

/// The built-in types and the reserved words.
const RESERVED: [&str; 53] = [
    "any",
    "await",
    "bigint",
    "boolean",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "implements",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "never",
    "new",
    "null",
    "number",
    "object",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "static",
    "string",
    "super",
    "switch",
    "symbol",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "unknown",
    "void",
    "yield",
];

/// Returns the type name of a shape. A name in use elsewhere gets the suffix `Shape`.
pub(super) fn name(name: &str) -> String {
    let is_reserved = USED.contains(&name) || RESERVED.contains(&name);
    let suffix = if is_reserved { "Shape" } else { "" };
    format!("{name}{suffix}")
}

/// Returns the types that operations need, sorted by shape id.
///
/// # Errors
///
/// [`GenerateError::Collision`] if two names differ only in their namespaces.
pub(super) fn declarations<'m>(
    service: &Service<'m>,
    operations: &[&Operation<'m>],
) -> Result<Vec<Doc>, GenerateError> {
    let mut scope = Scope::new("TypeScript", []);
    let mut declarations = Vec::new();
    for shape in service.reachable_shapes(operations).values() {
        if let Some(declaration) = declaration(service, shape) {
            let of = format!("the shape `{}`", shape.id);
            scope.take(&name(service.name_of(shape)), "_", &of)?;
            declarations.push(declaration);
        }
    }
    Ok(declarations)
}

fn declaration(service: &Service<'_>, shape: &Shape<'_>) -> Option<Doc> {
    if matches!(shape.kind, Kind::Structure | Kind::Union) {
        return Some(structure(service, shape).print());
    }
    let values = enum_values(shape)?.into_iter();
    Some(print::union(&name(service.name_of(shape)), values))
}

fn structure(service: &Service<'_>, shape: &Shape<'_>) -> Interface {
    let members = shape.members.iter().map(|member| {
        let of = target(service, member);
        let required = shape.kind == Kind::Structure && member.has_trait("smithy.api#required");
        let of = if required { of } else { Type::optional(of) };
        Printed {
            docs: member_docs(member),
            name: member.name.to_owned(),
            is_optional: !required,
            of,
        }
    });
    Interface {
        docs: documentation(shape)
            .and_then(first_paragraph)
            .into_iter()
            .collect(),
        name: name(service.name_of(shape)),
        members: members.collect(),
    }
}

fn first_paragraph(documentation: &str) -> Option<String> {
    summary(documentation).map(|text| escape_tags(&text))
}

/// Returns the documentation of a member: the first sentence of the model's, and its deprecation.
fn member_docs(member: &Member<'_>) -> Vec<String> {
    let summary = member_documentation(member).and_then(first_paragraph);
    let summary = summary.map(|summary| sentence(&summary));
    let deprecated = Deprecation::of_member(member).map(deprecated);
    summary.into_iter().chain(deprecated).collect()
}

/// Returns the `@deprecated` tag with the model's message.
pub(super) fn deprecated(deprecation: Deprecation<'_>) -> String {
    let message = deprecation.message.map(escape_tags).unwrap_or_default();
    format!("@deprecated {message}")
}

fn target(service: &Service<'_>, member: &Member<'_>) -> Type {
    let Some(shape) = service.target(member.target) else {
        return Type::name(simple(id::name(member.target)));
    };
    let element = || {
        let element =
            element(shape).map_or_else(|| Type::name("unknown"), |member| target(service, member));
        if shape.has_trait("smithy.api#sparse") {
            return Type::Or(vec![element, Type::name("null")]);
        }
        element
    };
    match shape.kind {
        Kind::Structure | Kind::Union => Type::name(name(service.name_of(shape))),
        Kind::List | Kind::Set => Type::of("ReadonlyArray", element()),
        Kind::Map => Type::Name("Record".to_owned(), vec![Type::name("string"), element()]),
        _ if enum_values(shape).is_some() => Type::name(name(service.name_of(shape))),
        kind => Type::name(simple(&format!("{kind:?}"))),
    }
}

fn simple(kind: &str) -> &'static str {
    match kind {
        "Blob" => "Uint8Array",
        "Boolean" | "PrimitiveBoolean" => "boolean",
        "Document" => "unknown",
        "Enum" | "String" => "string",
        "Timestamp" => "Date",
        "Unit" => "object",
        _ => "number",
    }
}
