//! Translation of functions that sort an array or compare all of its items.

use proc_macro2::TokenStream;
use quote::quote;

use super::call::wrong_arguments;
use super::{Lower, LowerResult};
use crate::ir::{Expression, Function, Op};
use crate::rust::code::{Code, Level};
use crate::rust::value::{Container, Rep, Value};

impl<'m> Lower<'m> {
    /// Translates `avg`. The average of an empty array is null.
    pub(super) fn average(&self, of: &Expression<'m>) -> LowerResult<Value<'m>> {
        let items = self.items_without_nulls(of)?;
        if !matches!(items.item(), Some(Rep::Number)) {
            return wrong_arguments(Function::Avg);
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
        let items = self.dense(of, "the reverse of an array that may contain nulls")?;
        collect(Function::Reverse, &items, &quote!(.reverse()))
    }

    pub(super) fn sort(&self, of: &Expression<'m>) -> LowerResult<Value<'m>> {
        let items = self.items_without_nulls(of)?;
        let sort = match items.item() {
            Some(Rep::Number) => quote!(.sort_by(f64::total_cmp)),
            Some(Rep::String) => quote!(.sort_unstable()),
            _ => return wrong_arguments(Function::Sort),
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

    /// Translates `max_by` and `min_by`. The first of several equal items wins. The result for an empty array is null.
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

    /// Returns the items with their keys, the type of the items, and the code that sorts by key. A null key ends the
    /// matcher.
    fn items_with_keys(
        &self,
        function: Function,
        of: &Expression<'m>,
        by: &Expression<'m>,
    ) -> LowerResult<(TokenStream, Rep<'m>, TokenStream)> {
        let Op::Reference(by) = &by.op else {
            return wrong_arguments(function);
        };
        let items = self.dense(of, "the keys of an array that may contain nulls")?;
        let Some(item) = items.item().cloned() else {
            return wrong_arguments(function);
        };
        let key = self.on(Value::new(Code::atom(quote!(item)), item.clone()));
        let key = key.strict(by)?;
        let sort = match key.rep {
            Rep::Number => quote!(.sort_by(|(one, _), (other, _)| one.total_cmp(other))),
            Rep::String => quote!(.sort_by_key(|(key, _)| *key)),
            _ => return wrong_arguments(function),
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

/// Collects the items into a vector and calls a method on it.
fn collect<'m>(
    function: Function,
    items: &Value<'m>,
    then: &TokenStream,
) -> LowerResult<Value<'m>> {
    let Some(item) = items.item().cloned() else {
        return wrong_arguments(function);
    };
    let items = &items.code;
    let code = quote!({ let mut items = #items.collect::<Vec<_>>(); items #then; items });
    let code = Code::new(Level::Statement, code);
    Ok(Value::new(code, Rep::Items(item.into(), Container::Vector)))
}
