//! Paginators from models, with the trait checked against the shapes that it refers to.

use serde_json::{Map, Value as Json};

use super::{IS_TRUNCATED, PageSizeKind, Paginator};
use crate::definition::json_of;
use crate::error::DefinitionError;
use crate::model::{Model, Operation};
use crate::value::Name;

const PAGINATED: &str = "smithy.api#paginated";

impl Paginator {
    /// Creates a paginator for an operation from the text of a Smithy model's JSON AST. The operation's trait is merged
    /// with its service's and checked against the operation's input and output.
    ///
    /// # Errors
    ///
    /// - `invalid_json` and `invalid_model` for a text that is not a model
    /// - `unknown_service`, `unknown_operation` and `ambiguous_operation` for the names
    /// - `not_paginated` for an operation without the trait
    /// - `unknown_member` for a path without a member in the model
    /// - `wrong_target` for a token that is neither a string nor a map, items that are neither a list nor a map, or a
    ///   page size of another type than an integer or a string
    ///
    /// The last two contain their path in the model.
    pub fn from_model(
        model: &str,
        operation: &str,
        service: Option<&str>,
    ) -> Result<Self, DefinitionError> {
        Self::from_model_value(&json_of("model", model)?, operation, service)
    }

    /// Creates a paginator for an operation of a parsed Smithy model. See [`from_model`](Self::from_model).
    ///
    /// # Errors
    ///
    /// Returns the errors of [`from_model`](Self::from_model) except `invalid_json`.
    pub fn from_model_value(
        model: &Json,
        operation: &str,
        service: Option<&str>,
    ) -> Result<Self, DefinitionError> {
        let mut model = Model::new(model)?;
        let operation = model.operation(operation, service)?;
        let definition = merged(&model, &operation)?;
        let at = format!("shapes.{}.traits.{PAGINATED}", operation.id);
        let mut paginator = Self::from_value(&Json::Object(definition)).map_err(|mut error| {
            error.path = format!("{at}.{}", error.path);
            error
        })?;
        let check = Check {
            model: &model,
            operation: &operation,
            at,
        };
        check.tokens(&paginator)?;
        check.output(&paginator)?;
        paginator.page_size_kind = check.page_size(&paginator)?;
        paginator.truncates = Some(check.has_flag());
        Ok(paginator)
    }
}

/// Returns the operation's trait, merged with its service's.
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
    // Members of the operation's trait replace those of the service's.
    merged.extend(own.clone());
    Ok(merged)
}

struct Check<'m> {
    model: &'m Model<'m>,
    operation: &'m Operation<'m>,
    at: String,
}

impl<'m> Check<'m> {
    fn tokens(&self, paginator: &Paginator) -> Result<(), DefinitionError> {
        let mut path = [paginator.input_token()].into_iter();
        let token = self.follow(self.operation.input, "inputToken", &mut path)?;
        self.expect_token("inputToken", token)
    }

    // The specification requires an integer, but some operations of AWS's models have a string.
    // Rule: docs/rules.md#page-size-type
    fn page_size(&self, paginator: &Paginator) -> Result<Option<PageSizeKind>, DefinitionError> {
        let Some(member) = paginator.page_size() else {
            return Ok(None);
        };
        let size = self.follow(self.operation.input, "pageSize", &mut [member].into_iter())?;
        if self.model.kind(size) == "string" {
            return Ok(Some(PageSizeKind::String));
        }
        let integers = ["byte", "integer", "intEnum", "long", "short"];
        self.expect("pageSize", size, &integers, "an integer")?;
        Ok(Some(PageSizeKind::Integer))
    }

    fn output(&self, paginator: &Paginator) -> Result<(), DefinitionError> {
        let output = self.operation.output;
        let mut path = paginator.output_token.iter().map(Name::as_str);
        let token = self.follow(output, "outputToken", &mut path)?;
        self.expect_token("outputToken", token)?;
        if let Some(items) = &paginator.items {
            let items = self.follow(output, "items", &mut items.iter().map(Name::as_str))?;
            self.expect("items", items, &["list", "map", "set"], "a list or a map")?;
        }
        Ok(())
    }

    fn has_flag(&self) -> bool {
        self.operation
            .output
            .and_then(|output| self.model.member(output, IS_TRUNCATED))
            .is_some_and(|target| self.model.kind(target) == "boolean")
    }

    /// Returns the shape at the end of a path.
    fn follow(
        &self,
        mut shape: Option<&'m str>,
        member: &str,
        path: &mut dyn Iterator<Item = &str>,
    ) -> Result<&'m str, DefinitionError> {
        for name in path {
            let next = shape.and_then(|shape| self.model.member(shape, name));
            shape = Some(next.ok_or_else(|| self.unknown(member, name, shape))?);
        }
        Ok(shape.unwrap_or_default())
    }

    fn expect_token(&self, member: &str, target: &str) -> Result<(), DefinitionError> {
        // DynamoDB's tokens are maps. Rule: docs/rules.md#page-tokens
        let kinds = ["enum", "map", "string"];
        self.expect(member, target, &kinds, "a string or a map")
    }

    fn expect(
        &self,
        member: &str,
        target: &str,
        kinds: &[&str],
        expected: &str,
    ) -> Result<(), DefinitionError> {
        let kind = self.model.kind(target);
        if kinds.contains(&&*kind) {
            return Ok(());
        }
        let message = format!("`{member}` must refer to {expected}, got `{target}` ({kind})");
        Err(self.error("wrong_target", member, message))
    }

    fn unknown(&self, member: &str, name: &str, shape: Option<&str>) -> DefinitionError {
        let message = match shape {
            Some(shape) => format!("`{shape}` has no member `{name}`"),
            None => {
                format!("cannot resolve the member `{name}`: the operation has no structure for it")
            }
        };
        self.error("unknown_member", member, message)
    }

    fn error(&self, code: &'static str, member: &str, message: String) -> DefinitionError {
        DefinitionError::new(code, format!("{}.{member}", self.at), message)
    }
}
