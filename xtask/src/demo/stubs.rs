//! Two services that fail, each in its way.

use std::io;
use std::net::TcpListener;
use std::thread;

use anyhow::{Context, Result, anyhow};
use tiny_http::{Header, Request, Response, Server};

/// What DynamoDB answers to somebody who may not ask.
const DENIAL: &str = r#"{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"User: arn:aws:iam::123456789012:user/demo is not authorized to perform: dynamodb:DescribeTable on resource: arn:aws:dynamodb:us-east-1:123456789012:table/orders"}"#;

/// Starts a service that accepts connections and never answers; gives its port.
///
/// # Errors
///
/// When no port is free.
pub(crate) fn silent() -> Result<u16> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).context("no port is free")?;
    let port = listener.local_addr()?.port();
    thread::spawn(move || {
        // Kept: a connection that is dropped would be an answer.
        let _connections: Vec<_> = listener.incoming().collect();
    });
    Ok(port)
}

/// Starts a service that denies every request; gives its port.
///
/// # Errors
///
/// When no port is free.
pub(crate) fn denying() -> Result<u16> {
    let server =
        Server::http(("127.0.0.1", 0)).map_err(|error| anyhow!("no port is free: {error}"))?;
    let address = server.server_addr().to_ip();
    let port = address.context("the service has no port")?.port();
    let headers = [
        header("Content-Type", "application/x-amz-json-1.0")?,
        header("x-amzn-RequestId", "DEMO0000000000000000000000000000")?,
    ];
    thread::spawn(move || {
        for request in server.incoming_requests() {
            // A client that is gone needs no answer.
            let _gone = deny(request, &headers);
        }
    });
    Ok(port)
}

fn deny(request: Request, headers: &[Header]) -> io::Result<()> {
    let mut response = Response::from_string(DENIAL).with_status_code(400);
    for header in headers {
        response.add_header(header.clone());
    }
    request.respond(response)
}

fn header(name: &str, value: &str) -> Result<Header> {
    Header::from_bytes(name, value).map_err(|()| anyhow!("`{name}: {value}` is no header"))
}
