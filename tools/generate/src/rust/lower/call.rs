//! Translation of function calls.

use std::rc::Rc;

use quote::quote;

use super::{Lower, LowerResult, unsupported};
use crate::ir::{Expression, Function};
use crate::rust::code::{Code, Level};
use crate::rust::value::{Container, Rep, Value};

impl<'m> Lower<'m> {
    pub(super) fn call(
        &self,
        function: Function,
        arguments: &[Expression<'m>],
    ) -> LowerResult<Value<'m>> {
        let argument = |place: usize| {
            let missing = || unsupported(format!("`{}` without arguments", function.name()));
            arguments.get(place).map_or_else(missing, Ok)
        };
        let (first, second) = (argument(0)?, argument(1));
        match function {
            Function::Abs => self.number(first, "abs"),
            Function::Avg => self.average(first),
            Function::Ceil => self.number(first, "ceil"),
            Function::Floor => self.number(first, "floor"),
            Function::Contains => self.contains(first, second?),
            Function::EndsWith => self.affix(first, second?, "ends_with"),
            Function::StartsWith => self.affix(first, second?, "starts_with"),
            Function::Keys => self.keys(first),
            Function::Length => {
                let count = self.count(first)?;
                let count = count.at(Level::Cast);
                let code = Code::new(Level::Cast, quote!(#count as f64));
                Ok(Value::new(code, Rep::Number))
            }
            Function::Max => self.extreme(first, true),
            Function::MaxBy | Function::MinBy => self.extreme_by(function, first, second?),
            Function::Min => self.extreme(first, false),
            Function::NotNull => self.not_null(arguments),
            Function::Reverse => self.reverse(first),
            Function::Sort => self.sort(first),
            Function::SortBy => self.sort_by(first, second?),
            Function::Sum => {
                let items = self.items_without_nulls(first)?;
                match &items.rep {
                    Rep::Items(item, _) if matches!(**item, Rep::Number) => {
                        let sum = items.code.then(&quote!(.sum::<f64>()));
                        Ok(Value::new(sum, Rep::Number))
                    }
                    _ => wrong_arguments(function),
                }
            }
            Function::Values => {
                let map = self.strict(first)?;
                match map.rep {
                    Rep::Map(shape) => match self.reader.values(&map, shape) {
                        Some(values) => Ok(values),
                        None => wrong_arguments(function),
                    },
                    _ => wrong_arguments(function),
                }
            }
            other => unsupported(format!("the function `{}`", other.name())),
        }
    }

    /// Returns the number of items, members or code points, as a `usize`.
    pub(super) fn count(&self, of: &Expression<'m>) -> LowerResult<Code> {
        let value = self.strict(of)?;
        Ok(match value.rep {
            Rep::Items(_, Container::Iterator) => value.code.then(&quote!(.count())),
            Rep::List(_) | Rep::Map(_) | Rep::Row { .. } | Rep::Items(_, Container::Vector) => {
                value.code.then(&quote!(.len()))
            }
            Rep::String => value.code.then(&quote!(.chars().count())),
            _ => return unsupported("the length of a structure, or of a value without a length"),
        })
    }

    fn number(&self, of: &Expression<'m>, method: &str) -> LowerResult<Value<'m>> {
        let value = self.strict(of)?;
        if !matches!(value.rep, Rep::Number) {
            return unsupported(format!("`{method}` of a non-number"));
        }
        let method = crate::rust::access::ident(method);
        let receiver = value.code.receiver();
        Ok(Value::new(
            Code::atom(quote!(#receiver.#method())),
            Rep::Number,
        ))
    }

    fn contains(&self, of: &Expression<'m>, search: &Expression<'m>) -> LowerResult<Value<'m>> {
        if search.can_fail() {
            return unsupported("`contains` with an argument that may fail");
        }
        let (subject, search) = (self.strict(of)?, self.lenient(search)?);
        if matches!(subject.rep, Rep::String) {
            return self.contains_text(&subject, &search);
        }
        if subject.rep.has_nulls() && search.optional {
            return unsupported(
                "`contains` with a nullable argument and a list that may contain nulls",
            );
        }
        let items = self.iterator(subject)?;
        let Rep::Items(item, _) = &items.rep else {
            return wrong_arguments(Function::Contains);
        };
        if !(item.is_like(&search.rep) && item.is_scalar()) {
            return unsupported("`contains` with an argument of another type than the items");
        }
        let pattern = if search.optional {
            Code::atom(quote!(Some(one)))
        } else {
            Code::atom(quote!(one))
        };
        // The parameter is not `item`, because the searched value may refer to the `item` of an outer filter.
        let test = pattern.compare(&quote!(==), &search.code);
        let code = items.code.then(&quote!(.any(|one| #test)));
        Ok(Value::new(code, Rep::Bool))
    }

    fn contains_text(&self, subject: &Value<'m>, search: &Value<'m>) -> LowerResult<Value<'m>> {
        let code = match (&search.rep, search.optional) {
            (Rep::String, false) => {
                let search = &search.code;
                subject.code.then(&quote!(.contains(#search)))
            }
            (Rep::String, true) => {
                // Evaluated outside the closure, because a `?` must return from the matcher.
                let subject = &subject.code;
                let contains = search
                    .code
                    .then(&quote!(.is_some_and(|part| text.contains(part))));
                Code::new(Level::Statement, quote!({ let text = #subject; #contains }))
            }
            _ => Code::atom(quote!(false)),
        };
        Ok(Value::new(code, Rep::Bool))
    }

    fn affix(
        &self,
        of: &Expression<'m>,
        affix: &Expression<'m>,
        method: &str,
    ) -> LowerResult<Value<'m>> {
        let (text, affix) = (self.strict(of)?, self.strict(affix)?);
        if !matches!((&text.rep, &affix.rep), (Rep::String, Rep::String)) {
            return unsupported(format!("`{method}` of a non-string"));
        }
        let method = crate::rust::access::ident(method);
        let (receiver, affix) = (text.code.receiver(), &affix.code);
        Ok(Value::new(
            Code::atom(quote!(#receiver.#method(#affix))),
            Rep::Bool,
        ))
    }

    fn keys(&self, of: &Expression<'m>) -> LowerResult<Value<'m>> {
        let map = self.strict(of)?;
        if !matches!(map.rep, Rep::Map(_)) {
            return unsupported("the keys of a structure");
        }
        let code = map.code.then(&quote!(.keys().map(String::as_str)));
        Ok(Value::new(
            code,
            Rep::Items(Rc::new(Rep::String), Container::Iterator),
        ))
    }

    fn extreme(&self, of: &Expression<'m>, is_greatest: bool) -> LowerResult<Value<'m>> {
        let items = self.items_without_nulls(of)?;
        let Rep::Items(item, _) = &items.rep else {
            return wrong_arguments(Function::Max);
        };
        let rest = match (item.as_ref(), is_greatest) {
            (Rep::Number, true) => quote!(.reduce(f64::max)),
            (Rep::Number, false) => quote!(.reduce(f64::min)),
            (Rep::String, true) => quote!(.max()),
            (Rep::String, false) => quote!(.min()),
            _ => return wrong_arguments(Function::Max),
        };
        Ok(Value::optional(
            items.code.then(&rest),
            item.as_ref().clone(),
        ))
    }

    /// Returns the first argument that is not null. All arguments are evaluated.
    fn not_null(&self, arguments: &[Expression<'m>]) -> LowerResult<Value<'m>> {
        let mut values = Vec::new();
        for argument in arguments {
            let value = self.lenient(argument)?;
            if !matches!(value.rep, Rep::Null) {
                values.push(value);
            }
        }
        let mut values = values.into_iter();
        let Some(first) = values.next() else {
            return Ok(Value::null());
        };
        values.try_fold(first, |first, next| {
            if !first.rep.is_like(&next.rep) {
                return unsupported("`not_null` of several types");
            }
            let (one, other) = (first.as_option(), next.as_option());
            Ok(Value::optional(one.then(&quote!(.or(#other))), first.rep))
        })
    }
}

pub(super) fn wrong_arguments<T>(function: Function) -> LowerResult<T> {
    unsupported(format!("`{}` with these arguments", function.name()))
}
