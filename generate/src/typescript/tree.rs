//! TypeScript as a tree: the expressions and statements that are generated.

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

/// A part of an object.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Property {
    /// `a: b`; `a` where both are that.
    Is(String, Ts),
    /// `...a`
    Spread(Ts),
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Type {
    /// `Name<arguments>`, or anything that is on one line.
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

    /// The names in it.
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

    /// `name(arguments)`
    pub(super) fn call(name: &str, arguments: Vec<Self>) -> Self {
        Self::Call(Box::new(Self::name(name)), arguments)
    }

    /// `name(arguments)` of a function that accepts any type: casts are left out.
    pub(super) fn call_untyped(name: &str, arguments: impl IntoIterator<Item = Self>) -> Self {
        let arguments = arguments.into_iter().map(|argument| match argument {
            Self::As(of, _) => *of,
            argument => argument,
        });
        Self::call(name, arguments.collect())
    }

    /// `self.name`, which is there.
    pub(super) fn dot(self, name: impl Into<String>) -> Self {
        Self::Member(Box::new(self), name.into(), false)
    }

    /// `self.name`, or `self?.name` where it may not be there.
    pub(super) fn member(self, name: impl Into<String>) -> Self {
        if self == Self::undefined() {
            return self;
        }
        let optional = !self.is_there();
        Self::Member(Box::new(self), name.into(), optional)
    }

    /// `self?.name(arguments)`, of what is undefined undefined
    pub(super) fn method(self, name: &str, arguments: Vec<Self>) -> Self {
        match self.member(name) {
            Self::Name(undefined) => Self::Name(undefined),
            method => Self::Call(Box::new(method), arguments),
        }
    }

    /// `items(self)`: what is no list has no elements, whatever methods it has.
    pub(super) fn items(self) -> Self {
        if self.is_list() {
            return self;
        }
        Self::call("items", vec![self])
    }

    pub(super) fn binary(self, operator: &'static str, other: Self) -> Self {
        Self::Binary(operator, Box::new([self, other]))
    }

    /// `self && other`; of a constant only one side is left, as compilers refuse constant conditions.
    pub(super) fn and(self, other: Self) -> Self {
        match self.constant_truth() {
            Some(true) => other,
            Some(false) => self,
            None => self.binary("&&", other),
        }
    }

    /// `self || other`, the same way.
    pub(super) fn or(self, other: Self) -> Self {
        match self.constant_truth() {
            Some(true) => self,
            Some(false) => other,
            None => self.binary("||", other),
        }
    }

    /// `!self`
    pub(super) fn not(self) -> Self {
        match self.constant_truth() {
            Some(truth) => Self::name((!truth).to_string()),
            None => Self::Not(Box::new(self)),
        }
    }

    /// `self as to`, whatever it was cast to.
    pub(super) fn cast(self, to: impl Into<String>) -> Self {
        match self {
            Self::As(of, _) => Self::As(of, to.into()),
            of => Self::As(Box::new(of), to.into()),
        }
    }

    /// `(parameter) => self`, or `() => self` where nothing reads the parameter: compilers ask for that.
    pub(super) fn of_element(self, parameter: &str) -> Self {
        let mut read = BTreeSet::new();
        self.names(&mut read);
        let parameters = read.get(parameter).map(|name| (*name).to_owned());
        Self::Arrow(parameters.into_iter().collect(), Box::new(self))
    }

    /// `(parameter) => self`
    pub(super) fn of(self, parameter: &str) -> Self {
        Self::Arrow(vec![parameter.to_owned()], Box::new(self))
    }

    /// `self ?? undefined`: null becomes undefined; where it is never null, nothing is to be done, and compilers say so.
    pub(super) fn or_undefined(self) -> Self {
        if self.is_never_null() {
            return self;
        }
        self.binary("??", Self::undefined())
    }

    /// What it is as a condition, where that is plain to see.
    pub(super) fn constant_truth(&self) -> Option<bool> {
        match self {
            Self::Name(name) if name == "undefined" || name == "false" => Some(false),
            Self::Name(name) if name == "true" => Some(true),
            Self::Number(_) => Some(true),
            Self::String(text) => Some(!text.is_empty()),
            _ => None,
        }
    }

    /// Whether it is a list or undefined, whatever the response is like.
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

    /// `required(…)`
    pub(super) fn is_required(&self) -> bool {
        matches!(self, Self::Call(called, _) if **called == Self::name("required"))
    }

    fn is_never_null(&self) -> bool {
        match self {
            Self::Array(_) | Self::Not(_) | Self::Number(_) | Self::Object(_) | Self::String(_) => {
                true
            }
            Self::Binary(operator, _) => !matches!(*operator, "??" | "||" | "&&"),
            Self::Member(of, name, false) => name == "length" && of.is_there(),
            Self::Name(name) => matches!(name.as_str(), "undefined" | "true" | "false"),
            _ => false,
        }
    }

    /// Whether it needs no `?.`: there is always a client, and what goes on from a call after a `?.` ends with it.
    fn is_there(&self) -> bool {
        match self {
            Self::Array(_) | Self::Object(_) | Self::String(_) => true,
            Self::Name(name) => name == "client",
            // A link of a chain ends the whole chain where it is missing.
            Self::Call(called, _) => match &**called {
                Self::Member(_, name, _) => name != "at",
                Self::Name(name) => name == "required",
                _ => false,
            },
            Self::Member(of, name, _) => name == "length" && of.is_there(),
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
