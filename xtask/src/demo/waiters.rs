//! AWS's two waiters for DynamoDB.

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;

const DEFINITIONS: &str = include_str!("../../demo/waiters.json");

/// The name of the table.
pub(crate) const TABLE: &str = "orders";

/// A waiter for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableWaiter {
    Exists,
    NotExists,
}

impl TableWaiter {
    /// Returns the name in AWS's definitions.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Exists => "TableExists",
            Self::NotExists => "TableNotExists",
        }
    }
}

/// The input of the clients. Times are in seconds.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Job {
    waiter: &'static str,
    definition: Value,
    table: &'static str,
    options: Value,
    endpoint: Option<String>,
    read_timeout: Option<f64>,
    script: Option<Value>,
}

impl Job {
    /// Creates a job for a waiter with options.
    ///
    /// # Errors
    ///
    /// Fails if `waiters.json` is invalid or does not define the waiter.
    pub(crate) fn new(waiter: TableWaiter, options: Value) -> Result<Self> {
        let all: Value = serde_json::from_str(DEFINITIONS).context("`waiters.json`")?;
        let definition = all.get(waiter.name());
        let definition =
            definition.with_context(|| format!("`{}` is not defined", waiter.name()))?;
        Ok(Self {
            waiter: waiter.name(),
            definition: definition.clone(),
            table: TABLE,
            options,
            endpoint: None,
            read_timeout: None,
            script: None,
        })
    }

    /// Sets the port of the service, and the read timeout of clients whose calls cannot be interrupted.
    pub(crate) fn with_endpoint(self, port: u16, read_timeout: f64) -> Self {
        Self {
            endpoint: Some(format!("http://127.0.0.1:{port}")),
            read_timeout: Some(read_timeout),
            ..self
        }
    }

    /// Sets the recorded responses that replace a service.
    pub(crate) fn with_script(self, script: Value) -> Self {
        Self {
            script: Some(script),
            ..self
        }
    }
}
