//! Which functions there are and what they take: checked when an expression is compiled.

use jmespath::ast::Ast;

use super::Function;

/// Finds a function and checks the number and the shape of its arguments; an error is a code and what the expression
/// does.
pub(in crate::expression) fn bind(
    name: &str,
    args: &[Ast],
) -> Result<Function, (&'static str, String)> {
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

/// The function's name in an expression.
pub(super) fn name(function: Function) -> &'static str {
    SIGNATURES
        .iter()
        .find(|signature| signature.function == function)
        .map_or("", |signature| signature.name)
}

struct Signature {
    name: &'static str,
    function: Function,
    takes: Takes,
}

enum Takes {
    /// These, in this order.
    Exactly(&'static [Shape]),
    /// So many values, or more.
    AtLeast(usize),
}

#[derive(Clone, Copy, PartialEq)]
enum Shape {
    /// An expression reference: `&a.b`.
    Expression,
    /// Anything that has a value.
    Value,
}

const ONE: Takes = Takes::Exactly(&[Shape::Value]);
const TWO: Takes = Takes::Exactly(&[Shape::Value, Shape::Value]);
const BY: Takes = Takes::Exactly(&[Shape::Value, Shape::Expression]);

const SIGNATURES: [Signature; 26] = [
    Signature {
        name: "abs",
        function: Function::Abs,
        takes: ONE,
    },
    Signature {
        name: "avg",
        function: Function::Avg,
        takes: ONE,
    },
    Signature {
        name: "ceil",
        function: Function::Ceil,
        takes: ONE,
    },
    Signature {
        name: "contains",
        function: Function::Contains,
        takes: TWO,
    },
    Signature {
        name: "ends_with",
        function: Function::EndsWith,
        takes: TWO,
    },
    Signature {
        name: "floor",
        function: Function::Floor,
        takes: ONE,
    },
    Signature {
        name: "join",
        function: Function::Join,
        takes: TWO,
    },
    Signature {
        name: "keys",
        function: Function::Keys,
        takes: ONE,
    },
    Signature {
        name: "length",
        function: Function::Length,
        takes: ONE,
    },
    Signature {
        name: "map",
        function: Function::Map,
        takes: Takes::Exactly(&[Shape::Expression, Shape::Value]),
    },
    Signature {
        name: "max",
        function: Function::Max,
        takes: ONE,
    },
    Signature {
        name: "max_by",
        function: Function::MaxBy,
        takes: BY,
    },
    Signature {
        name: "merge",
        function: Function::Merge,
        takes: Takes::AtLeast(0),
    },
    Signature {
        name: "min",
        function: Function::Min,
        takes: ONE,
    },
    Signature {
        name: "min_by",
        function: Function::MinBy,
        takes: BY,
    },
    Signature {
        name: "not_null",
        function: Function::NotNull,
        takes: Takes::AtLeast(1),
    },
    Signature {
        name: "reverse",
        function: Function::Reverse,
        takes: ONE,
    },
    Signature {
        name: "sort",
        function: Function::Sort,
        takes: ONE,
    },
    Signature {
        name: "sort_by",
        function: Function::SortBy,
        takes: BY,
    },
    Signature {
        name: "starts_with",
        function: Function::StartsWith,
        takes: TWO,
    },
    Signature {
        name: "sum",
        function: Function::Sum,
        takes: ONE,
    },
    Signature {
        name: "to_array",
        function: Function::ToArray,
        takes: ONE,
    },
    Signature {
        name: "to_number",
        function: Function::ToNumber,
        takes: ONE,
    },
    Signature {
        name: "to_string",
        function: Function::ToString,
        takes: ONE,
    },
    Signature {
        name: "type",
        function: Function::Type,
        takes: ONE,
    },
    Signature {
        name: "values",
        function: Function::Values,
        takes: ONE,
    },
];

impl Signature {
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
