//! An HTTP request as the operation of a wait.

use std::fs;
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value as Json, json};
use smithy_waiters::driver::CancelToken;
use ureq::http::uri::Scheme;
use ureq::http::{Request, Response, StatusCode, header};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body};

use super::call::{
    Call, CallError, Class, Patterns, SharedCall, UNREACHABLE, in_background, last_words, not_json,
};

/// The member of a response with the status. Its name needs quotes in a path: `"http:status"=200`.
pub(super) const STATUS: &str = "http:status";

/// The member of a response with the headers, whose names are in lowercase.
const HEADERS: &str = "http:headers";

/// The letters of a name that are encoded in a URL: all but the unreserved ones of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The options of a request, as curl has them.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Options for URLs, as curl has them")]
pub(super) struct HttpOptions {
    /// Adds a header
    #[arg(short = 'H', long, value_name = "NAME: VALUE")]
    header: Vec<String>,
    /// The method; `GET` by default, and `POST` with `--data`
    #[arg(short = 'X', long = "request", value_name = "METHOD")]
    method: Option<String>,
    /// The body; `@FILE` reads a file
    #[arg(short, long, value_name = "TEXT")]
    data: Option<String>,
    /// Accepts any certificate
    #[arg(short = 'k', long)]
    insecure: bool,
    /// Accepts only the certificates of this file, in PEM format
    #[arg(long, value_name = "FILE", conflicts_with = "insecure")]
    cacert: Option<String>,
}

/// A request for several names, which replace `{}` in its URL: percent-encoded and joined by commas.
#[derive(Clone, Debug)]
pub(super) struct SharedUrl {
    pub(super) url: String,
    pub(super) options: HttpOptions,
    pub(super) max_output: usize,
}

impl SharedCall for SharedUrl {
    fn of(&self, names: &[&str]) -> Result<Box<dyn Call>> {
        let names = names.iter().map(|name| utf8_percent_encode(name, ENCODED));
        let names: Vec<String> = names.map(|name| name.to_string()).collect();
        let url = self.url.replace("{}", &names.join(","));
        let patterns = Patterns::default();
        let request = self
            .options
            .request(&url, Answer::Json, patterns, self.max_output);
        Ok(Box::new(request?))
    }
}

/// What counts as an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// A status of 2xx; any other is "not yet", except 401 and 403.
    Success,
    /// A status of 2xx; the engine decides about others.
    Found,
    /// JSON with a status of 2xx; the engine decides about others.
    Json,
    /// The same with the response `{"body"}`.
    Text,
    /// Every status.
    Status,
}

/// A request that is repeated.
#[derive(Clone, Debug)]
pub(super) struct Http {
    request: Request<Vec<u8>>,
    agent: Agent,
    answer: Answer,
    patterns: Patterns,
    max_output: u64,
}

impl HttpOptions {
    /// Returns `true` if an option is given.
    pub(super) const fn is_given(&self) -> bool {
        !self.header.is_empty()
            || self.method.is_some()
            || self.data.is_some()
            || self.insecure
            || self.cacert.is_some()
    }

    /// Returns the request for a URL.
    pub(super) fn request(
        &self,
        url: &str,
        answer: Answer,
        patterns: Patterns,
        max_output: usize,
    ) -> Result<Http> {
        let body = match self
            .data
            .as_deref()
            .map(|data| (data, data.strip_prefix('@')))
        {
            None => Vec::new(),
            Some((_, Some(file))) => {
                fs::read(file).with_context(|| format!("cannot read `{file}`"))?
            }
            Some((data, None)) => data.as_bytes().to_vec(),
        };
        let method = match (&self.method, &self.data) {
            (Some(method), _) => method,
            (None, Some(_)) => "POST",
            (None, None) => "GET",
        };
        let mut request = Request::builder().method(method).uri(url);
        let mut has_type = false;
        for line in &self.header {
            let parts = line.split_once(':');
            let (name, value) =
                parts.with_context(|| format!("`--header {line}` must be `NAME: VALUE`"))?;
            has_type |= name.eq_ignore_ascii_case("content-type");
            request = request.header(name, value.trim());
        }
        if self.data.is_some() && !has_type {
            request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        }
        let request = request
            .body(body)
            .with_context(|| format!("`{url}` cannot be requested"))?;
        let uri = request.uri();
        let host = uri.host().with_context(|| format!("`{url}` has no host"))?;
        // Without a valid port, the one of the scheme would be called.
        let has_port = uri
            .authority()
            .is_some_and(|part| !part.as_str().ends_with(host));
        ensure!(
            uri.port().is_some() || !has_port,
            "`{url}` must have a port from 0 to 65535"
        );
        let tls = TlsConfig::builder().disable_verification(self.insecure);
        let tls = match &self.cacert {
            Some(file) => tls.root_certs(certificates(file)?),
            None => tls,
        };
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .allow_non_standard_methods(true)
            .user_agent(concat!("smithy-waiters/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls.build());
        Ok(Http {
            request,
            agent: agent.build().into(),
            answer,
            patterns,
            max_output: u64::try_from(max_output).unwrap_or(u64::MAX),
        })
    }
}

fn certificates(file: &str) -> Result<RootCerts> {
    let text = fs::read(file).with_context(|| format!("cannot read `{file}`"))?;
    let items = parse_pem(&text).filter_map(|item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        _ => None,
    });
    let certificates: Vec<Certificate<'static>> = items.collect();
    ensure!(
        !certificates.is_empty(),
        "`{file}` has no certificate in PEM format"
    );
    Ok(RootCerts::from(certificates))
}

impl Call for Http {
    fn call(&self, limit: Duration, cancel: &CancelToken) -> Result<Json, CallError> {
        let this = self.clone();
        in_background(limit, cancel, move || this.send(limit))
    }
}

impl Http {
    fn send(&self, limit: Duration) -> Result<Json, CallError> {
        let limit = (limit < Duration::MAX).then_some(limit);
        let request = self.request.clone();
        let response = if request.body().is_empty() {
            let request = self.agent.configure_request(request.map(|_| ()));
            self.agent.run(request.timeout_global(limit).build())
        } else {
            let request = self.agent.configure_request(request);
            self.agent.run(request.timeout_global(limit).build())
        };
        let is_tls = self.request.uri().scheme() == Some(&Scheme::HTTPS);
        let failed = |error: ureq::Error| failed(&error.to_string(), is_tls);
        let mut response = response.map_err(failed)?;
        let body = response
            .body_mut()
            .with_config()
            .limit(self.max_output)
            .read_to_vec();
        let body = body.map_err(|error| match error {
            ureq::Error::BodyExceedsLimit(limit) => {
                let message = format!("the body has more than {limit} bytes (`--max-output`)");
                CallError::new(Class::Permanent, "OutputTooLarge", message)
            }
            error => failed(error),
        })?;
        self.response(&response, &body)
    }

    fn response(&self, response: &Response<Body>, body: &[u8]) -> Result<Json, CallError> {
        let status = response.status();
        if !status.is_success() && self.answer != Answer::Status {
            let place = response.headers().get(header::LOCATION);
            let place = place
                .and_then(|place| place.to_str().ok())
                .filter(|_| status.is_redirection());
            let words = match place {
                Some(place) => format!("it redirects to {place}, which is not followed"),
                None => words(status, body),
            };
            let is_denied = matches!(status.as_u16(), 401 | 403);
            let class = match self.answer {
                Answer::Success if !is_denied => Class::Busy,
                _ if status.as_u16() == 404 => Class::NotFound,
                _ => Class::Coded,
            };
            let mut error = CallError::new(class, status.as_str(), words);
            error.status = Some(status.as_u16());
            return Err(error);
        }
        let json = serde_json::from_slice::<Json>(body);
        let is_text = match self.answer {
            Answer::Text => true,
            Answer::Json => false,
            // Without a goal, a body that is not an object is a text.
            Answer::Found | Answer::Status | Answer::Success => {
                !matches!(json, Ok(Json::Object(_)))
            }
        };
        let mut members = match json {
            Ok(Json::Object(members)) if !is_text => members,
            Ok(other) if self.answer == Answer::Json => return Ok(other),
            Err(error) if self.answer == Answer::Json => {
                let remedy = ": does the server need `-H 'Accept: application/json'`?";
                return Err(not_json("body", body, &error, remedy));
            }
            _ => Map::new(),
        };
        let text = String::from_utf8_lossy(body);
        if is_text {
            members.insert("body".to_owned(), text.trim_end().into());
        }
        self.patterns.add(text.trim_end(), &mut members);
        members.insert(STATUS.to_owned(), status.as_u16().into());
        let headers = response.headers().iter();
        let headers = headers
            .filter_map(|(name, value)| Some((name.to_string(), json!(value.to_str().ok()?))));
        members.insert(HEADERS.to_owned(), headers.collect());
        Ok(Json::Object(members))
    }
}

/// What some messages of the client mean: for a URL with TLS or without, and a part of the message.
const MEANINGS: [(bool, &str, &str); 6] = [
    (
        true,
        "InvalidContentType",
        "the server does not speak TLS on this port: write `http://` instead of `https://`",
    ),
    (
        true,
        "unexpected end of file",
        "the server closed the connection before TLS began",
    ),
    (false, "Peer disconnected", CLOSED),
    (false, "Connection reset", CLOSED),
    (false, "Broken pipe", CLOSED),
    (
        false,
        "http parse fail",
        "the answer is not HTTP: `https://` is for a server that speaks TLS, `tcp://` only opens the port",
    ),
];

const CLOSED: &str =
    "the server closed the connection without an answer (a port for `https://` may do so)";

/// Parts of the answers of nginx, Go and Apache to a request without TLS on a port with TLS.
const NEEDS_TLS: [&str; 3] = [
    "to HTTPS port",
    "to an HTTPS server",
    "an SSL-enabled server port",
];

/// Returns the words of a response that is not a success.
fn words(status: StatusCode, body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    match status {
        StatusCode::BAD_REQUEST if NEEDS_TLS.iter().any(|part| text.contains(part)) => {
            "the server speaks TLS on this port: write `https://` instead of `http://`".to_owned()
        }
        _ => last_words(body),
    }
}

/// Returns the error of a request without a response. A certificate does not become valid by waiting.
fn failed(message: &str, is_tls: bool) -> CallError {
    let message = message.strip_prefix("io: ").unwrap_or(message);
    if message.contains("certificate") {
        return CallError::new(Class::Permanent, "BadCertificate", certificate(message));
    }
    let meaning = MEANINGS
        .iter()
        .find(|(tls, part, _)| *tls == is_tls && message.contains(part));
    let message = meaning.map_or(message, |(.., text)| text);
    CallError::new(Class::Unanswered, UNREACHABLE, message)
}

/// Returns the message of a bad certificate, with the options that accept it.
fn certificate(message: &str) -> String {
    let any = "`--insecure` accepts any certificate";
    // Another CA only helps if the issuer is unknown.
    if message.contains("UnknownIssuer") {
        return format!(
            "it is self-signed or of an unknown CA (`--cacert FILE` accepts the certificates of your CA, {any})"
        );
    }
    if message.contains("CaUsedAsEndEntity") {
        return format!("it is that of a CA, not of a server, and probably self-signed ({any})");
    }
    format!("{message} ({any})")
}

#[cfg(test)]
mod tests {
    use super::failed;

    #[test]
    fn a_bad_certificate_has_a_remedy() {
        let remedy = |problem: &str| {
            failed(&format!("io: invalid peer certificate: {problem}"), true).to_string()
        };
        assert_eq!(
            remedy("UnknownIssuer"),
            "BadCertificate: it is self-signed or of an unknown CA (`--cacert FILE` accepts the certificates of your CA, `--insecure` accepts any certificate)"
        );
        assert_eq!(
            remedy("Other(OtherError(CaUsedAsEndEntity))"),
            "BadCertificate: it is that of a CA, not of a server, and probably self-signed (`--insecure` accepts any certificate)"
        );
        assert_eq!(
            remedy("certificate expired"),
            "BadCertificate: invalid peer certificate: certificate expired (`--insecure` accepts any certificate)"
        );
        assert_eq!(
            failed("io: Connection refused", true).to_string(),
            "Unreachable: Connection refused"
        );
    }
}
