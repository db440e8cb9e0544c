//! Infers the types of expressions and finds parts that can never work as written.
//!
//! Findings that Smithy's validator reports too have its ids and severities.

mod calls;
mod compare;
mod contains;
mod kinds;

use serde_json::Value as Json;

use super::{Expression, Op};
use crate::event::Severity;
use crate::messages;
use crate::shapes::Model;
use crate::types::{Form, Numbers};

type Type<'m> = crate::types::Type<'m, 'm>;

/// A problem in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) id: &'static str,
    pub(crate) severity: Severity,
    /// The byte offset in the expression.
    pub(crate) offset: usize,
    pub(crate) message: String,
    /// The text that fixes the problem at the offset, if it is unambiguous.
    pub(crate) instead: Option<String>,
}

impl Finding {
    /// Returns `true` if Smithy's validator reports the problem too.
    pub(crate) fn is_smithys(&self) -> bool {
        [DANGER, ERROR, ORDER].contains(&self.id)
    }
}

/// Smithy's id of operations on a value that does not have them.
pub(crate) const DANGER: &str = "WaitableTraitJmespathProblem.JmespathEventDanger";
/// Smithy's id of errors in waiters, such as arguments of the wrong type.
pub(crate) const ERROR: &str = "WaitableTrait";
/// Smithy's id of comparisons without a result.
pub(crate) const ORDER: &str = "WaitableTraitJmespathProblem.JmespathEventWarning";
pub(crate) const CONSTANT: &str = "SmithyWaiters.ConstantCondition";
const ENUM_VALUE: &str = "SmithyWaiters.UnknownEnumValue";
const NULL: &str = "SmithyWaiters.NullArgument";
const WRONG_TYPE: &str = "SmithyWaiters.WrongType";

/// The findings in an expression so far.
pub(super) struct Inference<'m> {
    pub(super) model: &'m Model<'m>,
    pub(super) findings: Vec<Finding>,
    /// `true` while the next member is compared with a string.
    pub(super) expects_text: bool,
}

// Each function returns the type of a result, assuming that the evaluation does not fail.
impl<'m> Inference<'m> {
    pub(super) const fn new(model: &'m Model<'m>) -> Self {
        Self {
            model,
            findings: Vec::new(),
            expects_text: false,
        }
    }

    /// Infers the result of an operation on `current`, whose token is at `at`.
    pub(super) fn infer(&mut self, at: usize, op: &Op<'m>, current: &Type<'m>) -> Type<'m> {
        match op {
            Op::And(sides) => self.and(sides),
            Op::Call(function, arguments) => self.call(*function, arguments),
            Op::Compare(comparison, sides) => self.comparison(*comparison, sides),
            Op::Current => current.clone(),
            Op::Each { of, when, each } => self.each(of, when.is_some(), each),
            Op::Flatten(of) => self.flatten(of),
            Op::Index(of, _) => self.index(at, &of.gives),
            Op::List(elements) => self.list(elements).or_null(current.nullable),
            Op::Literal(value) => self.literal(value),
            Op::Member(of, name) => self.member(at, name, &of.gives),
            Op::Not(of) => Form::Boolean(of.gives.truth().map(|truth| !truth)).into(),
            Op::Or(sides) => self.or(sides),
            Op::Record(members) => {
                let members = members.iter();
                let members = members.map(|(key, value)| (key.clone(), value.gives.clone()));
                let record = Form::Record(std::rc::Rc::new(members.collect()));
                Type::from(record).or_null(current.nullable)
            }
            Op::Reference(_) => Form::Expression.into(),
            Op::Slice { of, .. } => self.slice(at, &of.gives),
            Op::Then(sides) => {
                let [_, right] = sides.as_ref();
                right.gives.clone()
            }
            Op::Values(of) => self.values(of),
        }
    }

    fn and(&self, [left, right]: &[Expression<'m>; 2]) -> Type<'m> {
        let (left, right) = (left.gives.clone(), right.gives.clone());
        match left.truth() {
            Some(true) => right,
            Some(false) => left,
            None => left.falsy().join(right, self.model),
        }
    }

    fn or(&self, [left, right]: &[Expression<'m>; 2]) -> Type<'m> {
        let (left, right) = (left.gives.clone(), right.gives.clone());
        match left.truth() {
            Some(true) => left,
            Some(false) => right,
            None => left.truthy().join(right, self.model),
        }
    }

    fn member(&mut self, offset: usize, name: &str, of: &Type<'m>) -> Type<'m> {
        let found = match &of.form {
            Form::Any => Form::Any.into(),
            Form::Null => Type::null(),
            Form::Map(value) => {
                let message = format!("the map may not contain the key `{name}`");
                self.danger(offset, message, None);
                value.get(self.model).or_null(true)
            }
            Form::Record(members) => match members.get(name) {
                Some(member) => member.clone(),
                None => self.no_member(offset, name, members.keys().map(String::as_str)),
            },
            Form::Structure(shape) => match shape.member(name) {
                Some(member) => Type::of_member(self.model, member),
                None => {
                    let names = shape.members.iter().map(|member| member.name);
                    self.no_member(offset, name, names)
                }
            },
            _ => self.wrong_type(offset, &format!("the member `{name}`"), of),
        };
        found.or_null(of.nullable)
    }

    fn no_member<'n>(
        &mut self,
        offset: usize,
        name: &str,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Type<'m> {
        let near = match messages::did_you_mean(name, names.clone()) {
            near if !near.is_empty() => near,
            _ if self.expects_text => format!(": for a string, write `'{name}'`"),
            _ => messages::expected_one_of(names.clone()),
        };
        let instead = messages::with_other_case(name, names).map(str::to_owned);
        // The result has any type: only the cause is reported. Rule: docs/rules.md#validator-differences
        self.danger(offset, format!("unknown member `{name}`{near}"), instead);
        Form::Any.into()
    }

    fn index(&mut self, offset: usize, of: &Type<'m>) -> Type<'m> {
        match &of.form {
            Form::Array { element, .. } => element.get(self.model).or_null(true),
            Form::Any => Form::Any.into(),
            Form::Null => Type::null(),
            _ => self.wrong_type(offset, "an element", of),
        }
    }

    fn slice(&mut self, offset: usize, of: &Type<'m>) -> Type<'m> {
        match &of.form {
            Form::Array { element, length } => {
                Type::array_of(element.get(self.model), &length.or_fewer()).or_null(of.nullable)
            }
            Form::Any => Form::Any.into(),
            Form::Null => Type::null(),
            _ => self.wrong_type(offset, "a slice", of),
        }
    }

    fn flatten(&mut self, of: &Expression<'m>) -> Type<'m> {
        let value = &of.gives;
        match &value.form {
            Form::Array { element, length } => {
                let element = element.get(self.model);
                let flat = match &element.form {
                    Form::Array {
                        element: inner,
                        length: each,
                    } => {
                        let mut length = length.times(each);
                        if element.nullable {
                            length = length.or_fewer();
                        }
                        // A null is no array, and stays an element.
                        let inner = inner.get(self.model).or_null(element.nullable);
                        Type::array_of(inner, &length)
                    }
                    Form::Any => Type::array_of(Form::Any.into(), &Numbers::COUNTS),
                    _ => Type::array_of(element, length),
                };
                flat.or_null(value.nullable)
            }
            Form::Any => Form::Any.into(),
            Form::Null => Type::null(),
            _ => self.wrong_type(of.start(), "the elements (`[]`)", value),
        }
    }

    fn values(&mut self, of: &Expression<'m>) -> Type<'m> {
        let value = &of.gives;
        let element = match &value.form {
            // The value can be a non-object.
            Form::Any => return Type::array_of(Form::Any.into(), &Numbers::COUNTS).or_null(true),
            Form::Record(_) => Form::Any.into(),
            Form::Map(element) => element.get(self.model),
            Form::Null => return Type::null(),
            Form::Structure(shape) => {
                let mut members = shape
                    .members
                    .iter()
                    .map(|member| Type::of_member(self.model, member));
                let first = members.next().unwrap_or_else(Type::null);
                members.fold(first, |one, two| one.join(two, self.model))
            }
            _ => return self.wrong_type(of.start(), "the values (`*`)", value),
        };
        Type::array_of(element, &Numbers::COUNTS).or_null(value.nullable)
    }

    /// Infers a projection from the array, and from the expression on each element.
    fn each(&mut self, of: &Expression<'m>, is_filter: bool, each: &Expression<'m>) -> Type<'m> {
        let value = &of.gives;
        let (length, is_array) = match &value.form {
            Form::Array { length, .. } => (length.clone(), true),
            Form::Any => (Numbers::COUNTS, false),
            Form::Null => return Type::null(),
            _ => return self.wrong_type(of.start(), "the elements", value),
        };
        let length = if is_filter { length.or_fewer() } else { length };
        Type::array_of(each.gives.clone(), &length).or_null(value.nullable || !is_array)
    }

    /// Reports a filter whose condition has the same result for each element.
    pub(super) fn filter(&mut self, condition: &Expression<'m>) {
        if let Some(truth) = condition.gives.truth() {
            let may_fail = condition.may_fail(self.model);
            self.constant(
                condition.start(),
                may_fail,
                "the condition of the filter",
                truth,
            );
        }
    }

    fn list(&self, elements: &[Expression<'m>]) -> Type<'m> {
        let types = elements.iter().map(|element| element.gives.clone());
        let joined = types.reduce(|one, two| one.join(two, self.model));
        // Unlike in a projection, the elements can include null.
        let array = Form::Array {
            element: joined.unwrap_or_else(Type::null).into(),
            length: count(elements.len()),
        };
        array.into()
    }

    fn literal(&self, value: &Json) -> Type<'m> {
        let form = match value {
            Json::Null => Form::Null,
            Json::Bool(value) => Form::Boolean(Some(*value)),
            Json::Number(number) => {
                Form::Number(number.as_f64().map_or(Numbers::ANY, Numbers::one))
            }
            Json::String(text) => Form::String(Some([text.as_str().into()].into())),
            Json::Array(elements) => {
                let types = elements.iter().map(|element| self.literal(element));
                let joined = types.reduce(|one, two| one.join(two, self.model));
                Form::Array {
                    element: joined.unwrap_or_else(Type::null).into(),
                    length: count(elements.len()),
                }
            }
            Json::Object(members) => {
                let members = members.iter();
                let members = members.map(|(name, value)| (name.clone(), self.literal(value)));
                Form::Record(std::rc::Rc::new(members.collect()))
            }
        };
        form.into()
    }

    /// Reports an operation on a value of the wrong type. The result is `Any`, although it is null at runtime, so that
    /// the expressions around it cause no further findings.
    fn wrong_type(&mut self, offset: usize, what: &str, value: &Type<'m>) -> Type<'m> {
        let message = format!("cannot select {what} of {}", value.name());
        // The result has any type: only the cause is reported. Rule: docs/rules.md#validator-differences
        self.danger(offset, message, None);
        Form::Any.into()
    }

    /// Reports a condition that is always `truth`. A condition that can fail is not always true.
    fn constant(&mut self, offset: usize, may_fail: bool, what: &str, truth: bool) {
        // A condition that may fail is not always true, because an acceptor whose path fails does not match.
        if !(may_fail && truth) {
            self.warning(CONSTANT, offset, format!("{what} is always {truth}"));
        }
    }

    fn danger(&mut self, offset: usize, message: String, instead: Option<String>) {
        self.add(Finding {
            id: DANGER,
            severity: Severity::Danger,
            offset,
            message,
            instead,
        });
    }

    fn warning(&mut self, id: &'static str, offset: usize, message: String) {
        self.add(Finding {
            id,
            severity: Severity::Warning,
            offset,
            message,
            instead: None,
        });
    }

    fn add(&mut self, finding: Finding) {
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}

/// Returns an exact number of items.
fn count(number: usize) -> Numbers {
    Numbers::one(u32::try_from(number).map_or(f64::MAX, f64::from))
}
