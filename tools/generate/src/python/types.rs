//! Translation of shapes to typed dictionaries.

use std::collections::BTreeSet;

use smithy_waiters_model::{Kind, Member, Shape, id};

use super::function::docstring;
use super::print::{WIDTH, list, render, string_literal};
use crate::docs::{sentence, summary};
use crate::document::{Doc, text};
use crate::error::GenerateError;
use crate::ir::{
    Deprecation, Operation, Service, documentation, element, enum_values, member_documentation,
};
use crate::names::Scope;

/// The names that generated modules use for themselves.
const RESERVED: [&str; 27] = [
    "Any",
    "AsyncIterator",
    "Callable",
    "ErrorOutcome",
    "Iterator",
    "Left",
    "Literal",
    "Mapping",
    "NotRequired",
    "Operation",
    "Outcome",
    "Pace",
    "PageOptions",
    "Paginator",
    "Progress",
    "RateLimit",
    "ResponseOutcome",
    "Same",
    "Sequence",
    "Settings",
    "TypedDict",
    "Unpack",
    "Waiter",
    "WaiterError",
    "Waiters",
    "datetime",
    "timedelta",
];

/// The keywords of Python, which cannot be attribute names.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// Returns `true` for Python's keywords.
pub(super) fn is_keyword(name: &str) -> bool {
    KEYWORDS.contains(&name)
}

/// The built-in and imported names that the code uses.
const BUILTINS: [&str; 17] = [
    "TYPE_CHECKING",
    "bool",
    "bytes",
    "cache",
    "cast",
    "deprecated",
    "dict",
    "float",
    "getattr",
    "int",
    "list",
    "object",
    "operation",
    "str",
    "sys",
    "tuple",
    "warnings",
];

/// Returns the type name of a shape. A name in use elsewhere gets the suffix `Shape`.
pub(super) fn name(name: &str) -> String {
    let is_reserved = [&RESERVED[..], &BUILTINS].concat().contains(&name) || is_keyword(name);
    let suffix = if is_reserved { "Shape" } else { "" };
    format!("{name}{suffix}")
}

/// Returns the type of an operation's input.
pub(super) fn input(operation: &Operation<'_>) -> String {
    operation
        .input_name
        .map_or_else(|| "Mapping[str, Any]".to_owned(), name)
}

/// Returns the type of an operation's output.
pub(super) fn output(operation: &Operation<'_>) -> String {
    operation
        .output_name
        .map_or_else(|| "Mapping[str, Any]".to_owned(), name)
}

/// Returns the names of the types that a service's operations need.
///
/// # Errors
///
/// [`GenerateError::Collision`] if two names differ only in their namespaces.
pub(super) fn names(service: &Service<'_>) -> Result<Vec<String>, GenerateError> {
    let mut scope = Scope::new("Python", []);
    let operations: Vec<&Operation<'_>> = service.callable_operations().collect();
    let shapes = service.reachable_shapes(&operations);
    let types = shapes.values().filter(|shape| is_type(shape));
    let names = types.map(|shape| {
        scope.take(
            &name(service.name_of(shape)),
            "_",
            &format!("the shape `{}`", shape.id),
        )
    });
    names.collect()
}

fn is_type(shape: &Shape<'_>) -> bool {
    matches!(shape.kind, Kind::Structure | Kind::Union) || enum_values(shape).is_some()
}

/// The types that operations need, sorted by shape id.
#[derive(Debug, Default)]
pub(super) struct Types {
    pub(super) code: Vec<String>,
    pub(super) uses: BTreeSet<&'static str>,
}

impl Types {
    pub(super) fn of(service: &Service<'_>) -> Self {
        let operations: Vec<&Operation<'_>> = service.callable_operations().collect();
        let mut types = Self::default();
        for shape in service.reachable_shapes(&operations).values() {
            types.shape(service, shape);
        }
        types
    }

    fn shape(&mut self, service: &Service<'_>, shape: &Shape<'_>) {
        let code = match shape.kind {
            Kind::Structure | Kind::Union => self.structure(service, shape),
            _ => match enum_values(shape) {
                Some(values) => self.literal(service, shape, &values),
                None => return,
            },
        };
        self.code.push(code);
    }

    /// Returns `Name = Literal["A", "B"]`.
    fn literal(&mut self, service: &Service<'_>, shape: &Shape<'_>, values: &[&str]) -> String {
        self.uses.insert("Literal");
        let values = values.iter().map(|value| text(string_literal(value)));
        let literal = list(
            format!("{} = Literal[", name(service.name_of(shape))),
            values.collect(),
            "]",
        );
        render(&literal)
    }

    fn structure(&mut self, service: &Service<'_>, shape: &Shape<'_>) -> String {
        self.uses.insert("TypedDict");
        let is_required = |member: &Member<'_>| {
            shape.kind == Kind::Structure && member.has_trait("smithy.api#required")
        };
        let name = name(service.name_of(shape));
        let total = !shape.members.iter().any(is_required);
        let total = if total { ", total=False" } else { "" };
        let mut typed = Vec::new();
        for member in &shape.members {
            let of = self.target(service, member);
            if total.is_empty() && !is_required(member) {
                self.uses.insert("NotRequired");
                typed.push((member, format!("NotRequired[{of}]")));
            } else {
                typed.push((member, of));
            }
        }
        if shape.members.iter().any(|member| is_keyword(member.name)) {
            return functional_syntax(&name, &typed, !total.is_empty());
        }
        let docs = documentation(shape)
            .and_then(summary)
            .and_then(|summary| docstring(&[summary], INDENT));
        let docs = docs.map(|docs| render(&Doc::text(MARGIN).append(docs).nest(4)));
        let members: String = typed.iter().map(|(member, of)| line(member, of)).collect();
        let body = docs.unwrap_or_default() + if members.is_empty() { "" } else { "\n" } + &members;
        let body = if body.trim().is_empty() {
            format!("{MARGIN}pass\n")
        } else {
            body
        };
        format!(
            "class {name}(TypedDict{total}):\n{}",
            body.trim_start_matches('\n')
        )
    }

    fn target(&mut self, service: &Service<'_>, member: &Member<'_>) -> String {
        let Some(shape) = service.target(member.target) else {
            return self.simple(id::name(member.target)).to_owned();
        };
        match shape.kind {
            Kind::Structure | Kind::Union => name(service.name_of(shape)),
            Kind::List | Kind::Set => format!("list[{}]", self.element(service, shape)),
            Kind::Map => format!("dict[str, {}]", self.element(service, shape)),
            // A stream is an object with a `read` method.
            Kind::Blob if shape.has_trait("smithy.api#streaming") => {
                self.use_name("Any").to_owned()
            }
            _ if enum_values(shape).is_some() => name(service.name_of(shape)),
            kind => self.simple(&format!("{kind:?}")).to_owned(),
        }
    }

    fn element(&mut self, service: &Service<'_>, shape: &Shape<'_>) -> String {
        let element = match element(shape) {
            Some(member) => self.target(service, member),
            None => self.use_name("Any").to_owned(),
        };
        if shape.has_trait("smithy.api#sparse") {
            return format!("{element} | None");
        }
        element
    }

    fn simple(&mut self, kind: &str) -> &'static str {
        match kind {
            "Blob" => "bytes",
            "Boolean" | "PrimitiveBoolean" => "bool",
            "Document" | "Unit" => self.use_name("Any"),
            "Enum" | "String" => "str",
            "Timestamp" => self.use_name("datetime"),
            "BigDecimal" | "Double" | "Float" | "PrimitiveDouble" | "PrimitiveFloat" => "float",
            _ => "int",
        }
    }

    fn use_name(&mut self, name: &'static str) -> &'static str {
        self.uses.insert(name);
        name
    }
}

const INDENT: usize = 4;

const MARGIN: &str = "    ";

/// Returns a type in the functional syntax, which allows members that are keywords.
fn functional_syntax(name: &str, members: &[(&Member<'_>, String)], optional: bool) -> String {
    let members = members.iter();
    let members = members.map(|(member, of)| {
        format!(
            "        {}: {},\n",
            string_literal(member.name),
            string_literal(of)
        )
    });
    let members: String = members.collect();
    let total = if optional { "    total=False,\n" } else { "" };
    format!(
        "{name} = TypedDict(\n    {},\n    {{\n{members}    }},\n{total})\n",
        string_literal(name)
    )
}

/// Returns the line of a member with its documentation. A long annotation breaks inside its brackets.
fn line(member: &Member<'_>, of: &str) -> String {
    let (name, docs) = (member.name, member_docs(member));
    let line = format!("{MARGIN}{name}: {of}\n");
    let parts = of.strip_suffix(']').and_then(|of| of.split_once('['));
    if line.trim_end().len() <= WIDTH {
        return line + &docs;
    }
    let line = match parts {
        Some((outer, inner)) => format!("{MARGIN}{name}: {outer}[\n        {inner}\n    ]\n"),
        None => format!("{MARGIN}{name}: (\n        {of}\n    )\n"),
    };
    line + &docs
}

/// Returns the docstring of a member: its deprecation and the first sentence of its documentation.
fn member_docs(member: &Member<'_>) -> String {
    let summary = member_documentation(member).and_then(summary);
    let summary = summary.map(|summary| sentence(&summary));
    let deprecated = Deprecation::of_member(member);
    let deprecated = deprecated.map(|deprecation| match deprecation.message {
        Some(message) => format!("Deprecated: {message}"),
        None => "Deprecated.".to_owned(),
    });
    let paragraphs: Vec<String> = deprecated.into_iter().chain(summary).collect();
    let docs =
        docstring(&paragraphs, INDENT).map(|docs| render(&Doc::text(MARGIN).append(docs).nest(4)));
    docs.unwrap_or_default()
}
