//! What is known of an operation's requests.

use super::item::{Function, Item};
use super::tree::{Statement, Ts, Type};
use crate::facts;
use crate::ir::Service;

/// The function that gives it, its operations' names, and the small model that it reads.
pub(super) fn items(service: &Service<'_>) -> Vec<Item> {
    if service.operations.is_empty() {
        return Vec::new();
    }
    let operations = service.operations.iter();
    let names = operations
        .map(|operation| operation.name.to_owned())
        .collect();
    let docs = "What is known of an operation's requests: whether they may be made again, after which errors, with which \
                token, and how they may be compressed.";
    let read = Ts::name("Operation").dot("fromModel");
    let read = Ts::Call(Box::new(read), vec![Ts::name("REQUESTS"), Ts::name("name")]);
    let function = Function {
        docs: vec![docs.to_owned()],
        is_exported: true,
        is_async: false,
        name: "operation".to_owned(),
        parameters: vec![("name".to_owned(), Type::name("OperationName"))],
        returns: Type::name("Operation"),
        body: vec![Statement::Return(read)],
    };
    vec![
        Item::Union("OperationName".to_owned(), names),
        Item::Function(function),
        Item::Const("REQUESTS".to_owned(), Ts::string(facts::text(service))),
    ]
}
