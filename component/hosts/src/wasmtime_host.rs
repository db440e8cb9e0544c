//! A host with wasmtime in this process.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value as Json, json};
use wasmtime::component::{Component, Func, Instance, Linker, ResourceAny, Type, Val};
use wasmtime::{Engine, Store};

use crate::host::Host;

pub(crate) struct WasmtimeHost {
    store: Store<()>,
    instance: Instance,
    functions: HashMap<String, Func>,
    resources: HashMap<u64, ResourceAny>,
    made: u64,
}

impl WasmtimeHost {
    pub(crate) fn new(component: &Path) -> Result<Self> {
        let engine = Engine::default();
        let component = Component::from_file(&engine, component).map_err(|error| anyhow!("{error:?}"))?;
        let mut store = Store::new(&engine, ());
        // The linker is empty, because the component has no imports.
        let instance = Linker::new(&engine).instantiate(&mut store, &component);
        let instance = instance.map_err(|error| anyhow!("{error:?}"))?;
        Ok(Self {
            store,
            instance,
            functions: HashMap::new(),
            resources: HashMap::new(),
            made: 0,
        })
    }

    fn function(&mut self, interface: &str, name: &str) -> Result<Func> {
        let key = format!("{interface}/{name}");
        if let Some(function) = self.functions.get(&key) {
            return Ok(*function);
        }
        let path = format!("smithy:waiters/{interface}@0.1.0");
        let interface = self.instance.get_export_index(&mut self.store, None, &path);
        let interface = interface.with_context(|| format!("unknown interface `{path}`"))?;
        let index = self.instance.get_export_index(&mut self.store, Some(&interface), name);
        let index = index.with_context(|| format!("unknown function `{key}`"))?;
        let function = self.instance.get_func(&mut self.store, index);
        let function = function.with_context(|| format!("`{key}` is not a function"))?;
        self.functions.insert(key, function);
        Ok(function)
    }

    fn lower(&self, json: &Json, expected: &Type) -> Result<Val> {
        let wrong = || anyhow!("{json} is not a value of {expected:?}");
        let number = || json.get("u64").unwrap_or(json).as_u64().ok_or_else(wrong);
        Ok(match expected {
            Type::Bool => Val::Bool(json.as_bool().ok_or_else(wrong)?),
            Type::U16 => Val::U16(u16::try_from(number()?)?),
            Type::U32 => Val::U32(u32::try_from(number()?)?),
            Type::U64 => Val::U64(number()?),
            Type::Float64 => Val::Float64(json.as_f64().ok_or_else(wrong)?),
            Type::String => Val::String(json.as_str().ok_or_else(wrong)?.to_owned()),
            Type::Enum(_) => Val::Enum(json.as_str().ok_or_else(wrong)?.to_owned()),
            Type::Option(option) => Val::Option(match json {
                Json::Null => None,
                some => Some(Box::new(self.lower(some, &option.ty())?)),
            }),
            Type::List(list) => {
                let items = json.as_array().ok_or_else(wrong)?.iter();
                Val::List(items.map(|item| self.lower(item, &list.ty())).collect::<Result<_>>()?)
            }
            Type::Record(record) => Val::Record(
                record
                    .fields()
                    .map(|field| {
                        let value = json["record"].get(field.name).unwrap_or(&Json::Null);
                        Ok((field.name.to_owned(), self.lower(value, &field.ty)?))
                    })
                    .collect::<Result<_>>()?,
            ),
            Type::Variant(variant) => {
                let name = json["variant"][0].as_str().ok_or_else(wrong)?;
                let case = variant.cases().find(|case| case.name == name).ok_or_else(wrong)?;
                let payload = case.ty.map(|payload| self.lower(&json["variant"][1], &payload));
                Val::Variant(name.to_owned(), payload.transpose()?.map(Box::new))
            }
            Type::Own(_) | Type::Borrow(_) => {
                let number = json["resource"].as_u64().ok_or_else(wrong)?;
                Val::Resource(*self.resources.get(&number).ok_or_else(wrong)?)
            }
            _ => bail!(wrong()),
        })
    }

    fn lift(&mut self, value: Val) -> Result<Json> {
        Ok(match value {
            Val::Bool(value) => value.into(),
            Val::U16(value) => value.into(),
            Val::U32(value) => value.into(),
            Val::U64(value) => value.into(),
            Val::Float64(value) => value.into(),
            Val::String(value) | Val::Enum(value) => value.into(),
            Val::Option(None) => Json::Null,
            Val::Option(Some(value)) => self.lift(*value)?,
            Val::List(items) => items.into_iter().map(|item| self.lift(item)).collect::<Result<_>>()?,
            Val::Record(fields) => {
                let fields = fields.into_iter().map(|(name, value)| Ok((name, self.lift(value)?)));
                json!({"record": fields.collect::<Result<serde_json::Map<_, _>>>()?})
            }
            Val::Variant(name, payload) => match payload {
                Some(payload) => json!({"variant": [name, self.lift(*payload)?]}),
                None => json!({"variant": [name]}),
            },
            Val::Result(result) => {
                let (name, payload) = match result {
                    Ok(payload) => ("ok", payload),
                    Err(payload) => ("err", payload),
                };
                let payload = payload.map_or(Ok(Json::Null), |payload| self.lift(*payload))?;
                json!({"variant": [name, payload]})
            }
            Val::Resource(resource) => {
                self.made += 1;
                self.resources.insert(self.made, resource);
                json!({"resource": self.made})
            }
            other => bail!("unsupported value: {other:?}"),
        })
    }
}

impl Host for WasmtimeHost {
    fn call(&mut self, interface: &str, function: &str, arguments: &[Json]) -> Result<Result<Json, Json>> {
        let name = function;
        let function = self.function(interface, name)?;
        let types = function.ty(&self.store);
        let lowered = types.params().zip(arguments);
        let lowered = lowered.map(|((_, expected), argument)| self.lower(argument, &expected));
        let lowered = lowered.collect::<Result<Vec<_>>>()?;
        let mut results = vec![Val::Bool(false); types.results().len()];
        function
            .call(&mut self.store, &lowered, &mut results)
            .map_err(|error| anyhow!("{interface}/{name} trapped: {error:?}"))?;
        let result = results.pop().map_or(Ok(Json::Null), |result| match result {
            Val::Result(Ok(payload)) => payload.map_or(Ok(Json::Null), |payload| self.lift(*payload)),
            Val::Result(Err(payload)) => {
                let error = payload.map_or(Ok(Json::Null), |payload| self.lift(*payload))?;
                Err(anyhow::Error::new(Failed(error)))
            }
            other => self.lift(other),
        });
        match result {
            Ok(value) => Ok(Ok(value)),
            Err(error) => match error.downcast::<Failed>() {
                Ok(Failed(error)) => Ok(Err(error)),
                Err(error) => Err(error),
            },
        }
    }

    fn drop_resource(&mut self, resource: &Json) -> Result<()> {
        let number = resource["resource"].as_u64().unwrap_or_default();
        let resource = self.resources.remove(&number).context("unknown resource")?;
        resource.resource_drop(&mut self.store).map_err(|error| anyhow!("{error:?}"))
    }
}

/// Returns the error of a WIT `result`.
#[derive(Debug)]
struct Failed(Json);

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Failed {}
