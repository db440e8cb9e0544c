//! The evaluator of compiled expressions.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

use super::item::Item;
use super::node::{Node, Op, Slice};
use super::parser::Comparison;
use crate::value::{Kind, Name, ReadError, Value};

/// The work limit of one evaluation, over all acceptors.
///
/// A unit of work is a member, an item, a comparison or another operation, or one KiB of a text or blob, rounded up. A
/// filter with a comparison reaches the limit at about 9,900 items. The slowest expressions reach the limit within a second in every
/// host language.
const MAX_WORK: u64 = 100_000;
/// The number of bytes of a text that count as one unit of work.
const TEXT_UNIT: usize = 1_024;

/// The reason why an expression could not be evaluated on a value.
// Boxed, because every read returns a `Result`, whose size should not depend on the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EvaluationError(Box<Detail>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Detail {
    is_limit: bool,
    message: String,
}

impl EvaluationError {
    #[cold]
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::from_parts(false, message.into())
    }

    #[cold]
    pub(crate) fn limit(message: impl Into<String>) -> Self {
        Self::from_parts(true, message.into())
    }

    fn from_parts(is_limit: bool, message: String) -> Self {
        Self(Box::new(Detail { is_limit, message }))
    }

    /// Returns `true` if the evaluation exceeded a limit.
    pub(crate) const fn is_limit(&self) -> bool {
        self.0.is_limit
    }

    /// Returns the stable code, for programs.
    pub(crate) const fn code(&self) -> &'static str {
        if self.is_limit() {
            "limit_exceeded"
        } else {
            "evaluation_error"
        }
    }

    pub(crate) fn message(&self) -> &str {
        &self.0.message
    }
}

impl From<ReadError> for EvaluationError {
    fn from(error: ReadError) -> Self {
        Self::new(error.to_string())
    }
}

/// The kind of value that [`Evaluator::each`] visited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Visited {
    /// An array, whose items were visited.
    Array,
    /// Any other value, which was not visited.
    Other(Kind),
}

/// A visitor of the items of an expression's result.
pub(crate) type Visit<'v, 'e, V> =
    dyn FnMut(Item<'e, V>) -> Result<ControlFlow<()>, EvaluationError> + 'v;

/// A visitor of the members of an object.
pub(crate) type VisitMember<'v, 'e, V> =
    dyn FnMut(&str, Item<'e, V>) -> Result<ControlFlow<()>, EvaluationError> + 'v;

/// An evaluation, with its remaining work limit.
///
/// The recursion follows the compiled form, whose depth is limited. Functions that descend into values have depth
/// limits too.
#[derive(Debug)]
pub(crate) struct Evaluator {
    // A cell, because visitors count work while the evaluator is already borrowed.
    work: Cell<u64>,
}

impl Evaluator {
    pub(crate) const fn new() -> Self {
        Self {
            work: Cell::new(MAX_WORK),
        }
    }

    /// Evaluates a node on the current value.
    pub(crate) fn evaluate<'e, V: Value>(
        &self,
        node: &'e Node,
        current: &Item<'e, V>,
    ) -> Result<Item<'e, V>, EvaluationError> {
        self.spend(node.work())?;
        match &node.op {
            Op::And(sides) => self.choose(sides, current, false),
            Op::Call(function, arguments) => self.call(*function, arguments, current),
            Op::Chain(nodes) => self.chain(nodes, current),
            Op::Compare(comparison, sides) => self.compare(*comparison, sides, current),
            Op::Condition(sides) => self.condition(sides, current),
            Op::Current => Ok(current.clone()),
            // Functions read the expression from their argument. The compiler rejects it anywhere else.
            Op::Expref(_) => Ok(Item::Null),
            Op::Flatten(_) | Op::Project(_) | Op::Slice(_) | Op::Values(_) => {
                self.collect(node, current)
            }
            Op::Hash(members) => self.hash(members, current),
            Op::Index(index) => Ok(current.item(*index)?),
            Op::List(nodes) => self.list(nodes, current),
            Op::Literal(json) => Ok(Item::Literal(json)),
            Op::Not(node) => Ok(Item::Boolean(!self.evaluate(node, current)?.is_truthy()?)),
            Op::Or(sides) => self.choose(sides, current, true),
            Op::Path(path) => Ok(current.member_at(path)?),
        }
    }

    /// Visits the items of a node's result. The array of a projection is not built.
    pub(crate) fn each<'e, V: Value>(
        &self,
        node: &'e Node,
        current: &Item<'e, V>,
        visit: &mut Visit<'_, 'e, V>,
    ) -> Result<Visited, EvaluationError> {
        match &node.op {
            Op::Flatten(node) => self.flatten(node, current, &[], visit),
            Op::Project(sides) => self.project(sides, current, visit),
            Op::Slice(slice) => self.slice(*slice, current, visit),
            Op::Values(node) => self.values(node, current, visit),
            _ => self.each_item(&self.evaluate(node, current)?, visit),
        }
    }

    /// Consumes units of work.
    pub(crate) fn spend(&self, work: u64) -> Result<(), EvaluationError> {
        match self.work.get().checked_sub(work) {
            Some(rest) => {
                self.work.set(rest);
                Ok(())
            }
            None => Err(EvaluationError::limit(format!(
                "the evaluation takes more than {MAX_WORK} units of work"
            ))),
        }
    }

    /// Consumes the work for a text, then reads it.
    pub(crate) fn text<'t, V: Value>(
        &self,
        item: &'t Item<'_, V>,
    ) -> Result<Cow<'t, str>, EvaluationError> {
        // Counted before it is read, because a host may have to copy or encode the whole text.
        self.spend_text(item.text_len()?)?;
        Ok(item.text()?)
    }

    /// Consumes the work for a text of this size.
    pub(crate) fn spend_text(&self, bytes: usize) -> Result<(), EvaluationError> {
        self.spend(bytes.div_ceil(TEXT_UNIT) as u64)
    }

    /// The remaining units of work.
    pub(crate) const fn left(&self) -> u64 {
        self.work.get()
    }

    /// Restores the remaining work. Items that are read only for the reasons do not count.
    pub(crate) fn restore(&self, left: u64) {
        self.work.set(left);
    }

    /// Visits the items of an array.
    pub(crate) fn each_item<'e, V: Value>(
        &self,
        array: &Item<'e, V>,
        visit: &mut Visit<'_, 'e, V>,
    ) -> Result<Visited, EvaluationError> {
        self.each_item_at(array, &[], visit)
    }

    /// Visits the value at the end of a path for each item of an array.
    fn each_item_at<'e, V: Value>(
        &self,
        array: &Item<'e, V>,
        path: &[Name],
        visit: &mut Visit<'_, 'e, V>,
    ) -> Result<Visited, EvaluationError> {
        self.each_read(array, path, false, &mut |value, _| visit(value))
    }

    /// Visits the value at the end of a path for each item of an array. With `keep_arrays`, an item that is an array is
    /// visited itself, with `true` as second argument.
    fn each_read<'e, V: Value>(
        &self,
        array: &Item<'e, V>,
        path: &[Name],
        keep_arrays: bool,
        visit: &mut dyn FnMut(Item<'e, V>, bool) -> Result<ControlFlow<()>, EvaluationError>,
    ) -> Result<Visited, EvaluationError> {
        let kind = array.kind()?;
        if kind != Kind::Array {
            return Ok(Visited::Other(kind));
        }
        let mut result = Ok(());
        array.items_at(path, keep_arrays, &mut |item| {
            // Counted by item, and not by the length: a host's iterator can be endless.
            let visited = self.spend(1).and_then(|()| {
                let (value, is_array) = item?;
                visit(value, is_array)
            });
            flow(visited, &mut result)
        })?;
        result.map(|()| Visited::Array)
    }

    /// Visits the members of an object, in the host's order.
    pub(crate) fn each_member<'e, V: Value>(
        &self,
        object: &Item<'e, V>,
        visit: &mut VisitMember<'_, 'e, V>,
    ) -> Result<(), EvaluationError> {
        let mut result = Ok(());
        object.members(&mut |name, value| {
            flow(self.spend(1).and_then(|()| visit(name, value)), &mut result)
        })?;
        result
    }

    fn chain<'e, V: Value>(
        &self,
        nodes: &'e [Node],
        current: &Item<'e, V>,
    ) -> Result<Item<'e, V>, EvaluationError> {
        let mut value = current.clone();
        for node in nodes {
            value = self.evaluate(node, &value)?;
        }
        Ok(value)
    }

    /// Evaluates `&&` and `||`: the left side if its truth is `decides`, otherwise the right side.
    fn choose<'e, V: Value>(
        &self,
        [left, right]: &'e [Node; 2],
        current: &Item<'e, V>,
        decides: bool,
    ) -> Result<Item<'e, V>, EvaluationError> {
        let left = self.evaluate(left, current)?;
        if left.is_truthy()? == decides {
            Ok(left)
        } else {
            self.evaluate(right, current)
        }
    }

    fn condition<'e, V: Value>(
        &self,
        [predicate, then]: &'e [Node; 2],
        current: &Item<'e, V>,
    ) -> Result<Item<'e, V>, EvaluationError> {
        if self.evaluate(predicate, current)?.is_truthy()? {
            self.evaluate(then, current)
        } else {
            Ok(Item::Null)
        }
    }

    fn compare<'e, V: Value>(
        &self,
        comparison: Comparison,
        [left, right]: &'e [Node; 2],
        current: &Item<'e, V>,
    ) -> Result<Item<'e, V>, EvaluationError> {
        let (left, right) = (
            self.evaluate(left, current)?,
            self.evaluate(right, current)?,
        );
        match comparison {
            Comparison::Equal => return Ok(self.equal(&left, &right)?.into()),
            Comparison::NotEqual => return Ok((!self.equal(&left, &right)?).into()),
            _ => {}
        }
        // The ordering operators are defined only for numbers. For other values, the result is null.
        let (Kind::Number(left), Kind::Number(right)) = (left.kind()?, right.kind()?) else {
            return Ok(Item::Null);
        };
        Ok(Item::Boolean(match comparison {
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
            Comparison::Less => left < right,
            _ => left <= right,
        }))
    }

    fn list<'e, V: Value>(
        &self,
        nodes: &'e [Node],
        current: &Item<'e, V>,
    ) -> Result<Item<'e, V>, EvaluationError> {
        // A multi-select of null is null and not a list of nulls, by the specification of JMESPath.
        if current.is_null()? {
            return Ok(Item::Null);
        }
        let items: Result<_, _> = nodes
            .iter()
            .map(|node| self.evaluate(node, current))
            .collect();
        Ok(Item::Array(Rc::new(items?)))
    }

    fn hash<'e, V: Value>(
        &self,
        members: &'e [(Box<str>, Node)],
        current: &Item<'e, V>,
    ) -> Result<Item<'e, V>, EvaluationError> {
        if current.is_null()? {
            return Ok(Item::Null);
        }
        let mut object: Vec<(Rc<str>, Item<'e, V>)> = Vec::with_capacity(members.len());
        for (name, node) in members {
            let value = self.evaluate(node, current)?;
            // The last of equal keys counts, as in JSON.
            match object.iter_mut().find(|(key, _)| **key == **name) {
                Some((_, earlier)) => *earlier = value,
                None => object.push(((&**name).into(), value)),
            }
        }
        Ok(Item::Object(Rc::new(object)))
    }

    fn collect<'e, V: Value>(
        &self,
        node: &'e Node,
        current: &Item<'e, V>,
    ) -> Result<Item<'e, V>, EvaluationError> {
        let mut items = Vec::new();
        let visited = self.each(node, current, &mut |item| {
            items.push(item);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(if visited == Visited::Array {
            Item::Array(Rc::new(items))
        } else {
            Item::Null
        })
    }

    fn project<'e, V: Value>(
        &self,
        [source, each]: &'e [Node; 2],
        current: &Item<'e, V>,
        visit: &mut Visit<'_, 'e, V>,
    ) -> Result<Visited, EvaluationError> {
        // Projections drop null results. Rule: docs/rules.md#null-and-types
        let mut visit_value = |value: Item<'e, V>| {
            if value.is_null()? {
                Ok(ControlFlow::Continue(()))
            } else {
                visit(value)
            }
        };
        let visited = match &each.op {
            // A host can read a path of members for many items at once.
            Op::Path(path) => self.each_at(source, current, path, &mut |value| {
                // A bulk read must cost as much as single reads, or the limit would depend on the host.
                self.spend(each.work())?;
                visit_value(value)
            }),
            Op::Current => self.each(source, current, &mut visit_value),
            _ => self.each(source, current, &mut |item| {
                visit_value(self.evaluate(each, &item)?)
            }),
        };
        visited.map(null_unless_array)
    }

    /// Visits the value at the end of a path for each item of a node's result.
    fn each_at<'e, V: Value>(
        &self,
        node: &'e Node,
        current: &Item<'e, V>,
        path: &[Name],
        visit: &mut Visit<'_, 'e, V>,
    ) -> Result<Visited, EvaluationError> {
        match &node.op {
            Op::Flatten(node) => self.flatten(node, current, path, visit),
            // The items exist only in the engine, so that the host cannot read their members in bulk.
            _ if node.is_projection() => {
                self.each(node, current, &mut |item| visit(item.member_at(path)?))
            }
            _ => self.each_item_at(&self.evaluate(node, current)?, path, visit),
        }
    }

    fn flatten<'e, V: Value>(
        &self,
        node: &'e Node,
        current: &Item<'e, V>,
        path: &[Name],
        visit: &mut Visit<'_, 'e, V>,
    ) -> Result<Visited, EvaluationError> {
        // The items of a nested array take its place. `rest` is the path that remains for any other item.
        let mut visit_item = |item: Item<'e, V>, is_array: bool, rest: &[Name]| {
            if !is_array {
                return visit(if rest.is_empty() {
                    item
                } else {
                    item.member_at(rest)?
                });
            }
            let mut end = ControlFlow::Continue(());
            self.each_item_at(&item, path, &mut |inner| {
                end = visit(inner)?;
                Ok(end)
            })?;
            Ok(end)
        };
        let visited = if node.is_projection() {
            self.each(node, current, &mut |item| {
                let is_array = item.kind()? == Kind::Array;
                visit_item(item, is_array, path)
            })
        } else {
            let array = self.evaluate(node, current)?;
            self.each_read(&array, path, true, &mut |value, is_array| {
                visit_item(value, is_array, &[])
            })
        };
        visited.map(null_unless_array)
    }

    fn values<'e, V: Value>(
        &self,
        node: &'e Node,
        current: &Item<'e, V>,
        visit: &mut Visit<'_, 'e, V>,
    ) -> Result<Visited, EvaluationError> {
        let object = self.evaluate(node, current)?;
        if object.kind()? != Kind::Object {
            // A wildcard on a non-object gives null and not an error, by the specification of JMESPath.
            return Ok(Visited::Other(Kind::Null));
        }
        self.each_member(&object, &mut |_, value| visit(value))?;
        Ok(Visited::Array)
    }

    fn slice<'e, V: Value>(
        &self,
        slice: Slice,
        current: &Item<'e, V>,
        visit: &mut Visit<'_, 'e, V>,
    ) -> Result<Visited, EvaluationError> {
        if current.kind()? != Kind::Array {
            return Ok(Visited::Other(Kind::Null));
        }
        let (mut index, stop) = slice.bounds(i64::try_from(current.len()?).unwrap_or(i64::MAX));
        while if slice.step > 0 {
            index < stop
        } else {
            index > stop
        } {
            self.spend(1)?;
            if visit(current.item(index)?)?.is_break() {
                break;
            }
            // The largest step must end the loop and not wrap around.
            index = index.saturating_add(slice.step);
        }
        Ok(Visited::Array)
    }
}

impl Slice {
    /// Returns the start and the end of the slice of an array, with the rules of Python's slices.
    fn bounds(self, len: i64) -> (i64, i64) {
        let (least, greatest) = if self.step > 0 {
            (0, len)
        } else {
            (-1, len.saturating_sub(1))
        };
        let bound = |index: i64| {
            let from_start = if index < 0 {
                index.saturating_add(len)
            } else {
                index
            };
            // Bounds outside the array are valid, as in Python.
            from_start.clamp(least, greatest)
        };
        let (first, past) = if self.step > 0 {
            (least, greatest)
        } else {
            (greatest, least)
        };
        (
            self.start.map_or(first, bound),
            self.stop.map_or(past, bound),
        )
    }
}

/// Returns null for a non-array, because the projection of a non-array is null.
const fn null_unless_array(visited: Visited) -> Visited {
    match visited {
        Visited::Array => Visited::Array,
        Visited::Other(_) => Visited::Other(Kind::Null),
    }
}

/// Stops a host's iteration at the first error of a visitor, and stores the error in `result`.
fn flow(
    visited: Result<ControlFlow<()>, EvaluationError>,
    result: &mut Result<(), EvaluationError>,
) -> ControlFlow<()> {
    visited.unwrap_or_else(|error| {
        // A host's visitor can only continue or stop, so that the error is stored for the caller.
        *result = Err(error);
        ControlFlow::Break(())
    })
}
