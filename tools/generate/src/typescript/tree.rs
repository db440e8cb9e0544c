//! A syntax tree of TypeScript with the expressions and statements that are generated.

use std::collections::BTreeSet;

use crate::tree::Expression;

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ts {
    /// `[a, b]`
    Array(Vec<Self>),
    /// `(a) => b`
    Arrow(Vec<String>, Box<Self>),
    /// `a as T`
    As(Box<Self>, String),
    /// `await a`
    Await(Box<Self>),
    /// `a === b`, `a && b`, `a ?? b`, …
    Binary(&'static str, Box<[Self; 2]>),
    /// `a(b)`
    Call(Box<Self>, Vec<Self>),
    /// `a?.[b]`
    Index(Box<Self>, Box<Self>),
    /// `a.b`, or `a?.b`
    Member(Box<Self>, String, bool),
    /// `a`
    Name(String),
    /// `new A<T>(b)`
    New(Type, Vec<Self>),
    /// `!a`
    Not(Box<Self>),
    /// `1`
    Number(String),
    /// `{ a: b, c, ...d }`
    Object(Vec<Property>),
    /// `"a"`
    String(String),
    /// `a ? b : c`
    Ternary(Box<[Self; 3]>),
}

/// A property of an object literal.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Property {
    /// `a: b`, or the shorthand `a` if both names are equal.
    Is(String, Ts),
    /// `...a`
    Spread(Ts),
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    /// `Name<arguments>`, or any other type that is printed on one line.
    Name(String, Vec<Self>),
    /// `a | b`
    Or(Vec<Self>),
    /// `(parameters) => returns`
    Function(Vec<(String, Self)>, Box<Self>),
}

impl Type {
    pub(super) fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into(), Vec::new())
    }

    pub(super) fn of(name: &str, argument: Self) -> Self {
        Self::Name(name.to_owned(), vec![argument])
    }

    /// Returns the names in the type.
    pub(super) fn names(self) -> Vec<String> {
        match self {
            Self::Name(name, arguments) => {
                let inner = arguments.into_iter().flat_map(Self::names);
                std::iter::once(name).chain(inner).collect()
            }
            Self::Or(types) => types.into_iter().flat_map(Self::names).collect(),
            Self::Function(..) => Vec::new(),
        }
    }
}

pub(super) type Statement = crate::tree::Statement<Ts>;

impl Ts {
    pub(super) fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into())
    }

    pub(super) fn undefined() -> Self {
        Self::name("undefined")
    }

    pub(super) fn string(text: impl Into<String>) -> Self {
        Self::String(text.into())
    }

    pub(super) fn number(number: impl ToString) -> Self {
        Self::Number(number.to_string())
    }

    /// Returns `name(arguments)`.
    pub(super) fn call(name: &str, arguments: Vec<Self>) -> Self {
        Self::Call(Box::new(Self::name(name)), arguments)
    }

    /// Returns `name(arguments)` for a function that accepts any type. Casts of the arguments are removed.
    pub(super) fn call_untyped(name: &str, arguments: impl IntoIterator<Item = Self>) -> Self {
        let arguments = arguments.into_iter().map(|argument| match argument {
            Self::As(of, _) => *of,
            argument => argument,
        });
        Self::call(name, arguments.collect())
    }

    /// Returns `self.name`.
    pub(super) fn dot(self, name: impl Into<String>) -> Self {
        Self::Member(Box::new(self), name.into(), false)
    }

    /// Returns `self.name`, or `self?.name` if `self` may be null.
    pub(super) fn member(self, name: impl Into<String>) -> Self {
        if self == Self::undefined() {
            return self;
        }
        let optional = !self.is_never_missing();
        Self::Member(Box::new(self), name.into(), optional)
    }

    /// Returns `self?.name(arguments)`, which is undefined if `self` is.
    pub(super) fn method(self, name: &str, arguments: Vec<Self>) -> Self {
        match self.member(name) {
            Self::Name(undefined) => Self::Name(undefined),
            method => Self::Call(Box::new(method), arguments),
        }
    }

    /// Returns `items(self)`, which is undefined for a non-array, even if the value has methods of the same names.
    pub(super) fn items(self) -> Self {
        if self.is_list() {
            return self;
        }
        Self::call("items", vec![self])
    }

    pub(super) fn binary(self, operator: &'static str, other: Self) -> Self {
        Self::Binary(operator, Box::new([self, other]))
    }

    /// Returns `self && other`. Compilers reject constant conditions, so a constant side is evaluated.
    pub(super) fn and(self, other: Self) -> Self {
        match self.constant_truth() {
            Some(true) => other,
            Some(false) => self,
            None => self.binary("&&", other),
        }
    }

    /// Returns `self || other`. Compilers reject constant conditions, so a constant side is evaluated.
    pub(super) fn or(self, other: Self) -> Self {
        match self.constant_truth() {
            Some(true) => self,
            Some(false) => other,
            None => self.binary("||", other),
        }
    }

    /// Returns `!self`.
    pub(super) fn not(self) -> Self {
        match self.constant_truth() {
            Some(truth) => Self::name((!truth).to_string()),
            None => Self::Not(Box::new(self)),
        }
    }

    /// Returns `self as to`, which replaces an earlier cast.
    pub(super) fn cast(self, to: impl Into<String>) -> Self {
        match self {
            Self::As(of, _) => Self::As(of, to.into()),
            of => Self::As(Box::new(of), to.into()),
        }
    }

    /// Returns `(parameter) => self`, or `() => self` if `self` doesn't use the parameter. Compilers report unused
    /// parameters.
    pub(super) fn of_element(self, parameter: &str) -> Self {
        let mut read = BTreeSet::new();
        self.names(&mut read);
        let parameters = read.get(parameter).map(|name| (*name).to_owned());
        Self::Arrow(parameters.into_iter().collect(), Box::new(self))
    }

    /// Returns `(parameter) => self`.
    pub(super) fn of(self, parameter: &str) -> Self {
        Self::Arrow(vec![parameter.to_owned()], Box::new(self))
    }

    /// Returns `self ?? undefined`, which converts null to undefined. Compilers reject it for an expression that is
    /// never null, so such an expression is returned unchanged.
    pub(super) fn or_undefined(self) -> Self {
        if self.is_never_null() {
            return self;
        }
        self.binary("??", Self::undefined())
    }

    /// Returns the truth of a constant expression.
    pub(super) fn constant_truth(&self) -> Option<bool> {
        match self {
            Self::Name(name) if name == "undefined" || name == "false" => Some(false),
            Self::Name(name) if name == "true" => Some(true),
            Self::Number(_) => Some(true),
            Self::String(text) => Some(!text.is_empty()),
            _ => None,
        }
    }

    /// Returns `true` if the value is an array or undefined for every response.
    pub(super) fn is_list(&self) -> bool {
        match self {
            Self::Array(_) => true,
            Self::Call(called, arguments) => match &**called {
                Self::Member(of, name, _) => name != "at" && of.is_list(),
                Self::Name(name) if name == "required" => arguments.iter().all(Self::is_list),
                Self::Name(name) => {
                    matches!(
                        &**name,
                        "flat" | "items" | "keysOf" | "present" | "valuesOf"
                    )
                }
                _ => false,
            },
            Self::Name(name) => name == "undefined",
            Self::Ternary(parts) => parts.iter().skip(1).all(Self::is_list),
            _ => false,
        }
    }

    /// Returns `true` for `required(…)`.
    pub(super) fn is_required(&self) -> bool {
        matches!(self, Self::Call(called, _) if **called == Self::name("required"))
    }

    fn is_never_null(&self) -> bool {
        match self {
            Self::Array(_) | Self::Not(_) | Self::Number(_) | Self::Object(_) | Self::String(_) => {
                true
            }
            Self::Binary(operator, _) => !matches!(*operator, "??" | "||" | "&&"),
            Self::Member(of, name, false) => name == "length" && of.is_never_missing(),
            Self::Name(name) => matches!(name.as_str(), "undefined" | "true" | "false"),
            _ => false,
        }
    }

    /// Returns `true` if a member can be accessed without `?.`. The client is never null, and a `?.` before a call
    /// already guards the links after it.
    fn is_never_missing(&self) -> bool {
        match self {
            Self::Array(_) | Self::Object(_) | Self::String(_) => true,
            Self::Name(name) => name == "client",
            // The result of such a call is null only if a `?.` has ended the whole chain.
            Self::Call(called, _) => match &**called {
                Self::Member(_, name, _) => name != "at",
                Self::Name(name) => name == "required",
                _ => false,
            },
            Self::Member(of, name, _) => name == "length" && of.is_never_missing(),
            _ => false,
        }
    }
}

impl Expression for Ts {
    fn as_name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }

    fn children(&self) -> Vec<&Self> {
        match self {
            Self::Array(items) | Self::New(_, items) => items.iter().collect(),
            Self::Arrow(_, of)
            | Self::As(of, _)
            | Self::Await(of)
            | Self::Member(of, ..)
            | Self::Not(of) => vec![of],
            Self::Binary(_, sides) => sides.iter().collect(),
            Self::Call(called, arguments) => std::iter::once(&**called).chain(arguments).collect(),
            Self::Index(of, index) => vec![of, index],
            Self::Name(_) | Self::Number(_) | Self::String(_) => Vec::new(),
            Self::Object(properties) => properties.iter().map(Property::value).collect(),
            Self::Ternary(parts) => parts.iter().collect(),
        }
    }
}

impl Property {
    const fn value(&self) -> &Ts {
        match self {
            Self::Is(_, value) | Self::Spread(value) => value,
        }
    }
}
