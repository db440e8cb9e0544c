//! Matchers of all services over plain types, which are looked up by name.

use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use smithy_waiters::ErrorMetadata;

/// A response as JSON, or an error.
pub type ResponseOrError<'s> = Result<&'s Json, &'s ErrorMetadata<'s>>;

include!(concat!(env!("OUT_DIR"), "/plain/mod.rs"));

fn typed<T: DeserializeOwned>(value: &Json) -> T {
    T::deserialize(value).unwrap_or_else(|error| panic!("{error}: {value}"))
}

fn by_output<T: DeserializeOwned>(
    _: &Json,
    seen: ResponseOrError<'_>,
    matcher: fn(Result<&T, &ErrorMetadata<'_>>) -> Option<usize>,
) -> Option<usize> {
    match seen {
        Ok(output) => matcher(Ok(&typed(output))),
        Err(error) => matcher(Err(error)),
    }
}

fn by_both<I: DeserializeOwned, T: DeserializeOwned>(
    input: &Json,
    seen: ResponseOrError<'_>,
    matcher: fn(&I, Result<&T, &ErrorMetadata<'_>>) -> Option<usize>,
) -> Option<usize> {
    let input = typed(input);
    match seen {
        Ok(output) => matcher(&input, Ok(&typed(output))),
        Err(error) => matcher(&input, Err(error)),
    }
}
