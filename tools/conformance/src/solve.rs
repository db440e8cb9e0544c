//! Inverts paths: finds a value on which a path has a wanted result.
//!
//! The solver proposes; [`reference`](crate::reference) verifies. So it may be incomplete: where it finds nothing, or
//! something wrong, the acceptor is named as not covered.

use std::mem;

use serde_json::{Value as Json, json};
use smithy_waiters_model::Model;
use smithy_waiters_model::typed::{Comparison, Expression, Form, Function, Op, Type};

use crate::reference::{evaluate, is_truthy};
use crate::sample;

/// The wanted result of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    /// This value.
    Is(Json),
    /// A value of the same type other than this one.
    Other(Json),
    /// An array, object or string of this length.
    Length(usize),
    /// A value that counts as true.
    Truthy,
    /// A value that counts as false.
    Falsy,
    /// Any value other than null.
    Any,
}

/// Finds values for one waiter.
#[derive(Clone, Debug)]
pub(crate) struct Solver<'m> {
    pub(crate) model: &'m Model<'m>,
    /// The strings that acceptors expect, which other values must not be.
    pub(crate) avoid: Vec<String>,
    /// Makes the result of a filter empty by elements that it drops, instead of no elements.
    pub(crate) drops_elements: bool,
}

type Expr<'m> = Expression<'m>;

impl<'m> Solver<'m> {
    /// Returns `current`, changed so that the expression meets the goal.
    pub(crate) fn meet(
        &self,
        expression: &Expr<'m>,
        goal: &Goal,
        mut current: Json,
    ) -> Option<Json> {
        if matches!(goal, Goal::Is(Json::Null)) && evaluate(expression, &current) == Ok(Json::Null)
        {
            return Some(current);
        }
        match &expression.op {
            Op::Current | Op::Member(..) | Op::Index(..) | Op::Then(_) => {
                let gives = &expression.gives;
                let is_met = self.update(expression, &mut current, &mut |value| {
                    self.settle(goal, value, gives)
                });
                is_met.then_some(current)
            }
            Op::Literal(value) => is_met(goal, value).then_some(current),
            Op::Not(operand) => self.meet(operand, &truth(!wants_true(goal)?), current),
            Op::And(pair) => self.both(pair, goal, current),
            Op::Or(pair) => self.either(pair, goal, current),
            Op::Compare(comparison, pair) => {
                let comparison = if wants_true(goal)? {
                    *comparison
                } else {
                    negation(*comparison)
                };
                self.compare(comparison, pair, current)
            }
            Op::Each { of, when, each } => self.project(of, when.as_deref(), each, goal, current),
            Op::Flatten(of) => {
                let items =
                    self.array(goal, &expression.gives, evaluate(expression, &current).ok())?;
                let is_nested = matches!(of.gives.element(self.model).form, Form::Array { .. });
                let array = if is_nested { json!([items]) } else { items };
                self.meet(of, &Goal::Is(array), current)
            }
            Op::Values(of) => {
                let items = self.array(goal, &expression.gives, None)?;
                let items = items.as_array()?.iter().enumerate();
                let object = items.map(|(place, item)| (format!("key{place}"), item.clone()));
                self.meet(of, &Goal::Is(Json::Object(object.collect())), current)
            }
            Op::Slice { of, .. } => self.meet(of, goal, current),
            Op::Call(function, arguments) => self.call(*function, arguments, goal, current),
            Op::List(items) => {
                let Goal::Is(Json::Array(wanted)) = goal else {
                    return Some(current);
                };
                let mut pairs = items.iter().zip(wanted);
                pairs.try_fold(current, |current, (item, wanted)| {
                    self.meet(item, &Goal::Is(wanted.clone()), current)
                })
            }
            Op::Record(members) => {
                let Goal::Is(Json::Object(wanted)) = goal else {
                    return Some(current);
                };
                let mut members = members.iter();
                members.try_fold(current, |current, (name, value)| {
                    let wanted = wanted.get(name).cloned().unwrap_or_default();
                    self.meet(value, &Goal::Is(wanted), current)
                })
            }
            Op::Reference(_) => None,
        }
    }

    /// Applies a change to the place that an expression denotes, and creates the objects and arrays that lead there.
    fn update(
        &self,
        expression: &Expr<'m>,
        current: &mut Json,
        change: &mut dyn FnMut(&mut Json) -> bool,
    ) -> bool {
        match &expression.op {
            Op::Current => change(current),
            Op::Member(of, name) if lacks(of, name) => false,
            Op::Member(of, name) => self.update(of, current, &mut |object| {
                if object.is_null() {
                    *object = json!({});
                }
                let members = object.as_object_mut();
                members.is_some_and(|members| change(members.entry(&**name).or_insert(Json::Null)))
            }),
            Op::Index(of, index) => self.update(of, current, &mut |array| {
                if array.is_null() {
                    *array = json!([]);
                }
                array
                    .as_array_mut()
                    .is_some_and(|items| change_element(items, *index, change))
            }),
            Op::Then(pair) => {
                let [left, right] = &**pair;
                self.update(left, current, &mut |value| {
                    self.update(right, value, change)
                })
            }
            // Not a place: the change shows which value the expression must have.
            _ => {
                let mut wanted = Json::Null;
                let is_known = change(&mut wanted);
                let met =
                    is_known.then(|| self.meet(expression, &Goal::Is(wanted), mem::take(current)));
                met.flatten().is_some_and(|met| {
                    *current = met;
                    true
                })
            }
        }
    }

    /// Changes a value in its place.
    fn settle(&self, goal: &Goal, value: &mut Json, gives: &Type<'m, 'm>) -> bool {
        let wanted = match goal {
            Goal::Is(wanted) => Some(wanted.clone()),
            Goal::Other(than) => self.other(gives, than),
            Goal::Truthy if is_truthy(value) => return true,
            Goal::Any if !value.is_null() => return true,
            Goal::Truthy | Goal::Any => sample::of_type(self.model, gives),
            Goal::Falsy => sample::empty(gives),
            Goal::Length(length) => match gives.form {
                Form::String(_) => Some("x".repeat(*length).into()),
                Form::Map(_) => {
                    let item =
                        sample::of_type(self.model, &gives.element(self.model)).unwrap_or_default();
                    let members = (0..*length).map(|place| (format!("key{place}"), item.clone()));
                    Some(Json::Object(members.collect()))
                }
                _ => self.array(goal, gives, Some(value.clone())),
            },
        };
        let fitting = wanted.filter(|wanted| sample::fits(gives, wanted));
        fitting.is_some_and(|wanted| {
            *value = wanted;
            true
        })
    }

    /// Returns a value of a type other than the given one, and other than those that acceptors expect.
    pub(crate) fn other(&self, gives: &Type<'m, 'm>, than: &Json) -> Option<Json> {
        match &gives.form {
            Form::String(Some(values)) => {
                let is_other = |value: &&str| !value.is_empty() && than.as_str() != Some(value);
                let values: Vec<&str> = values
                    .iter()
                    .map(|value| &**value)
                    .filter(is_other)
                    .collect();
                let is_free = |value: &&&str| !self.avoid.iter().any(|known| known == **value);
                let free = values.iter().find(is_free);
                Some((*free.or_else(|| values.first())?).into())
            }
            Form::Number(_) => Some(sample::number(than.as_f64()? + 1.0)),
            _ => match than {
                Json::Bool(value) => Some((!value).into()),
                _ => {
                    let mut texts = ["conformance", "conformances"].into_iter();
                    Some(texts.find(|text| than.as_str() != Some(text))?.into())
                }
            },
        }
    }

    /// Returns the array for a goal, with elements of `existing`.
    fn array(&self, goal: &Goal, gives: &Type<'m, 'm>, existing: Option<Json>) -> Option<Json> {
        let existing = existing
            .and_then(|value| value.as_array().cloned())
            .unwrap_or_default();
        let length = match goal {
            Goal::Is(wanted) => return wanted.is_array().then(|| wanted.clone()),
            Goal::Length(length) => *length,
            Goal::Falsy => 0,
            Goal::Truthy | Goal::Any => existing.len().max(1),
            Goal::Other(_) => return None,
        };
        let item = sample::of_type(self.model, &gives.element(self.model));
        let items = existing.into_iter().chain(std::iter::repeat(item?));
        Some(Json::Array(items.take(length).collect()))
    }

    fn project(
        &self,
        of: &Expr<'m>,
        when: Option<&Expr<'m>>,
        each: &Expr<'m>,
        goal: &Goal,
        current: Json,
    ) -> Option<Json> {
        let existing = evaluate(of, &current)
            .ok()
            .and_then(|value| value.as_array().cloned());
        let existing = existing.unwrap_or_default();
        let goals = match goal {
            Goal::Is(Json::Array(items)) => items.iter().cloned().map(Goal::Is).collect(),
            Goal::Length(length) => vec![Goal::Any; *length],
            Goal::Truthy | Goal::Any => vec![Goal::Any],
            Goal::Falsy => Vec::new(),
            Goal::Is(_) | Goal::Other(_) => return None,
        };
        let element = of.gives.element(self.model);
        let mut items = Vec::new();
        for (place, goal) in goals.iter().enumerate() {
            let base = existing.get(place).cloned().unwrap_or_default();
            let selected = match when {
                Some(when) => self.meet(when, &Goal::Truthy, base)?,
                None => base,
            };
            items.push(whole(self.meet(each, goal, selected)?, &element)?);
        }
        if let Some(when) = when.filter(|_| goals.is_empty() && self.drops_elements) {
            let base = existing.first().cloned().unwrap_or_default();
            items.push(whole(self.meet(when, &Goal::Falsy, base)?, &element)?);
        }
        self.meet(of, &Goal::Is(Json::Array(items)), current)
    }

    fn both(&self, pair: &[Expr<'m>; 2], goal: &Goal, current: Json) -> Option<Json> {
        let [left, right] = pair;
        if wants_true(goal) != Some(false) {
            let current = self.meet(left, &Goal::Truthy, current)?;
            return self.meet(right, goal, current);
        }
        // The nearest miss: only the right side is false.
        let selected = self.meet(left, &Goal::Truthy, current.clone());
        let missed = selected.and_then(|selected| self.meet(right, goal, selected));
        missed.or_else(|| self.meet(left, goal, current))
    }

    fn either(&self, pair: &[Expr<'m>; 2], goal: &Goal, current: Json) -> Option<Json> {
        let [left, right] = pair;
        if wants_true(goal) == Some(false) {
            let current = self.meet(left, &Goal::Falsy, current)?;
            return self.meet(right, goal, current);
        }
        let met = self.meet(left, goal, current.clone());
        met.or_else(|| self.meet(right, goal, current))
    }

    fn compare(&self, comparison: Comparison, pair: &[Expr<'m>; 2], current: Json) -> Option<Json> {
        let [left, right] = pair;
        match (&left.op, &right.op) {
            (_, Op::Literal(value)) => self.meet(left, &compared(comparison, value)?, current),
            (Op::Literal(value), _) => {
                self.meet(right, &compared(mirror(comparison), value)?, current)
            }
            _ => {
                let known = |side| {
                    evaluate(side, &current)
                        .ok()
                        .filter(|value| !value.is_null())
                };
                if let Some(value) = known(right) {
                    return self.meet(left, &compared(comparison, &value)?, current);
                }
                let value = known(left).or_else(|| sample::of_type(self.model, &left.gives))?;
                let current = self.meet(left, &Goal::Is(value.clone()), current)?;
                self.meet(right, &compared(mirror(comparison), &value)?, current)
            }
        }
    }

    fn call(
        &self,
        function: Function,
        arguments: &[Expr<'m>],
        goal: &Goal,
        current: Json,
    ) -> Option<Json> {
        match (function, arguments) {
            (Function::Length, [argument]) => {
                let length = match goal {
                    Goal::Is(length) => length.as_f64()?,
                    Goal::Other(length) => length.as_f64()? + 1.0,
                    _ => 1.0,
                };
                let length = sample::number(length).as_u64()?;
                self.meet(
                    argument,
                    &Goal::Length(usize::try_from(length).ok()?),
                    current,
                )
            }
            (Function::Contains, [array, item]) => {
                let (is_wanted, item_goal) = (wants_true(goal)?, Goal::Is);
                match (&array.op, &item.op) {
                    (Op::Literal(Json::Array(items)), _) => {
                        let known = items.first()?;
                        let goal = if is_wanted {
                            item_goal(known.clone())
                        } else {
                            Goal::Other(known.clone())
                        };
                        self.meet(item, &goal, current)
                    }
                    (_, Op::Literal(value)) => {
                        let is_text = matches!(array.gives.form, Form::String(_));
                        let other = || self.other(&array.gives.element(self.model), value);
                        let value = if is_wanted { value.clone() } else { other()? };
                        let value = if is_text { value } else { json!([value]) };
                        self.meet(array, &Goal::Is(value), current)
                    }
                    _ => None,
                }
            }
            (Function::StartsWith | Function::EndsWith, [text, part]) => {
                let Op::Literal(part) = &part.op else {
                    return None;
                };
                let goal = if wants_true(goal)? {
                    Goal::Is(part.clone())
                } else {
                    Goal::Other(part.clone())
                };
                self.meet(text, &goal, current)
            }
            (Function::Keys, [object]) => {
                let Goal::Is(Json::Array(names)) = goal else {
                    return self.meet(object, goal, current);
                };
                let names = names.iter().filter_map(Json::as_str);
                let object_of = names.map(|name| (name.to_owned(), json!("value")));
                self.meet(
                    object,
                    &Goal::Is(Json::Object(object_of.collect())),
                    current,
                )
            }
            (Function::NotNull | Function::ToArray | Function::Values, [first, ..]) => {
                self.meet(first, goal, current)
            }
            _ => None,
        }
    }
}

/// Returns `true` if a structure of the model has no such member.
fn lacks(of: &Expr<'_>, name: &str) -> bool {
    match &of.gives.form {
        Form::Structure(shape) => shape.member(name).is_none(),
        _ => false,
    }
}

/// Returns an element without nulls: null means that a structure has no members. A list of scalars cannot contain it.
fn whole(item: Json, gives: &Type<'_, '_>) -> Option<Json> {
    let can_be_empty = matches!(gives.form, Form::Structure(_) | Form::Map(_));
    match item {
        Json::Null if can_be_empty => Some(json!({})),
        Json::Null if !gives.nullable => None,
        item => Some(item),
    }
}

/// Changes an element. Elements that don't exist yet become copies of it, because most lists cannot contain null.
fn change_element(
    items: &mut Vec<Json>,
    index: i64,
    change: &mut dyn FnMut(&mut Json) -> bool,
) -> bool {
    let Ok(distance) = usize::try_from(index.unsigned_abs()) else {
        return false;
    };
    let length = if index < 0 {
        distance
    } else {
        distance.saturating_add(1)
    };
    let before = items.len();
    if length > sample::MOST {
        return false;
    }
    items.resize(length.max(before), Json::Null);
    let place = if index < 0 {
        items.len().saturating_sub(distance)
    } else {
        distance
    };
    let is_changed = items.get_mut(place).is_some_and(change);
    let item = items.get(place).cloned().unwrap_or_default();
    for missing in items.iter_mut().skip(before).filter(|item| item.is_null()) {
        *missing = item.clone();
    }
    is_changed
}

fn is_met(goal: &Goal, value: &Json) -> bool {
    match goal {
        Goal::Is(wanted) => wanted == value,
        Goal::Other(than) => than != value,
        Goal::Length(_) => false,
        Goal::Truthy => is_truthy(value),
        Goal::Falsy => !is_truthy(value),
        Goal::Any => !value.is_null(),
    }
}

/// Returns the truth value of a goal, if it is about one.
fn wants_true(goal: &Goal) -> Option<bool> {
    match goal {
        Goal::Is(Json::Bool(value)) => Some(*value),
        Goal::Other(Json::Bool(value)) => Some(!value),
        Goal::Truthy | Goal::Any => Some(true),
        Goal::Falsy => Some(false),
        Goal::Is(_) | Goal::Other(_) | Goal::Length(_) => None,
    }
}

const fn truth(value: bool) -> Goal {
    if value { Goal::Truthy } else { Goal::Falsy }
}

const fn negation(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterOrEqual,
        Comparison::LessOrEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessOrEqual,
        Comparison::GreaterOrEqual => Comparison::Less,
    }
}

/// Returns the comparison with its sides exchanged.
const fn mirror(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        same => same,
    }
}

/// Returns the goal of the left side of a comparison with a value.
fn compared(comparison: Comparison, value: &Json) -> Option<Goal> {
    let number = |by: f64| Some(Goal::Is(sample::number(value.as_f64()? + by)));
    match comparison {
        Comparison::Equal => Some(Goal::Is(value.clone())),
        Comparison::NotEqual => Some(Goal::Other(value.clone())),
        Comparison::Less => number(-1.0),
        Comparison::Greater => number(1.0),
        Comparison::LessOrEqual | Comparison::GreaterOrEqual => number(0.0),
    }
}
