//! Generation of the `operation` function.

use super::item::{Function, Item};
use super::tree::{Statement, Ts, Type};
use crate::ir::Service;
use crate::request_model;

/// Returns the type of the operations' names, the function `operation`, and the embedded model that it reads.
pub(super) fn items(service: &Service<'_>) -> Vec<Item> {
    if !service.has_metadata() {
        return Vec::new();
    }
    let operations = service.operations.iter();
    let names = operations
        .map(|operation| operation.name.to_owned())
        .collect();
    let docs = [
        "Returns the behavior traits of an operation: idempotency, retryable errors, the idempotency token and request \
         compression.",
        "@param name The operation's name in the model.",
    ];
    let read = Ts::name("Operation").dot("fromModel");
    let read = Ts::Call(Box::new(read), vec![Ts::name("REQUESTS"), Ts::name("name")]);
    let function = Function {
        docs: docs.map(str::to_owned).to_vec(),
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
        Item::Const(
            "REQUESTS".to_owned(),
            Ts::string(request_model::to_json(service)),
        ),
    ]
}
