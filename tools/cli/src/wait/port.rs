//! A connection to a port as the operation of a wait.

use std::net::{TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use anyhow::{Result, ensure};
use serde_json::{Value as Json, json};
use smithy_waiters::driver::CancelToken;

use super::call::{Call, CallError, Class, UNREACHABLE, in_background};

/// A host and its port, `HOST:PORT`.
#[derive(Debug)]
pub(super) struct Port(String);

impl Port {
    /// Reads the part after `tcp://`.
    pub(super) fn read(text: &str) -> Result<Self> {
        let text = text.trim_end_matches('/');
        let parts = text.rsplit_once(':');
        let is_valid =
            parts.is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
        ensure!(is_valid, "`tcp://{text}` must be `tcp://HOST:PORT`");
        Ok(Self(text.to_owned()))
    }
}

impl Call for Port {
    fn call(&self, limit: Duration, cancel: &CancelToken) -> Result<Json, CallError> {
        let address = self.0.clone();
        in_background(limit, cancel, move || {
            let failed = |error: std::io::Error| {
                CallError::new(Class::Unanswered, UNREACHABLE, error.to_string())
            };
            let mut last =
                CallError::new(Class::Unanswered, UNREACHABLE, "the host has no address");
            for address in address.to_socket_addrs().map_err(failed)? {
                match TcpStream::connect_timeout(&address, limit) {
                    Ok(_) => return Ok(json!({"address": address.to_string()})),
                    Err(error) => last = failed(error),
                }
            }
            Err(last)
        })
    }
}
