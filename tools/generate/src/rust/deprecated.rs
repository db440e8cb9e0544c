//! Deprecated items of the model.
//!
//! Public items get the `deprecated` attribute, as in the SDKs. Generated code that uses an SDK's deprecated items
//! allows the lint.

use proc_macro2::TokenStream;
use quote::quote;
use smithy_waiters_model::{Member, Model, Shape};

use super::access;
use crate::ir::{Deprecation, Expression, Operation, element};

/// Returns the `deprecated` attribute of a public item.
pub(super) fn mark(deprecation: Deprecation<'_>) -> TokenStream {
    let note = deprecation.message.unwrap_or("deprecated in the model");
    quote!(#[deprecated(note = #note)])
}

/// Returns the attribute that allows the use of deprecated items. The model requires it, so a warning would not help.
pub(super) fn allow(is_deprecated: bool) -> TokenStream {
    if is_deprecated {
        quote!(#[allow(deprecated, reason = "the model uses deprecated items")])
    } else {
        TokenStream::new()
    }
}

/// Returns `true` if code that calls an operation uses deprecated items.
pub(super) fn in_call(operation: &Operation<'_>) -> bool {
    operation.deprecated.is_some() || in_sides(operation)
}

/// Returns `true` if the input or the output of an operation is deprecated.
pub(super) fn in_sides(operation: &Operation<'_>) -> bool {
    let mut sides = operation.input.into_iter().chain(operation.output);
    sides.any(|side| Deprecation::of(side).is_some())
}

/// Returns `true` if code that reads or sets a member uses deprecated items: the member or its target.
pub(super) fn in_member(model: &Model<'_>, member: &Member<'_>) -> bool {
    let target = || model.shape(member.target);
    Deprecation::of_member(member).is_some() || target().is_some_and(|shape| in_type(model, shape))
}

fn in_type(model: &Model<'_>, shape: &Shape<'_>) -> bool {
    let is_deprecated = Deprecation::of(shape).is_some();
    is_deprecated || element(shape).is_some_and(|member| in_member(model, member))
}

/// Returns `true` if a path reads a deprecated member.
pub(super) fn in_path(expression: &Expression<'_>) -> bool {
    let read = access::member_access(expression);
    let is_read = read.is_some_and(|(_, member)| Deprecation::of_member(member).is_some());
    is_read || expression.children().into_iter().any(in_path)
}
