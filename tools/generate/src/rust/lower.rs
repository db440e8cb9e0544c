//! Translation of typed expressions to Rust.
//!
//! If null ends the matcher, `?` removes it. Such code is *strict*: it occurs at the end of a path and in arguments for
//! which null is an error. Elsewhere, a nullable value is an `Option`. A `?` in a closure would not return from the
//! matcher, so fallible expressions become loops instead.

mod call;
mod compare;
mod items;
mod rows;
mod sort;
mod truth;

use std::rc::Rc;

use quote::quote;

use super::code::{Code, Level};
use super::member::Reader;
use super::value::{Container, Rep, Value};
use crate::ir::{Expression, Op};

/// Error returned for expressions that Rust cannot express. It contains the construct.
#[derive(Debug)]
pub(super) struct Unsupported(pub(super) String);

pub(super) type LowerResult<T> = Result<T, Unsupported>;

pub(super) fn unsupported<T>(what: impl Into<String>) -> LowerResult<T> {
    Err(Unsupported(what.into()))
}

/// Translates expressions over one value.
#[derive(Clone, Debug)]
pub(super) struct Lower<'m> {
    pub(super) reader: Reader<'m>,
    /// The value that `@` refers to.
    pub(super) current: Value<'m>,
}

impl<'m> Lower<'m> {
    pub(super) const fn new(reader: Reader<'m>, current: Value<'m>) -> Self {
        Self { reader, current }
    }

    /// Returns a translator for another value.
    pub(super) fn on(&self, current: Value<'m>) -> Self {
        Self {
            reader: self.reader,
            current,
        }
    }

    /// Translates an expression strictly: null ends the matcher.
    pub(super) fn strict(&self, expression: &Expression<'m>) -> LowerResult<Value<'m>> {
        if let Some([of, row]) = row_parts(expression) {
            return self.on(self.strict(of)?).strict(row);
        }
        let value = match &expression.op {
            Op::Member(of, name) => self.member(&self.strict(of)?, name)?,
            Op::Index(of, index) => self.index(&self.strict(of)?, *index)?,
            Op::Each { .. } | Op::Flatten(_) | Op::Values(_) | Op::Slice { .. } => {
                return self.items(expression);
            }
            _ => self.lenient(expression)?,
        };
        Ok(value.strict())
    }

    /// Translates an expression. The value is an `Option` if it may be null.
    pub(super) fn lenient(&self, expression: &Expression<'m>) -> LowerResult<Value<'m>> {
        match &expression.op {
            Op::And(sides) | Op::Or(sides) => self.choice(expression, sides),
            Op::Call(function, arguments) => self.call(*function, arguments),
            Op::Compare(comparison, sides) => self.compare(*comparison, sides),
            Op::Current => Ok(self.current.clone()),
            Op::Each { .. } | Op::Flatten(_) | Op::Slice { .. } | Op::Values(_) => {
                self.vector(expression)
            }
            Op::Index(of, index) => {
                let of = self.lenient(of)?;
                through(of, |of| self.index(of, *index))
            }
            Op::Literal(json) => literal(json),
            Op::Member(of, name) => {
                let of = self.lenient(of)?;
                through(of, |of| self.member(of, name))
            }
            Op::Not(inner) => Ok(Value::new(self.truth(inner)?.not(), Rep::Bool)),
            Op::Then(links) => self.then(links),
            Op::List(parts) => self.row(parts),
            Op::Record(_) => unsupported("an object (`{a: b}`)"),
            Op::Reference(_) => unsupported("an expression reference"),
        }
    }

    fn member(&self, of: &Value<'m>, name: &str) -> LowerResult<Value<'m>> {
        let value = match &of.rep {
            Rep::Structure(shape) => match shape.member(name) {
                Some(_) => self.reader.member(of, shape, name),
                None => Some(Value::null()),
            },
            Rep::Map(shape) => {
                let get = quote!(.get(#name));
                self.reader.element(of, shape, &get)
            }
            Rep::Record(members) => Some(members.get(name).cloned().unwrap_or_else(Value::null)),
            _ => Some(Value::null()),
        };
        value.map_or_else(
            || unsupported(format!("the type of the member `{name}`")),
            Ok,
        )
    }

    fn index(&self, of: &Value<'m>, index: i64) -> LowerResult<Value<'m>> {
        let value = match &of.rep {
            Rep::List(shape) => self.reader.element(of, shape, &at(index)),
            Rep::Row { item, nullable } => {
                let code = of.code.then(&at(index)).then(&quote!(.copied()));
                let code = if *nullable {
                    code.then(&quote!(.flatten()))
                } else {
                    code
                };
                Some(Value::optional(code, item.as_ref().clone()))
            }
            Rep::Items(item, Container::Vector) => {
                let at = at(index);
                let code = of.code.then(&quote!(#at.copied()));
                Some(Value::optional(code, item.as_ref().clone()))
            }
            Rep::Items(item, Container::Iterator) => {
                let code = match usize::try_from(index) {
                    Ok(0) => of.code.first(),
                    Ok(index) => {
                        let index = proc_macro2::Literal::usize_unsuffixed(index);
                        of.code.then(&quote!(.nth(#index)))
                    }
                    Err(_) if index == -1 => of.code.last(),
                    Err(_) => return unsupported("an index from the end of a projection"),
                };
                Some(Value::optional(code, item.as_ref().clone()))
            }
            _ => Some(Value::null()),
        };
        value.map_or_else(|| unsupported("the type of the elements"), Ok)
    }
}

/// Returns the two parts of `of.[a, b]`, which is null if `of` is.
fn row_parts<'e, 'm>(expression: &'e Expression<'m>) -> Option<[&'e Expression<'m>; 2]> {
    let Op::Then(links) = &expression.op else {
        return None;
    };
    let [of, row] = &**links;
    matches!(row.op, Op::List(_)).then_some([of, row])
}

/// Applies `make` to a value that may be null.
///
/// The result of `make` must not contain `?`, because it may become the body of a closure.
pub(super) fn through<'m>(
    of: Value<'m>,
    make: impl FnOnce(&Value<'m>) -> LowerResult<Value<'m>>,
) -> LowerResult<Value<'m>> {
    if !of.optional || matches!(of.rep, Rep::Record(_) | Rep::Null) {
        return make(&of);
    }
    let inner = Value::new(Code::atom(quote!(value)), of.rep.clone());
    let made = make(&inner)?;
    if matches!(made.rep, Rep::Null) {
        return Ok(Value::null());
    }
    let code = &made.code;
    let rest = if made.optional {
        quote!(.and_then(|value| #code))
    } else {
        quote!(.map(|value| #code))
    };
    Ok(Value::optional(of.code.then(&rest), made.rep))
}

/// Returns the access to a slice's element. Negative indexes count from the end.
fn at(index: i64) -> proc_macro2::TokenStream {
    match usize::try_from(index) {
        Ok(0) => quote!(.first()),
        Ok(index) => {
            let index = proc_macro2::Literal::usize_unsuffixed(index);
            quote!(.get(#index))
        }
        Err(_) if index == -1 => quote!(.last()),
        Err(_) => {
            let before = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
            let before = before.saturating_sub(1);
            let before = proc_macro2::Literal::usize_unsuffixed(before);
            quote!(.iter().rev().nth(#before))
        }
    }
}

fn literal<'m>(json: &serde_json::Value) -> LowerResult<Value<'m>> {
    use serde_json::Value as Json;
    Ok(match json {
        Json::Null => Value::null(),
        Json::Bool(value) => Value::new(Code::atom(quote!(#value)), Rep::Bool),
        Json::Number(number) => {
            let number = number.as_f64().unwrap_or_default();
            let positive = number.abs();
            let literal = proc_macro2::Literal::f64_unsuffixed(positive);
            if number < 0.0 {
                Value::new(Code::new(Level::Prefix, quote!(-#literal)), Rep::Number)
            } else {
                Value::new(Code::atom(quote!(#literal)), Rep::Number)
            }
        }
        Json::String(text) => Value::new(Code::atom(quote!(#text)), Rep::String),
        Json::Array(elements) => return array(elements),
        Json::Object(_) => return unsupported("a literal object"),
    })
}

/// Translates a literal array, whose elements must have one type.
fn array<'m>(elements: &[serde_json::Value]) -> LowerResult<Value<'m>> {
    let elements = elements.iter().map(literal);
    let elements = elements.collect::<LowerResult<Vec<_>>>()?;
    let Some(first) = elements.first() else {
        return unsupported("an empty literal array");
    };
    let is_plain = |value: &Value<'_>| value.rep.is_scalar() && value.rep.is_like(&first.rep);
    if !elements.iter().all(is_plain) {
        return unsupported("a literal array of several types, or of arrays");
    }
    let items = elements.iter().map(|value| &value.code);
    let code = Code::atom(quote!([#(#items),*].into_iter()));
    Ok(Value::new(
        code,
        Rep::Items(Rc::new(first.rep.clone()), Container::Iterator),
    ))
}
