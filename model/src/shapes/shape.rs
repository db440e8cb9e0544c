//! Shapes: what a model is made of.
//!
//! Clause: [the shapes](https://smithy.io/2.0/spec/model.html#shapes).

use super::node::{Entry, Node};
use crate::source::At;

/// A shape.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shape<'a> {
    /// Its absolute id.
    pub id: &'a str,
    /// What it is.
    pub kind: Kind,
    /// Where it is defined.
    pub at: At,
    /// Its members, those of its mixins first.
    pub members: Vec<Member<'a>>,
    /// Its traits, with those of its mixins.
    pub traits: Vec<Trait<'a>>,
    /// The ids of its mixins.
    pub mixins: Vec<Reference<'a>>,
    /// What else the JSON AST says of it: `input`, `operations`, `identifiers`, …
    pub properties: Vec<Entry<'a>>,
    /// The resource that `for` names: its identifiers and properties give targets that members leave out.
    pub(crate) resource: Option<Reference<'a>>,
}

/// A member of a shape.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Member<'a> {
    /// Its name.
    pub name: &'a str,
    /// The id of the shape that it targets; empty where the model leaves it out and nothing gives it.
    pub target: &'a str,
    /// Where it is defined.
    pub at: At,
    /// Its traits, with those that it has in mixins.
    pub traits: Vec<Trait<'a>>,
    /// Whether a mixin defines it.
    pub inherited: bool,
}

/// A trait that is applied to a shape or a member.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Trait<'a> {
    /// The id of the trait.
    pub id: &'a str,
    /// Where it is applied.
    pub at: At,
    /// Its value.
    pub value: Node<'a>,
    /// Whether a mixin applies it.
    pub inherited: bool,
}

/// The id of another shape, and where it is written.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Reference<'a> {
    /// The absolute id.
    pub id: &'a str,
    /// Where it is written.
    pub at: At,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident $name:literal,)*) => {
        /// What a shape is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        impl Kind {
            /// The names as models write them.
            pub(crate) const NAMES: &[&str] = &[$($name,)*];

            /// The kind of a name as models write it.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$kind),)*
                    _ => None,
                }
            }

            /// The name as models write it.
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
    /// True or false.
    Boolean "boolean",
    /// An integer of 8 bits.
    Byte "byte",
    /// Any value, without a schema.
    Document "document",
    /// A floating point number of 64 bits.
    Double "double",
    /// A string of a fixed set.
    Enum "enum",
    /// A floating point number of 32 bits.
    Float "float",
    /// An integer of a fixed set.
    IntEnum "intEnum",
    /// An integer of 32 bits.
    Integer "integer",
    /// A list.
    List "list",
    /// An integer of 64 bits.
    Long "long",
    /// A map from strings.
    Map "map",
    /// Something that a service does.
    Operation "operation",
    /// Something with an identity.
    Resource "resource",
    /// An entry point: operations and resources.
    Service "service",
    /// A list without duplicates (Smithy 1.0).
    Set "set",
    /// An integer of 16 bits.
    Short "short",
    /// Text.
    String "string",
    /// Named members, each of them set or not.
    Structure "structure",
    /// A point in time.
    Timestamp "timestamp",
    /// Named members, one of them set.
    Union "union",
}

impl<'a> Shape<'a> {
    /// A shape without anything inside.
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

    /// A trait by its absolute id.
    #[must_use]
    pub fn find_trait(&self, id: &str) -> Option<&Trait<'a>> {
        self.traits.iter().find(|applied| applied.id == id)
    }

    /// Returns `true` if a trait is applied.
    #[must_use]
    pub fn has_trait(&self, id: &str) -> bool {
        self.find_trait(id).is_some()
    }

    /// A member by its name.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<&Member<'a>> {
        self.members.iter().find(|member| member.name == name)
    }

    /// A property of the JSON AST, as it is there.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<Node<'a>> {
        let entry = self.properties.iter().find(|entry| entry.key == name)?;
        Some(entry.value)
    }

    /// The id that a property refers to: an operation's `input`, a resource's `read`.
    #[must_use]
    pub fn reference(&self, property: &str) -> Option<&'a str> {
        self.property(property)?.member("target")?.as_str()
    }

    /// The ids that a property lists: an operation's `errors`, a service's `operations`.
    pub fn references(&self, property: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let elements = self
            .property(property)
            .map_or(&[][..], |node| node.elements());
        let target = |element: &Node<'a>| element.member("target")?.as_str();
        elements.iter().filter_map(target)
    }
}

impl<'a> Member<'a> {
    /// A trait by its absolute id.
    #[must_use]
    pub fn find_trait(&self, id: &str) -> Option<&Trait<'a>> {
        self.traits.iter().find(|applied| applied.id == id)
    }

    /// Returns `true` if a trait is applied.
    #[must_use]
    pub fn has_trait(&self, id: &str) -> bool {
        self.find_trait(id).is_some()
    }
}

impl Kind {
    /// Returns `true` if shapes of this kind have members of any name, written in `members` of the JSON AST.
    #[must_use]
    pub const fn has_named_members(self) -> bool {
        matches!(
            self,
            Self::Enum | Self::IntEnum | Self::Structure | Self::Union
        )
    }

    /// The members that shapes of this kind always have.
    #[must_use]
    pub const fn fixed_members(self) -> &'static [&'static str] {
        match self {
            Self::List | Self::Set => &["member"],
            Self::Map => &["key", "value"],
            _ => &[],
        }
    }
}
