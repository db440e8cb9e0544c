//! The signatures of JMESPath functions in Smithy's validator.

use super::sample::{Sample, Type};
use crate::shapes::Model;

/// The accepted types of an argument.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    Any,
    /// An array whose elements have the same type.
    ArrayOf(Type),
    OneOf(&'static [Type]),
}

/// A function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function {
    pub(super) gives: Type,
    pub(super) arguments: &'static [Argument],
    /// The accepted types of further arguments; `None` if the number of arguments is fixed.
    pub(super) more: Option<Argument>,
}

const ARRAY: Argument = Argument::OneOf(&[Type::Array]);
const EXPRESSION: Argument = Argument::OneOf(&[Type::Expression]);
const NUMBER: Argument = Argument::OneOf(&[Type::Number]);
const OBJECT: Argument = Argument::OneOf(&[Type::Object]);
const STRING: Argument = Argument::OneOf(&[Type::String]);
const ARRAY_OR_STRING: Argument = Argument::OneOf(&[Type::Array, Type::String]);
const SIZED: Argument = Argument::OneOf(&[Type::Array, Type::Object, Type::String]);

/// The names of all functions, for suggestions.
pub(super) const NAMES: [&str; 26] = [
    "abs",
    "avg",
    "ceil",
    "contains",
    "ends_with",
    "floor",
    "join",
    "keys",
    "length",
    "map",
    "max",
    "max_by",
    "merge",
    "min",
    "min_by",
    "not_null",
    "reverse",
    "sort",
    "sort_by",
    "starts_with",
    "sum",
    "to_array",
    "to_number",
    "to_string",
    "type",
    "values",
];

/// Returns the function with a name.
pub(super) fn find(name: &str) -> Option<Function> {
    let fixed = |gives, arguments| {
        Some(Function {
            gives,
            arguments,
            more: None,
        })
    };
    match name {
        "abs" | "ceil" | "floor" => fixed(Type::Number, &[NUMBER]),
        "avg" | "sum" => fixed(Type::Number, &[Argument::ArrayOf(Type::Number)]),
        "contains" => fixed(Type::Boolean, &[ARRAY_OR_STRING, Argument::Any]),
        // JMESPath returns a boolean. Smithy's validator uses a number, and events must be the same: see
        // docs/rules.md#validator-differences.
        "ends_with" => fixed(Type::Number, &[STRING, STRING]),
        "join" => fixed(Type::String, &[STRING, Argument::ArrayOf(Type::String)]),
        "keys" | "values" => fixed(Type::Array, &[OBJECT]),
        "length" => fixed(Type::Number, &[SIZED]),
        "map" => fixed(Type::Array, &[EXPRESSION, ARRAY]),
        // JMESPath returns the type of the elements. Smithy's validator uses a number: see
        // docs/rules.md#validator-differences.
        "max" | "min" => fixed(Type::Number, &[ARRAY]),
        "max_by" | "min_by" => fixed(Type::Number, &[ARRAY, EXPRESSION]),
        "merge" => Some(Function {
            gives: Type::Object,
            arguments: &[],
            more: Some(OBJECT),
        }),
        "not_null" => Some(Function {
            gives: Type::Any,
            arguments: &[Argument::Any],
            more: Some(Argument::Any),
        }),
        "reverse" => fixed(Type::Array, &[ARRAY_OR_STRING]),
        "sort" => fixed(Type::Array, &[ARRAY]),
        "sort_by" => fixed(Type::Array, &[ARRAY, EXPRESSION]),
        "starts_with" => fixed(Type::Boolean, &[STRING, STRING]),
        "to_array" => fixed(Type::Array, &[Argument::Any]),
        "to_number" => fixed(Type::Number, &[Argument::Any]),
        "to_string" | "type" => fixed(Type::String, &[Argument::Any]),
        _ => None,
    }
}

impl Function {
    /// Returns the sample for the result of a call.
    pub(super) fn result<'m, 'a>(&self) -> Sample<'m, 'a> {
        match self.gives {
            Type::Array => Sample::array([]),
            Type::Boolean => Sample::Boolean(false),
            Type::Number => Sample::Number(0.0),
            Type::Object => Sample::Object(std::rc::Rc::default()),
            Type::String => Sample::String("".into()),
            Type::Any | Type::Expression | Type::Null => Sample::Any,
        }
    }
}

impl Argument {
    /// Returns a message if a value has the wrong type for this argument.
    pub(super) fn problem<'m, 'a>(
        self,
        model: &'m Model<'a>,
        value: &Sample<'m, 'a>,
    ) -> Option<String> {
        let found = value.kind();
        if found == Type::Any {
            return None;
        }
        match (self, value.elements(model)) {
            (Self::Any, _) => None,
            (Self::OneOf(types), _) if types.contains(&found) => None,
            (Self::OneOf(types), _) => {
                let names: Vec<&str> = types.iter().map(|kind| kind.name()).collect();
                Some(format!(
                    "expected {}, found {}",
                    names.join(" or "),
                    found.name()
                ))
            }
            (Self::ArrayOf(kind), Some(elements)) => {
                let other = elements
                    .iter()
                    .map(|run| run.value.kind())
                    .find(|other| *other != kind)?;
                Some(format!(
                    "expected an array of {}s, found one of {}s",
                    kind.name(),
                    other.name()
                ))
            }
            (Self::ArrayOf(kind), _) => Some(format!(
                "expected an array of {}s, found {}",
                kind.name(),
                found.name()
            )),
        }
    }
}
