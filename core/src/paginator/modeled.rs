//! A `paginated` trait of a model, held against the shapes that it names.

use serde_json::{Map, Value as Json};

use super::{IS_TRUNCATED, Paginator};
use crate::error::DefinitionError;
use crate::model::{Model, Operation};

const PAGINATED: &str = "smithy.api#paginated";

pub(super) fn read(
    model: &Json,
    operation: &str,
    service: Option<&str>,
) -> Result<Paginator, DefinitionError> {
    let mut model = Model::new(model)?;
    let operation = model.operation(operation, service)?;
    let definition = merged(&model, &operation)?;
    let at = format!("shapes.{}.traits.{PAGINATED}", operation.id);
    let mut paginator =
        super::definition::read(&Json::Object(definition)).map_err(|mut error| {
            error.path = format!("{at}.{}", error.path);
            error
        })?;
    let check = Check {
        model: &model,
        operation: &operation,
        at,
    };
    check.input(&paginator)?;
    check.output(&paginator)?;
    paginator.truncates = Some(check.has_flag());
    Ok(paginator)
}

/// The operation's trait over its service's.
fn merged(
    model: &Model<'_>,
    operation: &Operation<'_>,
) -> Result<Map<String, Json>, DefinitionError> {
    let own = model
        .trait_of(operation.id, PAGINATED)
        .and_then(Json::as_object);
    let Some(own) = own else {
        let message = format!("the operation `{}` is not paginated", operation.id);
        let path = format!("shapes.{}.traits", operation.id);
        return Err(DefinitionError::new("not_paginated", path, message));
    };
    let inherited = operation
        .service
        .and_then(|service| model.trait_of(service, PAGINATED))
        .and_then(Json::as_object);
    let mut merged = inherited.cloned().unwrap_or_default();
    merged.extend(own.clone());
    Ok(merged)
}

struct Check<'m> {
    model: &'m Model<'m>,
    operation: &'m Operation<'m>,
    at: String,
}

impl Check<'_> {
    fn input(&self, paginator: &Paginator) -> Result<(), DefinitionError> {
        let target = self.member("input", "inputToken", paginator.input_token())?;
        self.expect(
            "inputToken",
            &target,
            &["enum", "map", "string"],
            "a string or a map",
        )?;
        if let Some(page_size) = paginator.page_size() {
            let target = self.member("input", "pageSize", page_size)?;
            let numbers = ["byte", "integer", "intEnum", "long", "short"];
            self.expect("pageSize", &target, &numbers, "an integer")?;
        }
        Ok(())
    }

    fn output(&self, paginator: &Paginator) -> Result<(), DefinitionError> {
        let target = self.path("outputToken", &paginator.output_token)?;
        self.expect(
            "outputToken",
            &target,
            &["enum", "map", "string"],
            "a string or a map",
        )?;
        if let Some(items) = &paginator.items {
            let target = self.path("items", items)?;
            self.expect("items", &target, &["list", "map", "set"], "a list or a map")?;
        }
        Ok(())
    }

    fn has_flag(&self) -> bool {
        self.operation
            .output
            .and_then(|output| self.model.member(output, IS_TRUNCATED))
            .is_some_and(|target| self.model.kind(target) == Some("boolean"))
    }

    /// The shape at the end of a path of the output.
    fn path(&self, member: &str, path: &[crate::value::Name]) -> Result<String, DefinitionError> {
        let mut shape = self.operation.output;
        for name in path {
            let next = shape.and_then(|shape| self.model.member(shape, name.as_str()));
            let Some(next) = next else {
                return Err(self.unknown(member, name.as_str(), shape));
            };
            shape = Some(next);
        }
        Ok(shape.unwrap_or_default().to_owned())
    }

    fn member(&self, of: &str, member: &str, name: &str) -> Result<String, DefinitionError> {
        let shape = if of == "input" {
            self.operation.input
        } else {
            self.operation.output
        };
        let target = shape.and_then(|shape| self.model.member(shape, name));
        target
            .map(ToOwned::to_owned)
            .ok_or_else(|| self.unknown(member, name, shape))
    }

    fn expect(
        &self,
        member: &str,
        target: &str,
        kinds: &[&str],
        expected: &str,
    ) -> Result<(), DefinitionError> {
        match self.model.kind(target) {
            Some(kind) if kinds.contains(&kind) => Ok(()),
            kind => {
                let kind = kind.unwrap_or("nothing that the model has");
                let message = format!("`{member}` must lead to {expected}, `{target}` is {kind}");
                Err(self.error("wrong_target", member, message))
            }
        }
    }

    fn unknown(&self, member: &str, name: &str, shape: Option<&str>) -> DefinitionError {
        let message = match shape {
            Some(shape) => format!("`{shape}` has no member `{name}`"),
            None => format!("there is no shape to have a member `{name}`"),
        };
        self.error("unknown_member", member, message)
    }

    fn error(&self, code: &'static str, member: &str, message: String) -> DefinitionError {
        DefinitionError::new(code, format!("{}.{member}", self.at), message)
    }
}
