//! Evaluates JMESPath expressions on a sample of a shape, as Smithy's validator does.
//!
//! Smithy evaluates an expression on one artificial value of the shape (see [`sample`]) and reports operations on wrong
//! types. The sample and the evaluation must be the same here to find the same events.

mod compare;
mod functions;
mod runs;
pub(crate) mod sample;

use smithy_waiters::internal::jmespath::Ast;

use crate::event::Severity;
use crate::messages;
use crate::path::start_of;
use crate::shapes::Model;
use functions::Argument;
use runs::{Run, Runs};
use sample::{Sample, Type};

/// A problem in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) severity: Severity,
    /// The byte offset in the expression.
    pub(crate) offset: usize,
    pub(crate) message: String,
    /// The text that fixes the problem at the offset, if it is unambiguous.
    pub(crate) instead: Option<String>,
    /// `true` if the cause is a member that does not exist, which is a problem of its own.
    pub(crate) is_consequence: bool,
}

/// The result of an expression on a sample, and the problems in it.
#[derive(Debug)]
pub(crate) struct Evaluation<'m, 'a> {
    pub(crate) result: Sample<'m, 'a>,
    pub(crate) problems: Vec<Problem>,
    /// `true` if the expression refers to a member that does not exist.
    pub(crate) has_missing_member: bool,
}

/// The maximum number of values that an expression visits. After that, all values are `Any`. The paths of AWS's waiters
/// visit at most 18.
const MAX_WORK: usize = 20_000;

/// Evaluates an expression on a sample.
pub(crate) fn evaluate<'m, 'a>(
    model: &'m Model<'a>,
    expression: &Ast,
    sample: Sample<'m, 'a>,
) -> Evaluation<'m, 'a> {
    let mut evaluator = Evaluator {
        model,
        problems: Vec::new(),
        work: MAX_WORK,
        has_missing_member: false,
    };
    let result = evaluator.evaluate(expression, &sample);
    Evaluation {
        result,
        problems: evaluator.problems,
        has_missing_member: evaluator.has_missing_member,
    }
}

struct Evaluator<'m, 'a> {
    model: &'m Model<'a>,
    problems: Vec<Problem>,
    /// The number of values that can still be visited.
    work: usize,
    has_missing_member: bool,
}

impl<'m, 'a> Evaluator<'m, 'a> {
    fn evaluate(&mut self, node: &Ast, current: &Sample<'m, 'a>) -> Sample<'m, 'a> {
        if !self.spend_work() {
            return Sample::Any;
        }
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
                let right = match &**rhs {
                    Ast::Field { offset, name } if left.kind() == Type::String => {
                        self.field(*offset, name, current, &text_hint(name))
                    }
                    rhs => self.evaluate(rhs, current),
                };
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
            Ast::Field { offset, name } => self.field(*offset, name, current, ""),
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
                    .map(|element| self.evaluate(element, current)),
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

    /// Evaluates both sides of `&&` or `||` and selects one by the truth of the left side.
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

    /// Evaluates a member. `hint` completes the message if no member has a similar name.
    fn field(
        &mut self,
        offset: usize,
        name: &str,
        current: &Sample<'m, 'a>,
        hint: &str,
    ) -> Sample<'m, 'a> {
        if let Some(member) = current.member(self.model, name) {
            return member;
        }
        match current.kind() {
            Type::Any => Sample::Any,
            // The keys of a map are unknown, so the message suggests none.
            Type::Object if matches!(current, Sample::Map(_)) => {
                let message = format!("the map may not contain the key `{name}`");
                self.danger(offset, message);
                Sample::Null
            }
            Type::Object => {
                let names = current.names(self.model);
                let names = || names.iter().map(String::as_str);
                let near = messages::did_you_mean(name, names());
                let near = match hint {
                    _ if !near.is_empty() => near,
                    "" => messages::expected_one_of(names()),
                    hint => hint.to_owned(),
                };
                self.add_problem(Problem {
                    severity: Severity::Danger,
                    offset,
                    message: format!("unknown member `{name}`{near}"),
                    instead: messages::with_other_case(name, names()).map(str::to_owned),
                    is_consequence: false,
                });
                self.has_missing_member = true;
                Sample::Null
            }
            other => {
                self.add_problem(Problem {
                    severity: Severity::Danger,
                    offset,
                    message: format!(
                        "cannot select the member `{name}` of {}",
                        with_article(other)
                    ),
                    instead: None,
                    is_consequence: other == Type::Null && self.has_missing_member,
                });
                Sample::Any
            }
        }
    }

    fn index(&mut self, offset: usize, index: i32, current: &Sample<'m, 'a>) -> Sample<'m, 'a> {
        match current.elements(self.model) {
            Some(elements) => elements.get(index).cloned().unwrap_or(Sample::Null),
            None => {
                self.report_unless_any(offset, current, &format!("the element {index}"));
                Sample::Any
            }
        }
    }

    fn slice(&mut self, offset: usize, current: &Sample<'m, 'a>) -> Sample<'m, 'a> {
        if current.kind() == Type::Array {
            return current.clone();
        }
        self.report_unless_any(offset, current, "a slice");
        Sample::array([])
    }

    fn flatten(&mut self, offset: usize, node: &Ast, current: &Sample<'m, 'a>) -> Sample<'m, 'a> {
        let value = self.evaluate(node, current);
        let Some(elements) = value.elements(self.model) else {
            self.report_unless_any(offset, &value, "the elements (`[]`)");
            return Sample::array([]);
        };
        let mut flat = Vec::new();
        for run in elements.iter().filter(|run| run.value.kind() != Type::Null) {
            match run.value.elements(self.model) {
                Some(inner) if !self.push_repeated(&inner, run.count, &mut flat) => {
                    return Sample::Any;
                }
                Some(_) => {}
                None => flat.push(run.clone()),
            }
        }
        Sample::Array(flat.into_iter().collect())
    }

    /// Adds the elements of an array `count` times. Returns `false` if the limit of values is reached.
    fn push_repeated(
        &mut self,
        inner: &Runs<Sample<'m, 'a>>,
        count: usize,
        flat: &mut Vec<Run<Sample<'m, 'a>>>,
    ) -> bool {
        let mut runs = inner.iter();
        if let (Some(only), None) = (runs.next(), runs.next()) {
            let count = only.count.saturating_mul(count);
            let value = only.value.clone();
            flat.push(Run { value, count });
            return self.spend_work();
        }
        for _ in 0..count {
            for run in inner.iter() {
                if !self.spend_work() {
                    return false;
                }
                flat.push(run.clone());
            }
        }
        true
    }

    fn projection(
        &mut self,
        offset: usize,
        left: &Ast,
        right: &Ast,
        current: &Sample<'m, 'a>,
    ) -> Sample<'m, 'a> {
        if let Ast::ObjectValues { node, .. } = left {
            return self.object_projection(offset, node, right, current);
        }
        let value = self.evaluate(left, current);
        let Some(elements) = value.elements(self.model) else {
            self.report_unless_any(offset, &value, "the elements");
            self.evaluate(right, &Sample::Any);
            return Sample::array([]);
        };
        if elements.is_empty() {
            self.evaluate(right, &Sample::Any);
            return value;
        }
        match right {
            Ast::Condition {
                predicate, then, ..
            } => self.filter(&elements, predicate, then),
            right => self.each(&elements, right),
        }
    }

    fn object_projection(
        &mut self,
        offset: usize,
        node: &Ast,
        right: &Ast,
        current: &Sample<'m, 'a>,
    ) -> Sample<'m, 'a> {
        let value = self.evaluate(node, current);
        if value.kind() != Type::Object {
            self.report_unless_any(offset, &value, "the values (`*`)");
            self.evaluate(right, &Sample::Any);
            return Sample::Object(std::rc::Rc::default());
        }
        self.each(&value.values(self.model), right)
    }

    /// Evaluates an expression on each element.
    fn each(&mut self, elements: &Runs<Sample<'m, 'a>>, node: &Ast) -> Sample<'m, 'a> {
        let projected = elements.iter().map(|run| Run {
            value: self.evaluate(node, &run.value),
            count: run.count,
        });
        Sample::Array(projected.collect())
    }

    fn filter(
        &mut self,
        elements: &Runs<Sample<'m, 'a>>,
        predicate: &Ast,
        then: &Ast,
    ) -> Sample<'m, 'a> {
        let mut runs = Vec::new();
        for run in elements.iter() {
            if self.evaluate(predicate, &run.value).is_true() {
                let value = self.evaluate(then, &run.value);
                if value.kind() != Type::Null {
                    let count = run.count;
                    runs.push(Run { value, count });
                }
            }
        }
        Sample::Array(runs.into_iter().collect())
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
            let near = messages::did_you_mean(name, functions::NAMES);
            self.error(offset, format!("unknown function `{name}`{near}"));
            return Sample::Any;
        };
        let least = function.arguments.len();
        let is_short = values.len() < least;
        if is_short || (function.more.is_none() && values.len() > least) {
            let found = values.len();
            self.error(
                offset,
                format!(
                    "`{name}` requires {}, got {found}",
                    messages::count(least, "argument")
                ),
            );
            return function.result();
        }
        for (place, (value, argument)) in values.iter().zip(arguments).enumerate() {
            let parameter = function.arguments.get(place).copied();
            let problem = parameter
                .or(function.more)
                .and_then(|parameter: Argument| parameter.problem(self.model, value));
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

    /// Counts a visit and returns `true` if the limit of values is not reached.
    const fn spend_work(&mut self) -> bool {
        self.work = self.work.saturating_sub(1);
        self.work > 0
    }

    /// Reports an operation on a value of the wrong type, unless the type is unknown.
    fn report_unless_any(&mut self, offset: usize, value: &Sample<'m, 'a>, what: &str) {
        if value.kind() != Type::Any {
            self.danger(
                offset,
                format!("cannot select {what} of {}", with_article(value.kind())),
            );
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

    /// Adds a problem. Problems are unique, because all elements of an array repeat the same one.
    fn add(&mut self, severity: Severity, offset: usize, message: String) {
        self.add_problem(Problem {
            severity,
            offset,
            message,
            instead: None,
            is_consequence: false,
        });
    }

    fn add_problem(&mut self, problem: Problem) {
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }
}

/// Returns a hint for a name that is compared with a string.
fn text_hint(name: &str) -> String {
    format!(": for a string, write `'{name}'`")
}

fn with_article(kind: Type) -> String {
    match kind {
        Type::Null => "null".to_owned(),
        kind => messages::with_article(kind.name()),
    }
}
