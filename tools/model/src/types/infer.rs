//! Infers the type of an expression and finds parts that can never work as written.

mod compare;
mod contains;

use smithy_waiters::internal::jmespath::{Ast, Variable};

use super::{Form, Numbers, Type};
use crate::event::Severity;
use crate::messages;
use crate::shapes::Model;

/// A problem in an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) id: &'static str,
    pub(crate) severity: Severity,
    /// The byte offset in the expression.
    pub(crate) offset: usize,
    pub(crate) message: String,
}

pub(crate) const CONSTANT: &str = "SmithyWaiters.ConstantCondition";
pub(crate) const ENUM_VALUE: &str = "SmithyWaiters.UnknownEnumValue";
pub(crate) const MEMBER: &str = "SmithyWaiters.UnknownMember";
pub(crate) const NULL: &str = "SmithyWaiters.NullArgument";
pub(crate) const WRONG_TYPE: &str = "SmithyWaiters.WrongType";

/// The state of inferring the types of an expression.
pub(crate) struct Inference<'m, 'a> {
    pub(crate) model: &'m Model<'a>,
    pub(crate) findings: Vec<Finding>,
    /// `true` if the evaluation can fail for some value. In that case nothing matches, whatever the types are.
    pub(crate) may_fail: bool,
    /// `true` if only the types are needed. This skips the search for similar names, which is slow.
    is_quiet: bool,
}

impl<'m, 'a> Inference<'m, 'a> {
    pub(crate) const fn new(model: &'m Model<'a>) -> Self {
        Self {
            model,
            findings: Vec::new(),
            may_fail: false,
            is_quiet: false,
        }
    }

    /// Creates an inference that skips suggestions in findings.
    pub(crate) fn quiet(model: &'m Model<'a>) -> Self {
        Self {
            is_quiet: true,
            ..Self::new(model)
        }
    }

    /// Returns the type of an expression on a value, assuming that the evaluation does not fail.
    pub(crate) fn infer(&mut self, node: &Ast, current: &Type<'m, 'a>) -> Type<'m, 'a> {
        match node {
            Ast::And { lhs, rhs, .. } => self.and(lhs, rhs, current),
            Ast::Comparison {
                offset,
                comparator,
                lhs,
                rhs,
            } => self.comparison(*offset, comparator, (lhs, rhs), current),
            Ast::Condition {
                predicate, then, ..
            } => {
                self.infer(predicate, current);
                self.infer(then, current)
            }
            Ast::Expref { .. } => Form::Expression.into(),
            Ast::Field { offset, name } => self.field(*offset, name, current),
            Ast::Flatten { offset, node } => self.flatten(*offset, node, current),
            Ast::Function { name, args, .. } => self.call(name, args, current),
            Ast::Identity { .. } => current.clone(),
            Ast::Index { offset, .. } => self.index(*offset, current),
            Ast::Literal { value, .. } => literal(self.model, value),
            Ast::MultiHash { elements, .. } => {
                let members = elements.iter();
                let members =
                    members.map(|member| (member.key.clone(), self.infer(&member.value, current)));
                let record = Form::Record(std::rc::Rc::new(members.collect()));
                Type::from(record).or_null(current.nullable)
            }
            Ast::MultiList { elements, .. } => self.list(elements, current),
            Ast::Not { node, .. } => {
                let truth = self.infer(node, current).truth();
                Form::Boolean(truth.map(|truth| !truth)).into()
            }
            Ast::ObjectValues { offset, node } => self.values(*offset, node, current),
            Ast::Or { lhs, rhs, .. } => self.or(lhs, rhs, current),
            Ast::Projection { offset, lhs, rhs } => self.projection(*offset, lhs, rhs, current),
            Ast::Slice { offset, .. } => self.slice(*offset, current),
            Ast::Subexpr { lhs, rhs, .. } => {
                let left = self.infer(lhs, current);
                self.infer(rhs, &left)
            }
        }
    }

    fn and(&mut self, left: &Ast, right: &Ast, current: &Type<'m, 'a>) -> Type<'m, 'a> {
        let left = self.infer(left, current);
        let right = self.infer(right, current);
        match left.truth() {
            Some(true) => right,
            Some(false) => left,
            None => left.falsy().join(right, self.model),
        }
    }

    fn or(&mut self, left: &Ast, right: &Ast, current: &Type<'m, 'a>) -> Type<'m, 'a> {
        let left = self.infer(left, current);
        let right = self.infer(right, current);
        match left.truth() {
            Some(true) => left,
            Some(false) => right,
            None => left.truthy().join(right, self.model),
        }
    }

    fn field(&mut self, offset: usize, name: &str, current: &Type<'m, 'a>) -> Type<'m, 'a> {
        let found = match &current.form {
            Form::Any => Form::Any.into(),
            Form::Null => Type::null(),
            Form::Map(value) => value.get(self.model).or_null(true),
            Form::Record(members) => match members.get(name) {
                Some(member) => member.clone(),
                None => self.no_member(offset, name, members.keys().map(String::as_str)),
            },
            Form::Structure(shape) => match shape.member(name) {
                Some(member) => Type::of_member(self.model, member),
                None => {
                    self.no_member(offset, name, shape.members.iter().map(|member| member.name))
                }
            },
            _ => self.wrong_type(offset, &format!("the member `{name}`"), current),
        };
        found.or_null(current.nullable)
    }

    fn no_member<'n>(
        &mut self,
        offset: usize,
        name: &str,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Type<'m, 'a> {
        let near = self.suggest(name, names);
        self.warning(MEMBER, offset, format!("unknown member `{name}`{near}"));
        Form::Any.into()
    }

    fn index(&mut self, offset: usize, current: &Type<'m, 'a>) -> Type<'m, 'a> {
        match &current.form {
            Form::Array { element, .. } => element.get(self.model).or_null(true),
            Form::Any => Form::Any.into(),
            Form::Null => Type::null(),
            _ => self.wrong_type(offset, "an element", current),
        }
    }

    fn slice(&mut self, offset: usize, current: &Type<'m, 'a>) -> Type<'m, 'a> {
        match &current.form {
            Form::Array { element, length } => {
                Type::array_of(element.get(self.model), &length.or_fewer())
                    .or_null(current.nullable)
            }
            Form::Any => Form::Any.into(),
            Form::Null => Type::null(),
            _ => self.wrong_type(offset, "a slice", current),
        }
    }

    fn flatten(&mut self, offset: usize, node: &Ast, current: &Type<'m, 'a>) -> Type<'m, 'a> {
        let value = self.infer(node, current);
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
                        Type::array_of(inner.get(self.model), &length)
                    }
                    Form::Any => Type::array_of(Form::Any.into(), &Numbers::COUNTS),
                    _ => Type::array_of(element, length),
                };
                flat.or_null(value.nullable)
            }
            Form::Any => Form::Any.into(),
            Form::Null => Type::null(),
            _ => self.wrong_type(offset, "the elements (`[]`)", &value),
        }
    }

    fn values(&mut self, offset: usize, node: &Ast, current: &Type<'m, 'a>) -> Type<'m, 'a> {
        let value = self.infer(node, current);
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
            _ => return self.wrong_type(offset, "the values (`*`)", &value),
        };
        Type::array_of(element, &Numbers::COUNTS).or_null(value.nullable)
    }

    fn projection(
        &mut self,
        offset: usize,
        left: &Ast,
        right: &Ast,
        current: &Type<'m, 'a>,
    ) -> Type<'m, 'a> {
        let value = self.infer(left, current);
        let (element, length, is_array) = match &value.form {
            Form::Array { element, length } => (element.get(self.model), length.clone(), true),
            Form::Any => (Form::Any.into(), Numbers::COUNTS, false),
            Form::Null => return Type::null(),
            _ => return self.wrong_type(offset, "the elements", &value),
        };
        let projected = match right {
            Ast::Condition {
                offset,
                predicate,
                then,
            } => {
                let before = self.findings.len();
                let (truth, may_fail) =
                    self.with_own_failure(|inference| inference.infer(predicate, &element).truth());
                // A finding in the predicate can already explain a constant result.
                if let Some(truth) = truth.filter(|_| self.findings.len() == before) {
                    self.constant((*offset, may_fail), "the condition of the filter", truth);
                }
                Type::array_of(self.infer(then, &element), &length.or_fewer())
            }
            right => Type::array_of(self.infer(right, &element), &length),
        };
        projected.or_null(value.nullable || !is_array)
    }

    fn list(&mut self, elements: &[Ast], current: &Type<'m, 'a>) -> Type<'m, 'a> {
        let mut joined: Option<Type<'m, 'a>> = None;
        for element in elements {
            let next = self.infer(element, current);
            joined = Some(match joined {
                Some(joined) => joined.join(next, self.model),
                None => next,
            });
        }
        let element = joined.unwrap_or_else(Type::null).into();
        // Unlike in a projection, the elements can include null.
        let array = Form::Array {
            element,
            length: count(elements.len()),
        };
        Type::from(array).or_null(current.nullable)
    }

    /// Reports an operation on a value of the wrong type. The result is `Any`, although it is null at runtime, so that
    /// the expressions around it cause no further findings.
    fn wrong_type(&mut self, offset: usize, what: &str, value: &Type<'m, 'a>) -> Type<'m, 'a> {
        let message = format!("cannot select {what} of {}", value.name());
        self.warning(WRONG_TYPE, offset, message);
        Form::Any.into()
    }

    /// Reports a condition that is always `truth`. A condition that can fail is not always true.
    pub(crate) fn constant(&mut self, (offset, may_fail): (usize, bool), what: &str, truth: bool) {
        if !(may_fail && truth) {
            self.warning(CONSTANT, offset, format!("{what} is always {truth}"));
        }
    }

    /// Runs `make` and returns its result, and whether it can fail independently of what was inferred before.
    pub(crate) fn with_own_failure<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> (T, bool) {
        let around = std::mem::take(&mut self.may_fail);
        let made = make(self);
        let may_fail = self.may_fail;
        self.may_fail |= around;
        (made, may_fail)
    }

    /// Returns `: did you mean …?` for a message.
    pub(crate) fn suggest<'n>(
        &self,
        written: &str,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> String {
        if self.is_quiet {
            return String::new();
        }
        messages::did_you_mean_one_of(written, names)
    }

    pub(crate) fn warning(&mut self, id: &'static str, offset: usize, message: String) {
        self.add(id, Severity::Warning, offset, message);
    }

    pub(crate) fn add(
        &mut self,
        id: &'static str,
        severity: Severity,
        offset: usize,
        message: String,
    ) {
        let finding = Finding {
            id,
            severity,
            offset,
            message,
        };
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }
}

/// Returns an exact number of items.
pub(crate) fn count(number: usize) -> Numbers {
    Numbers::one(u32::try_from(number).map_or(f64::MAX, f64::from))
}

/// Returns the type of a literal.
fn literal<'m, 'a>(model: &'m Model<'a>, value: &Variable) -> Type<'m, 'a> {
    let form = match value {
        Variable::Null => Form::Null,
        Variable::Bool(value) => Form::Boolean(Some(*value)),
        Variable::Number(number) => {
            Form::Number(number.as_f64().map_or(Numbers::ANY, Numbers::one))
        }
        Variable::String(text) => Form::String(Some([text.as_str().into()].into())),
        Variable::Array(elements) => {
            let types = elements.iter().map(|element| literal(model, element));
            let joined = types.reduce(|one, two| one.join(two, model));
            Form::Array {
                element: joined.unwrap_or_else(Type::null).into(),
                length: count(elements.len()),
            }
        }
        Variable::Object(members) => {
            let members = members
                .iter()
                .map(|(name, value)| (name.clone(), literal(model, value)));
            Form::Record(std::rc::Rc::new(members.collect()))
        }
        Variable::Expref(_) => Form::Expression,
    };
    form.into()
}
