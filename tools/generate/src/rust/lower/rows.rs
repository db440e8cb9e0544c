//! Translation of multiselect lists, `[a, b]`, and of expressions after `|`.

use std::rc::Rc;

use quote::quote;

use super::{Lower, LowerResult, row_parts, unsupported};
use crate::ir::{Expression, Op};
use crate::rust::code::{Code, Level};
use crate::rust::value::{Rep, Value};

impl<'m> Lower<'m> {
    /// Translates a multiselect list.
    pub(super) fn row(&self, parts: &[Expression<'m>]) -> LowerResult<Value<'m>> {
        let parts = parts.iter().map(|part| self.lenient(part));
        row(parts.collect::<LowerResult<Vec<_>>>()?)
    }

    /// Translates an array to its items. A null item is a failure and ends the matcher.
    pub(crate) fn items_without_nulls(
        &self,
        expression: &Expression<'m>,
    ) -> LowerResult<Value<'m>> {
        if let Some([of, row]) = row_parts(expression) {
            return self.on(self.strict(of)?).items_without_nulls(row);
        }
        match &expression.op {
            Op::List(parts) => {
                let parts = parts.iter().map(|part| self.strict(part));
                self.iterator(row(parts.collect::<LowerResult<Vec<_>>>()?)?)
            }
            _ => self.dense(
                expression,
                "an argument that may contain nulls, if nulls are errors",
            ),
        }
    }

    /// Translates `first | second`.
    pub(super) fn then(&self, links: &[Expression<'m>; 2]) -> LowerResult<Value<'m>> {
        let [first, second] = links;
        let first = self.lenient(first)?;
        if !first.optional || count_reads(second) == 0 {
            return self.on(first).lenient(second);
        }
        if let Op::List(parts) = &second.op {
            return self.row_of(&first, parts);
        }
        if count_reads(second) == 1 && !first.code.contains_try() {
            return self.on(first).lenient(second);
        }
        if !first.rep.is_copied() {
            return unsupported("`|` after an array that may be null");
        }
        let current = first.with_code(Code::atom(quote!(current)));
        let result = self.on(current).lenient(second)?;
        let (first, code) = (&first.code, &result.code);
        let code = quote!({ let current = #first; #code });
        Ok(result.with_code(Code::new(Level::Statement, code)))
    }

    /// Translates a multiselect list over a nullable value. It is null if the value is.
    fn row_of(&self, of: &Value<'m>, parts: &[Expression<'m>]) -> LowerResult<Value<'m>> {
        if parts.iter().any(Expression::can_fail) {
            return unsupported("a list with elements that may fail, over a nullable value");
        }
        let current = Value::new(Code::atom(quote!(current)), of.rep.clone());
        let row = self.on(current).row(parts)?;
        let code = &row.code;
        let code = of.code.then(&quote!(.map(|current| #code)));
        Ok(Value::optional(code, row.rep))
    }
}

/// Returns an array of values of one type.
fn row<'m>(parts: Vec<Value<'m>>) -> LowerResult<Value<'m>> {
    let mut kinds = parts.iter().map(|part| &part.rep);
    let Some(item) = kinds.find(|rep| !matches!(rep, Rep::Null)).cloned() else {
        return unsupported("a list without a value");
    };
    let is_like = |part: &Value<'_>| matches!(part.rep, Rep::Null) || part.rep.is_like(&item);
    if !(item.is_copied() && parts.iter().all(is_like)) {
        return unsupported("a list of several types, or of arrays created in the path");
    }
    let nullable = parts.iter().any(|part| part.optional);
    let codes = parts.iter().map(|part| {
        if nullable {
            part.as_option()
        } else {
            part.code.clone()
        }
    });
    let code = Code::atom(quote!([#(#codes),*]));
    let item = Rc::new(item);
    Ok(Value::new(code, Rep::Row { item, nullable }))
}

/// Returns how often an expression reads `@`.
fn count_reads(expression: &Expression<'_>) -> usize {
    match &expression.op {
        Op::Current => 1,
        Op::Each { of, .. } => count_reads(of),
        Op::Reference(_) => 0,
        Op::Then(links) => links.first().map_or(0, count_reads),
        _ => expression.children().into_iter().map(count_reads).sum(),
    }
}
