//! The pages of an operation.

use super::client::Client;
use super::item::{Function, Item};
use super::tree::{Property, Statement, Ts, Type};
use super::types;
use crate::ir::{Operation, Pagination};

/// The function that walks the pages.
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
    let made = Ts::New(of("Paginator"), vec![paginator_traits(pages)]);
    let walk = Ts::name("paginator").dot("pages");
    let arguments = vec![
        client.page(operation),
        Ts::name("input"),
        Ts::name("options"),
    ];
    let mut docs = vec![format!(
        "The pages of `{}`, each when it is asked for.",
        operation.name
    )];
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
            Statement::Let("paginator".to_owned(), made),
            Statement::Return(Ts::Call(Box::new(walk), arguments)),
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
