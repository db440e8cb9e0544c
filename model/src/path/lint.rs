//! An expression evaluated on a sample, and what does not fit.

mod compare;

use jmespath::ast::Ast;

use super::functions::{self, Argument};
use super::place::start_of;
use super::sample::{Sample, Type};
use crate::event::Severity;
use crate::model::Model;
use crate::suggest;

/// What does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) severity: Severity,
    /// The byte offset in the expression.
    pub(crate) offset: usize,
    pub(crate) message: String,
    /// What should stand at the offset instead, where that is plain.
    pub(crate) instead: Option<String>,
}

/// What an expression gives on a sample, and what does not fit.
#[derive(Debug)]
pub(crate) struct Linted<'m, 'a> {
    pub(crate) result: Sample<'m, 'a>,
    pub(crate) problems: Vec<Problem>,
}

/// Evaluates an expression on a sample.
pub(crate) fn lint<'m, 'a>(
    model: &'m Model<'a>,
    expression: &Ast,
    sample: Sample<'m, 'a>,
) -> Linted<'m, 'a> {
    let mut linter = Linter {
        model,
        problems: Vec::new(),
    };
    let result = linter.evaluate(expression, &sample);
    Linted {
        result,
        problems: linter.problems,
    }
}

struct Linter<'m, 'a> {
    model: &'m Model<'a>,
    problems: Vec<Problem>,
}

impl<'m, 'a> Linter<'m, 'a> {
    fn evaluate(&mut self, node: &Ast, current: &Sample<'m, 'a>) -> Sample<'m, 'a> {
        match node {
            Ast::And { lhs, rhs, .. } => self.either(lhs, rhs, current, |left| !left),
            Ast::Or { lhs, rhs, .. } => self.either(lhs, rhs, current, |left| left),
            Ast::Comparison {
                offset,
                comparator,
                lhs,
                rhs,
            } => {
                let left = self.evaluate(lhs, current);
                let right = self.evaluate(rhs, current);
                self.compare(*offset, comparator, &left, &right)
            }
            Ast::Condition {
                predicate, then, ..
            } => {
                self.evaluate(predicate, current);
                self.evaluate(then, current)
            }
            Ast::Expref { ast, .. } => {
                self.evaluate(ast, current);
                Sample::Expression
            }
            Ast::Field { offset, name } => self.field(*offset, name, current),
            Ast::Flatten { offset, node } => self.flatten(*offset, node, current),
            Ast::Function { offset, name, args } => self.call(*offset, name, args, current),
            Ast::Identity { .. } => current.clone(),
            Ast::Index { offset, idx } => self.index(*offset, *idx, current),
            Ast::Literal { value, .. } => Sample::literal(value),
            Ast::MultiHash { elements, .. } => {
                let entries = elements.iter();
                let entries =
                    entries.map(|entry| (entry.key.clone(), self.evaluate(&entry.value, current)));
                Sample::Object(std::rc::Rc::new(entries.collect()))
            }
            Ast::MultiList { elements, .. } => Sample::array(
                elements
                    .iter()
                    .map(|element| self.evaluate(element, current))
                    .collect(),
            ),
            Ast::Not { node, .. } => Sample::Boolean(!self.evaluate(node, current).is_true()),
            Ast::ObjectValues { node, .. } => self.evaluate(node, current),
            Ast::Projection { offset, lhs, rhs } => self.projection(*offset, lhs, rhs, current),
            Ast::Slice { offset, .. } => self.slice(*offset, current),
            Ast::Subexpr { lhs, rhs, .. } => {
                let left = self.evaluate(lhs, current);
                self.evaluate(rhs, &left)
            }
        }
    }

    /// Both sides are looked at; the left one counts if its truth is as wanted.
    fn either(
        &mut self,
        left: &Ast,
        right: &Ast,
        current: &Sample<'m, 'a>,
        is_left: impl Fn(bool) -> bool,
    ) -> Sample<'m, 'a> {
        let left = self.evaluate(left, current);
        let right = self.evaluate(right, current);
        if is_left(left.is_true()) { left } else { right }
    }

    fn field(&mut self, offset: usize, name: &str, current: &Sample<'m, 'a>) -> Sample<'m, 'a> {
        if let Some(member) = current.member(self.model, name) {
            return member;
        }
        match current.kind() {
            Type::Any => Sample::Any,
            Type::Object => {
                let names = current.names();
                let near = suggest::did_you_mean_one_of(name, names.iter().copied());
                self.add_problem(Problem {
                    severity: Severity::Danger,
                    offset,
                    message: format!("there is no member `{name}`{near}"),
                    instead: suggest::recased(name, names).map(str::to_owned),
                });
                Sample::Null
            }
            other => {
                self.danger(
                    offset,
                    format!("the member `{name}` of {}", with_article(other)),
                );
                Sample::Any
            }
        }
    }

    fn index(&mut self, offset: usize, index: i32, current: &Sample<'m, 'a>) -> Sample<'m, 'a> {
        let Sample::Array(elements) = current else {
            self.unless_any(offset, current, &format!("the element {index}"));
            return Sample::Any;
        };
        let place = usize::try_from(index).ok().or_else(|| {
            let back = usize::try_from(index.unsigned_abs()).ok()?;
            elements.len().checked_sub(back)
        });
        let element = place.and_then(|place| elements.get(place));
        element.cloned().unwrap_or(Sample::Null)
    }

    fn slice(&mut self, offset: usize, current: &Sample<'m, 'a>) -> Sample<'m, 'a> {
        if let Sample::Array(_) = current {
            return current.clone();
        }
        self.unless_any(offset, current, "a slice");
        Sample::array(Vec::new())
    }

    fn flatten(&mut self, offset: usize, node: &Ast, current: &Sample<'m, 'a>) -> Sample<'m, 'a> {
        let value = self.evaluate(node, current);
        let Sample::Array(elements) = &value else {
            self.unless_any(offset, &value, "the elements (`[]`)");
            return Sample::array(Vec::new());
        };
        let mut flat = Vec::new();
        for element in elements.iter() {
            match element {
                Sample::Array(inner) => flat.extend(inner.iter().cloned()),
                Sample::Null => {}
                other => flat.push(other.clone()),
            }
        }
        Sample::array(flat)
    }

    fn projection(
        &mut self,
        offset: usize,
        left: &Ast,
        right: &Ast,
        current: &Sample<'m, 'a>,
    ) -> Sample<'m, 'a> {
        if let Ast::ObjectValues { node, .. } = left {
            return self.of_object(offset, node, right, current);
        }
        let value = self.evaluate(left, current);
        let Sample::Array(elements) = &value else {
            self.unless_any(offset, &value, "the elements");
            self.evaluate(right, &Sample::Any);
            return Sample::array(Vec::new());
        };
        if elements.is_empty() {
            self.evaluate(right, &Sample::Any);
            return value;
        }
        match right {
            Ast::Condition {
                predicate, then, ..
            } => self.filter(elements, predicate, then),
            right => {
                let projected = elements.iter().map(|element| self.evaluate(right, element));
                Sample::array(projected.collect())
            }
        }
    }

    fn of_object(
        &mut self,
        offset: usize,
        node: &Ast,
        right: &Ast,
        current: &Sample<'m, 'a>,
    ) -> Sample<'m, 'a> {
        let value = self.evaluate(node, current);
        if value.kind() != Type::Object {
            self.unless_any(offset, &value, "the values (`*`)");
            self.evaluate(right, &Sample::Any);
            return Sample::Object(std::rc::Rc::default());
        }
        let values = value.values(self.model);
        let projected = values.iter().map(|value| self.evaluate(right, value));
        Sample::array(projected.collect())
    }

    fn filter(
        &mut self,
        elements: &[Sample<'m, 'a>],
        predicate: &Ast,
        then: &Ast,
    ) -> Sample<'m, 'a> {
        let mut kept = Vec::new();
        for element in elements {
            if self.evaluate(predicate, element).is_true() {
                let value = self.evaluate(then, element);
                if value.kind() != Type::Null {
                    kept.push(value);
                }
            }
        }
        Sample::array(kept)
    }

    fn call(
        &mut self,
        offset: usize,
        name: &str,
        arguments: &[Ast],
        current: &Sample<'m, 'a>,
    ) -> Sample<'m, 'a> {
        let values: Vec<Sample<'m, 'a>> = arguments
            .iter()
            .map(|argument| self.evaluate(argument, current))
            .collect();
        let Some(function) = functions::find(name) else {
            let near = suggest::did_you_mean(name, functions::NAMES);
            self.error(offset, format!("there is no function `{name}`{near}"));
            return Sample::Any;
        };
        let wanted = function.arguments.len();
        let is_short = values.len() < wanted;
        if is_short || (function.more.is_none() && values.len() > wanted) {
            let found = values.len();
            self.error(
                offset,
                format!("`{name}` takes {wanted} arguments, found {found}"),
            );
            return function.result();
        }
        for (place, (value, argument)) in values.iter().zip(arguments).enumerate() {
            let wanted = function.arguments.get(place).copied();
            let problem = wanted
                .or(function.more)
                .and_then(|wanted: Argument| wanted.problem(value));
            if let Some(problem) = problem {
                let place = place.saturating_add(1);
                self.error(
                    start_of(argument),
                    format!("argument {place} of `{name}`: {problem}"),
                );
            }
        }
        function.result()
    }

    /// What is taken from something that has none.
    fn unless_any(&mut self, offset: usize, value: &Sample<'m, 'a>, what: &str) {
        if value.kind() != Type::Any {
            self.danger(offset, format!("{what} of {}", with_article(value.kind())));
        }
    }

    fn danger(&mut self, offset: usize, message: String) {
        self.add(Severity::Danger, offset, message);
    }

    fn error(&mut self, offset: usize, message: String) {
        self.add(Severity::Error, offset, message);
    }

    fn warning(&mut self, offset: usize, message: String) {
        self.add(Severity::Warning, offset, message);
    }

    /// The elements of an array have the same problem at the same place: it is one.
    fn add(&mut self, severity: Severity, offset: usize, message: String) {
        self.add_problem(Problem {
            severity,
            offset,
            message,
            instead: None,
        });
    }

    fn add_problem(&mut self, problem: Problem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

fn with_article(kind: Type) -> String {
    match kind {
        Type::Null => "null".to_owned(),
        Type::Array | Type::Expression | Type::Object => {
            format!("an {}, which has none", kind.name())
        }
        kind => format!("a {}, which has none", kind.name()),
    }
}
