//! The protocols of AWS's services.

use smithy_waiters_model::Shape;

/// A protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a player that doesn't know a protocol must not compile"
)]
pub enum Protocol {
    /// AWS JSON 1.0
    AwsJson1_0,
    /// AWS JSON 1.1
    AwsJson1_1,
    /// AWS restJson1
    RestJson1,
    /// AWS query
    AwsQuery,
    /// EC2 query
    Ec2Query,
    /// AWS restXml
    RestXml,
    /// Smithy RPC v2 CBOR
    RpcV2Cbor,
}

/// The protocols in the order of preference: text before bytes, so that a person can read the body.
const ALL: [(Protocol, &str); 7] = [
    (Protocol::AwsJson1_0, "aws.protocols#awsJson1_0"),
    (Protocol::AwsJson1_1, "aws.protocols#awsJson1_1"),
    (Protocol::RestJson1, "aws.protocols#restJson1"),
    (Protocol::RestXml, "aws.protocols#restXml"),
    (Protocol::AwsQuery, "aws.protocols#awsQuery"),
    (Protocol::Ec2Query, "aws.protocols#ec2Query"),
    (Protocol::RpcV2Cbor, "smithy.protocols#rpcv2Cbor"),
];

impl Protocol {
    /// Returns the protocols of a service, the preferred one first.
    #[must_use]
    pub fn of(service: &Shape<'_>) -> Vec<Self> {
        let applied = ALL.iter().filter(|(_, id)| service.has_trait(id));
        applied.map(|(protocol, _)| *protocol).collect()
    }

    /// Returns the id of the trait.
    #[must_use]
    pub fn trait_id(self) -> &'static str {
        let known = ALL.iter().find(|(protocol, _)| *protocol == self);
        known.map_or("", |(_, id)| id)
    }

    /// Returns the name in the kit, such as `awsJson1_0`.
    #[must_use]
    pub fn name(self) -> &'static str {
        let id = self.trait_id();
        id.split_once('#').map_or(id, |(_, name)| name)
    }

    /// Returns the content type of responses.
    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::AwsJson1_0 => "application/x-amz-json-1.0",
            Self::AwsJson1_1 => "application/x-amz-json-1.1",
            Self::RestJson1 => "application/json",
            Self::RestXml => "application/xml",
            Self::AwsQuery | Self::Ec2Query => "text/xml",
            Self::RpcV2Cbor => "application/cbor",
        }
    }

    /// Returns `true` if members can be bound to parts of an HTTP message.
    pub(crate) const fn is_rest(self) -> bool {
        matches!(self, Self::RestJson1 | Self::RestXml)
    }

    pub(crate) const fn is_xml(self) -> bool {
        matches!(self, Self::RestXml | Self::AwsQuery | Self::Ec2Query)
    }

    /// Returns the page of the specification on errors.
    pub(crate) const fn errors_clause(self) -> &'static str {
        match self {
            Self::AwsJson1_0 => {
                "https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html#operation-error-serialization"
            }
            Self::AwsJson1_1 => {
                "https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html#operation-error-serialization"
            }
            Self::RestJson1 => {
                "https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#operation-error-serialization"
            }
            Self::RestXml => {
                "https://smithy.io/2.0/aws/protocols/aws-restxml-protocol.html#operation-error-serialization"
            }
            Self::AwsQuery => {
                "https://smithy.io/2.0/aws/protocols/aws-query-protocol.html#operation-error-serialization"
            }
            Self::Ec2Query => {
                "https://smithy.io/2.0/aws/protocols/aws-ec2-query-protocol.html#operation-error-serialization"
            }
            Self::RpcV2Cbor => {
                "https://smithy.io/2.0/additional-specs/protocols/smithy-rpc-v2.html#operation-error-serialization"
            }
        }
    }
}
