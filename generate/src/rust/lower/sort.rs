//! Functions that order an array, or look at all of its items before they give anything.

use proc_macro2::TokenStream;
use quote::quote;

use super::call::wrong;
use super::{Lower, LowerResult, unsupported};
use crate::ir::{Expression, Function, Op};
use crate::rust::code::{Code, Level};
use crate::rust::value::{Container, Rep, Value};

impl<'m> Lower<'m> {
    /// Null of an empty array.
    pub(super) fn average(&self, of: &Expression<'m>) -> LowerResult<Value<'m>> {
        let items = self.items_without_nulls(of)?;
        if !matches!(items.item(), Some(Rep::Number)) {
            return wrong(Function::Avg);
        }
        let items = &items.code;
        let code = Code::new(
            Level::Statement,
            quote!({
                let items = #items.collect::<Vec<_>>();
                (!items.is_empty()).then(|| items.iter().sum::<f64>() / items.len() as f64)
            }),
        );
        Ok(Value::optional(code, Rep::Number))
    }

    pub(super) fn reverse(&self, of: &Expression<'m>) -> LowerResult<Value<'m>> {
        let items = self.items(of)?;
        if items.rep.has_nulls() {
            return unsupported("the reverse of an array that may have nulls");
        }
        collect(
            Function::Reverse,
            &self.iterator(items)?,
            &quote!(.reverse()),
        )
    }

    pub(super) fn sort(&self, of: &Expression<'m>) -> LowerResult<Value<'m>> {
        let items = self.items_without_nulls(of)?;
        let sort = match items.item() {
            Some(Rep::Number) => quote!(.sort_by(f64::total_cmp)),
            Some(Rep::String) => quote!(.sort_unstable()),
            _ => return wrong(Function::Sort),
        };
        collect(Function::Sort, &items, &sort)
    }

    pub(super) fn sort_by(
        &self,
        of: &Expression<'m>,
        by: &Expression<'m>,
    ) -> LowerResult<Value<'m>> {
        let (keyed, item, sort) = self.items_with_keys(Function::SortBy, of, by)?;
        let code = Code::new(
            Level::Statement,
            quote!({
                #keyed
                keyed #sort;
                keyed.into_iter().map(|(_, item)| item).collect::<Vec<_>>()
            }),
        );
        Ok(Value::new(code, Rep::Items(item.into(), Container::Vector)))
    }

    /// The item with the greatest or the least key, the first of several; null of an empty array.
    pub(super) fn extreme_by(
        &self,
        function: Function,
        of: &Expression<'m>,
        by: &Expression<'m>,
    ) -> LowerResult<Value<'m>> {
        let (keyed, item, _) = self.items_with_keys(function, of, by)?;
        let sign = if function == Function::MaxBy {
            quote!(>)
        } else {
            quote!(<)
        };
        let code = Code::new(
            Level::Statement,
            quote!({
                #keyed
                let best = keyed.into_iter().reduce(|best, next| if next.0 #sign best.0 { next } else { best });
                best.map(|(_, item)| item)
            }),
        );
        Ok(Value::optional(code, item))
    }

    /// Items with their keys, what an item is, and what sorts them. A key that is null is a failure.
    fn items_with_keys(
        &self,
        function: Function,
        of: &Expression<'m>,
        by: &Expression<'m>,
    ) -> LowerResult<(TokenStream, Rep<'m>, TokenStream)> {
        let (Op::Reference(by), items) = (&by.op, self.items(of)?) else {
            return wrong(function);
        };
        if items.rep.has_nulls() {
            return unsupported("keys of an array that may have nulls");
        }
        let items = self.iterator(items)?;
        let Some(item) = items.item().cloned() else {
            return wrong(function);
        };
        let key = self.on(Value::new(Code::atom(quote!(item)), item.clone()));
        let key = key.strict(by)?;
        let sort = match key.rep {
            Rep::Number => quote!(.sort_by(|(one, _), (other, _)| one.total_cmp(other))),
            Rep::String => quote!(.sort_by_key(|(key, _)| *key)),
            _ => return wrong(function),
        };
        let (items, key) = (&items.code, &key.code);
        let keyed = quote! {
            let mut keyed = Vec::new();
            for item in #items {
                keyed.push((#key, item));
            }
        };
        Ok((keyed, item, sort))
    }
}

/// The items in a vector, with what is done to it.
fn collect<'m>(
    function: Function,
    items: &Value<'m>,
    then: &TokenStream,
) -> LowerResult<Value<'m>> {
    let Some(item) = items.item().cloned() else {
        return wrong(function);
    };
    let items = &items.code;
    let code = quote!({ let mut items = #items.collect::<Vec<_>>(); items #then; items });
    let code = Code::new(Level::Statement, code);
    Ok(Value::new(code, Rep::Items(item.into(), Container::Vector)))
}
