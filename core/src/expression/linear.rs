//! Paths without filters or functions: what most waiters use, walked without building anything.
//!
//! The evaluator gives the same answers; random paths and values are held against it in `tests/linear.rs`.

use std::ops::ControlFlow;

use super::node::{Node, Op};
use crate::value::{Kind, PathStep, PathTest, ReadError, Value, Wanted};
use crate::verdict::ReasonCode;

/// The most projections of a plain path.
const MAX_PROJECTIONS: usize = 2;

/// The steps of an expression, where it is nothing but a walk along members and a few projections.
pub(crate) fn steps(node: &Node) -> Option<Box<[PathStep]>> {
    let mut steps = Vec::new();
    let plain = collect(node, &mut steps) && projections(&steps).count() <= MAX_PROJECTIONS;
    plain.then(|| steps.into())
}

fn collect(node: &Node, steps: &mut Vec<PathStep>) -> bool {
    match &node.op {
        Op::Current => true,
        Op::Path(names) => {
            steps.extend(names.iter().cloned().map(PathStep::Member));
            true
        }
        // What comes after a projection in a chain works on its array: only the last link may be one.
        Op::Chain(links) => links
            .iter()
            .all(|link| !has_projection(steps) && collect(link, steps)),
        Op::Project(sides) => {
            let [source, each] = &**sides;
            let before = match &source.op {
                Op::Flatten(node) => collect(node, steps).then_some(PathStep::Flatten),
                Op::Values(node) => {
                    (collect(node, steps) && !has_projection(steps)).then_some(PathStep::Values)
                }
                _ => (collect(source, steps) && !has_projection(steps)).then_some(PathStep::Items),
            };
            steps.extend(before.clone());
            // A projection in a projection gives an array of arrays, of which no item is a string.
            before.is_some() && !is_projecting(each) && collect(each, steps)
        }
        _ => false,
    }
}

fn has_projection(steps: &[PathStep]) -> bool {
    projections(steps).next().is_some()
}

fn projections(steps: &[PathStep]) -> impl Iterator<Item = &PathStep> {
    steps
        .iter()
        .filter(|step| !matches!(step, PathStep::Member(_)))
}

fn is_projecting(node: &Node) -> bool {
    !matches!(node.op, Op::Current | Op::Path(_))
}

/// What a test says of a value; nothing where that takes too many items.
pub(crate) fn test<V: Value>(value: &V, test: &PathTest) -> Result<Option<ReasonCode>, ReadError> {
    let Some((value, rest)) = first_members(value, test.steps())? else {
        return Ok(Some(ReasonCode::Null));
    };
    let Some((projection, rest)) = rest.split_first() else {
        return whole(value, test);
    };
    let mut seen = Seen::new(test);
    let kind = value.kind()?;
    let mut result = Ok(ControlFlow::Continue(()));
    match (projection, kind) {
        (PathStep::Flatten | PathStep::Items, Kind::Array) => value.items(&mut |item| {
            result = seen.project(item, projection, rest);
            flow(&result)
        })?,
        (PathStep::Values, Kind::Object) => value.members(&mut |_, item| {
            result = seen.project(item, projection, rest);
            flow(&result)
        })?,
        _ => return Ok(Some(ReasonCode::Null)),
    }
    let _ = result?;
    // A projection gives an array, which is no string.
    Ok(seen.code().map(|code| {
        if test.wanted() == Wanted::Value {
            ReasonCode::WrongType
        } else {
            code
        }
    }))
}

/// As [`members`], from a value that is only looked at: a host's handle may be dear to clone.
fn first_members<'t, V: Value>(
    value: &V,
    steps: &'t [PathStep],
) -> Result<Option<(V, &'t [PathStep])>, ReadError> {
    match steps.split_first() {
        Some((PathStep::Member(name), rest)) => match value.member(name)? {
            Some(member) => members(member, rest),
            None => Ok(None),
        },
        _ => Ok(Some((value.clone(), steps))),
    }
}

/// Walks the members at the beginning of a path; the value there and the steps that are left, or nothing where one of
/// the members is not set.
fn members<V: Value>(value: V, steps: &[PathStep]) -> Result<Option<(V, &[PathStep])>, ReadError> {
    let (mut value, mut rest) = (value, steps);
    while let Some((PathStep::Member(name), after)) = rest.split_first() {
        match value.member(name)? {
            Some(member) => value = member,
            None => return Ok(None),
        }
        rest = after;
    }
    Ok(Some((value, rest)))
}

/// A path without a projection: the value itself is tested, or the items of the array that it is.
fn whole<V: Value>(value: V, test: &PathTest) -> Result<Option<ReasonCode>, ReadError> {
    Ok(Some(match (value.kind()?, test.wanted()) {
        (Kind::Null, _) => ReasonCode::Null,
        (Kind::Number(number), _) if !number.is_finite() => ReasonCode::Null,
        (Kind::String, Wanted::Value) if value.text_is(test.expected())? => ReasonCode::Matched,
        (Kind::String, Wanted::Value) => ReasonCode::NotEqual,
        (Kind::Array, Wanted::Every | Wanted::Any) => {
            let mut seen = Seen::new(test);
            let _ = seen.each(&value, Seen::tested)?;
            return Ok(seen.code());
        }
        _ => ReasonCode::WrongType,
    }))
}

/// The items of a projection so far.
struct Seen<'t> {
    code: ReasonCode,
    test: &'t PathTest,
    /// How many items may still be met.
    left: u32,
}

impl<'t> Seen<'t> {
    const fn new(test: &'t PathTest) -> Self {
        Self {
            code: ReasonCode::Empty,
            test,
            left: PathTest::MAX_ITEMS,
        }
    }

    /// What is to be said of the items, where it was not too many of them.
    fn code(&self) -> Option<ReasonCode> {
        (self.left > 0).then_some(self.code)
    }

    /// One item that a projection goes through, flattened where it is one that flattens.
    fn project<V: Value>(
        &mut self,
        item: V,
        projection: &PathStep,
        rest: &[PathStep],
    ) -> Result<ControlFlow<()>, ReadError> {
        if !self.count() {
            return Ok(ControlFlow::Break(()));
        }
        if !matches!(projection, PathStep::Flatten) || item.kind()? != Kind::Array {
            return self.after(item, rest);
        }
        self.each(&item, |seen, inner| seen.after(inner, rest))
    }

    /// Visits and counts the items of an array, until one decides or there are too many.
    fn each<V: Value>(
        &mut self,
        array: &V,
        mut visit: impl FnMut(&mut Self, V) -> Result<ControlFlow<()>, ReadError>,
    ) -> Result<ControlFlow<()>, ReadError> {
        let mut result = Ok(ControlFlow::Continue(()));
        array.items(&mut |item| {
            result = if self.count() {
                visit(self, item)
            } else {
                Ok(ControlFlow::Break(()))
            };
            flow(&result)
        })?;
        result
    }

    /// Counts an item; false where it is one too many.
    const fn count(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    /// An item of a projection: its members, then the next projection or the test.
    fn after<V: Value>(
        &mut self,
        item: V,
        steps: &[PathStep],
    ) -> Result<ControlFlow<()>, ReadError> {
        match members(item, steps)? {
            None => Ok(ControlFlow::Continue(())),
            Some((item, rest)) => match rest.split_first() {
                Some((projection, rest)) => self.project(item, projection, rest),
                None => self.projected(item),
            },
        }
    }

    /// One item at the end of a projection, which drops nulls.
    fn projected<V: Value>(&mut self, item: V) -> Result<ControlFlow<()>, ReadError> {
        match item.kind()? {
            Kind::Null => Ok(ControlFlow::Continue(())),
            Kind::Number(number) if !number.is_finite() => Ok(ControlFlow::Continue(())),
            kind => self.item(item, kind),
        }
    }

    /// One item of the array that the path gives.
    fn tested<V: Value>(&mut self, item: V) -> Result<ControlFlow<()>, ReadError> {
        let kind = item.kind()?;
        self.item(item, kind)
    }

    /// One item that is tested.
    fn item<V: Value>(&mut self, item: V, kind: Kind) -> Result<ControlFlow<()>, ReadError> {
        let equal = kind == Kind::String && item.text_is(self.test.expected())?;
        self.code = if equal {
            ReasonCode::Matched
        } else {
            ReasonCode::NotEqual
        };
        let decided = equal == (self.test.wanted() == Wanted::Any);
        Ok(if decided {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }
}

fn flow(result: &Result<ControlFlow<()>, ReadError>) -> ControlFlow<()> {
    result.as_ref().map_or(ControlFlow::Break(()), |flow| *flow)
}
