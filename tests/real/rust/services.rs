//! The services of the tests with real SDKs, the configuration of the proxy, and clients.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::config::{self, BehaviorVersion, Credentials, Region};
use serde_json::Value;

/// The program that runs the services, with tables to wait for. It exits when its standard input ends.
pub(crate) struct Services {
    program: Child,
    addresses: Value,
}

impl Services {
    pub(crate) fn start(tables: usize) -> Self {
        let place = env::var_os("SMITHY_WAITERS_REAL").unwrap();
        let mut program = Command::new("node")
            .args(["--no-warnings", "services.mjs", &tables.to_string()])
            .current_dir(place)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(program.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        Self {
            program,
            addresses: serde_json::from_str(&line).unwrap(),
        }
    }

    /// Creates a client without retries for the `service` or the `proxy`.
    pub(crate) fn client(&self, name: &str) -> Client {
        let config = config(self.address(name)).retry_config(RetryConfig::disabled());
        Client::from_conf(config.build())
    }

    pub(crate) fn address(&self, name: &str) -> &str {
        self.addresses[name].as_str().unwrap()
    }

    /// Sends a control request to the proxy, and returns the response.
    pub(crate) fn send(&self, path: &str, body: &Value) -> Value {
        let address = self.address("proxy");
        let mut stream = TcpStream::connect(address.strip_prefix("http://").unwrap()).unwrap();
        let (body, mut answer) = (body.to_string(), String::new());
        let length = body.len();
        let head = format!("POST {path} HTTP/1.0\r\nContent-Length: {length}\r\n\r\n");
        stream
            .write_all(format!("{head}{body}").as_bytes())
            .unwrap();
        stream.read_to_string(&mut answer).unwrap();
        let (_, content) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(content).unwrap()
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        drop(self.program.stdin.take());
        let _result = self.program.wait();
    }
}

/// Returns the configuration of a client for an address.
pub(crate) fn config(endpoint: &str) -> config::Builder {
    config::Builder::new()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("us-east-1"))
        .credentials_provider(Credentials::new("none", "none", None, None, "none"))
        .endpoint_url(endpoint)
        .http_client(aws_smithy_http_client::Builder::new().build_http())
}
