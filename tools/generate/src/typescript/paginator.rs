//! Functions for the pages of operations.

use super::client::Client;
use super::item::{Function, Item};
use super::tree::{Property, Statement, Ts, Type};
use super::types;
use crate::ir::{Operation, Pagination};

/// Returns the function that iterates over the pages.
pub(super) fn item(
    client: &Client,
    operation: &Operation<'_>,
    pages: &Pagination<'_>,
    name: &str,
) -> Item {
    let of = |name: &str| {
        let types = [client.input(operation), client.output(operation)];
        Type::Name(name.to_owned(), types.map(Type::name).to_vec())
    };
    let paginator = Ts::New(of("Paginator"), vec![paginator_traits(pages)]);
    let pages = Ts::name("paginator").dot("pages");
    let arguments = vec![
        client.page(operation),
        Ts::name("input"),
        Ts::name("options"),
    ];
    let mut docs = vec![
        format!(
            "Returns the pages of `{}`. Each page is requested when the iteration reaches it.",
            operation.name
        ),
        format!(
            "@param configuration {} and the options of the pagination.\n@param input The input of the operation.\n\
             @throws `PaginationError` during the iteration, if the token of a page is invalid or repeated.",
            client.caller()
        ),
    ];
    docs.extend(operation.deprecated.map(types::deprecated));
    Item::Function(Function {
        docs,
        is_exported: true,
        is_async: false,
        name: name.to_owned(),
        parameters: vec![
            (
                client.parameter().to_owned(),
                client.pages_configuration(operation),
            ),
            ("input".to_owned(), Type::name(client.input(operation))),
        ],
        returns: of("Pages"),
        body: vec![
            client.presence_check(),
            Statement::Let("paginator".to_owned(), paginator),
            Statement::Return(Ts::Call(Box::new(pages), arguments)),
        ],
    })
}

fn paginator_traits(pages: &Pagination<'_>) -> Ts {
    let is = |name: &str, value: &str| Property::Is(name.to_owned(), Ts::string(value));
    let mut properties = vec![
        is("inputToken", pages.input_token),
        is("outputToken", pages.output_token_path),
    ];
    properties.extend(pages.items_path.map(|path| is("items", path)));
    properties.extend(pages.page_size.map(|name| is("pageSize", name)));
    Ts::Object(properties)
}
