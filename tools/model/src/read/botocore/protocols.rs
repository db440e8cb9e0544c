//! Translates how messages travel: protocols, and the names and places of members. Only [`Sources::with_protocols`] asks
//! for these traits.
//!
//! [`Sources::with_protocols`]: crate::Sources::with_protocols

use super::reader::Reader;
use super::values::{flag, new_trait, target_shape};
use crate::shapes::{Kind, Member, Node, Trait, Value};

const REST_XML: &str = "aws.protocols#restXml";
const XML_NAME: &str = "smithy.api#xmlName";

/// The members of botocore's `location`, and the traits of response members.
const LOCATIONS: [(&str, &str); 3] = [
    ("header", "smithy.api#httpHeader"),
    ("headers", "smithy.api#httpPrefixHeaders"),
    ("statusCode", "smithy.api#httpResponseCode"),
];

impl<'a> Reader<'a> {
    /// Returns the protocols of a service, in botocore's order.
    pub(super) fn protocol_traits(&self, metadata: &Node<'a>) -> Vec<Trait<'a>> {
        let named = metadata.member("protocols");
        let named = named.map_or(&[][..], |named| named.elements());
        let only = metadata.member("protocol");
        let named = if named.is_empty() {
            only.as_slice()
        } else {
            named
        };
        let empty = |at| self.builder.object(at, []);
        let protocol = |name: &Node<'a>| {
            let id = protocol_id(name.as_str()?, metadata)?;
            let service = metadata.member("serviceId")?;
            // The only service whose errors have no wrapper. botocore's files don't contain this.
            let value = if id == REST_XML && service.as_str() == Some("S3") {
                let yes = Node::new(name.at, Value::Boolean(true));
                self.builder.object(name.at, [("noErrorWrapping", yes)])
            } else {
                empty(name.at)
            };
            Some(new_trait(id, value))
        };
        let mut traits: Vec<Trait<'a>> = named.iter().filter_map(protocol).collect();
        if let Some(compatible) = metadata.member("awsQueryCompatible") {
            let id = "aws.protocols#awsQueryCompatible";
            traits.push(new_trait(id, empty(compatible.at)));
        }
        traits.extend(self.namespace_trait(metadata));
        traits
    }

    /// Returns the trait `http` of an operation.
    pub(super) fn http_trait(&self, operation: &Node<'a>) -> Option<Trait<'a>> {
        let http = operation.member("http")?;
        let names = [
            ("method", "method"),
            ("uri", "requestUri"),
            ("code", "responseCode"),
        ];
        let members = names.map(|(name, key)| Some((name, http.member(key)?)));
        let value = self.builder.object(http.at, members.into_iter().flatten());
        Some(new_trait("smithy.api#http", value))
    }

    /// Returns the traits of a member that decide how it travels in a response. None unless protocols are read.
    pub(super) fn wire_traits(&self, member: &Node<'a>, parent: Kind) -> Vec<Trait<'a>> {
        let Some(shapes) = self.shapes else {
            return Vec::new();
        };
        let target = target_shape(Some(*member), &shapes);
        let in_structure = matches!(parent, Kind::Structure | Kind::Union);
        let empty = self.builder.object(member.at, []);
        let mut traits = Vec::new();
        let location = member.member("location");
        let location = location.and_then(|location| location.as_str());
        let place = LOCATIONS.iter().find(|(name, _)| location == Some(name));
        let name = member.member("locationName");
        if let Some((_, id)) = place {
            traits.push(new_trait(id, name.unwrap_or(empty)));
        }
        let is_flat = target.is_some_and(|target| flag(&target, "flattened").is_some());
        if is_flat && in_structure {
            traits.push(new_trait("smithy.api#xmlFlattened", empty));
        }
        if flag(member, "xmlAttribute").is_some() {
            traits.push(new_trait("smithy.api#xmlAttribute", empty));
        }
        // The elements of a flattened list have the name that botocore declares for the list's member.
        let element = target.filter(|_| is_flat).and_then(|target| {
            let element = target.member("member")?;
            element.member("locationName")
        });
        if place.is_none() {
            traits.extend(element.or(name).map(|name| new_trait(XML_NAME, name)));
            traits.extend(name.map(|name| new_trait("smithy.api#jsonName", name)));
        }
        let format = member.member("timestampFormat");
        let format = format.or_else(|| target?.member("timestampFormat"));
        traits.extend(format.and_then(|format| timestamp_format(&format)));
        traits.extend(self.namespace_trait(member));
        traits
    }

    /// Returns the minimum of a shape's length or number. None unless protocols are read.
    pub(super) fn minimum(&self, kind: Kind, shape: &Node<'a>) -> Option<Trait<'a>> {
        let min = self.shapes.and(shape.member("min"))?;
        let id = match kind {
            Kind::Blob | Kind::List | Kind::Map | Kind::String => "smithy.api#length",
            _ => "smithy.api#range",
        };
        Some(new_trait(id, self.builder.object(min.at, [("min", min)])))
    }

    /// Marks the member that is the whole body of a response.
    pub(super) fn mark_payload(&self, shape: &Node<'a>, members: &mut [Member<'a>]) {
        let Some(payload) = self.shapes.and(shape.member("payload")) else {
            return;
        };
        for member in members {
            if Some(member.name) == payload.as_str() {
                let value = self.builder.object(payload.at, []);
                member
                    .traits
                    .push(new_trait("smithy.api#httpPayload", value));
            }
        }
    }

    fn namespace_trait(&self, node: &Node<'a>) -> Option<Trait<'a>> {
        let declared = node.member("xmlNamespace")?;
        let value = match declared.value {
            Value::String(_) => self.builder.object(declared.at, [("uri", declared)]),
            _ => declared,
        };
        Some(new_trait("smithy.api#xmlNamespace", value))
    }
}

fn protocol_id(name: &str, metadata: &Node<'_>) -> Option<&'static str> {
    Some(match name {
        "ec2" => "aws.protocols#ec2Query",
        "json" => {
            let version = metadata.member("jsonVersion");
            match version.and_then(|version| version.as_str()) {
                Some("1.0") => "aws.protocols#awsJson1_0",
                _ => "aws.protocols#awsJson1_1",
            }
        }
        "query" => "aws.protocols#awsQuery",
        "rest-json" => "aws.protocols#restJson1",
        "rest-xml" => REST_XML,
        "smithy-rpc-v2-cbor" => "smithy.protocols#rpcv2Cbor",
        _ => return None,
    })
}

fn timestamp_format<'a>(format: &Node<'a>) -> Option<Trait<'a>> {
    let name = match format.as_str()? {
        "iso8601" => "date-time",
        "rfc822" => "http-date",
        "unixTimestamp" => "epoch-seconds",
        _ => return None,
    };
    let value = Node::new(format.at, Value::String(name));
    Some(new_trait("smithy.api#timestampFormat", value))
}
