//! The shapes of a model as typed dictionaries.

use smithy_waiters_model::{Kind, Member, Shape, id};

use super::tree::{WIDTH, quoted};
use crate::error::GenerateError;
use crate::ir::{Operation, Service};
use crate::names::Scope;

/// Names that generated modules use in another sense.
const TAKEN: [&str; 23] = [
    "Any",
    "AsyncIterator",
    "Callable",
    "ErrorOutcome",
    "ExpressionError",
    "Iterator",
    "Literal",
    "Mapping",
    "NotRequired",
    "Operation",
    "Outcome",
    "PageOptions",
    "Paginator",
    "Progress",
    "ResponseOutcome",
    "RetryStrategy",
    "Settings",
    "TypedDict",
    "Unpack",
    "Waiter",
    "Waiters",
    "datetime",
    "timedelta",
];

/// Python's keywords, which are no names of attributes.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Whether Python has a word for itself.
pub(super) fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// The language's own types and functions that the code names.
const BUILTINS: [&str; 23] = [
    "TYPE_CHECKING",
    "all",
    "any",
    "bool",
    "bytes",
    "cache",
    "cast",
    "deprecated",
    "dict",
    "float",
    "getattr",
    "int",
    "isinstance",
    "len",
    "list",
    "object",
    "operation",
    "operator",
    "search",
    "str",
    "sys",
    "tuple",
    "warnings",
];

/// What a shape is called.
pub(super) fn name(shape: &Shape<'_>) -> String {
    let name = id::name(shape.id);
    let is_taken = [&TAKEN[..], &BUILTINS].concat().contains(&name) || is_keyword(name);
    let suffix = if is_taken { "Shape" } else { "" };
    format!("{name}{suffix}")
}

/// The names of the types that a service's operations lead to.
///
/// # Errors
///
/// [`GenerateError::Collision`] of two that differ in their namespaces alone.
pub(super) fn names(service: &Service<'_>) -> Result<Vec<String>, GenerateError> {
    let mut scope = Scope::new("Python", []);
    let called: Vec<&Operation<'_>> = service.called().collect();
    let reached = service.reached(&called);
    let types = reached.values().filter(|shape| is_type(shape));
    let names =
        types.map(|shape| scope.take(&name(shape), "_", &format!("the shape `{}`", shape.id)));
    names.collect()
}

const fn is_type(shape: &Shape<'_>) -> bool {
    matches!(shape.kind, Kind::Structure | Kind::Union)
}

/// The types that operations lead to, in the order of their ids.
pub(super) fn items<'m>(service: &Service<'m>, operations: &[&Operation<'m>]) -> Vec<String> {
    let reached = service.reached(operations);
    let shapes = reached.values();
    let shapes = shapes.filter(|shape| is_type(shape));
    shapes.map(|shape| structure(service, shape)).collect()
}

fn structure(service: &Service<'_>, shape: &Shape<'_>) -> String {
    let is_required = |member: &Member<'_>| {
        shape.kind == Kind::Structure && member.has_trait("smithy.api#required")
    };
    let name = name(shape);
    let required = shape
        .members
        .iter()
        .filter(|member| is_required(member))
        .count();
    let total = if required == 0 { ", total=False" } else { "" };
    let typed = |member: &Member<'_>| {
        let of = target(service, member);
        if required == 0 || is_required(member) {
            of
        } else {
            format!("NotRequired[{of}]")
        }
    };
    let members = shape.members.iter();
    if members.clone().any(|member| is_keyword(member.name)) {
        let members = members
            .map(|member| format!("    {}: {},\n", quoted(member.name), quoted(&typed(member))));
        let members: String = members.collect();
        let total = if total.is_empty() {
            String::new()
        } else {
            "    total=False,\n".to_owned()
        };
        let members: String = members
            .lines()
            .map(|line| format!("    {line}\n"))
            .collect();
        return format!(
            "{name} = TypedDict(\n    {},\n    {{\n{members}    }},\n{total})\n",
            quoted(&name)
        );
    }
    let members: String = members
        .map(|member| line(member.name, &typed(member)))
        .collect();
    let members = if members.is_empty() {
        "    pass\n".to_owned()
    } else {
        members
    };
    format!("class {name}(TypedDict{total}):\n{members}")
}

/// A member, whose type breaks in its brackets where the line is full.
fn line(name: &str, of: &str) -> String {
    let line = format!("    {name}: {of}\n");
    let parts = of.strip_suffix(']').and_then(|of| of.split_once('['));
    if line.trim_end().len() <= WIDTH {
        return line;
    }
    match parts {
        Some((outer, inner)) => format!("    {name}: {outer}[\n        {inner}\n    ]\n"),
        None => format!("    {name}: (\n        {of}\n    )\n"),
    }
}

fn target(service: &Service<'_>, member: &Member<'_>) -> String {
    let Some(shape) = service.target(member.target) else {
        return simple(id::name(member.target)).to_owned();
    };
    let element = |name: &str| {
        let element = shape
            .member(name)
            .map_or_else(|| "Any".to_owned(), |member| target(service, member));
        if shape.has_trait("smithy.api#sparse") {
            format!("{element} | None")
        } else {
            element
        }
    };
    match shape.kind {
        Kind::Structure | Kind::Union => name(shape),
        Kind::List | Kind::Set => format!("list[{}]", element("member")),
        Kind::Map => format!("dict[str, {}]", element("value")),
        // A stream is an object that is read.
        Kind::Blob if shape.has_trait("smithy.api#streaming") => "Any".to_owned(),
        kind => simple(&format!("{kind:?}")).to_owned(),
    }
}

fn simple(kind: &str) -> &'static str {
    match kind {
        "Blob" => "bytes",
        "Boolean" | "PrimitiveBoolean" => "bool",
        "Document" | "Unit" => "Any",
        "Enum" | "String" => "str",
        "Timestamp" => "datetime",
        "BigDecimal" | "Double" | "Float" | "PrimitiveDouble" | "PrimitiveFloat" => "float",
        _ => "int",
    }
}
