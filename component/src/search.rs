//! The interface `search`.

use serde_json::Value as Json;
use smithy_waiters::CompiledExpression;

use crate::Engine;
use crate::convert::{self, Error};
use crate::wit::search::Guest;

impl Guest for Engine {
    fn search(expression: String, value: String) -> Result<String, Error> {
        let expression = CompiledExpression::new(&expression)?;
        let value = convert::json(&value)?;
        let result = expression.search(&value)?;
        Ok(Json::from(result).to_string())
    }
}
