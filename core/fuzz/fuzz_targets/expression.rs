//! Compiles any text as an expression, and evaluates what is valid on any value. The evaluation ends, and its result can be printed.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use smithy_waiters::CompiledExpression;

fuzz_target!(|texts: (&str, &str)| {
    let Ok(expression) = CompiledExpression::new(texts.0) else {
        return;
    };
    let value: Value = serde_json::from_str(texts.1).unwrap_or_else(|_| texts.1.into());
    let _ = format!("{:?}", expression.search(&value));
});
