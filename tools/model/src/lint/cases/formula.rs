//! The condition of an acceptor as a formula over the values in its path.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::domain::{Case, Kind, Value, Variable, Variables};
use super::{key, literals};
use crate::shapes::Kind as ShapeKind;
use crate::shapes::{Model, Node};
use crate::typed::{Comparison, Expression, Form, Function, Op, Sides, Type};
use crate::waiter::Waiter;

/// The condition for a response to match an acceptor.
#[derive(Debug)]
pub(super) struct Condition {
    pub(super) expectation: Expectation,
    term: Term,
    pub(super) variables: Variables,
}

/// The value that a comparator expects.
#[derive(Debug)]
pub(super) enum Expectation {
    All(String),
    Any(String),
    Condition(bool),
    Nothing,
    Text(String),
}

/// An expression, analyzed as far as possible.
#[derive(Debug)]
enum Term {
    And(Box<[Self; 2]>),
    Compare(Comparison, Box<Self>, Value),
    Contains(String, String),
    Literal(Value),
    Not(Box<Self>),
    Or(Box<[Self; 2]>),
    /// A variable by its key.
    Value(String),
}

impl Condition {
    /// Returns the condition of an acceptor, or `None` if it matches errors or is too complex.
    pub(super) fn new(waiter: &Waiter<'_, '_>, acceptor: &Node<'_>) -> Option<Self> {
        let matcher = acceptor.member("matcher")?;
        let entry = matcher.entries().first()?;
        // Keys of paths are relative to `{input, output}`.
        let (sides, root_key) = match entry.key {
            "inputOutput" => (Sides::Both, ""),
            "output" => (Sides::Output, ".\"output\""),
            "success" if entry.value.as_bool() == Some(true) => return Some(Self::nothing()),
            _ => return None,
        };
        let text = |name| entry.value.member(name)?.as_str();
        let path = sides.analyze(waiter.model, waiter.operation, text("path")?);
        let path = path.ok()?;
        let expectation = Expectation::new(text("comparator")?, text("expected")?)?;
        let mut reader = Reader {
            model: waiter.model,
            current: root_key.to_owned(),
            variables: Variables::default(),
        };
        let term = reader.term(&path.expression)?;
        reader.add_expected(&expectation, &term)?;
        Some(Self {
            expectation,
            term,
            variables: reader.variables,
        })
    }

    fn nothing() -> Self {
        Self {
            expectation: Expectation::Nothing,
            term: Term::Literal(Value::Null),
            variables: Variables::default(),
        }
    }

    /// Returns `true` if the path is an expression of several values.
    pub(super) const fn is_compound(&self) -> bool {
        !matches!(self.term, Term::Literal(_) | Term::Value(_))
    }

    /// Returns the number of distinguished values that two conditions share.
    pub(super) fn count_shared(&self, other: &Self) -> usize {
        self.variables.count_shared(&other.variables)
    }

    /// Returns `true` if the condition holds in a case.
    pub(super) fn matches(&self, case: &Case<'_>) -> bool {
        let value = || self.term.evaluate(case);
        match &self.expectation {
            Expectation::All(text) => {
                matches!(value(), Value::Elements { texts, other: false } if *texts == [text.as_str().into()])
            }
            Expectation::Any(text) => {
                matches!(value(), Value::Elements { texts, .. } if texts.iter().any(|one| **one == **text))
            }
            Expectation::Condition(expected) => value() == Value::Boolean(*expected),
            Expectation::Nothing => true,
            Expectation::Text(text) => matches!(value(), Value::Text(found) if *found == **text),
        }
    }
}

impl Expectation {
    fn new(comparator: &str, expected: &str) -> Option<Self> {
        Some(match comparator {
            "allStringEquals" => Self::All(expected.to_owned()),
            "anyStringEquals" => Self::Any(expected.to_owned()),
            "booleanEquals" => Self::Condition(expected.parse().ok()?),
            "stringEquals" => Self::Text(expected.to_owned()),
            _ => return None,
        })
    }
}

impl Term {
    fn evaluate(&self, case: &Case<'_>) -> Value {
        match self {
            Self::And(sides) => {
                let [left, right] = sides.as_ref();
                let left = left.evaluate(case);
                if left.is_true() {
                    right.evaluate(case)
                } else {
                    left
                }
            }
            Self::Compare(comparison, term, literal) => {
                term.evaluate(case).compare(*comparison, literal)
            }
            Self::Contains(key, text) => match case.value(key) {
                Value::Elements { texts, .. } => {
                    Value::Boolean(texts.iter().any(|one| **one == **text))
                }
                _ => Value::Failed,
            },
            Self::Literal(value) => value.clone(),
            Self::Not(term) => match term.evaluate(case) {
                // A failed evaluation does not match, and neither does its negation.
                // Rule: docs/rules.md#evaluation-errors
                Value::Failed => Value::Failed,
                value => Value::Boolean(!value.is_true()),
            },
            Self::Or(sides) => {
                let [left, right] = sides.as_ref();
                let left = left.evaluate(case);
                let is_left = left.is_true() || left == Value::Failed;
                if is_left { left } else { right.evaluate(case) }
            }
            Self::Value(key) => case.value(key),
        }
    }
}

struct Reader<'m> {
    model: &'m Model<'m>,
    /// The key of the current value.
    current: String,
    variables: Variables,
}

impl<'m> Reader<'m> {
    fn term(&mut self, node: &Expression<'m>) -> Option<Term> {
        Some(match &node.op {
            Op::And(sides) => Term::And(self.pair(sides)?),
            Op::Or(sides) => Term::Or(self.pair(sides)?),
            Op::Not(of) => Term::Not(Box::new(self.term(of)?)),
            Op::Compare(comparison, sides) => return self.comparison(node, *comparison, sides),
            Op::Call(Function::Contains, arguments) => return self.contains(node, arguments),
            Op::Literal(value) => match literals::literal(value) {
                Some(value) => Term::Literal(value),
                None => Term::Value(self.variable(node)?.0),
            },
            Op::Then(sides) => {
                let [left, right] = sides.as_ref();
                if !literals::is_compound(right) || left.can_fail() {
                    return Some(Term::Value(self.variable(node)?.0));
                }
                return self.nested(left, right);
            }
            _ => Term::Value(self.variable(node)?.0),
        })
    }

    fn pair(&mut self, [left, right]: &[Expression<'m>; 2]) -> Option<Box<[Term; 2]>> {
        Some(Box::new([self.term(left)?, self.term(right)?]))
    }

    /// Reads an expression that is evaluated on the result of another one.
    fn nested(&mut self, left: &Expression<'m>, right: &Expression<'m>) -> Option<Term> {
        let key = key::key(left, &self.current)?;
        let current = std::mem::replace(&mut self.current, key);
        let term = self.term(right);
        self.current = current;
        term
    }

    fn comparison(
        &mut self,
        node: &Expression<'m>,
        comparison: Comparison,
        [left, right]: &[Expression<'m>; 2],
    ) -> Option<Term> {
        let of = |node: &Expression<'m>| match &node.op {
            Op::Literal(value) => literals::literal(value),
            _ => None,
        };
        let (comparison, side, value) = match (of(left), of(right)) {
            (None, Some(value)) => (comparison, left, value),
            (Some(value), None) => (literals::flip(comparison), right, value),
            _ => return Some(Term::Value(self.variable(node)?.0)),
        };
        if !matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
            let (Value::Number(number), Kind::Number(_)) = (&value, kind(side)) else {
                return Some(Term::Value(self.variable(node)?.0));
            };
            let (key, _) = self.variable(side)?;
            self.variables.add_number(&key, *number);
            return Some(Term::Compare(comparison, Box::new(Term::Value(key)), value));
        }
        let term = self.term(side)?;
        self.add_literal(&term, &value);
        Some(Term::Compare(comparison, Box::new(term), value))
    }

    fn contains(&mut self, node: &Expression<'m>, arguments: &[Expression<'m>]) -> Option<Term> {
        if let [list, value] = arguments
            && let Some(texts) = literals::texts(list)
            // A list with a null current value is null, and `contains` fails on null.
            && !list.gives.nullable
        {
            return self.one_of(value, &texts);
        }
        if let [array, element] = arguments
            && let Op::Literal(serde_json::Value::String(text)) = &element.op
            && matches!(kind(array), Kind::Array { .. })
        {
            let (key, _) = self.variable(array)?;
            self.variables.add_text(&key, text);
            return Some(Term::Contains(key, text.clone()));
        }
        Some(Term::Value(self.variable(node)?.0))
    }

    /// Returns the term for a value that is equal to one of some strings.
    fn one_of(&mut self, value: &Expression<'m>, texts: &[Rc<str>]) -> Option<Term> {
        let mut found: Option<Term> = None;
        for text in texts {
            let (term, text) = (self.term(value)?, Value::Text(Rc::clone(text)));
            self.add_literal(&term, &text);
            let is = Term::Compare(Comparison::Equal, Box::new(term), text);
            found = Some(match found {
                Some(before) => Term::Or(Box::new([before, is])),
                None => is,
            });
        }
        found
    }

    /// Records the expected value for the variables of a term. Returns `None` if the term cannot have such a value.
    fn add_expected(&mut self, expectation: &Expectation, term: &Term) -> Option<()> {
        match (expectation, term) {
            // A value that is not an array has no case that matches, so nothing is reported about it.
            (Expectation::All(text) | Expectation::Any(text), Term::Value(key)) => {
                self.variables.add_text(key, text);
                Some(())
            }
            (Expectation::All(_) | Expectation::Any(_), _) => None,
            (Expectation::Text(text), term) => {
                self.add_literal(term, &Value::Text(text.as_str().into()));
                Some(())
            }
            (Expectation::Condition(_) | Expectation::Nothing, _) => Some(()),
        }
    }

    /// Records a literal for the variables that it is compared with.
    fn add_literal(&mut self, term: &Term, value: &Value) {
        match term {
            Term::And(sides) | Term::Or(sides) => {
                sides.iter().for_each(|side| self.add_literal(side, value));
            }
            Term::Value(key) => match value {
                Value::Text(text) => self.variables.add_text(key, text),
                Value::Number(number) => self.variables.add_number(key, *number),
                _ => {}
            },
            _ => {}
        }
    }

    /// Adds a variable for an expression that is not analyzed further. Returns its key and kind.
    fn variable(&mut self, node: &Expression<'m>) -> Option<(String, Kind)> {
        let key = key::key(node, &self.current)?;
        let kind = kind(node);
        let variable = Variable {
            kind: kind.clone(),
            nullable: node.gives.nullable,
            fails: node.may_fail(self.model),
            texts: BTreeSet::new(),
            numbers: Vec::new(),
            unions: self.unions(node),
        };
        self.variables.add(&key, variable);
        Some((key, kind))
    }

    /// Returns the unions in a chain of members by key, with the member that follows.
    fn unions(&self, mut node: &Expression<'m>) -> Vec<(String, String)> {
        let mut unions = Vec::new();
        let is_union = |of: &Type<'_, '_>| matches!(of.form, Form::Structure(shape) if shape.kind == ShapeKind::Union);
        loop {
            node = match &node.op {
                Op::Member(of, name) => {
                    if is_union(&of.gives) {
                        let key = key::key(of, &self.current);
                        unions.extend(key.map(|key| (key, name.clone())));
                    }
                    of
                }
                Op::Index(of, _) => of,
                _ => return unions,
            };
        }
    }
}

fn kind(node: &Expression<'_>) -> Kind {
    match &node.gives.form {
        Form::Array { length, .. } => Kind::Array {
            empty: length.has(0.0),
        },
        Form::Boolean(value) => Kind::Boolean(*value),
        Form::Map(_) | Form::Record(_) | Form::Structure(_) => Kind::Object,
        Form::Null => Kind::Null,
        Form::Number(numbers) => Kind::Number(numbers.clone()),
        Form::String(values) => Kind::Text {
            empty: values
                .as_ref()
                .is_none_or(|values| values.iter().any(|text| text.is_empty())),
        },
        Form::Any | Form::Expression => Kind::Any,
    }
}
