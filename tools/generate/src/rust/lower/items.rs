//! Translation of arrays to iterators: projections, filters and flattening.

use std::rc::Rc;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use super::{Lower, LowerResult, unsupported};
use crate::ir::{Expression, Op};
use crate::rust::code::{Code, Level, names};
use crate::rust::value::{Container, Rep, Value};

impl<'m> Lower<'m> {
    /// Translates an array to its items without nulls. A null array ends the matcher.
    pub(super) fn items(&self, expression: &Expression<'m>) -> LowerResult<Value<'m>> {
        match &expression.op {
            Op::Each { of, when, each } => {
                let (items, drops_nulls) = self.items_and_nulls(of)?;
                if drops_nulls && !ignores_null(when.as_deref(), each) {
                    return unsupported(
                        "a projection of an array that may contain nulls, if it fails on null or has a value for it",
                    );
                }
                self.each(&items, when.as_deref(), each)
            }
            Op::Flatten(_) => Ok(self.items_and_nulls(expression)?.0),
            Op::Slice {
                of,
                start,
                stop,
                step,
            } => {
                let items = self.dense(of, "a slice of an array that may contain nulls")?;
                slice(&items, (*start, *stop, *step))
            }
            Op::Values(of) => {
                let map = self.strict(of)?;
                let Rep::Map(shape) = map.rep else {
                    return unsupported("the values (`*`) of a structure");
                };
                require_value(self.reader.values(&map, shape))
            }
            _ => {
                let value = self.strict(expression)?;
                self.iterator(value)
            }
        }
    }

    /// Translates an array to an iterator over its items. `sparse` is what the code cannot express for an array with
    /// nulls, which an iterator drops.
    pub(super) fn dense(
        &self,
        expression: &Expression<'m>,
        sparse: &str,
    ) -> LowerResult<Value<'m>> {
        let value = self.strict(expression)?;
        if value.rep.has_nulls() {
            return unsupported(sparse);
        }
        self.iterator(value)
    }

    /// Translates an array to a vector of its items. It is an `Option` if the array may be null.
    pub(super) fn vector(&self, expression: &Expression<'m>) -> LowerResult<Value<'m>> {
        let items = self.items(expression)?;
        let Rep::Items(item, container) = items.rep else {
            return Ok(items);
        };
        let may_return = items.code.contains_try();
        let code = match container {
            Container::Iterator => items.code.then(&quote!(.collect::<Vec<_>>())),
            Container::Vector => items.code,
        };
        let rep = Rep::Items(item, Container::Vector);
        if !may_return {
            return Ok(Value::new(code, rep));
        }
        if expression.can_fail() {
            return unsupported("an array that may be null or fail, if null is a value");
        }
        // `?` in this closure yields null instead of ending the matcher.
        let code = Code::atom(quote!((|| Some(#code))()));
        Ok(Value::optional(code, rep))
    }

    /// Converts an array to an iterator over the items that are not null.
    pub(crate) fn iterator(&self, value: Value<'m>) -> LowerResult<Value<'m>> {
        match &value.rep {
            Rep::List(shape) => require_value(self.reader.elements(&value, shape)),
            Rep::Items(_, Container::Iterator) => Ok(value),
            Rep::Items(item, Container::Vector) => {
                let rep = Rep::Items(Rc::clone(item), Container::Iterator);
                Ok(Value::new(value.code.then(&quote!(.into_iter())), rep))
            }
            Rep::Row { item, nullable } => {
                let rest = if *nullable {
                    quote!(.into_iter().flatten())
                } else {
                    quote!(.into_iter())
                };
                let rep = Rep::Items(Rc::clone(item), Container::Iterator);
                Ok(Value::new(value.code.then(&rest), rep))
            }
            Rep::Null => Ok(value),
            _ => unsupported("a projection of a non-list"),
        }
    }

    /// Translates an array to an iterator over its items, and returns `true` if the iterator drops nulls.
    fn items_and_nulls(&self, array: &Expression<'m>) -> LowerResult<(Value<'m>, bool)> {
        // In the client's types a required member may also be absent.
        let (items, has_nulls) = if let Op::Flatten(of) = &array.op {
            let (items, has_nulls) = self.items_and_nulls(of)?;
            (self.flat(items)?, has_nulls)
        } else {
            let value = self.strict(array)?;
            let has_nulls = value.rep.has_nulls();
            (self.iterator(value)?, has_nulls)
        };
        let is_nullable = array.gives.element(self.reader.model).nullable;
        Ok((items, has_nulls || is_nullable))
    }

    fn flat(&self, items: Value<'m>) -> LowerResult<Value<'m>> {
        let Rep::Items(item, _) = &items.rep else {
            return Ok(items);
        };
        let inner = Value::new(Code::atom(quote!(list)), item.as_ref().clone());
        match item.as_ref() {
            Rep::List(_) | Rep::Items(..) | Rep::Row { .. } => {
                let inner = self.iterator(inner)?;
                let Rep::Items(item, _) = inner.rep else {
                    return unsupported("elements of an unknown type");
                };
                let code = &inner.code;
                let code = items.code.then(&quote!(.flat_map(|list| #code)));
                Ok(Value::new(code, Rep::Items(item, Container::Iterator)))
            }
            _ => Ok(items),
        }
    }

    fn each(
        &self,
        items: &Value<'m>,
        when: Option<&Expression<'m>>,
        each: &Expression<'m>,
    ) -> LowerResult<Value<'m>> {
        let Rep::Items(item, _) = &items.rep else {
            return Ok(Value::null());
        };
        let current = Value::new(Code::atom(quote!(item)), item.as_ref().clone());
        let inner = self.on(current);
        if each.can_fail() || when.is_some_and(Expression::can_fail) {
            return inner.each_in_loop(items, when, each);
        }
        let selected = match when {
            None => items.code.clone(),
            Some(when) => {
                let truth = inner.truth(when)?;
                filter(items, item, &truth)
            }
        };
        let result = inner.lenient(each)?;
        let rep = Rep::Items(Rc::new(result.rep.clone()), Container::Iterator);
        if each.op == Op::Current {
            return Ok(Value::new(selected, rep));
        }
        let code = &result.code;
        let item = parameter_name(&quote!(#code));
        let rest = if result.optional {
            quote!(.filter_map(|#item| #code))
        } else {
            quote!(.map(|#item| #code))
        };
        Ok(Value::new(selected.then(&rest), rep))
    }

    /// Translates a fallible projection to a loop, in which `?` returns from the matcher.
    fn each_in_loop(
        &self,
        items: &Value<'m>,
        when: Option<&Expression<'m>>,
        each: &Expression<'m>,
    ) -> LowerResult<Value<'m>> {
        let result = self.lenient(each)?;
        let code = &result.code;
        let push = if result.optional {
            quote!(results.extend(#code);)
        } else {
            quote!(results.push(#code);)
        };
        let body = match when {
            None => push,
            Some(when) => {
                let (before, condition) = self.truth(when)?.condition();
                quote!(#before if #condition { #push })
            }
        };
        let (source, item) = (&items.code, parameter_name(&body));
        let code = Code::new(
            Level::Statement,
            quote!({ let mut results = Vec::new(); for #item in #source { #body } results }),
        );
        Ok(Value::new(
            code,
            Rep::Items(Rc::new(result.rep), Container::Vector),
        ))
    }
}

/// Returns `true` if a projection gives no result for a null element, and does not fail on it.
fn ignores_null(when: Option<&Expression<'_>>, each: &Expression<'_>) -> bool {
    is_null_for_null(each) && !when.is_some_and(Expression::can_fail)
}

/// Returns `true` if an expression is null if the current value is.
fn is_null_for_null(expression: &Expression<'_>) -> bool {
    match &expression.op {
        Op::Current | Op::List(_) | Op::Record(_) => true,
        Op::Each { of, .. }
        | Op::Flatten(of)
        | Op::Index(of, _)
        | Op::Member(of, _)
        | Op::Slice { of, .. }
        | Op::Values(of) => is_null_for_null(of),
        Op::Then(links) => links.iter().all(is_null_for_null),
        _ => false,
    }
}

/// Returns the items for which a condition holds.
fn filter(items: &Value<'_>, item: &Rep<'_>, condition: &Code) -> Code {
    if condition.truth_literal() == Some(true) {
        return items.code.clone();
    }
    let bound = parameter_name(&quote!(#condition));
    let pattern = if item.is_scalar() && bound == "item" {
        quote!(&#bound)
    } else {
        quote!(#bound)
    };
    items.code.then(&quote!(.filter(|#pattern| #condition)))
}

/// Returns the parameter for an item: `_` if the code doesn't read it.
fn parameter_name(code: &TokenStream) -> Ident {
    let name = if names(code, "item") { "item" } else { "_" };
    Ident::new(name, Span::call_site())
}

fn require_value<'m>(value: Option<Value<'m>>) -> LowerResult<Value<'m>> {
    value.map_or_else(|| unsupported("elements of an unsupported type"), Ok)
}

fn slice<'m>(
    items: &Value<'m>,
    (start, stop, step): (Option<i64>, Option<i64>, i64),
) -> LowerResult<Value<'m>> {
    let bound = |bound: Option<i64>| bound.map(usize::try_from).transpose();
    let literal = proc_macro2::Literal::usize_unsuffixed;
    let (Ok(start), Ok(stop), Ok(step)) = (bound(start), bound(stop), usize::try_from(step)) else {
        return unsupported("a slice from the end");
    };
    let mut code = items.code.clone();
    if let Some(stop) = stop.map(literal) {
        code = code.then(&quote!(.take(#stop)));
    }
    if let Some(start) = start.filter(|start| *start > 0).map(literal) {
        code = code.then(&quote!(.skip(#start)));
    }
    if step > 1 {
        let step = literal(step);
        code = code.then(&quote!(.step_by(#step)));
    }
    Ok(Value::new(code, items.rep.clone()))
}
