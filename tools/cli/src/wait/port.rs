//! A connection to a port as the operation of a wait.

use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs as _};
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
            let failed = |error: io::Error| {
                CallError::new(Class::Unanswered, UNREACHABLE, error.to_string())
            };
            let mut last =
                CallError::new(Class::Unanswered, UNREACHABLE, "the host has no address");
            for address in address.to_socket_addrs().map_err(failed)? {
                match connect(&address, limit) {
                    Ok(()) => return Ok(json!({"address": address.to_string()})),
                    Err(error) => last = failed(error),
                }
            }
            Err(last)
        })
    }
}

fn connect(address: &SocketAddr, limit: Duration) -> io::Result<()> {
    let stream = TcpStream::connect_timeout(address, limit)?;
    if is_to_itself(&stream)? {
        return Err(io::ErrorKind::ConnectionRefused.into());
    }
    Ok(())
}

/// Tells whether the system gave the connection the port that it was to connect to, as it may for a port of its own range
/// on which nothing listens. TCP then connects the socket to itself.
fn is_to_itself(stream: &TcpStream) -> io::Result<bool> {
    Ok(stream.local_addr()? == stream.peer_addr()?)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};

    use socket2::{Domain, Socket, Type};

    use super::is_to_itself;

    #[test]
    fn a_connection_may_be_to_itself() {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into();
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
        socket.bind(&any).unwrap();
        socket.connect(&socket.local_addr().unwrap()).unwrap();
        assert!(is_to_itself(&socket.into()).unwrap());

        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        assert!(!is_to_itself(&stream).unwrap());
    }
}
