//! Modules for hand-written definitions. Their waits accept responses of any type.

use super::client::{Client, function_wait};
use super::names::WaiterNames;
use super::print::{self, Function, Type};
use super::waiter::{accessor, summary, wait_tags};
use crate::document::Doc;
use crate::error::GenerateError;
use crate::ir::Definition;

/// Returns the declarations of the module.
pub(super) fn declarations(definition: &Definition) -> Result<Vec<Doc>, GenerateError> {
    let names = WaiterNames::of_definition(definition)?;
    let imports = ["type Outcome", "type WaitOptions", "Waiter"];
    let imports = imports.map(str::to_owned).to_vec();
    let mut declarations = vec![print::import(imports, "smithy-waiters")];
    let returns = Type::name("Waiter");
    declarations.extend(accessor(
        &names,
        &definition.name,
        &definition.json,
        returns,
    ));
    declarations.push(wait(definition, &names).print());
    declarations.extend(Client::Function.types(true, false));
    Ok(declarations)
}

fn wait(definition: &Definition, names: &WaiterNames) -> Function {
    let mut docs = vec![
        summary(definition.summary(), &definition.name),
        wait_tags(&Client::Function),
    ];
    if definition.deprecated {
        docs.push("@deprecated".to_owned());
    }
    let types = ["Input", "Output"].map(Type::name).to_vec();
    let configuration = Type::Name("WaiterConfiguration".to_owned(), types);
    let outcome = Type::of("Outcome", Type::name("Output"));
    Function {
        docs,
        is_async: true,
        name: format!("{}<Input, Output>", names.wait),
        parameters: vec![
            ("{ call, ...options }".to_owned(), configuration),
            ("input".to_owned(), Type::name("Input")),
        ],
        body: function_wait(names, &outcome),
        returns: Type::of("Promise", outcome),
    }
}
