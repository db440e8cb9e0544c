//! Parsing of `paginated` traits.

use serde_json::{Map, Value as Json};

use super::{IS_TRUNCATED, Paginator};
use crate::definition::{json_of, missing, wrong_type};
use crate::error::DefinitionError;
use crate::jmespath::Names;
use crate::text::is_identifier;
use crate::value::Name;

impl Paginator {
    /// Parses a paginator from the JSON text of a `paginated` trait.
    ///
    /// # Errors
    ///
    /// Returns `invalid_json` for invalid JSON, `missing_member` without `inputToken` or `outputToken`, `wrong_type`
    /// for a member of the wrong type, and `invalid_path` for a member name or a path that is not made of identifiers.
    pub fn from_json(text: &str) -> Result<Self, DefinitionError> {
        Self::from_value(&json_of("definition", text)?)
    }

    /// Creates a paginator from a `paginated` trait as parsed JSON.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`from_json`](Self::from_json) except `invalid_json`.
    pub fn from_value(definition: &Json) -> Result<Self, DefinitionError> {
        let members = definition
            .as_object()
            .ok_or_else(|| wrong_type("", "the definition", "an object", definition))?;
        let mut names = Names::default();
        let required = |name| string(members, name)?.ok_or_else(|| missing("", name));
        let input_member = names.intern(identifier("inputToken", required("inputToken")?)?);
        let output_token = path("outputToken", required("outputToken")?, &mut names)?;
        let items = string(members, "items")?.map(|items| path("items", items, &mut names));
        let page_size = string(members, "pageSize")?.map(|member| identifier("pageSize", member));
        Ok(Self {
            input_member,
            output_token,
            items: items.transpose()?,
            page_size: page_size.transpose()?.map(Into::into),
            page_size_kind: None,
            is_truncated: names.intern(IS_TRUNCATED),
            truncates: None,
            names,
        })
    }
}

fn string<'a>(
    members: &'a Map<String, Json>,
    name: &str,
) -> Result<Option<&'a str>, DefinitionError> {
    match members.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(text)),
        Some(other) => Err(wrong_type(name, &format!("`{name}`"), "a string", other)),
    }
}

/// Parses `Identifier *("." Identifier)`.
fn path(member: &str, text: &str, names: &mut Names) -> Result<Box<[Name]>, DefinitionError> {
    let identifiers = text.split('.').map(|part| identifier(member, part));
    identifiers.map(|name| Ok(names.intern(name?))).collect()
}

fn identifier<'t>(member: &str, text: &'t str) -> Result<&'t str, DefinitionError> {
    if is_identifier(text) {
        return Ok(text);
    }
    let message = format!("`{text}` is not a member name");
    Err(DefinitionError::new("invalid_path", member, message))
}
