//! The functions of JMESPath and their signatures.

use super::parser::Ast;

/// A function of JMESPath.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Abs,
    Avg,
    Ceil,
    Contains,
    EndsWith,
    Floor,
    Join,
    Keys,
    Length,
    Map,
    Max,
    MaxBy,
    Merge,
    Min,
    MinBy,
    NotNull,
    Reverse,
    Sort,
    SortBy,
    StartsWith,
    Sum,
    ToArray,
    ToNumber,
    ToString,
    Type,
    Values,
}

impl Function {
    /// Finds a function and checks the number and form of its arguments.
    ///
    /// # Errors
    ///
    /// Returns a code, and a text that completes a sentence about the expression.
    pub(super) fn bind(name: &str, args: &[Ast]) -> Result<Self, (&'static str, String)> {
        let Some(signature) = SIGNATURES.iter().find(|signature| signature.name == name) else {
            return Err((
                "unknown_function",
                format!("calls unknown function `{name}`"),
            ));
        };
        signature.check_count(args.len())?;
        for (index, arg) in args.iter().enumerate() {
            signature.check_shape(index, arg)?;
        }
        Ok(signature.function)
    }

    /// Returns `true` if the function returns a list for all arguments.
    pub(super) const fn returns_list(self) -> bool {
        matches!(
            self,
            Self::Keys | Self::Map | Self::Sort | Self::SortBy | Self::ToArray | Self::Values
        )
    }

    /// Returns `true` if the function returns a boolean.
    pub(super) const fn is_condition(self) -> bool {
        matches!(self, Self::Contains | Self::EndsWith | Self::StartsWith)
    }

    pub(super) fn name(self) -> &'static str {
        let mut signatures = SIGNATURES.iter();
        let signature = signatures.find(|signature| signature.function == self);
        signature.map_or("", |signature| signature.name)
    }
}

struct Signature {
    name: &'static str,
    function: Function,
    takes: Takes,
}

enum Takes {
    /// Exactly these arguments.
    Exactly(&'static [Shape]),
    /// At least this number of values.
    AtLeast(usize),
}

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// An expression reference: `&a.b`.
    Expression,
    /// Any other expression.
    Value,
}

const ONE: Takes = Takes::Exactly(&[Shape::Value]);
const TWO: Takes = Takes::Exactly(&[Shape::Value, Shape::Value]);
const REFERENCE_FIRST: Takes = Takes::Exactly(&[Shape::Expression, Shape::Value]);
const REFERENCE_LAST: Takes = Takes::Exactly(&[Shape::Value, Shape::Expression]);

const SIGNATURES: [Signature; 26] = [
    Signature::new("abs", Function::Abs, ONE),
    Signature::new("avg", Function::Avg, ONE),
    Signature::new("ceil", Function::Ceil, ONE),
    Signature::new("contains", Function::Contains, TWO),
    Signature::new("ends_with", Function::EndsWith, TWO),
    Signature::new("floor", Function::Floor, ONE),
    Signature::new("join", Function::Join, TWO),
    Signature::new("keys", Function::Keys, ONE),
    Signature::new("length", Function::Length, ONE),
    Signature::new("map", Function::Map, REFERENCE_FIRST),
    Signature::new("max", Function::Max, ONE),
    Signature::new("max_by", Function::MaxBy, REFERENCE_LAST),
    Signature::new("merge", Function::Merge, Takes::AtLeast(0)),
    Signature::new("min", Function::Min, ONE),
    Signature::new("min_by", Function::MinBy, REFERENCE_LAST),
    Signature::new("not_null", Function::NotNull, Takes::AtLeast(1)),
    Signature::new("reverse", Function::Reverse, ONE),
    Signature::new("sort", Function::Sort, ONE),
    Signature::new("sort_by", Function::SortBy, REFERENCE_LAST),
    Signature::new("starts_with", Function::StartsWith, TWO),
    Signature::new("sum", Function::Sum, ONE),
    Signature::new("to_array", Function::ToArray, ONE),
    Signature::new("to_number", Function::ToNumber, ONE),
    Signature::new("to_string", Function::ToString, ONE),
    Signature::new("type", Function::Type, ONE),
    Signature::new("values", Function::Values, ONE),
];

impl Signature {
    const fn new(name: &'static str, function: Function, takes: Takes) -> Self {
        Self {
            name,
            function,
            takes,
        }
    }

    fn check_count(&self, count: usize) -> Result<(), (&'static str, String)> {
        let (fits, takes) = match self.takes {
            Takes::Exactly(shapes) => (count == shapes.len(), shapes.len().to_string()),
            Takes::AtLeast(least) => (count >= least, format!("{least} or more")),
        };
        if fits {
            return Ok(());
        }
        let plural = if count == 1 { "" } else { "s" };
        Err((
            "invalid_arity",
            format!(
                "calls `{}` with {count} argument{plural}, it takes {takes}",
                self.name
            ),
        ))
    }

    fn check_shape(&self, index: usize, arg: &Ast) -> Result<(), (&'static str, String)> {
        let takes = match self.takes {
            Takes::Exactly(shapes) => shapes.get(index).copied().unwrap_or(Shape::Value),
            Takes::AtLeast(_) => Shape::Value,
        };
        let got = if matches!(arg, Ast::Expref { .. }) {
            Shape::Expression
        } else {
            Shape::Value
        };
        if takes == got {
            return Ok(());
        }
        let (got, takes) = (got.describe(), takes.describe());
        let place = index.saturating_add(1);
        Err((
            "invalid_type",
            format!(
                "calls `{}` with {got} as argument {place}, it takes {takes}",
                self.name
            ),
        ))
    }
}

impl Shape {
    const fn describe(self) -> &'static str {
        match self {
            Self::Expression => "an expression reference (`&…`)",
            Self::Value => "a value",
        }
    }
}
