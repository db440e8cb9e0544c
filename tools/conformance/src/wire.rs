//! Answers as HTTP responses.

mod cbor;
mod error;
mod json;
mod time;
mod xml;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json};
use smithy_waiters_model::{Kind, Member, Model, Node, Shape, id};

use crate::Protocol;
use crate::suite::Http;
pub(crate) use error::Form;
use time::Format;

/// Writes the responses of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wire<'m> {
    pub(crate) model: &'m Model<'m>,
    pub(crate) service: Option<&'m Shape<'m>>,
    pub(crate) operation: &'m Shape<'m>,
}

/// A body, before it becomes text or base64.
enum Body {
    None,
    Text(String),
    Bytes(Vec<u8>),
}

impl<'m> Wire<'m> {
    /// Returns the response with an output, or `None` if the protocol cannot carry it.
    pub(crate) fn output(&self, protocol: Protocol, output: &Json) -> Option<Http> {
        let shape = self.model.input_or_output(self.operation, "output")?;
        let empty = Map::new();
        let values = output.as_object().unwrap_or(&empty);
        let mut status = self.success_status(protocol);
        let mut headers = BTreeMap::new();
        let mut payload = None;
        let mut in_body = Vec::new();
        for member in &shape.members {
            let value = values.get(member.name);
            match Binding::of(member).filter(|_| protocol.is_rest()) {
                None => in_body.push(member),
                Some(Binding::Payload) => payload = Some((member, value)),
                Some(Binding::Status) => {
                    let code = value.and_then(Json::as_u64);
                    status = code
                        .and_then(|code| u16::try_from(code).ok())
                        .unwrap_or(status);
                }
                Some(Binding::Header(name)) => {
                    headers.extend(value.and_then(|value| {
                        Some((name.to_lowercase(), self.header(member, value)?))
                    }));
                }
                Some(Binding::Prefix(prefix)) => {
                    let entries = value.and_then(Json::as_object).into_iter().flatten();
                    let entries = entries.filter_map(|(key, value)| {
                        Some((
                            format!("{prefix}{key}").to_lowercase(),
                            value.as_str()?.to_owned(),
                        ))
                    });
                    headers.extend(entries);
                }
            }
        }
        let body = match payload {
            _ if self.is_head() => Body::None,
            Some((member, value)) => self.payload(protocol, member, value)?,
            None if protocol.is_rest() && in_body.is_empty() => Body::None,
            None => self.body(protocol, shape, values)?,
        };
        let media_type = payload.and_then(|(member, _)| self.media_type(member));
        Some(self.response(protocol, media_type, status, headers, body))
    }

    /// Returns the media type of a blob or a text that is the body. Others have that of their protocol.
    fn media_type(&self, member: &Member<'m>) -> Option<&'m str> {
        let shape = self.model.shape(member.target)?;
        let applied = shape.find_trait("smithy.api#mediaType");
        let own = applied.and_then(|applied| applied.value.as_str());
        own.or(match shape.kind {
            Kind::Blob => Some("application/octet-stream"),
            Kind::String | Kind::Enum => Some("text/plain"),
            _ => None,
        })
    }

    /// Returns the shape of an error of the operation or its service, by its name or its code in query protocols.
    pub(crate) fn error_shape(&self, name: &str) -> Option<&'m Shape<'m>> {
        let model = self.model;
        let of_service = self
            .service
            .map_or_else(Vec::new, |shape| model.errors(shape));
        let ids = model.errors(self.operation).into_iter().chain(of_service);
        let shapes: Vec<&Shape<'_>> = ids.filter_map(|id| model.shape(id)).collect();
        let by_code = shapes.iter().find(|shape| shape.query_code() == Some(name));
        let by_name = || {
            shapes
                .iter()
                .find(|shape| self.shape_name(shape.id) == name)
        };
        by_code.or_else(by_name).copied()
    }

    /// Returns the name of a shape in the service.
    fn shape_name<'i>(&self, id: &'i str) -> &'i str
    where
        'm: 'i,
    {
        self.service
            .map_or_else(|| id::name(id), |service| self.model.name_in(service, id))
    }

    fn success_status(&self, protocol: Protocol) -> u16 {
        let http = self.operation.find_trait("smithy.api#http");
        let http = http.filter(|_| protocol.is_rest());
        http.and_then(|http| status(&http.value.member("code")?))
            .unwrap_or(200)
    }

    /// Returns `true` for an operation whose responses have no body.
    pub(crate) fn is_head(&self) -> bool {
        let http = self.operation.find_trait("smithy.api#http");
        let method = http.and_then(|http| http.value.member("method")?.as_str());
        method == Some("HEAD")
    }

    fn body(
        &self,
        protocol: Protocol,
        shape: &Shape<'m>,
        values: &Map<String, Json>,
    ) -> Option<Body> {
        let name = id::name(self.operation.id);
        Some(match protocol {
            Protocol::AwsJson1_0 | Protocol::AwsJson1_1 | Protocol::RestJson1 => {
                let uses_json_names = protocol == Protocol::RestJson1;
                let writer = json::Writer {
                    model: self.model,
                    uses_json_names,
                };
                Body::Text(Json::Object(writer.structure(shape, values)?).to_string())
            }
            Protocol::RpcV2Cbor => Body::Bytes(cbor::body(self.model, shape, values)?),
            Protocol::RestXml => Body::Text(self.xml().root(xml::name_of(shape), shape, values)?),
            Protocol::AwsQuery => {
                let result = self
                    .xml()
                    .element(&format!("{name}Result"), shape, values)?;
                let metadata =
                    "<ResponseMetadata><RequestId>conformance</RequestId></ResponseMetadata>";
                Body::Text(
                    self.xml()
                        .wrapped(&format!("{name}Response"), &format!("{result}{metadata}")),
                )
            }
            Protocol::Ec2Query => {
                let members = self.xml().members(shape, values)?;
                let id = "<requestId>conformance</requestId>";
                Body::Text(
                    self.xml()
                        .wrapped(&format!("{name}Response"), &format!("{id}{members}")),
                )
            }
        })
    }

    /// Returns the body that consists of one member.
    fn payload(
        &self,
        protocol: Protocol,
        member: &Member<'m>,
        value: Option<&Json>,
    ) -> Option<Body> {
        let Some(value) = value.filter(|value| !value.is_null()) else {
            return Some(Body::None);
        };
        let shape = self.model.shape(member.target)?;
        Some(match (shape.kind, value) {
            (Kind::Blob, Json::String(text)) => Body::Bytes(STANDARD.decode(text).ok()?),
            (_, Json::String(text)) => Body::Text(text.clone()),
            (_, Json::Object(values)) if protocol.is_xml() => {
                let applied = member.find_trait(xml::NAME);
                let name = applied.and_then(|applied| applied.value.as_str());
                Body::Text(self.xml().root(
                    name.unwrap_or_else(|| xml::name_of(shape)),
                    shape,
                    values,
                )?)
            }
            (Kind::Structure | Kind::Union, Json::Object(values)) => {
                let writer = json::Writer {
                    model: self.model,
                    uses_json_names: true,
                };
                Body::Text(Json::Object(writer.structure(shape, values)?).to_string())
            }
            _ => Body::Text(value.to_string()),
        })
    }

    const fn xml(&self) -> xml::Writer<'m> {
        xml::Writer {
            model: self.model,
            service: self.service,
        }
    }

    /// Returns the text of a header.
    fn header(&self, member: &Member<'m>, value: &Json) -> Option<String> {
        let shape = self.model.shape(member.target)?;
        Some(match value {
            Json::Null => return None,
            Json::Number(_) if shape.kind == Kind::Timestamp => {
                Format::of(member, shape, Format::HttpDate).write(value.as_f64()?)
            }
            Json::String(text) => text.clone(),
            Json::Array(items) => {
                let items: Vec<&str> = items.iter().map(Json::as_str).collect::<Option<_>>()?;
                items.join(", ")
            }
            value => value.to_string(),
        })
    }

    /// Returns a response. The media type of its body is that of the protocol, if it has no other.
    fn response(
        &self,
        protocol: Protocol,
        media_type: Option<&str>,
        status: u16,
        mut headers: BTreeMap<String, String>,
        body: Body,
    ) -> Http {
        if !matches!(body, Body::None) {
            let content = headers.entry("content-type".to_owned());
            content.or_insert_with(|| media_type.unwrap_or(protocol.content_type()).to_owned());
        }
        if protocol == Protocol::RpcV2Cbor {
            headers.insert("smithy-protocol".to_owned(), "rpc-v2-cbor".to_owned());
        }
        let (body, body_base64) = match body {
            Body::None => (None, None),
            Body::Text(text) => (Some(text), None),
            Body::Bytes(bytes) => (None, Some(STANDARD.encode(bytes))),
        };
        Http {
            status,
            headers,
            body,
            body_base64,
        }
    }
}

/// Returns the HTTP status that a trait has.
fn status(value: &Node<'_>) -> Option<u16> {
    value.as_f64()?.to_string().parse().ok()
}

/// The part of an HTTP response that a member is bound to.
enum Binding<'a> {
    Header(&'a str),
    Payload,
    Prefix(&'a str),
    Status,
}

impl<'a> Binding<'a> {
    fn of(member: &Member<'a>) -> Option<Self> {
        let text = |id: &str| {
            member
                .find_trait(id)
                .map(|applied| applied.value.as_str().unwrap_or_default())
        };
        if let Some(name) = text("smithy.api#httpHeader") {
            return Some(Self::Header(name));
        }
        if let Some(prefix) = text("smithy.api#httpPrefixHeaders") {
            return Some(Self::Prefix(prefix));
        }
        if member.has_trait("smithy.api#httpPayload") {
            return Some(Self::Payload);
        }
        member
            .has_trait("smithy.api#httpResponseCode")
            .then_some(Self::Status)
    }
}
