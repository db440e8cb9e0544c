//! The interface `search`.

use serde_json::{Value as Json, json};
use smithy_waiters::{CompiledExpression, SearchResult};

use crate::Engine;
use crate::convert::{self, Error};
use crate::wit::search::Guest;

impl Guest for Engine {
    fn search(expression: String, value: String) -> Result<String, Error> {
        let expression = CompiledExpression::new(&expression)?;
        let value = convert::json(&value)?;
        let result = expression.search(&value)?;
        Ok(to_json(result).to_string())
    }
}

fn to_json(result: SearchResult<&Json>) -> Json {
    match result {
        SearchResult::Array(items) => items.into_iter().map(to_json).collect(),
        SearchResult::Boolean(value) => value.into(),
        SearchResult::Host(value) => value.clone(),
        SearchResult::Number(number) => json!(number),
        SearchResult::Object(members) => {
            let members = members.into_iter();
            members
                .map(|(name, value)| (name.to_string(), to_json(value)))
                .collect()
        }
        SearchResult::String(text) => (*text).into(),
        _ => Json::Null,
    }
}
