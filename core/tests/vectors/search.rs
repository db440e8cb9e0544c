//! Runs the vectors for JMESPath expressions.

use serde_json::{Value as Json, json};
use smithy_waiters::{CompiledExpression, SearchResult};

use crate::file::Vector;
use crate::results;
use crate::values::{HostValue, number_to_json, plain};

pub(crate) fn run(vector: &Vector) -> Json {
    let expression = plain(vector.find("expression").unwrap());
    let value = HostValue::new(vector.find("value").unwrap());
    let compiled = CompiledExpression::new(expression.as_str().unwrap());
    match compiled.and_then(|expression| expression.search(value).map(json_of)) {
        Ok(result) => json!({"result": result}),
        Err(error) => results::expression_error(&error),
    }
}

fn json_of(found: SearchResult<&HostValue>) -> Json {
    match found {
        SearchResult::Array(items) => items.into_iter().map(json_of).collect(),
        SearchResult::Boolean(value) => value.into(),
        SearchResult::Host(value) => value.to_json(),
        SearchResult::Number(number) => number_to_json(number),
        SearchResult::Object(members) => members
            .into_iter()
            .map(|(name, value)| (name.to_string(), json_of(value)))
            .collect(),
        SearchResult::String(text) => (*text).into(),
        _ => Json::Null,
    }
}
