//! The two waiters, as AWS defines them for DynamoDB.

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;

const DEFINITIONS: &str = include_str!("../../demo/waiters.json");

/// The table that is waited for.
pub(crate) const TABLE: &str = "orders";

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableWaiter {
    Exists,
    NotExists,
}

impl TableWaiter {
    /// The name that AWS gives it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Exists => "TableExists",
            Self::NotExists => "TableNotExists",
        }
    }
}

/// What the clients are asked to do. Times are in seconds.
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
    /// A wait with options.
    ///
    /// # Errors
    ///
    /// When the definitions are not what they should be.
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

    /// At a service on this machine; a client that cannot be cut stops reading after `read_timeout`.
    pub(crate) fn at(self, port: u16, read_timeout: f64) -> Self {
        Self {
            endpoint: Some(format!("http://127.0.0.1:{port}")),
            read_timeout: Some(read_timeout),
            ..self
        }
    }

    /// With recorded answers in the place of a service.
    pub(crate) fn with_script(self, script: Value) -> Self {
        Self {
            script: Some(script),
            ..self
        }
    }
}
