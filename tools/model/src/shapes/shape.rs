//! Shapes, their members and traits.
//!
//! Clause: [the shapes](https://smithy.io/2.0/spec/model.html#shapes).

use super::node::{Entry, Node};
use crate::source::At;

/// A shape.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shape<'a> {
    /// The absolute id.
    pub id: &'a str,
    /// The kind, such as a structure or an operation.
    pub kind: Kind,
    /// The position of the definition.
    pub at: At,
    /// The members. Members of mixins come first.
    pub members: Vec<Member<'a>>,
    /// The traits, including those of mixins.
    pub traits: Vec<Trait<'a>>,
    /// The mixins.
    pub mixins: Vec<Reference<'a>>,
    /// All other properties of the shape in the JSON AST, such as `input`, `operations` and `identifiers`.
    pub properties: Vec<Entry<'a>>,
    /// The resource after `for`. Members without a target have the targets of its identifiers and properties.
    pub(crate) resource: Option<Reference<'a>>,
}

/// A member of a shape.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Member<'a> {
    /// The name.
    pub name: &'a str,
    /// The id of the target shape. Empty if the model omits the target and no mixin or resource defines it.
    pub target: &'a str,
    /// The position of the definition.
    pub at: At,
    /// The traits, including those from mixins.
    pub traits: Vec<Trait<'a>>,
    /// `true` if a mixin defines the member.
    pub inherited: bool,
}

/// A trait applied to a shape or a member.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Trait<'a> {
    /// The id of the trait.
    pub id: &'a str,
    /// The position of the application.
    pub at: At,
    /// The value.
    pub value: Node<'a>,
    /// `true` if a mixin applies the trait.
    pub inherited: bool,
    /// `true` if another application adds members to the value, instead of conflicting: for botocore's waiters.
    pub extensible: bool,
}

/// A reference to another shape.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Reference<'a> {
    /// The absolute id.
    pub id: &'a str,
    /// The position of the reference.
    pub at: At,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal,)*) => {
        /// The kind of a shape.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// The names in models.
            pub(crate) const NAMES: &[&str] = &[$($name,)*];

            /// Parses a kind as models write it, such as `bigDecimal`. Returns `None` for an unknown name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$kind),)*
                    _ => None,
                }
            }

            /// Returns the name as models write it, such as `bigDecimal`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                }
            }
        }
    };
}

kinds! {
    /// A number of any size and precision.
    BigDecimal "bigDecimal",
    /// An integer of any size.
    BigInteger "bigInteger",
    /// Bytes.
    Blob "blob",
    /// A boolean.
    Boolean "boolean",
    /// An 8-bit integer.
    Byte "byte",
    /// Any value, without a schema.
    Document "document",
    /// A 64-bit floating-point number.
    Double "double",
    /// A string from a fixed set.
    Enum "enum",
    /// A 32-bit floating-point number.
    Float "float",
    /// A 32-bit integer from a fixed set.
    IntEnum "intEnum",
    /// A 32-bit integer.
    Integer "integer",
    /// A list.
    List "list",
    /// A 64-bit integer.
    Long "long",
    /// A map with string keys.
    Map "map",
    /// An operation of a service.
    Operation "operation",
    /// An entity with an identity.
    Resource "resource",
    /// The entry point of an API: operations and resources.
    Service "service",
    /// A list without duplicates (Smithy 1.0).
    Set "set",
    /// A 16-bit integer.
    Short "short",
    /// A string.
    String "string",
    /// Named members, each of which can be absent.
    Structure "structure",
    /// A point in time.
    Timestamp "timestamp",
    /// Named members, exactly one of which is set.
    Union "union",
}

impl<'a> Shape<'a> {
    /// Creates a shape without members, mixins and properties.
    pub(crate) const fn empty(kind: Kind, id: &'a str, at: At, traits: Vec<Trait<'a>>) -> Self {
        Self {
            id,
            kind,
            at,
            members: Vec::new(),
            traits,
            mixins: Vec::new(),
            properties: Vec::new(),
            resource: None,
        }
    }

    /// Returns a trait by its absolute id.
    #[must_use]
    pub fn find_trait(&self, id: &str) -> Option<&Trait<'a>> {
        self.traits.iter().find(|applied| applied.id == id)
    }

    /// Returns `true` if a trait is applied to the shape.
    #[must_use]
    pub fn has_trait(&self, id: &str) -> bool {
        self.find_trait(id).is_some()
    }

    /// Returns the code of the trait `awsQueryError`, which query protocols send instead of an error's name.
    #[must_use]
    pub fn query_code(&self) -> Option<&'a str> {
        let applied = self.find_trait("aws.protocols#awsQueryError")?;
        applied.value.member("code")?.as_str()
    }

    /// Returns a member by its name.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Member<'a>> {
        self.members.iter().find(|member| member.name == name)
    }

    /// Returns a property of the shape in the JSON AST.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<Node<'a>> {
        let entry = self.properties.iter().find(|entry| entry.key == name)?;
        Some(entry.value)
    }

    /// Returns the id in a property that refers to one shape, such as an operation's `input` or a resource's `read`.
    #[must_use]
    pub fn reference(&self, property: &str) -> Option<&'a str> {
        self.property(property)?.member("target")?.as_str()
    }

    /// Returns the ids in a property that lists shapes, such as an operation's `errors` or a service's `operations`.
    pub fn references(&self, property: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let elements = self
            .property(property)
            .map_or(&[][..], |node| node.elements());
        let target = |element: &Node<'a>| element.member("target")?.as_str();
        elements.iter().filter_map(target)
    }
}

impl<'a> Member<'a> {
    /// Returns a trait by its absolute id.
    #[must_use]
    pub fn find_trait(&self, id: &str) -> Option<&Trait<'a>> {
        self.traits.iter().find(|applied| applied.id == id)
    }

    /// Returns `true` if a trait is applied to the member.
    #[must_use]
    pub fn has_trait(&self, id: &str) -> bool {
        self.find_trait(id).is_some()
    }
}

impl Kind {
    /// Returns `true` if shapes of this kind have members with arbitrary names, listed in `members` of the JSON AST.
    #[must_use]
    pub const fn has_named_members(self) -> bool {
        matches!(
            self,
            Self::Enum | Self::IntEnum | Self::Structure | Self::Union
        )
    }

    /// Returns the names of the members that every shape of this kind has.
    #[must_use]
    pub const fn fixed_members(self) -> &'static [&'static str] {
        match self {
            Self::List | Self::Set => &["member"],
            Self::Map => &["key", "value"],
            _ => &[],
        }
    }
}
