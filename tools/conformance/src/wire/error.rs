//! Errors as HTTP responses, in the forms in which they travel.

use std::collections::BTreeMap;

use serde_json::json;
use smithy_waiters_model::{Shape, id};

use super::{Body, Wire, cbor, status, xml};
use crate::Protocol;
use crate::suite::Http;

/// A form in which the code of an error travels. A client must accept all of its protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The form that services use.
    Plain,
    /// With the namespace of the shape, in JSON.
    Namespace,
    /// With a URI after a colon, in JSON.
    Uri,
    /// In the body instead of the header, in restJson1.
    Body,
}

/// What the service appends to codes in the form with a URI.
const URI: &str = ":http://internal.amazon.com/coral/com.amazon.coral.service/";
const QUERY_COMPATIBLE: &str = "aws.protocols#awsQueryCompatible";
const HEADER: &str = "x-amzn-errortype";
const MESSAGE: &str = "conformance";

impl Form {
    /// Returns the forms that a protocol has, with their names in ids.
    pub(crate) const fn of(protocol: Protocol) -> &'static [(Self, &'static str)] {
        match protocol {
            Protocol::AwsJson1_0 | Protocol::AwsJson1_1 => {
                &[(Self::Namespace, "with-namespace"), (Self::Uri, "with-uri")]
            }
            Protocol::RestJson1 => &[(Self::Uri, "with-uri"), (Self::Body, "in-body")],
            _ => &[],
        }
    }
}

impl<'m> Wire<'m> {
    /// Returns the response with an error. `code` is the code on the wire, or an HTTP status for an error without a body.
    pub(crate) fn error(
        &self,
        protocol: Protocol,
        code: &str,
        shape: Option<&Shape<'m>>,
        form: Form,
    ) -> Http {
        let mut headers = BTreeMap::new();
        if let Ok(status) = code.parse() {
            return self.response(protocol, None, status, headers, Body::None);
        }
        let status = self.error_status(protocol, code, shape);
        let name = shape.map_or(code, |shape| self.shape_name(shape.id));
        let is_compatible = self
            .service
            .is_some_and(|service| service.has_trait(QUERY_COMPATIBLE));
        let written = if is_compatible || protocol == Protocol::RpcV2Cbor {
            name
        } else {
            code
        };
        if is_compatible {
            let fault = if status < 500 { "Sender" } else { "Receiver" };
            headers.insert("x-amzn-query-error".to_owned(), format!("{code};{fault}"));
        }
        let namespaced = format!("{}#{written}", id::namespace(self.operation.id));
        let written = match form {
            Form::Namespace => namespaced.clone(),
            Form::Uri => format!("{written}{URI}"),
            Form::Plain | Form::Body => written.to_owned(),
        };
        let escaped = xml::escape(code);
        let content =
            format!("<Type>Sender</Type><Code>{escaped}</Code><Message>{MESSAGE}</Message>");
        let body = match protocol {
            Protocol::AwsJson1_0 | Protocol::AwsJson1_1 => json_body(&written),
            Protocol::RestJson1 if form == Form::Body => json_body(&written),
            Protocol::RestJson1 => {
                headers.insert(HEADER.to_owned(), written);
                Body::Text(json!({"message": MESSAGE}).to_string())
            }
            Protocol::RpcV2Cbor => {
                Body::Bytes(cbor::texts([("__type", &namespaced), ("message", MESSAGE)]))
            }
            Protocol::Ec2Query => Body::Text(format!(
                "<Response><Errors><Error><Code>{escaped}</Code><Message>{MESSAGE}</Message></Error></Errors>\
                 <RequestID>{MESSAGE}</RequestID></Response>"
            )),
            Protocol::RestXml if self.has_bare_errors() => Body::Text(format!(
                "<Error>{content}<RequestId>{MESSAGE}</RequestId></Error>"
            )),
            Protocol::AwsQuery | Protocol::RestXml => {
                let error = format!("<Error>{content}</Error><RequestId>{MESSAGE}</RequestId>");
                Body::Text(self.xml().wrapped("ErrorResponse", &error))
            }
        };
        let body = if self.is_head() { Body::None } else { body };
        self.response(protocol, None, status, headers, body)
    }

    /// Returns the status of an error. For one that the model lacks, it is the usual one of its code.
    fn error_status(&self, protocol: Protocol, code: &str, shape: Option<&Shape<'m>>) -> u16 {
        let modeled = |id: &str, member: Option<&str>| {
            let value = shape?.find_trait(id)?.value;
            status(&member.map_or(Some(value), |member| value.member(member))?)
        };
        let of_query = || modeled("aws.protocols#awsQueryError", Some("httpResponseCode"));
        let declared = modeled("smithy.api#httpError", None).or_else(of_query);
        let is_server = || {
            let fault =
                shape.and_then(|shape| shape.find_trait("smithy.api#error")?.value.as_str());
            fault == Some("server")
        };
        declared.unwrap_or_else(|| match code {
            _ if is_server() => 500,
            "NotFound" => 404,
            _ if code.starts_with("AccessDenied")
                && !matches!(protocol, Protocol::AwsJson1_0 | Protocol::AwsJson1_1) =>
            {
                403
            }
            _ => 400,
        })
    }

    fn has_bare_errors(&self) -> bool {
        let applied = self
            .service
            .and_then(|service| service.find_trait(Protocol::RestXml.trait_id()));
        let bare = applied.and_then(|applied| applied.value.member("noErrorWrapping")?.as_bool());
        bare == Some(true)
    }
}

fn json_body(code: &str) -> Body {
    Body::Text(json!({"__type": code, "message": MESSAGE}).to_string())
}
