//! Rust, over the crates of AWS's SDK or any other that smithy-rs writes.

use crate::backend::{Backend, File};
use crate::error::GenerateError;
use crate::ir::{Definition, Service};
use crate::names;

/// The backend for Rust.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Rust {
    /// The client's crate as code names it, `aws_sdk_dynamodb`; without it, by the service's `sdkId`.
    pub client: Option<String>,
}

impl Rust {
    /// Over a client's crate, or the one that the service's `sdkId` names.
    #[must_use]
    pub const fn for_client(client: Option<String>) -> Self {
        Self { client }
    }
}

impl Backend for Rust {
    fn language(&self) -> &'static str {
        "rust"
    }

    fn comment(&self) -> &'static str {
        "//"
    }

    fn service(&self, service: &Service<'_>) -> Result<Vec<File>, GenerateError> {
        let mut scope = names::Scope::new("Rust", "waiters");
        for (_, waiter) in service.waiters() {
            scope.take(&names::snake(waiter.name), waiter.name)?;
        }
        Ok(Vec::new())
    }

    fn untyped(&self, _: &[Definition]) -> Result<Vec<File>, GenerateError> {
        Ok(Vec::new())
    }
}
