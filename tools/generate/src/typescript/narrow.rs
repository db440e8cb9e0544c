//! Casts for comparisons that the compiler rejects because of type narrowing.
//!
//! After `if (output?.flag === true) return 0;`, the compiler rejects another `output?.flag === true` as always false.
//! A waiter may contain such a comparison. This module tracks the facts that the compiler learns from conditions and
//! casts the affected comparisons. It overestimates these facts, because an unnecessary cast is harmless.

use super::tree::{Property, Statement, Ts};
use crate::tree::Expression as _;

/// The facts about references: parameters and their members.
type Facts = Vec<(Ts, Fact)>;

#[derive(Clone, Debug, PartialEq)]
enum Fact {
    Is(Ts),
    Not(Ts),
    /// An unknown fact.
    Unknown,
}

/// Casts the comparisons in a function body that the compiler would reject.
pub(super) fn widen_statements(body: Vec<Statement>) -> Vec<Statement> {
    statements(body, Facts::new())
}

fn statements(body: Vec<Statement>, mut facts: Facts) -> Vec<Statement> {
    let mut all = Vec::new();
    for statement in body {
        all.push(match statement {
            Statement::Do(value) => Statement::Do(expression(value, &facts)),
            Statement::If(condition, then) => {
                let condition = expression(condition, &facts);
                let then = statements(then, with(&facts, when(&condition, true)));
                // The branches of generated conditions always return.
                facts.extend(when(&condition, false));
                Statement::If(condition, then)
            }
            Statement::Let(name, value) => Statement::Let(name, expression(value, &facts)),
            Statement::Return(value) => Statement::Return(expression(value, &facts)),
        });
    }
    all
}

fn expression(tree: Ts, facts: &Facts) -> Ts {
    let all = |trees: Vec<Ts>| {
        trees
            .into_iter()
            .map(|tree| expression(tree, facts))
            .collect()
    };
    let one = |tree: Box<Ts>| Box::new(expression(*tree, facts));
    match tree {
        Ts::Array(items) => Ts::Array(all(items)),
        Ts::Arrow(parameters, body) => Ts::Arrow(parameters, one(body)),
        Ts::As(of, to) => Ts::As(one(of), to),
        Ts::Await(of) => Ts::Await(one(of)),
        Ts::Binary(operator, sides) => binary(operator, *sides, facts),
        Ts::Call(called, arguments) => call(*called, arguments, facts),
        Ts::Index(of, index) => Ts::Index(one(of), index),
        Ts::Member(of, name, optional) => Ts::Member(one(of), name, optional),
        Ts::New(class, arguments) => Ts::New(class, all(arguments)),
        Ts::Not(of) => Ts::Not(one(of)),
        Ts::Object(properties) => Ts::Object(
            properties
                .into_iter()
                .map(|property| match property {
                    Property::Is(name, value) => Property::Is(name, expression(value, facts)),
                    Property::Spread(value) => Property::Spread(expression(value, facts)),
                })
                .collect(),
        ),
        Ts::Ternary(parts) => {
            let [condition, then, otherwise] = *parts;
            let condition = expression(condition, facts);
            let then = expression(then, &with(facts, when(&condition, true)));
            let otherwise = expression(otherwise, &with(facts, when(&condition, false)));
            Ts::Ternary(Box::new([condition, then, otherwise]))
        }
        Ts::Name(_) | Ts::Number(_) | Ts::String(_) => tree,
    }
}

fn binary(operator: &'static str, [left, right]: [Ts; 2], facts: &Facts) -> Ts {
    let left = expression(left, facts);
    let of_right = match operator {
        "&&" => with(facts, when(&left, true)),
        "||" => with(facts, when(&left, false)),
        _ => facts.clone(),
    };
    let right = expression(right, &of_right);
    if matches!(operator, "===" | "!==") && is_rejected(&left, &right, facts) {
        return left.cast("unknown").binary(operator, right);
    }
    left.binary(operator, right)
}

/// Casts comparisons in a call. Callbacks ignore narrowing, but elements after `filter` have a narrowed type.
fn call(called: Ts, arguments: Vec<Ts>, facts: &Facts) -> Ts {
    let mut inner = facts.clone();
    if let (Ts::Member(of, ..), [Ts::Arrow(parameters, _)]) = (&called, &arguments[..])
        && narrows_elements(of)
    {
        let elements = parameters
            .iter()
            .map(|name| (Ts::name(name), Fact::Unknown));
        inner.extend(elements);
    }
    let arguments = arguments.into_iter();
    let arguments = arguments.map(|argument| expression(argument, &inner));
    Ts::Call(Box::new(expression(called, facts)), arguments.collect())
}

/// Returns `true` if the compiler may reject a comparison as always false.
fn is_rejected(left: &Ts, right: &Ts, facts: &Facts) -> bool {
    let sides = [left, right];
    if sides.contains(&&Ts::undefined()) || sides.iter().any(|side| matches!(side, Ts::As(..))) {
        return false;
    }
    match (is_literal(left), is_literal(right)) {
        (true, true) => true,
        (false, true) if is_reference(left) => of(left, facts).any(|fact| fact.excludes(right)),
        (true, false) if is_reference(right) => of(right, facts).any(|fact| fact.excludes(left)),
        // A logical expression may have any type.
        _ if sides.into_iter().any(is_logical) => true,
        _ => sides.into_iter().any(|side| {
            let references = references(side);
            let again = |at: usize| {
                references
                    .iter()
                    .skip(at.saturating_add(1))
                    .any(|other| references.get(at) == Some(other))
            };
            references.iter().any(|of| has_facts(of, facts))
                || (0..references.len()).any(again)
                || narrows_elements(side)
        }),
    }
}

impl Fact {
    /// Returns `true` if the compiler may exclude the literal from the type.
    fn excludes(&self, literal: &Ts) -> bool {
        match self {
            Self::Is(value) => value != literal,
            Self::Not(value) => value == literal,
            Self::Unknown => true,
        }
    }
}

fn of<'f>(reference: &Ts, facts: &'f Facts) -> impl Iterator<Item = &'f Fact> {
    let reference = reference.clone();
    let own = facts.iter().filter(move |(of, _)| *of == reference);
    own.map(|(_, fact)| fact)
}

fn has_facts(reference: &Ts, facts: &Facts) -> bool {
    of(reference, facts).next().is_some()
}

fn with(facts: &Facts, more: Facts) -> Facts {
    facts.iter().cloned().chain(more).collect()
}

/// Returns the facts that follow from the condition being true or false.
fn when(condition: &Ts, truth: bool) -> Facts {
    match condition {
        Ts::Not(of) => when(of, !truth),
        Ts::Binary(operator @ ("&&" | "||"), sides) => {
            let [left, right] = &**sides;
            let goes_on = *operator == "&&";
            let both = with(&when(left, goes_on), when(right, truth));
            if truth == goes_on {
                return both;
            }
            either(when(left, truth), &both)
        }
        Ts::Binary(operator @ ("===" | "!=="), sides) => {
            let [left, right] = &**sides;
            comparison_facts(left, right, truth == (*operator == "==="))
        }
        _ => Facts::new(),
    }
}

fn comparison_facts(left: &Ts, right: &Ts, are_equal: bool) -> Facts {
    let fact = |literal: &Ts| {
        if are_equal {
            Fact::Is(literal.clone())
        } else {
            Fact::Not(literal.clone())
        }
    };
    match (is_reference(left), is_reference(right)) {
        (true, true) => [left, right].map(|of| (of.clone(), Fact::Unknown)).into(),
        (true, false) if is_literal(right) => vec![(left.clone(), fact(right))],
        (false, true) if is_literal(left) => vec![(right.clone(), fact(left))],
        (false, false) if *right == Ts::name("true") => when(left, are_equal),
        (false, false) if *right == Ts::name("false") => when(left, !are_equal),
        _ => Facts::new(),
    }
}

/// Returns the facts that hold if one of two sets of facts does. Facts that differ become unknown.
fn either(one: Facts, other: &Facts) -> Facts {
    let both = one.into_iter().filter(|(of, _)| has_facts(of, other));
    both.map(|(of, fact)| {
        let same = self::of(&of, other).all(|fact_of_other| *fact_of_other == fact);
        (of, if same { fact } else { Fact::Unknown })
    })
    .collect()
}

fn is_logical(tree: &Ts) -> bool {
    match tree {
        Ts::Binary(operator, _) => matches!(*operator, "&&" | "||"),
        Ts::Not(of) => is_logical(of),
        _ => false,
    }
}

/// Returns `true` if the type of an array's elements is narrowed by a filter.
fn narrows_elements(tree: &Ts) -> bool {
    if let Ts::Call(called, arguments) = tree
        && let (Ts::Member(_, name, _), [Ts::Arrow(parameters, body)]) = (&**called, &arguments[..])
        && name == "filter"
        && let [parameter] = &parameters[..]
        && has_facts(&Ts::name(parameter), &when(body, true))
    {
        return true;
    }
    !matches!(tree, Ts::Arrow(..)) && tree.children().into_iter().any(narrows_elements)
}

/// Returns the references in a tree, except those in functions.
fn references(tree: &Ts) -> Vec<&Ts> {
    if is_reference(tree) {
        return vec![tree];
    }
    let inner = match tree {
        Ts::Arrow(..) => Vec::new(),
        tree => tree.children(),
    };
    inner.into_iter().flat_map(references).collect()
}

/// Returns `true` for expressions that the compiler narrows: parameters and their members and elements.
fn is_reference(tree: &Ts) -> bool {
    match tree {
        Ts::Index(of, _) | Ts::Member(of, ..) => is_reference(of),
        Ts::Name(_) => !is_literal(tree),
        _ => false,
    }
}

fn is_literal(tree: &Ts) -> bool {
    match tree {
        Ts::Name(name) => matches!(&**name, "false" | "true" | "undefined"),
        Ts::Number(_) | Ts::String(_) => true,
        _ => false,
    }
}
