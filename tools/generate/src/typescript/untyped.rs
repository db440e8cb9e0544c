//! Modules for hand-written definitions. Their waits accept responses of any type.

use super::client::Client;
use super::item::{Function, Item};
use super::module;
use super::names::{WaiterNames, of_definition};
use super::support;
use super::tree::{Property, Statement, Ts, Type};
use super::waiter::{create_waiter, wait_tags};
use crate::error::GenerateError;
use crate::ir::Definition;

/// Returns the items of the module.
pub(super) fn items(definition: &Definition) -> Result<Vec<Item>, GenerateError> {
    let names = of_definition(definition)?;
    let imports = ["type Outcome", "type WaitOptions", "Waiter"];
    let imports = imports.map(str::to_owned).to_vec();
    let mut items = vec![Item::Import(imports, "smithy-waiters".to_owned())];
    items.extend(Client::Function.configurations(true, false));
    let waiter = Type::Or(vec![Type::name("Waiter"), Type::name("undefined")]);
    items.push(Item::Let(names.slot.clone(), waiter));
    items.push(Item::Function(function(definition, &names)));
    items.push(Item::Raw(support::ASSERT_PRESENT.trim_start()));
    Ok(items)
}

fn function(definition: &Definition, named: &WaiterNames) -> Function {
    let slot = &named.slot;
    let signal = Property::Is("abortSignal".to_owned(), Ts::name("signal"));
    let call = Ts::call("call", vec![Ts::name("input"), Ts::Object(vec![signal])]);
    let options = Ts::Object(vec![
        Property::Spread(Ts::name("options")),
        Property::Is("input".to_owned(), Ts::name("input")),
    ]);
    let wait = Ts::name(slot).dot("wait");
    let wait = Ts::Call(
        Box::new(wait),
        vec![call.of("{ signal }"), Ts::name("settings")],
    );
    let types = ["Input", "Output"].map(Type::name).to_vec();
    let summary = definition.summary().map(|text| module::escape_tags(&text));
    let mut docs = vec![
        summary
            .unwrap_or_else(|| format!("Waits until the waiter `{}` succeeds.", definition.name)),
        wait_tags(&Client::Function),
    ];
    if definition.deprecated {
        docs.push("@deprecated".to_owned());
    }
    Function {
        docs,
        is_exported: true,
        is_async: true,
        name: format!("{}<Input, Output>", named.wait),
        parameters: vec![
            (
                Client::Function.parameter().to_owned(),
                Type::Name("WaiterConfiguration".to_owned(), types),
            ),
            ("input".to_owned(), Type::name("Input")),
        ],
        returns: Type::of("Promise", Type::of("Outcome", Type::name("Output"))),
        body: vec![
            Client::Function.presence_check(),
            create_waiter(slot, &definition.json, &definition.name),
            Statement::Let("settings".to_owned(), options),
            Statement::Return(wait),
        ],
    }
}
