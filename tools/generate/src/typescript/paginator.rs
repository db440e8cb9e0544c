//! Functions for the pages of operations.

use super::client::Client;
use super::print::{Function, Type, object, property};
use super::types;
use crate::document::{Doc, lines, text};
use crate::ir::{Operation, Pagination};

/// Returns the function that iterates over the pages.
pub(super) fn function(
    client: &Client,
    operation: &Operation<'_>,
    pages: &Pagination<'_>,
    name: &str,
) -> Doc {
    let of = |name: &str| {
        let types = vec![client.input(operation), client.output(operation)];
        Type::Name(name.to_owned(), types)
    };
    let mut docs = vec![
        format!(
            "Returns the pages of `{}`. Each page is requested when the iteration reaches it.",
            operation.name
        ),
        format!(
            "@param configuration {} and the options of the pagination.\n@param input The input of the operation.\n\
             @throws `PaginationError` during the iteration, if the token of a page is invalid or repeated.",
            client.summary()
        ),
    ];
    docs.extend(operation.deprecated.map(types::deprecated));
    let traits = pages.members().into_iter();
    let traits = object(traits.map(|(name, value)| property(name, &value.into())));
    let paginator = text("const paginator = new ")
        .append(of("Paginator").print())
        .append("(")
        .append(traits)
        .append(");");
    let arguments = [client.page_call(operation), text("input"), text("options")];
    let arguments = lines(arguments.map(|argument| argument.append(",")));
    let returns = text("return paginator.pages(")
        .append(Doc::hardline().append(arguments).nest(2))
        .append(Doc::hardline())
        .append(");");
    let function = Function {
        docs,
        is_async: false,
        name: name.to_owned(),
        parameters: vec![
            client.pages_parameter(operation),
            ("input".to_owned(), client.input(operation)),
        ],
        returns: of("Pages"),
        body: vec![client.presence_check(), paginator, returns],
    };
    function.print()
}
